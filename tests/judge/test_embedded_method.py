"""What the embedded judge sees of a claim's method: choices, quoted code, orders, formulas."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark import Drift, Failure
from judge.embedded.choices import CHOICES, said_in
from judge.embedded.features import features_of
from judge.embedded.fragments import fragments_of
from judge.embedded.looking import look
from judge.embedded.opposed import OPPOSED, are_opposed
from judge.embedded.parts import claim_of
from judge.embedded.precedence import Kind, orders_of
from judge.embedded.survey import Survey, survey_of
from tests.judge.embedded_cases import index_of, judged, sau

LOOP = """
import torch


def token_loss(logits, labels, mask):
    losses = torch.nn.functional.cross_entropy(logits, labels, reduction="none")
    # The token losses are averaged over the batch: losses.mean()
    return {reduced}


def update(model, optimizer, loader):
    for logits, labels, mask in loader:
{steps}


if __name__ == "__main__":
    update(torch.nn.Linear(2, 2), torch.optim.SGD([], lr=0.1), [])
"""
STEPS = (
    "loss = token_loss(logits, labels, mask)",
    "optimizer.zero_grad()",
    "loss.backward()",
    "torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)",
    "optimizer.step()",
)


def _code(order: tuple[int, ...] = (0, 1, 2, 3, 4), reduced: str = "losses.mean()") -> str:
    steps = "\n".join(f"        {STEPS[number]}" for number in order)
    return LOOP.format(reduced=reduced, steps=steps)


def _survey(root: Path, code: str) -> Survey:
    return survey_of(index_of(root, {"train.py": code}))


def _seen(root: Path, code: str, claim: str, dimension: str = "D2") -> dict[str, float]:
    survey = _survey(root, code)
    parts = claim_of(sau(claim, dimension))
    return features_of(survey, parts, look(survey, parts))


MEAN = "The token losses of the labels are averaged over the mask."
SUM = "The token losses of the labels are summed over the mask."


def test_a_choice_is_kept_or_broken_by_code_and_not_by_comments(tmp_path: Path) -> None:
    mean, total = _code(), _code(reduced="losses.sum()")
    assert _seen(tmp_path / "a", mean, MEAN)["choice_kept"] == 1.0
    assert _seen(tmp_path / "b", total, MEAN)["choice_broken"] == 1.0
    assert _seen(tmp_path / "c", total, SUM)["choice_kept"] == 1.0
    assert math.isnan(_seen(tmp_path / "d", mean, "The losses are masked.")["choice_kept"])


def test_a_choice_of_which_a_claim_says_both_sides_is_none() -> None:
    assert not said_in("The loss is summed over tokens and averaged over the batch.")
    assert [one.choice.name for one in said_in("The loss is summed over tokens.")] == ["reduction"]


def test_an_activation_that_nothing_holds_is_replaced(tmp_path: Path) -> None:
    code = "import torch.nn as nn\n\nnet = nn.Sequential(nn.Linear(4, 4), nn.ReLU())\nprint(net)\n"
    assert _seen(tmp_path / "a", code, "The network uses GELU activations.")["choice_replaced"] == 1
    assert _seen(tmp_path / "b", code, "The network uses ReLU activations.")["choice_kept"] == 1


@pytest.mark.parametrize(
    ("reduced", "here", "opposed", "missing"),
    [
        ("losses.mean()", 1.0, 0.0, 0.0),
        ("losses.sum()", 0.0, 1.0, 0.0),
        ("losses.mean().detach()", 0.0, 1.0, 0.0),
        ("(losses * mask)[0]", 0.0, 0.0, 1.0),
    ],
)
def test_quoted_code_stands_or_is_opposed(
    tmp_path: Path, reduced: str, here: float, opposed: float, missing: float
) -> None:
    claim = "Token loss (token_loss) uses mean as the reduction: losses.mean()."
    # The names stay known where the quoted call is gone.
    code = _code(reduced=reduced) + "\n\ndef mean(x):\n    return x\n\n\nopen(mean(1))\n"
    seen = _seen(tmp_path, code, claim)
    found = [seen[name] for name in ("quoted_here", "quoted_opposed", "quoted_missing")]
    assert found == [here, opposed, missing]


def test_renamed_locals_and_named_constants_are_the_same_code(tmp_path: Path) -> None:
    claim = "Token loss (token_loss) does losses = losses.clamp(min=0.5)."
    body = "def token_loss({0}, labels):\n    {0} = {0}.clamp(min={1})\n    return {0} + labels\n"
    call = "\n\nFLOOR = 0.5\nprint(token_loss(1, 2), FLOOR)\n"
    for name, value in (("losses", "0.5"), ("values", "0.5"), ("losses", "FLOOR")):
        seen = _seen(tmp_path / name / value, body.format(name, value) + call, claim)
        assert seen["quoted_here"] == 1.0
    seen = _seen(tmp_path / "other", body.format("losses", "0.7") + call, claim)
    assert seen["quoted_opposed"] == 1.0


def test_a_quote_in_a_comment_or_in_dead_code_is_none(tmp_path: Path) -> None:
    claim = "Token loss (token_loss) does losses = losses.clamp(min=0.5)."
    code = (
        "def token_loss(losses):\n    # losses = losses.clamp(min=0.5)\n"
        '    """losses = losses.clamp(min=0.5)"""\n    return losses * 2\n\n\n'
        "def unused(losses):\n    losses = losses.clamp(min=0.5)\n    return losses\n\n\n"
        "def clamp(x):\n    return x\n\n\n"
        "if __name__ == '__main__':\n    print(token_loss(1), clamp(2))\n"
    )
    assert not _seen(tmp_path, code, claim).get("quoted_here", 0.0) > 0


ORDERS = [
    ("First loss.backward() is called, then optimizer.step().", (0, 1, 2, 4, 3), "order_right"),
    ("Gradients are clipped before the optimizer step.", (0, 1, 2, 4, 3), "order_wrong"),
    ("Gradients are clipped before the optimizer step.", (0, 1, 2, 3, 4), "order_right"),
    ("The optimizer step comes after the gradients are clipped.", (0, 1, 2, 3, 4), "order_right"),
    ("Gradients are zeroed before the backward pass.", (0, 1, 2, 3, 4), "order_right"),
    ("Gradients are zeroed before the backward pass.", (0, 2, 1, 3, 4), "order_wrong"),
    # Erasing after the step is erasing before the next backward pass.
    ("Gradients are zeroed before the backward pass.", (0, 2, 3, 4, 1), "order_right"),
    ("First loss.backward(), and after that optimizer.step().", (0, 4, 1, 2, 3), "order_wrong"),
    ("1. backward pass; 2. clip the gradients; 3. optimizer step.", (0, 1, 2, 3, 4), "order_right"),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "order", "feature"), ORDERS)
def test_orders_are_read_off_the_statements(
    tmp_path: Path, claim: str, order: tuple[int, ...], feature: str
) -> None:
    seen = _seen(tmp_path, _code(order), claim, "D4")
    assert seen[feature] == 1.0


def test_what_is_done_in_every_round_is_told_from_what_is_done_once(tmp_path: Path) -> None:
    inside = "In update total += loss is done in every round of `for loss in losses:`, at its end."
    after = "In update total += loss is done once, after `for loss in losses:` has ended."
    code = (
        "def update(losses):\n    total = 0\n    for loss in losses:\n        print(loss)\n"
        "{}total += loss\n    return total\n\n\nprint(update([1]))\n"
    )
    for number, (indent, claim, feature) in enumerate((
        ("        ", inside, "order_right"), ("    ", inside, "order_wrong"),
        ("        ", after, "order_wrong"), ("    ", after, "order_right"),
    )):  # fmt: skip
        assert _seen(tmp_path / str(number), code.format(indent), claim, "D4")[feature] == 1.0


def test_orders_of_a_claim() -> None:
    kinds = [order.kind for order in orders_of("Before training, freeze the encoder.")]
    assert kinds == [Kind.BEFORE]
    text = "The target is updated after the optimizer step."
    (order,) = orders_of(text)
    assert text[slice(*order.first)].strip(" .") == "the optimizer step"
    assert not orders_of("If the loss is high, then the step is skipped.")


def test_the_sign_between_two_operands_counts(tmp_path: Path) -> None:
    claim = "The moment is m = (1 - beta) * g."
    code = "def moment(beta, g):\n    return (1 {} beta) * g\n\n\nprint(moment(1, 2))\n"
    assert _seen(tmp_path / "a", code.format("-"), claim)["term_right"] == 1.0
    assert _seen(tmp_path / "b", code.format("+"), claim)["term_opposed"] == 1.0


def test_a_contradiction_bounds_the_level_and_is_told_with_its_lines(tmp_path: Path) -> None:
    claim = sau("In update first loss.backward(), and after that optimizer.step().", "D4")
    good, _ = judged(index_of(tmp_path / "a", {"train.py": _code()}), claim)
    bad, checked = judged(index_of(tmp_path / "b", {"train.py": _code((0, 4, 1, 2, 3))}), claim)
    assert good.level is not None
    assert bad.level is not None
    assert bad.level <= 1 < good.level
    assert (bad.drift, bad.failure) == (Drift.ORDERING, Failure.MISMATCH)
    assert "comes first" in bad.rationale
    assert "`loss.backward()` at train.py:" in bad.rationale
    quotes = [cited.quote.strip() for cited in checked.citations]
    assert {"optimizer.step()", "loss.backward()"} <= set(quotes)


def test_a_loop_that_cannot_train_lowers_claims_about_training(tmp_path: Path) -> None:
    claim = "The model is trained by minimising the cross entropy of the labels."
    assert _seen(tmp_path / "a", _code(), claim)["loop_wrong"] == 0.0
    for number, order in enumerate(((0, 1, 4, 2, 3), (0, 2, 1, 3, 4), (0, 1, 2, 4, 3))):
        assert _seen(tmp_path / str(number), _code(order), claim)["loop_wrong"] == 1.0
    assert math.isnan(_seen(tmp_path / "b", _code(), "Images have 32 pixels.")["loop_wrong"])


def test_words_of_a_sentence_are_no_code() -> None:
    assert not fragments_of("High-ranked models (see Section 3) are evaluated as in prior work.")
    (call,) = fragments_of("The script calls optimizer.step() once.")
    assert call.tokens == ("optimizer", ".", "step", "(", ")")


def test_what_is_opposed_is_so_both_ways() -> None:
    assert all(token in OPPOSED[other] for token, others in OPPOSED.items() for other in others)
    assert are_opposed("train_loader", "test_loader")
    assert not are_opposed("train_loader", "valid_loaders")
    assert len(CHOICES) > 15


@given(st.text(max_size=200))
def test_any_text_can_be_asked_about(text: str) -> None:
    for placed in (False, True):
        for fragment in fragments_of(text, placed=placed):
            assert 0 <= fragment.start < fragment.end <= len(text)
    for order in orders_of(text):
        for start, end in (order.first, order.second):
            assert 0 <= start <= end <= len(text)
    said_in(text)


def test_what_hardly_a_word_of_stands_in_live_code_is_half_done_at_most(tmp_path: Path) -> None:
    code = _code().replace("        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n", "")
    index = index_of(tmp_path, {"train.py": code})
    parsed, _ = judged(index, sau("Perceptual distances are whitened before retrieval.", "D4"))
    assert parsed.level is not None
    assert parsed.level <= 2


UPDATES = """
import torch


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        loss = ((model(x) - y) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        {line}
        optimizer.step()


train(torch.nn.Linear(1, 1), torch.load("batches.pt"))
"""


@pytest.mark.parametrize(
    ("claim", "without", "done"),
    [
        (
            "Gradients are clipped to norm 1",
            'print("gradient norm", torch.norm(model.weight.grad), 1)',
            "torch.nn.utils.clip_grad_norm_(model.parameters(), 1)",
        ),
        (
            "The gradient is clipped to a maximum norm of 1.0",
            'print("gradient norm", torch.norm(model.weight.grad), 1.0)',
            "torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)",
        ),
    ],
)
def test_an_operation_that_stands_nowhere_leaves_a_claim_half_done_at_most(
    tmp_path: Path, claim: str, without: str, done: str
) -> None:
    lacks, _ = judged(
        index_of(tmp_path / "lacks", {"train.py": UPDATES.replace("{line}", without)}),
        sau(claim, "D2"),
    )
    has, _ = judged(
        index_of(tmp_path / "has", {"train.py": UPDATES.replace("{line}", done)}), sau(claim, "D2")
    )
    assert lacks.level is not None
    assert has.level is not None
    assert lacks.level <= 2
    assert has.level > lacks.level
