"""Choices of method that exclude each other: what a claim says, and what code does.

A side that a claim says is matched widely in code, so that another spelling of it is no
contradiction; a side that would contradict is matched by what leaves no doubt.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["CHOICES", "Choice", "Said", "Side", "said_in"]

_Pattern = re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Side:
    """One way of several.

    Attributes:
        words: The way, for people.
        said: What a claim says.
        may: What code may do it by.
        does: What code does it by without doubt.
        terms: Terms of which code that does it holds one.
    """

    words: str
    said: _Pattern
    may: _Pattern
    does: _Pattern
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """Ways that exclude each other.

    Attributes:
        name: What is chosen.
        sides: The ways.
        whole: The way can be told from the names in the repository alone, wherever they stand.
        hints: A claim that says a side holds one of them.
    """

    name: str
    sides: tuple[Side, ...]
    whole: bool = False
    hints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """A side that a claim says.

    Attributes:
        choice: The choice.
        side: Position of the side.
        start: Where it stands in the claim.
        end: Where it ends.
    """

    choice: Choice
    side: int
    start: int
    end: int


# A choice, `!` where it is told from names alone; what a claim of it holds; its sides: what a claim
# says, what code may do it by, what code does it by, and terms of such code. `+` goes on a line.
_TABLE = r"""
choice reduction
hints mean averag sum median
side mean
said \bmean(?! (?:squared|absolute|and|vector|field|func|of the gaussian|μ))\b|\baverag(?:es
+ |ed|ing)\b|\baverage(?! (?:pool|precision))\b
may \.mean\(|\bmean\(|nanmean|average|\bavg|reduction\s*=\s*['"](?:batch)?mean
+ |F\.\w+\((?!.*reduction)|\w+_loss\(\w+, \w+\)|[a-z]Loss\((?!.*reduction)|/\s*(?:len|max
+ |float|\(|self|num|n|count|total|batch|size|k\b|m\b)|/=|fmean|statistics
does \.mean\(|np\.mean\(|reduction\s*=\s*['"]mean
terms mean
side sum
said \bsum(?:s|med|ming)?\b(?! to (?:one|1))
may sum|\+=|@|matmul|logsumexp|\+
does \.sum\(|np\.sum\(|reduction\s*=\s*['"]sum
terms sum
side median
said \bmedian\b
may median|quantile|percentile
does \.median\(|np\.median\(
terms median
choice extremum
hints maximum minimum max( min( largest smallest highest lowest argm
side maximum
said \bmaximum(?! (?:of \d|number|length|step|iter|sequence|epoch|learning|likelihood
+ |a posteriori|mean|context|position|token))\b|\bmax\(|\blargest\b|\bhighest\b
+ |\barg\s?max
may max|min\(\s*-|topk|relu|clamp|clip|descending\s*=\s*True|reverse\s*=\s*True|\[-1\]|\[::-1\]|>
does \.max\(|(?:np|torch)\.max(?:imum)?\(|\barg_?max\(|\.amax\(
terms max maximum argmax amax
side minimum
said \bminimum(?! (?:of \d|number|length|step|learning))\b|\bmin\(|\bsmallest\b|\blowest\b
+ |\barg\s?min
may min|max\(\s*-|clamp|clip|largest\s*=\s*False|sort|\[0\]|<
does \.min\(|(?:np|torch)\.min(?:imum)?\(|\barg_?min\(|\.amin\(
terms min minimum argmin amin
choice sorting
hints ascend descend order largest smallest
side ascending
said \bascending\b|\bincreasing order\b|\bsmallest to largest\b
may sort(?!.*(?:descending\s*=\s*True|reverse\s*=\s*True))|heapq
does \bsort\w*\(\s*\w*\s*\)|descending\s*=\s*False|reverse\s*=\s*False
terms sort sorted argsort
side descending
said \bdescending\b|\bdecreasing order\b|\blargest to smallest\b
may descending\s*=\s*True|reverse\s*=\s*True|\[::-1\]|sort\(\s*-|\.flip|topk|largest
+ |key\s*=\s*lambda[^:]*:\s*-
does descending\s*=\s*True|reverse\s*=\s*True
terms sort sorted argsort topk
choice error
hints square absolute mse mae l1 l2
side squared error
said \bsquared (?:error|difference|distance|residual)|\bmean[- ]squared\b|\bMSE\b|\bL2 loss\b
may mse|MSE|\*\*\s*2|pow|square|norm|cdist|l2|L2
does mse_loss\(|MSELoss\(|\*\*\s*2|\.pow\(2\)|\.square\(
terms mse mseloss square pow
side absolute error
said \babsolute (?:error|difference|deviation)|\bMAE\b|\bL1 loss\b
may abs|l1|L1|mae|MAE|smooth
does l1_loss\(|L1Loss\(|\.abs\(|np\.abs\(
terms l1loss abs mae
choice squashing
hints softmax sigmoid logistic
side softmax
said \bsoftmax\b
may softmax|cross_entropy|CrossEntropy|logsumexp|Categorical|\bexp\(
does \bsoftmax\(|\.softmax\(|Softmax\(
terms softmax logsoftmax
side sigmoid
said \bsigmoid\b|\blogistic function
may sigmoid|expit|binary_cross_entropy|BCE|Bernoulli|1\s*/\s*\(1|1\.0\s*/\s*\(1
does \bsigmoid\(|\.sigmoid\(|Sigmoid\(
terms sigmoid
choice activation !
hints relu gelu silu swish tanh hyperbolic
side ReLU
said (?<!leaky )(?<!leaky-)\bReLUs?\b
may relu|ReLU|clamp_min|clamp\(min=0|maximum\(0
does \bReLU\(|F\.relu\(|torch\.relu\(|activation\s*=\s*['"]relu
terms relu
side GELU
said \bGELU\b
may gelu|GELU|\berf\(|0\.044715|1\.702
does \bGELU\(|F\.gelu\(|activation\s*=\s*['"]gelu
terms gelu
side SiLU
said \bSiLU\b|\bswish\b
may silu|SiLU|swish|Swish|SwiGLU|sigmoid
does \bSiLU\(|F\.silu\(|activation\s*=\s*['"]silu
terms silu swish
side tanh
said \btanh\b|hyperbolic tangent
may tanh|Tanh
does \bTanh\(|\btanh\(|activation\s*=\s*['"]tanh
terms tanh
side leaky ReLU
said leaky[- ]?ReLU
may leaky|Leaky
does LeakyReLU\(|leaky_relu\(
terms leakyrelu
choice normalisation !
hints norm
side batch normalisation
said \bbatch[- ]?norm(?:ali[sz]ation)?\b
may batch_?norm|BatchNorm|\bbn\d?\b|running_(?:mean|var)|\.var\(\(0,|\.var\((?:dim|axis)=\(?0\b
does BatchNorm\dd\(|batch_norm\(
terms batchnorm batchnorm1d batchnorm2d batchnorm3d
side layer normalisation
said \blayer[- ]?norm(?:ali[sz]ation)?\b
may layer_?norm|LayerNorm|\bln_?\w*\b|RMSNorm
does LayerNorm\(|layer_norm\(
terms layernorm
side group normalisation
said \bgroup[- ]?norm(?:ali[sz]ation)?\b
may group_?norm|GroupNorm
does GroupNorm\(|group_norm\(
terms groupnorm
side RMS normalisation
said \bRMS[- ]?norm
may rms_?norm|RMSNorm|rsqrt
does RMSNorm\(
terms rmsnorm
side instance normalisation
said \binstance[- ]?norm
may instance_?norm|InstanceNorm
does InstanceNorm\dd\(
terms instancenorm instancenorm1d instancenorm2d
side local response normalisation
said \blocal response norm
may LocalResponse|local_response
does LocalResponseNorm\(
terms localresponsenorm
choice pooling !
hints pool
side max pooling
said \bmax[- ]?pool
may max_?pool|MaxPool|amax|\.max\(|topk\((?:k=)?1\b
does MaxPool\dd\(|max_pool\dd\(
terms maxpool2d maxpool1d maxpool maxpool3d adaptivemaxpool2d
side average pooling
said \b(?:average|mean|avg)[- ]?pool
may avg|Avg|mean|average|Average
does AvgPool\dd\(|avg_pool\dd\(
terms avgpool2d avgpool1d avgpool adaptiveavgpool2d avgpool3d
choice optimiser !
hints adam sgd stochastic rmsprop adagrad
side Adam
said (?<!using )\bAdam\b(?! W)
may \bAdam|adam|addcmul_?\(|exp_avg
does \bAdam\(
terms adam
side AdamW
said \bAdamW\b
may AdamW|adamw|weight_decay
does \bAdamW\(
terms adamw
side SGD
said \bSGD\b|\bstochastic gradient descent\b
may SGD|sgd|-=|sub_\(|add_\(
does \bSGD\(
terms sgd
side RMSprop
said \bRMSProp\b
may RMSprop|rmsprop|RMSProp
does RMSprop\(
terms rmsprop
side Adagrad
said \bAdaGrad\b
may Adagrad|adagrad|AdaGrad
does Adagrad\(
terms adagrad
choice replacement
hints replacement bootstrap
side with replacement
said (?<!out )\bwith replacement\b|\bbootstrap(?:ped)? (?:sample|resampl)
may replace\w*\s*=\s*True|choices\(|randint|bootstrap|resample
+ |np\.random\.choice\((?!.*replace\s*=\s*False)|rng\.choice\((?!.*replace\s*=\s*False)
+ |multinomial
does replace\w*\s*=\s*True|random\.choices\(
terms replace choice randint resample replacement
side without replacement
said \bwithout replacement\b
may replace\w*\s*=\s*False|random\.sample\(|permutation|randperm|shuffle|sample|split
does replace\w*\s*=\s*False|randperm\(|\.permutation\(
terms replace choice permutation randperm replacement
choice deviation
hints biased ddof 1 population
side unbiased deviation
said \bunbiased (?:std|standard dev|variance|estimat)|\bddof\s*=\s*1
+ |\bn ?- ?1 in the denominator
may ddof\s*=\s*1|unbiased|\.std\(|stdev\(|\.var\(|- ?1\)
does unbiased\s*=\s*True|ddof\s*=\s*1|correction\s*=\s*1
terms std var
side biased deviation
said (?<!un)\bbiased (?:std|standard dev|variance|estimat)|\bddof\s*=\s*0|\bpopulation (?:std
+ |standard|variance)
may ddof\s*=\s*0|unbiased\s*=\s*False|np\.std|np\.var|pstdev|pvariance|correction\s*=\s*0
+ |mean
does unbiased\s*=\s*True|ddof\s*=\s*1
terms std var
choice schedule
hints linear cosine constant
side linear schedule
said \blinear(?:ly)? (?:warm|decay|schedul|anneal|decreas|learning)|\bdecay(?:s|ed)? linearly
may linear|Linear|lerp|linspace|/|LambdaLR
does LinearLR\(|get_linear_schedule\w*\(|lr_scheduler_type\s*=\s*['"]linear
terms linear linearlr linspace
side cosine schedule
said \bcosine (?:learning|decay|schedul|anneal|warm|lr)
may cos|Cos
does CosineAnnealing\w*\(|math\.cos\(|get_cosine_schedule\w*\(
+ |lr_scheduler_type\s*=\s*['"]cosine
terms cos cosine cosineannealinglr
side constant schedule
said \bconstant (?:learning rate|lr\b)
may constant|Constant|lr\s*=
does ConstantLR\(|get_constant_schedule\w*\(
terms constant constantlr
choice distribution
hints uniform gaussian normal n(0
side uniform
said \buniform(?:ly)?(?! spaced| grid| over the (?:step|layers)) (?:at random|distribut|sampl
+ |random|drawn|from|in |noise|over)
may rand|uniform|Uniform|choice|linspace|sample|shuffle
does \.uniform_?\(|torch\.rand\(|rand_like\(
terms uniform rand randint randlike
side Gaussian
said \b(?:gaussian|normal) (?:noise|distribut|random|sampl|init)|\bN\(0|\bstandard normal
may randn|normal|Normal|gauss|Gauss
does \brandn(?:_like)?\(|\.normal_?\(
terms randn normal randnlike gaussian
choice shuffling
hints shuffl
side shuffled
said (?<!not )(?<!un)\bshuffl(?:ed|ing)\b(?! is (?:off|not))
may shuffle(?!\s*=\s*False)|randperm|permut|sample|Random
does shuffle\s*=\s*True
terms shuffle
side not shuffled
said \b(?:not|without|no|un)[- ]?shuffl
may shuffle\s*=\s*False|DataLoader\((?!.*shuffle\s*=\s*True)
does shuffle\s*=\s*True
terms shuffle
choice logarithm
hints log2 log_2 log₂ log10 log_10 log₁₀ base bits natural nats ln(
side base 2
said \blog(?:arithm)?s?[_ ]?(?:2|₂|base[- ]2|to (?:the )?base 2)\b|\bbase[- ]2 log|\bbits\b
may log2|log\(2|bit
does \blog2\(
terms log2
side base 10
said \blog(?:arithm)?[_ ]?(?:10|₁₀)\b|\bbase[- ]10 log
may log10|log\(10|dB
does \blog10\(
terms log10
side natural
said \bnatural log|\bnats\b|\bln\(
may \blog\(|\.log\(|nat
does \blog2\(|\blog10\(
terms log
choice norm placement
hints pre-norm prenorm pre-layer post-norm postnorm post-layer
side pre-norm
said \bpre-?(?:layer)?-?norm(?:ali[sz]ation)?\b(?!.{0,12}residual stream)
may (?:attn|attention|mlp|ffn|ff|forward|block|sublayer)\w*\(\s*self\.\w*(?:norm|ln)\w*
+ |pre_?norm|norm_first\s*=\s*True|=\s*self\.\w*(?:norm|ln)\w*\(\s*\w+\s*\)
does norm_first\s*=\s*True|\+\s*self\.\w+\(\s*self\.\w*(?:norm|ln)\w*\(
terms norm ln layernorm
side post-norm
said \bpost-?(?:layer)?-?norm(?:ali[sz]ation)?\b
may (?:norm|ln)\w*\(\s*\w+\s*\+|post_?norm|norm_first\s*=\s*False|TransformerEncoderLayer\(
does self\.\w*(?:norm|ln)\w*\(\s*\w+\s*\+
terms norm ln layernorm
choice direction
hints directional
side bidirectional
said \bbi-?directional(?! mask) (?:LSTM|GRU|RNN|recurr)
may bidirectional\s*=\s*True|BiLSTM|flip|backward
does bidirectional\s*=\s*True
terms bidirectional lstm gru
side unidirectional
said \buni-?directional (?:LSTM|GRU|RNN|recurr)
may LSTM|GRU|RNN|bidirectional\s*=\s*False
does bidirectional\s*=\s*True
terms bidirectional lstm gru
choice averaging
hints macro micro
side macro average
said \bmacro[- ](?:averag|F1)
may macro|mean
does average\s*=\s*['"]macro
terms macro average
side micro average
said \bmicro[- ](?:averag|F1)
may micro|accuracy
does average\s*=\s*['"]micro
terms micro average
choice decoding
hints greedy decod nucleus temperature
side greedy
said \bgreedy (?:decod|action|sampl|search)
may argmax|greedy|do_sample\s*=\s*False|temperature\s*=\s*0|max\(
does do_sample\s*=\s*False|temperature\s*=\s*0\.?0?\b
terms greedy argmax dosample temperature
side sampled
said \btemperature sampling\b|\bsampled decod|\bnucleus sampling\b
may multinomial|do_sample\s*=\s*True|Categorical|sample|top_p|choice
does do_sample\s*=\s*True|multinomial\(
terms multinomial dosample sample
"""


def _choices() -> tuple[Choice, ...]:
    lines: list[tuple[str, str]] = []
    for line in _TABLE.strip().splitlines():
        key, _, rest = line.partition(" ")
        if key == "+":
            lines[-1] = lines[-1][0], lines[-1][1] + rest
        else:
            lines.append((key, rest))
    sides: dict[str, list[dict[str, str]]] = {}
    hints: dict[str, tuple[str, ...]] = {}
    for key, rest in lines:
        if key == "choice":
            sides[rest] = []
        elif key == "hints":
            hints[next(reversed(sides))] = tuple(rest.split())
        elif key == "side":
            sides[next(reversed(sides))].append({"words": rest})
        else:
            sides[next(reversed(sides))][-1][key] = rest
    return tuple(
        Choice(name.removesuffix(" !"), tuple(map(_side, own)), name.endswith(" !"), hints[name])
        for name, own in sides.items()
    )


def _side(record: Mapping[str, str]) -> Side:
    return Side(
        record["words"],
        re.compile(record["said"], re.IGNORECASE),
        re.compile(record["may"]),
        re.compile(record["does"]),
        tuple(record["terms"].split()),
    )


CHOICES: Sequence[Choice] = _choices()
"""The choices that are told apart."""


@lru_cache(maxsize=4096)
def said_in(text: str) -> tuple[Said, ...]:
    """The sides that a claim says; none of a choice of which it says more than one."""
    found: list[Said] = []
    lower = text.lower()
    for choice in CHOICES:
        if not any(hint in lower for hint in choice.hints):
            continue
        own = [
            Said(choice, number, match.start(), match.end())
            for number, side in enumerate(choice.sides)
            for match in side.said.finditer(text)
        ]
        if own and len({one.side for one in own}) == 1:
            found += own[:2]
    return tuple(found)
