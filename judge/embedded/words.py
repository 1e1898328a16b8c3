"""Words that the judge knows: what is too common to tell, what operations are called in code."""

from __future__ import annotations

import re
from collections.abc import Mapping

from judge.embedded.hints import Hinted
from retrieval.words import join, stem

__all__ = [
    "APOLOGY",
    "DATA_WORDS",
    "EXPOSITORY",
    "GENERIC",
    "OPERATORS",
    "STOP",
    "SYNTHETIC",
    "VERBS",
]

_GENERIC = """
model models data dataset datasets train training trained test tests testing evaluate evaluation
evaluated value values number numbers size sizes function functions input inputs output outputs
parameter parameters network networks layer layers loss step steps result results score scores name
names type batch run runs epoch iteration time total each per use uses used compute computed
computes computation calculate calculated process main new single multiple final initial best
better high higher low lower large larger small smaller full experiment experiments task tasks
method methods config configuration setting settings level levels set sets sample samples random
list order path file index key shape corresponding specific original several various directly
performs perform performed performing report reported reports measure measured metric metrics
baseline baselines procedure pipeline phase stage sequence follow follows followed include includes
included contain contains apply applied applies obtain obtained construct constructed constructs
define defined defines require required requires consist consists compare compared comparing
average select selected choose chosen denote adopt adopted employ employed begin begins start
starts end ends resulting either whether until after before during then next once finally
subsequently every
"""
GENERIC = frozenset(stem(word) for word in _GENERIC.split())
"""Stems of words that stand in nearly every repository and claim: seeing one says little."""

_EXPOSITORY = """
achieve achieves acts additional affects against allow allowing along already also alternative
always approximately assess avoid because benefit between beyond but capability capture causing
characterize chooses clearly combinations completes computational confirming consistent
contribution converts core degrades degradation demonstrate demonstrates demonstrating denotes
dependent depends derived design despite determine determines different diminishing discrepancy
distinct distinguish dominates due earlier effect efficiency efficient eliminates enables enforces
ensures entire equivalent establishes even exact executed experimental explicit extra fails fed
feeds fewer finding findings following form formulation framework gain general given goal
guarantee held holds identical identify impact implemented improvement improves increasing
independent indicating individual induce information instead integrated intermediate isolating its
just keep keeps known leading learnable less limited maintain makes mechanism minimal near needed
observed otherwise outperforms overall overhead paper performance possible practice preceding
preserves prevents previous primary produces progressively properties property proportional
protocol provides providing purpose quality quantify rather reaches receive reduces regimes
relationship remaining removing represents respectively role scheme separate separately serves
show shows significantly similar simultaneously since slightly small specifically specified still
strong strongly structure study subsequent such sufficiently take takes taking therefore thereby
three total trade treats two typically unchanged under used using varying vary verify versus via
where which while whose without yield yielding yields four five six seven eight both fair inside
stated usual usually itself themselves therein herein
"""
EXPOSITORY = frozenset(stem(word) for word in _EXPOSITORY.split()) - GENERIC
"""Stems of words that papers explain with and that programs do not hold."""

_STOP = """
a an and are as at be been being by can could do does each either else for from had has have how i
if in into is it its itself may more most must no nor not of on only onto or other our out over
own per same shall she should so some such than that the their them then there these they this
those through to too until up upon was we were what when where which while who whom why will with
within without would you your e g ie eg etc et vs also all any both via between after before every
one
"""
STOP = frozenset(_STOP.split())
"""Words of grammar."""

_VERBS = """
adopt adopts adopted apply applies applied applying employ employs employed take takes taken use
uses used using utilise utilised utilize utilized utilizes
"""
VERBS = frozenset(_VERBS.split())
"""What papers say of everything: a line is never quoted for one of these."""

# Name | what a claim says | the terms of code that carry it out.
_OPERATORS = r"""
square root | √|sqrt|square root | sqrt rsqrt std norm sqrt_
exponential | \bexp\b|\be\^|exponential(?!ly| moving) | exp expm1 logsumexp softmax
logarithm | \blog(?!istic|ic|its?\b)|\bln\b|logarithm | log log_softmax logsumexp log_prob
+ cross_entropy log2 log10 log1p nll_loss logsigmoid
softmax | softmax | softmax log_softmax cross_entropy logsumexp
maximum | \bmax(?:imum)?\b(?!\s*(?:length|number|seq)) | max maximum clamp amax relu argmax clip
minimum | \bmin(?:imum)?\b(?!i) | min minimum clamp amin argmin clip
norm | ‖|\|\||\bnorm\b|\bl2\b|squared error|\bmse\b | norm mse mse_loss square pow linalg l2 cdist
gradient | ∇|\bgradients?\b|backprop | grad backward autograd grads jacobian gradient vjp jvp
+ value_and_grad
stop gradient | stop[- ]?grad|\bdetach|\bsg\(|stopgrad | detach no_grad stop_gradient lax
divergence | \bKL\b|kullback|D_\{?KL | kl kl_div kl_divergence kld kl_loss
Gaussian | gaussian|\bN\(0|𝒩|\bnormal distribution | randn normal randn_like gaussian
+ standard_normal normal_
uniform | uniform(?!ly spaced)|\bU\(|\bU\[ | rand uniform randint uniform_ rand_like choice
square | ²|\^2|squared | pow square mse mse_loss norm square_
clipping | \bclip|\bclamp | clip clamp clip_grad_norm_ minimum clamp_ clip_by_value
sigmoid | sigmoid|\bσ\( | sigmoid logsigmoid bcewithlogits binary_cross_entropy expit silu
mean | \bmean\b|\baverag|\bE\[|𝔼|expectation | mean average avg nanmean adaptiveavgpool
sum | ∑|Σ|\bsum(?:s|med|ming)?\b | sum einsum cumsum nansum matmul dot
argmax | arg\s?max|greedy | argmax topk max
cosine | \bcos(?:ine)?\b | cos cosine cosine_similarity cosineannealinglr
inverse | inverse|\^\{?-1\}?|⁻¹|pseudo-?inverse | inv inverse solve pinv lstsq cholesky
+ cholesky_solve
sort or top-k | top-?k\b|\bsort|rank(?:ed|ing)s?\b | topk sort argsort sorted rank rankdata
concatenation | concat | cat concat concatenate hstack stack vstack
moving average | \bEMA\b|moving average|\bpolyak | ema lerp ema_decay moving_average polyak swa
Fourier | fourier|\bFFT\b|spectral | fft rfft fft2 rfft2 ifft irfft fftn irfft2
convolution | \bconv(?:olution|olutional)?\b | conv conv1d conv2d conv3d convolve
attention | attention | attention multiheadattention scaled_dot_product_attention attn
normalisation | (?:layer|batch|group|rms)[- ]?norm | layernorm batchnorm groupnorm rmsnorm
+ batchnorm2d batchnorm1d layer_norm
freezing | \bfrozen|\bfreez|\bfixed weights | requires_grad freeze eval no_grad frozen
+ requires_grad_
quantile | quantile|percentile|bootstrap|confidence interval | quantile percentile bootstrap ppf
+ resample sem
cross entropy | cross[- ]entropy|log[- ]likelihood|\bNLL\b | cross_entropy crossentropyloss
+ nll_loss log_prob bce nll bcewithlogits
"""


def _operators() -> dict[str, tuple[Hinted, tuple[str, ...]]]:
    table: dict[str, tuple[Hinted, tuple[str, ...]]] = {}
    for line in _OPERATORS.strip().replace("\n+ ", " ").splitlines():
        name, _, rest = line.partition(" | ")
        said, _, code = rest.rpartition(" | ")
        terms = tuple(dict.fromkeys(join(word) for word in code.split()))
        table[name] = (Hinted.of(said), terms)
    return table


OPERATORS: Mapping[str, tuple[Hinted, tuple[str, ...]]] = _operators()
"""By name: what a claim says, and the terms of code that carry it out."""

# Behind such a mark: that something is still to be written, and not what somebody asks or plans.
_LEFT_OPEN = (
    r"(?:\W{0,2}\(?\w+\)?(?=:))?\W{0,4}(?:$|(?:actually |still |properly )?(?:implement|fill"
    r"|finish|complete\b|write\b|compute\b|add\b|support\b|handle\b|put\b|insert\b|real\b|actual\b"
    r"|not (?:yet )?done"
    r"|(?:replace|swap|use|call|load)\b.{0,30}\b(?:real|actual|full|proper|true)\b))"
)
APOLOGY = Hinted.of(
    rf"\bTODO\b{_LEFT_OPEN}|\bFIXME\b{_LEFT_OPEN}"
    r"|\b(?:is|are|still) missing\b|\bto be (?:done|added|filled|written|implemented)\b"
    r"|placeholder|\bstubs?\b|not (?:yet )?implemented|unimplemented|\bdummy\b"
    r"|\bmock(?:ed|up)?\b|\bfake\b|for (?:now|simplicity|demonstration|illustration)"
    r"|simplif(?:y|ied)|\btoy\b|in (?:a|the) (?:real|full|actual|practice)"
    r"|would (?:be|go|need|typically|normally)|pseudo-?code|your .{0,30} here"
    r"|approximat(?:e|ion) (?:of|for) (?:the )?(?:real|actual)|skeleton|hypothetical"
    r"|assum(?:e|ing) .{0,20}(?:exist|defined|available)"
)
"""What people write beside code that is not the real thing."""

SYNTHETIC = Hinted.of(
    r"synthetic|dummy|fake|mock|simulat(?:e|ed|ing) (?:data|result|response|score)"
    r"|random (?:data|image|token|text)|toy (?:data|task|dataset)|FakeData"
    r"|make_(?:classification|blobs|regression|moons)|placeholder data"
)
"""Signs of made-up data."""

DATA_WORDS = re.compile(r"data|corpus|load|sample|batch|image|token|text|env", re.IGNORECASE)
"""Names of functions that bring data."""
