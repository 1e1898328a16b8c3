"""Other spellings of a word in code, signs that carry it out, and unlike words of one stem."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from judge.embedded.formulas import OPERATIONS, line_operations
from judge.embedded.looking import WordFinding, look
from judge.embedded.parts import claim_of
from judge.embedded.survey import Standing, survey_of
from judge.embedded.words import APOLOGY
from tests.judge.embedded_cases import answer_text, index_of, sau

HEAD = "import torch\n\n\ndef run(x, y, n, targets, losses, optimizer, args):\n"
TAIL = "\n    return x\n\n\nif __name__ == '__main__':\n    print(run(*torch.rand(7)))\n"


def word(root: Path, line: str, claim: str, text: str) -> WordFinding:
    code = HEAD + f"    {line}" + TAIL
    found = look(survey_of(index_of(root, {"train.py": code})), claim_of(sau(claim, "D2")))
    return next(one for one in found.words if one.concept.text == text)


@pytest.mark.parametrize(
    ("line", "claim", "text"),
    [
        ("x += y", "The residual addition comes last", "addition"),
        ("x = x / y.tau", "The scores are divided by the temperature", "divided"),
        ("x = targets.var(dim=-1)", "Targets have their variance removed", "variance"),
        ("x = targets.topk(5)", "Top accuracy is told", "Top"),
        ("acc1, acc5 = x.both(y)", "Accuracy is told for top answers", "top"),
        ("x = y <= min(losses)", "The weights with the lowest loss stay", "lowest"),
        ("x = y.step(warmup=args)", "The rate warms up", "warms"),
        ("x = n ** (-0.5)", "The rate falls with the root of the number", "root"),
        ("x = torch.rsqrt(n)", "The rate falls with the root of the number", "root"),
        ("x = args.lr_decay * y", "The rate decays", "decays"),
    ],
)
def test_a_word_stands_where_code_has_another_spelling(
    tmp_path: Path, line: str, claim: str, text: str
) -> None:
    assert word(tmp_path / "with", line, claim, text).places.standing is Standing.LIVE
    assert word(tmp_path / "none", "x = y.move(n)", claim, text).places.standing < Standing.LIVE


@pytest.mark.parametrize(
    ("line", "claim", "text"),
    [
        ("x = y.mix(prob=args.mixup_prob)", "Linear probing is done", "probing"),
        ("y.adjust_learning_rate(optimizer)", "Embeddings are learned", "learned"),
        ("x = y.outs + args.out", "The outer loop is long", "outer"),
        ("x = y.stats(args)", "Each state is kept", "state"),
        ("x = y.cov(args)", "The covered area counts", "covered"),
        ("x = y.temp(args)", "The temporal encoder is deep", "temporal"),
    ],
)
def test_a_word_does_not_stand_where_code_has_an_unlike_one(
    tmp_path: Path, line: str, claim: str, text: str
) -> None:
    assert word(tmp_path, line, claim, text).places.standing < Standing.LIVE


@pytest.mark.parametrize(
    ("line", "claim", "text"),
    [
        ("x = y.linear_probe(args)", "Linear probing is done", "probing"),
        ("x = y.learned_pos(args)", "Embeddings are learned", "learned"),
        ("x = y.outer_loop(args)", "The outer loop is long", "outer"),
        ("x = y.states + args.stats", "Each state is kept", "state"),
        ("x = y.learning_rate(args)", "The learning rate is high", "learning"),
    ],
)
def test_a_word_stands_in_its_own_forms(tmp_path: Path, line: str, claim: str, text: str) -> None:
    found = word(tmp_path, line, claim, text)
    assert found.places.standing is Standing.LIVE
    assert len(found.places.live) == 1


@pytest.mark.parametrize("code", ["n ** 0.5", "n**-0.5", "n ** (-.5)", "(n) ** (0.5)", "sqrt(n)"])
def test_a_power_of_a_half_is_a_root(code: str) -> None:
    assert "root" in {OPERATIONS[number] for number in line_operations(f"x = {code}")}


def test_another_power_is_no_root() -> None:
    assert "root" not in {OPERATIONS[number] for number in line_operations("x = n ** (-2) * 0.5")}


# ---- what is cited and told ----------------------------------------------------------------------


def record_of(root: Path, code: str, claim: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(
        answer_text(index_of(root, {"train.py": code}), sau(claim, "D2"))
    )
    return record


def test_verbs_of_papers_are_not_cited(tmp_path: Path) -> None:
    code = HEAD + "    args.use_volta = True\n    x = y.sinkhorn(n)" + TAIL
    record = record_of(tmp_path, code, "The matching uses Sinkhorn")
    cited = [one["quote"].strip() for one in record["citations"]]
    assert "x = y.sinkhorn(n)" in cited
    assert not any("use_volta" in quote for quote in cited)


@pytest.mark.parametrize(
    ("line", "told"),
    [("x = torch.minimum(x, y)", True), ("x = y.collect(args.min_num_steps)", False)],
)
def test_an_operation_is_near_by_where_it_is_carried_out(
    tmp_path: Path, line: str, told: bool
) -> None:
    code = HEAD + f"    targets = y.critic(n)\n    {line}\n    losses = targets - x" + TAIL
    record = record_of(tmp_path, code, "The critic targets take the minimum of the losses")
    near = re.search(r"operations near the best match: ([^;]*)", record["found"])
    assert (near is not None and "minimum" in near[1]) is told


@pytest.mark.parametrize(
    ("comment", "says"),
    [
        ("# TODO: why the redundancy?", False),
        ("# TODO: move this to its own module", False),
        ("# FIXME: this should probably consider history", False),
        ("# TODO(someone): see if this can be faster", False),
        ("# TODO", True),
        ("# TODO: implement the loss", True),
        ("# TODO(someone): fill in the rest", True),
        ("# TODO: replace with real data", True),
        ("# FIXME: add the second term", True),
        ("# the second term is missing", True),
        ("# simplified version", True),
        ("# dummy values", True),
    ],
)
def test_a_question_in_a_comment_is_no_apology(comment: str, says: bool) -> None:
    assert bool(APOLOGY.search(f"    x = y  {comment}")) is says
