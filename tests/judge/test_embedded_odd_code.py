"""Right code in an unusual spelling is not contradicted; long claims and functions are read."""

from __future__ import annotations

import json
import weakref
from pathlib import Path

import pytest

from judge.embedded.contradictions import contradictions
from judge.embedded.looking import look
from judge.embedded.parts import claim_of
from judge.embedded.streams import Stream
from judge.embedded.surroundings import enclosed, encloses
from judge.embedded.survey import survey_of
from tests.judge.embedded_cases import answer_text, index_of, sau

RUN = '\n\nif __name__ == "__main__":\n    print({name}())\n'

SPELLED = {
    "GELU by its error function": (
        "The feed-forward block uses the GELU activation.",
        "def block(h=1, gate=nn.SiLU()):\n    return gate(0.5 * h * (1 + torch.erf(h / 2**0.5)))",
    ),
    "Adam by its moments": (
        "Parameters are updated with Adam.",
        "def update(p=1, g=1, v=1):\n    v.mul_(b).addcmul_(g, g, value=1 - b)\n"
        "    return torch.optim.SGD([p], lr=0.1)",
    ),
    "batch normalisation by its moments": (
        "The encoder uses batch normalization after each convolution.",
        "def encoder(x=1):\n    x = (x - x.mean((0, 2, 3))) / x.var((0, 2, 3)).sqrt()\n"
        "    return nn.LayerNorm(8)(x)",
    ),
    "the largest as the first of all": (
        "Features are reduced by global max pooling.",
        "def features(x=1):\n    x = x.topk(1, dim=-1).values\n"
        "    return nn.AdaptiveAvgPool2d(1)(x)",
    ),
    "the smallest as the largest of the negative": (
        "The action with the smallest cost is selected.",
        "def select_action(costs=1):\n    return torch.argmax(-costs)",
    ),
    "a comparison as its opposite, negated": (
        "In keep, an item is kept `if score >= threshold`.",
        "def keep(items=(), threshold=1):\n    for item, score in items:\n"
        "        if not score < threshold:\n            yield item",
    ),
    "a step that waits for the backward pass of the round before": (
        "Each training iteration runs the backward pass before the optimizer step.",
        "def train(optimizer=1, batches=()):\n    pending = None\n    for x in batches:\n"
        "        if pending is not None:\n            optimizer.step()\n"
        "        pending = x.mean()\n        pending.backward()",
    ),
}


def _said(root: Path, claim: str, code: str) -> list[str]:
    name = code.split("def ", 1)[1].partition("(")[0]
    text = "import torch\nfrom torch import nn\n\n\n" + code + RUN.format(name=name)
    survey = survey_of(index_of(root, {"train.py": text}))
    return [each.done for each in contradictions(look(survey, claim_of(sau(claim, "D2"))).method)]


@pytest.mark.parametrize("case", SPELLED)
def test_right_code_in_another_spelling_is_not_contradicted(tmp_path: Path, case: str) -> None:
    claim, code = SPELLED[case]
    assert _said(tmp_path, claim, code) == []


@pytest.mark.parametrize(
    ("case", "right", "wrong"),
    [
        ("GELU by its error function", "torch.erf(h / 2**0.5)", "h"),
        ("the largest as the first of all", "topk(1, dim=-1).values", "flatten(1)"),
        ("the smallest as the largest of the negative", "-costs", "costs"),
        ("a comparison as its opposite, negated", "not score < threshold", "score < threshold"),
        (
            "a step that waits for the backward pass of the round before",
            "        if pending is not None:\n            optimizer.step()",
            "        optimizer.step()",
        ),
    ],
)
def test_wrong_code_in_its_place_still_is(
    tmp_path: Path, case: str, right: str, wrong: str
) -> None:
    claim, code = SPELLED[case]
    assert right in code
    assert _said(tmp_path, claim, code.replace(right, wrong))


def test_a_percentage_of_a_run_is_no_learning_rate(tmp_path: Path) -> None:
    code = (
        "import torch\n\n\ndef main(model, total=1000):\n    warmup = total // 10\n"
        "    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)\n    return opt, warmup\n\n\n"
        'if __name__ == "__main__":\n    main(torch.nn.Linear(1, 1))\n'
    )
    survey = survey_of(index_of(tmp_path, {"train.py": code}))
    warm = "The learning rate is warmed up over 10% of the training steps."
    assert not look(survey, claim_of(sau(warm))).conflicts
    assert look(survey, claim_of(sau("The learning rate is 0.1."))).conflicts


def test_momentum_and_epsilon_of_a_norm_are_not_the_optimisers(tmp_path: Path) -> None:
    code = (
        "import torch\nfrom torch import nn\n\n\ndef make(model):\n"
        "    norms = nn.BatchNorm1d(4, momentum=0.1), nn.LayerNorm(4, eps=1e-5)\n"
        "    return torch.optim.SGD(model.parameters(), 0.1, 0.9), norms\n\n\n"
        'if __name__ == "__main__":\n    make(nn.Linear(1, 1))\n'
    )
    survey = survey_of(index_of(tmp_path, {"train.py": code}))
    for right in ("SGD is used with momentum 0.9.", "Adam uses epsilon 1e-8."):
        assert not look(survey, claim_of(sau(right))).conflicts
    for wrong in ("Batch normalization has momentum 0.9.", "Layer norm epsilon 1e-8 is used."):
        assert look(survey, claim_of(sau(wrong))).conflicts


def test_lines_stand_in_the_body_of_what_is_indented_less_above_them() -> None:
    stream = Stream(
        tokens=list("abcdefg"), rows=list(range(7)), starts=list(range(7)),
        indents=[0, 4, 8, 4, 0, 4, 0],
    )  # fmt: skip
    held = {(a, b) for a in range(7) for b in range(7) if encloses(stream, a, b)}
    assert held == {(0, 1), (0, 2), (0, 3), (1, 2), (4, 5)}
    for heads in ([0], [1], [1, 4], [2, 3, 6]):
        assert enclosed(stream, heads, range(7)) == [
            any((head, line) in held for head in heads) for line in range(7)
        ]


def test_a_claim_that_quotes_hundreds_of_lines_is_told_in_few_words(tmp_path: Path) -> None:
    lines = [f"x{n} = model.layer{n}(x{n - 1}) * {n}.5 + loss.mean()" for n in range(1, 200)]
    body = "\n    ".join(lines).replace("+", "-")
    code = f"def train(model, loss, optimizer, x0):\n    {body}\n    optimizer\n\n\ntrain()\n"
    claim = "In train, the code does:\n```\n" + "\n".join(lines) + "\n```"
    record = json.loads(answer_text(index_of(tmp_path, {"train.py": code}), sau(claim, "D4")))
    assert "hold nothing like it" in record["rationale"]
    assert len(record["rationale"]) < 2500


def test_repositories_that_were_graded_are_let_go(tmp_path: Path) -> None:
    claims = [SPELLED[case][0] for case in SPELLED] + ["The moment is m = (1 - beta) * g."]
    seen: list[weakref.ref[object]] = []
    for number in range(6):
        code = f"def train(model, optimizer):\n    optimizer.step()\n\n\ntrain(1, {number})\n"
        index = index_of(tmp_path / str(number), {"train.py": code})
        for claim in claims:
            answer_text(index, sau(claim, "D2"))
        seen.append(weakref.ref(index))
    assert seen[0]() is None
    assert seen[1]() is None
    assert survey_of(index) is survey_of(index)
