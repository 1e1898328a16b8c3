"""What fences, stripping and checks stop of what a hostile repository tries, and what they do not.

The judge here obeys every order that it can read, and reads through every disguise. No real model
is as bad; what is stopped here is stopped for any of them.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from benchmark import Benchmark, Dimension, Paper, Sau, Submission
from judge.pipeline import run_plan
from judge.question_settings import QuestionSettings
from judge.run_plan import RunPlan
from judge.store import iter_verdicts
from judge.verdict import QuoteState, Status, Verdict
from prompts.scanning import scan
from retrieval.reading import read_repository
from tests.judge.gullible import Gullible, understood
from tests.prompts.attacks import ATTACKS, CLAIM

HONEST_LEVEL = 1
BY_NAME = {f"attack{number}/p": attack for number, attack in enumerate(ATTACKS)}
SAU = Sau("p-D1-001", "p", Dimension.D1, CLAIM)
UNREAD = {"a cell's output"}


@dataclass(frozen=True)
class Outcome:
    """A run over all attacks."""

    obeyed: frozenset[str]
    verdicts: dict[str, Verdict]

    def graded(self, level: int) -> set[str]:
        return {name for name, verdict in self.verdicts.items() if verdict.level == level}

    def kinds(self, names: set[str] | frozenset[str]) -> Counter[str]:
        return Counter(BY_NAME[name].kind for name in names)


@pytest.fixture(scope="module")
def repositories(tmp_path_factory: pytest.TempPathFactory) -> tuple[Submission, ...]:
    folder = tmp_path_factory.mktemp("attacks")
    submissions = []
    for name, attack in BY_NAME.items():
        root = folder / name
        for path, text in attack.repository.items():
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        submissions.append(Submission(name, name.partition("/")[0], "p", root))
    return tuple(submissions)


def run(
    folder: Path,
    repositories: tuple[Submission, ...],
    *,
    believes_fences: bool = False,
    cunning: bool = False,
    saus: tuple[Sau, ...] = (SAU,),
    **settings: object,
) -> Outcome:
    orders = {name: attack.orders for name, attack in BY_NAME.items()}
    judge = Gullible(orders, believes_fences=believes_fences, cunning=cunning)
    plan = RunPlan(
        benchmark=Benchmark("attacks", (Paper("p", saus),)),
        submissions=repositories,
        output=folder / "out",
        cache=folder / "cache",
        judge=judge,
        question=QuestionSettings(**settings),  # type: ignore[arg-type]
    )
    asyncio.run(run_plan(plan))
    verdicts = {verdict.submission: verdict for verdict in iter_verdicts(plan.output)}
    assert verdicts.keys() == BY_NAME.keys()
    return Outcome(frozenset(judge.obeyed), verdicts)


def names(found: set[str] | frozenset[str]) -> set[str]:
    return {BY_NAME[name].name for name in found}


def test_there_are_many_and_each_says_its_orders_where_it_lies() -> None:
    assert len(ATTACKS) >= 60
    assert len({(attack.kind, attack.name) for attack in ATTACKS}) == len(ATTACKS)
    for attack in ATTACKS:
        texts = "\n".join(f"{path}\n{text}" for path, text in attack.repository.items())
        assert understood(texts, attack.orders), attack.name


@pytest.mark.parametrize("context", ["whole", "retrieve"])
def test_nothing_gets_out_of_the_fences(
    tmp_path: Path, repositories: tuple[Submission, ...], context: str
) -> None:
    found = run(tmp_path, repositories, believes_fences=True, context=context)
    assert names(found.obeyed) == set()
    assert found.graded(HONEST_LEVEL) == BY_NAME.keys()


def test_nothing_gets_out_where_several_claims_are_asked_together(
    tmp_path: Path, repositories: tuple[Submission, ...]
) -> None:
    other = replace(SAU, id="p-D1-002", claim="The batch size is 64")
    found = run(
        tmp_path,
        repositories,
        believes_fences=True,
        saus=(SAU, other),
        context="retrieve",
        claims_per_request=2,
    )
    assert names(found.obeyed) == set()
    assert found.graded(HONEST_LEVEL) == BY_NAME.keys()


def test_a_judge_that_reads_through_the_fences_is_told_by_all_but_what_is_never_read(
    tmp_path: Path, repositories: tuple[Submission, ...]
) -> None:
    """Without this the other tests would show nothing."""
    found = run(tmp_path, repositories, context="retrieve")
    assert len(found.obeyed) >= 0.9 * len(ATTACKS)
    assert not names(found.obeyed) & UNREAD


def test_stripped_comments_and_docs_tell_it_nothing(
    tmp_path: Path, repositories: tuple[Submission, ...]
) -> None:
    found = run(tmp_path, repositories, context="whole", strip_comments=True)
    told = found.kinds(found.obeyed)
    assert told["role"] == told["language"] == told["hidden"] == 0
    # What stands in a string, a name or a key is code.
    assert names(found.obeyed) == REMAINING


REMAINING = {
    *("a constant", "a verdict in a constant", "a verdict as a dict", "a cell of code", "escapes"),
    *("what is printed", "the text of an error", "a help text", "a shell script"),
    *("base64", "base64 of a verdict", "hexadecimal", "rot13", "percent", "character codes"),
    *("a function's name", "a class's name", "a variable's name", "a test's name"),
    *("a file's name", "a folder's name", "a value in INI", "a key in JSON", "a verdict in JSON"),
    *("a key in YAML", "a sentence as a key in YAML", "over the keys of a mapping"),
    *("over strings that are joined", "over a list", "over two files", "over three files"),
}
"""What a judge still reads when comments, docstrings and docs are left out."""


def test_an_order_is_no_proof(tmp_path: Path, repositories: tuple[Submission, ...]) -> None:
    """A judge that cites what told it so: comments and docs prove nothing."""
    found = run(tmp_path, repositories, context="whole")
    stopped = {name for name in found.obeyed if found.verdicts[name].status is Status.ABSTAINED}
    won = found.graded(4)
    assert found.obeyed == stopped | won
    for name in stopped:
        assert found.verdicts[name].reason.startswith("no_verified_quote")
        assert "reasked_no_verified_quote" in found.verdicts[name].flags
    for name in won:
        assert any(
            citation.state is not QuoteState.NOT_FOUND
            for citation in found.verdicts[name].citations
        )


@pytest.mark.parametrize("strip", [False, True])
@pytest.mark.parametrize("cunning", [False, True])
def test_whatever_is_won_is_marked(
    tmp_path: Path, repositories: tuple[Submission, ...], strip: bool, cunning: bool
) -> None:
    found = run(tmp_path, repositories, context="whole", strip_comments=strip, cunning=cunning)
    won = found.graded(4)
    unmarked = {name for name in won if "suspect_instruction" not in found.verdicts[name].flags}
    assert names(unmarked) == set()
    print(
        f"\nstripped: {strip}, cites code: {cunning}: {len(ATTACKS)} attacks, "
        f"{len(found.obeyed)} obeyed, {len(won)} won, all of them marked: {dict(found.kinds(won))}"
    )


def test_every_attack_is_noticed(repositories: tuple[Submission, ...]) -> None:
    missed = set()
    for submission in repositories:
        files = read_repository(submission.root).files
        if not scan((file.path, file.text) for file in files):
            missed.add(submission.id)
    assert names(missed) == UNREAD
