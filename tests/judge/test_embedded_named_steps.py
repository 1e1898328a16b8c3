"""Steps and names that a claim states and that no live code holds a sign of."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmark import Level
from judge.embedded.contradictions import contradictions
from judge.embedded.looking import look
from judge.embedded.method import look_at_method
from judge.embedded.named_steps import NAMED_STEPS, missed_steps
from judge.embedded.parts import claim_of
from judge.embedded.survey import survey_of
from tests.judge.embedded_cases import index_of, judged, sau

SHARP = """
import torch


class Sharp:
    def __init__(self, inner, rho):
        self.inner, self.rho = inner, rho

    def weights(self):
        return [p for g in self.inner.param_groups for p in g["params"]]

    def climb(self):
        length = torch.norm(torch.stack([p.grad.norm(2) for p in self.weights()]), 2)
        for p in self.weights():
            p.data.add_(p.grad * (self.rho / (length + 1e-12)))


def main():
    net = torch.nn.Sequential(torch.nn.Linear(784, 256), torch.nn.ReLU(), torch.nn.Linear(256, 10))
    sgd = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9{more})
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(sgd, T_max=60)
    sharp = Sharp(sgd, 0.05)
    for _ in range(60):
        net(torch.randn(8, 784)).logsumexp(1).mean().backward()
        sharp.climb()
        sgd.step()
        schedule.step()


if __name__ == "__main__":
    main()
"""
FALSE = [
    "The perturbation is the sign of the gradient times rho",
    "rho is annealed linearly over training",
    "The gradient norm is computed separately for each layer",
    "The gradient norm of each layer is scaled by rho",
    "SGD with Nesterov momentum of 0.9",
    "Weights are trained with dropout between the layers",
]
TRUE = [
    "The learning rate is annealed with a cosine schedule",
    "The gradient is scaled by rho over its norm, taken over all parameters",
    "SGD with momentum of 0.9",
]


@pytest.mark.parametrize("claim", FALSE)
def test_a_step_without_any_sign_is_half_done_at_most(tmp_path: Path, claim: str) -> None:
    index = index_of(tmp_path, {"train.py": SHARP.format(more="")})
    answer, _ = judged(index, sau(claim, "D2"))
    assert answer.level in {Level.ABSENT, Level.FRAGMENT, Level.PARTIAL}, answer.rationale


@pytest.mark.parametrize("claim", TRUE)
def test_steps_that_stand_there_are_not_missed(tmp_path: Path, claim: str) -> None:
    survey = survey_of(index_of(tmp_path, {"train.py": SHARP.format(more="")}))
    found = look(survey, claim_of(sau(claim, "D2")))
    assert not found.method.missed
    assert not contradictions(found.method)


def test_what_an_argument_turns_on_stands_there(tmp_path: Path) -> None:
    claim = "SGD with Nesterov momentum of 0.9"
    on = index_of(tmp_path / "on", {"train.py": SHARP.format(more=", nesterov=True")})
    off = index_of(tmp_path / "off", {"train.py": SHARP.format(more=", nesterov=False")})
    assert missed_steps(survey_of(on), claim) == ()
    assert [step.name for step in missed_steps(survey_of(off), claim)] == ["Nesterov momentum"]


def test_one_norm_over_all_is_told_and_cited(tmp_path: Path) -> None:
    survey = survey_of(index_of(tmp_path, {"train.py": SHARP.format(more="")}))
    claim = "The gradient norm is computed separately for each layer"
    (told,) = contradictions(look_at_method(survey, claim))
    assert "one norm over all stands there" in told.done
    assert "torch.stack" in survey.codes[told.rows[0]]


@pytest.mark.parametrize("name", NAMED_STEPS)
def test_a_claim_of_another_step_states_none(name: str) -> None:
    claim = "The model is fitted to images of cats and dogs, batch by batch"
    assert not NAMED_STEPS[name].is_stated(claim, claim.lower())


BLOCK = """
import math
import torch
from torch import nn
from torch.nn import functional as F


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.heads = heads
        self.mlp = nn.Sequential(nn.Linear(width, 64), nn.GELU(), nn.Linear(64, width))

    def attend(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        scores = (q @ k.transpose(-2, -1)) / math.sqrt(q.size(-1))
        scores = scores.masked_fill(torch.tril(torch.ones_like(scores)) == 0, float("-inf"))
        return scores.softmax(-1) @ v

    def forward(self, x):
        x = x + self.attend(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class Model(nn.Module):
    def __init__(self, words, width):
        super().__init__()
        self.wte = nn.Embedding(words, width)
        self.wpe = nn.Embedding(256, width)
        self.block = Block(width, 4)
        self.lstm = nn.LSTM(width, width)
        self.head = nn.Linear(width, words)
        nn.init.xavier_uniform_(self.head.weight)

    def forward(self, text):
        x = self.wte(text) + self.wpe(torch.arange(text.size(1)))
        x = F.interpolate(self.lstm(self.block(x))[0], scale_factor=1.0, mode="nearest")
        return self.head(F.max_pool1d(x, 1))


def main():
    model = Model(100, 16)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=10)
    for text, target in torch.load("data.pt"):
        loss = F.cross_entropy(model(text).flatten(0, 1), target.flatten())
        loss.backward()
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        print(loss.item())


if __name__ == "__main__":
    main()
"""
# A claim of what is not there, what stands in its place, and a claim of what is there.
REPLACED = {
    "activation": ("The MLP uses a SwiGLU activation", "nn.GELU", "The MLP uses a GELU activation"),
    "position": (
        "Positions are encoded by rotary embeddings (RoPE)",
        "wpe = nn.Embedding",
        "Learned position embeddings are added to the tokens",
    ),
    "norm": ("Blocks use RMSNorm", "nn.LayerNorm", "Blocks use LayerNorm"),
    "norm place": (
        "Layer normalisation is applied after each sublayer (post-norm)",
        "x = x + self.attend(self.ln_1",
        "Layer normalisation is applied before each sublayer (pre-norm)",
    ),
    "initialisation": (
        "The head is initialised by Kaiming initialisation",
        "xavier_",
        "The head is initialised by Xavier initialisation",
    ),
    "optimiser": ("The optimiser is Adafactor", "RMSprop", "The optimiser is RMSprop"),
    "schedule": (
        "The learning rate follows a one-cycle schedule",
        "CosineAnnealingLR",
        "The learning rate is annealed with a cosine schedule",
    ),
    "loss": ("The loss is a Huber loss", "F.cross_entropy", "The loss is the cross-entropy"),
    "recurrent": ("The recurrent part is a GRU", "nn.LSTM", "The recurrent part is an LSTM"),
    "interpolation": (
        "Features are upsampled by bicubic interpolation",
        '"nearest"',
        "Features are upsampled by nearest-neighbour interpolation",
    ),
}


@pytest.mark.parametrize("group", REPLACED)
def test_another_of_its_group_in_its_place_replaces_the_core(tmp_path: Path, group: str) -> None:
    false, instead, true = REPLACED[group]
    survey = survey_of(index_of(tmp_path, {"train.py": BLOCK}))
    assert not missed_steps(survey, true)
    (missed,) = missed_steps(survey, false)
    assert NAMED_STEPS[missed.name].group == group
    assert (missed.rival, missed.whole) == (instead, True)
    assert instead in survey.codes[missed.row]
    (told,) = contradictions(look(survey, claim_of(sau(false, "D2"))).method)
    assert instead in told.done
    answer, _ = judged(survey.index, sau(false, "D2"))
    assert answer.level is Level.FRAGMENT, answer.rationale
    assert instead in answer.rationale


@pytest.mark.parametrize(
    ("group", "claim"),
    [
        ("attention", "Attention uses grouped-query heads"),
        ("other norms", "Linear layers are spectrally normalised by spectral normalisation"),
        ("regularisation", "Blocks are trained with stochastic depth"),
        ("augmentation", "Images are augmented with CutMix"),
        ("parts of optimisers", "Gradients are clipped at norm 1"),
        ("warm-up", "The learning rate has a warm-up of 100 steps"),
        ("further losses", "A triplet loss pulls positives together"),
        ("reinforcement learning", "Transitions are stored in a replay buffer"),
        ("generation", "Text is generated with nucleus sampling"),
        ("backbone", "The backbone is a ConvNeXt"),
        ("architecture", "Layers are fine-tuned with LoRA"),
        ("metric", "BLEU is reported on the test set"),
        ("protocol", "Results are averaged over three seeds"),
        ("tokeniser", "Text is tokenised by WordPiece"),
        ("linear algebra", "A Cholesky decomposition solves the system"),
        ("probability", "Mixture weights are drawn from a Dirichlet"),
    ],
)
def test_what_stands_nowhere_leaves_half_or_fragments_at_most(
    tmp_path: Path, group: str, claim: str
) -> None:
    index = index_of(tmp_path, {"train.py": BLOCK})
    (missed,) = missed_steps(survey_of(index), claim)
    step = NAMED_STEPS[missed.name]
    # What is hardly written without its name is no more than a fragment where that stands nowhere.
    assert (step.group, missed.rival, missed.whole) == (group, "", step.by_name)
    answer, _ = judged(index, sau(claim, "D2"))
    assert answer.level is not None
    assert answer.level <= (Level.FRAGMENT if step.by_name else Level.PARTIAL), answer.rationale


@pytest.mark.parametrize(
    "claim",
    [
        "The MLP is trained without dropout",
        "GELU is used instead of SwiGLU",
        "Rotary embeddings are not used",
        "Dropout is set to 0",
        "Blocks have a dropout rate of 0.0",
        "The blocks have no batch normalisation",
        "LayerNorm rather than RMSNorm precedes each sublayer",
        "The activation is GELU or ReLU",
    ],
)
def test_what_a_claim_denies_or_leaves_open_is_not_missed(tmp_path: Path, claim: str) -> None:
    assert not missed_steps(survey_of(index_of(tmp_path, {"train.py": BLOCK})), claim)


@pytest.mark.parametrize(
    ("code", "claim"),
    [
        ("y = x * torch.sigmoid(x)", "The activation is SiLU"),
        ("y = F.silu(gate(x)) * up(x)", "The feed-forward layers are SwiGLU"),
        ("y = 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))", "The activation is GELU"),
        ("y = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True))", "Layers use RMSNorm"),
        ("kv = qkv.view(b, t, num_kv_heads, -1)", "Attention uses grouped-query heads"),
        ("y = AutoModelForCausalLM.from_pretrained(name)", "Positions are encoded by RoPE"),
        ("w = decay * w + (1 - decay) * new", "An exponential moving average of the weights"),
        ("lr = 0.5 * (1 + math.cos(math.pi * step / total))", "A cosine decay of the rate"),
        ("args = TrainingArguments(output_dir=out)", "Gradients are clipped at norm 1"),
        ("optimizer = Optimizers[name](p, type='adamw')", "The optimiser is Adam"),
        ("for seed in (1, 2, 3): run(seed)", "Results are averaged over three seeds"),
        ("x = self.norm(x + self.attend(x))", "Blocks are post-norm"),
        ("since = 0 if w < x else new + 1; w = w[since:]", "Training ends by early stopping"),
        ("self.storage[at] = x", "Transitions are stored in a replay buffer"),
        ("kept = [x[i] for i in np.random.randint(len(x), size=9)]", "A replay memory is used"),
        ("a = Trainer(model=x, train_dataset=w)", "The learning rate decays linearly to zero"),
        ("x = np.where(w, x[:, :, ::-1], x)", "Images are augmented by a horizontal flip"),
        ("w = classification_report(x, p)", "Accuracy is reported on the test set"),
        ("w = classification_report(x, p)", "We report macro F1"),
        ("p.grad *= min(1.0, 1.0 / new)", "Gradients are clipped to a norm of 1.0"),
        ("w = 0.005 * new + 0.995 * w", "The critic has a soft target update"),
        ("s = LambdaLR(p, lambda s: min(1.0, (s + 1) / 1000))", "The rate has a warm-up"),
        ("y = self.w2(F.silu(self.w1(x)) * self.w3(x))", "The layers are SwiGLU"),
        ("w = -10 * torch.log10(((x - p) ** 2).mean())", "PSNR is reported"),
        ("w = ((x - p) ** 2).mean() ** 0.5", "RMSE is reported"),
        ("x = x * (np.random.rand(9) > 0.1) / 0.9", "Layers have dropout of 0.1"),
        ("w = x[i : i + 32, j : j + 32]", "Images are augmented by a random crop"),
        ("new.mul_(0.999).add_(w, alpha=0.001)", "An EMA of the weights is kept"),
        ("y = (x > 0) * x if p else np.where(x > 0, x, 0.2 * x)", "A leaky ReLU is used"),
        ("loss = w / grad_steps; step = (p + 1) % 4 == 0", "Gradient accumulation is used"),
        ("w = x[..., list(range(31, -1, -1))]", "A random horizontal flip is used"),
        ("w = (x & p).sum() / (x | p).sum()", "IoU is reported on the test set"),
        ("p = 0.9 * p + 0.1 * x; w = 0.999 * w + 0.001 * x * x", "The optimiser is Adam"),
        ("w = x / x.norm(dim=-1) * len(x) ** 0.5", "Layers use RMSNorm"),
    ],
)
def test_signs_under_other_spellings_count(tmp_path: Path, code: str, claim: str) -> None:
    lines = f"def main(x, p, qkv, w, new):\n    {code}\n    return x, p, w\n\n\n"
    body = lines + "print(main(*map(float, input().split())))\n"
    assert not missed_steps(survey_of(index_of(tmp_path, {"run.py": body})), claim)


@pytest.mark.parametrize(
    "claim",
    [
        "The score follows the paper's Eq. F1",
        "The update is that of Equation (F1) for every layer",
    ],
)
def test_the_number_of_a_formula_is_no_component(tmp_path: Path, claim: str) -> None:
    survey = survey_of(index_of(tmp_path, {"train.py": BLOCK}))
    assert not missed_steps(survey, claim)
    assert missed_steps(survey, "We report F1 on the test set")
    words = [concept.text for concept in claim_of(sau(claim, "D2")).concepts]
    assert not {"s", "s Eq"}.intersection(words)


def test_a_claim_of_many_things_keeps_half(tmp_path: Path) -> None:
    claim = "The block applies LayerNorm, attention and a GELU layer, then dropout"
    index = index_of(tmp_path, {"train.py": BLOCK})
    (missed,) = missed_steps(survey_of(index), claim)
    assert (missed.name, missed.whole) == ("dropout", False)


NAMES = """
import torch
from datasets import load_dataset


def rollout_attention(attention):
    return attention.mean(dim=1)


def main():
    data = load_dataset("cais/mmlu")
    net = torch.nn.MultiheadAttention(16, 4)
    for example in data["test"]:
        out, attention = net(*example)
        print(rollout_attention(attention))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    "claim",
    [
        "The model is evaluated on the GSM-8K dataset",
        "Accuracy is compared against the AttnRollout baseline",
        "An AttentionRollouts analysis of the attention maps is printed",
        "Maps are printed by the HeadVis library",
    ],
)
def test_a_name_that_stands_nowhere_bounds_the_level(tmp_path: Path, claim: str) -> None:
    survey = survey_of(index_of(tmp_path, {"run.py": NAMES}))
    assert look(survey, claim_of(sau(claim, "D3"))).unknown
    answer, _ = judged(survey.index, sau(claim, "D3"))
    assert answer.level in {Level.ABSENT, Level.FRAGMENT, Level.PARTIAL}, answer.rationale


@pytest.mark.parametrize(
    "claim",
    [
        "The model is evaluated on the MMLU benchmark",  # within a longer string
        "A RolloutAttention analysis is printed by rollout_attention",  # a word of the claim's own
        "RolloutHead(x) = mean of the attention, evaluated on MMLU",  # a formula's own name
        "The MultiHeadAttention module has 4 heads",
    ],
)
def test_a_name_that_stands_otherwise_does_not(tmp_path: Path, claim: str) -> None:
    survey = survey_of(index_of(tmp_path, {"run.py": NAMES}))
    assert not look(survey, claim_of(sau(claim, "D3"))).unknown


LIBRARIES = """
import cv2
import torch
from accelerate import Accelerator
from sklearn.linear_model import LogisticRegression
from torchvision.datasets import ImageFolder


def policy_gradient(net, states, actions, returns):
    chosen = torch.log_softmax(net(states), -1).gather(1, actions[:, None])[:, 0]
    return -(chosen * returns).mean()


def main(folder):
    data = ImageFolder(folder)
    net = Accelerator().prepare(torch.nn.Linear(16, 4))
    for image, label in data:
        edges = cv2.Canny(image, 9, 30)
        print(LogisticRegression().fit(edges, label), policy_gradient(net, image, label, edges))
    for task in ("scifact", "nfcorpus"):
        print(open(task).read())


if __name__ == "__main__":
    main(input())
"""


@pytest.mark.parametrize(
    "claim",
    [
        "All is implemented with the PyTorch library",
        "The network is trained on several cards by the HuggingFace Accelerate library",
        "Edges are found by the OpenCV library",
        "The baseline is fitted by the Scikit-Learn library",
        "The baseline is fitted on edges with the L-BFGS optimizer",
        "The policy is trained with the REINFORCE algorithm",
        "The network is trained on the ImageNet dataset",
        "Retrieval is measured on the BEIR benchmark",
        "Directions rest on Gauss-Newton vector products",  # persons
        "The network is trained using FancyHead and the AttnRollout loss",  # a method's own parts
    ],
)
def test_a_library_or_collection_goes_by_other_names(tmp_path: Path, claim: str) -> None:
    survey = survey_of(index_of(tmp_path, {"run.py": LIBRARIES}))
    assert not look(survey, claim_of(sau(claim, "D3"))).unknown


@pytest.mark.parametrize(
    ("claim", "name"),
    [
        ("All is implemented with the TensorFlow library", "TensorFlow"),
        ("Boosted trees are fitted by the XGBoost library", None),  # a component, looked for so
        ("Frames are rendered by the OpenAI-Gym library", "OpenAI-Gym"),
        ("Sentences are split by the spaCy library", "spaCy"),
    ],
)
def test_a_library_that_is_not_imported_is_missed(
    tmp_path: Path, claim: str, name: str | None
) -> None:
    survey = survey_of(index_of(tmp_path, {"run.py": LIBRARIES}))
    found = look(survey, claim_of(sau(claim, "D3")))
    assert found.unknown == ((name,) if name else ())
    assert name or found.absent


def test_data_that_an_argument_gives_may_be_any(tmp_path: Path) -> None:
    named = LIBRARIES.replace("ImageFolder(folder)", "CIFAR10(folder)")
    survey = survey_of(index_of(tmp_path, {"run.py": named.replace("ImageFolder", "CIFAR10")}))
    claim = claim_of(sau("The network is trained on the ImageNet dataset", "D3"))
    assert look(survey, claim).unknown == ("ImageNet",)


def test_a_name_stands_within_one_line(tmp_path: Path) -> None:
    claim = claim_of(sau("Sentences are split by the spaCy library", "D3"))
    told = "        print(open(task).read())"
    apart = "        cycle = spa = len(task)\n        total = cycle + spa\n        cycle = total"
    survey = survey_of(index_of(tmp_path / "apart", {"run.py": LIBRARIES.replace(told, apart)}))
    assert look(survey, claim).unknown == ("spaCy",)  # `spa`, and `cycle` on the next line
    whole = "        net = task.spa_cy(net)"
    survey = survey_of(index_of(tmp_path / "whole", {"run.py": LIBRARIES.replace(told, whole)}))
    assert not look(survey, claim).unknown


def test_a_text_that_is_split_in_two_is_no_gated_unit(tmp_path: Path) -> None:
    code = (
        "def main(arg):\n    key, value = arg.split('=')\n    q, k, v = qkv(key).split(64, dim=2)\n"
    )
    code += "    return nn.GELU()(q @ k) @ v\n"
    index = index_of(tmp_path, {"main.py": f"from torch import nn\n\n\n{code}\n\nmain('a=b')\n"})
    [missed] = missed_steps(survey_of(index), "The MLP uses a SwiGLU activation")
    assert (missed.name, missed.rival) == ("SwiGLU", "nn.GELU")
