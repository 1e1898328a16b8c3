"""The built-in suite is ground truth: each pair labelled once, by the rubric, with real lines."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from benchmark.nouns import Dimension, Drift, Failure, Label, Level

SUITE = Path(__file__).resolve().parents[2] / "benchmark" / "suite"
AGENTS = ("faithful", "drifted", "stubbed", "unused")
PAPERS = sorted(path.parent.name for path in SUITE.glob("papers/*/sau.json"))

# Words of the grader, or of an author who knows the answer, that no graded file may hold.
TELLING = re.compile(
    r"\bdrift|\b(un)?faithful|\bSAUs?\b|\bD[1-4]-\d{3}\b|\brubric\b|\bground[- ]truth level\b"
    r"|\bdeliberate|\bintentional|\bon purpose\b|\bsilent(ly)? (chang|differ|wrong)"
    r"|\b(un)?like the paper\b|\b(differs?|deviates?|diverges?) from the paper\b|\bstubbed\b"
    r"|\bnever (called|used|read)\b|\bnot (called|used) (anywhere|by)\b|\bdead code\b"
    r"|\bunreachable\b|\bunused\b",
    re.IGNORECASE,
)

papers = pytest.mark.parametrize("paper", PAPERS)


@cache
def claims(paper: str) -> dict[str, list[dict[str, str]]]:
    document = json.loads((SUITE / "papers" / paper / "sau.json").read_text(encoding="utf-8"))
    assert document["paper_id"] == paper
    return {dimension.value: document[dimension.value] for dimension in Dimension}


def sau_ids(paper: str) -> list[str]:
    return [sau["id"] for saus in claims(paper).values() for sau in saus]


@cache
def labels(paper: str) -> tuple[Label, ...]:
    """The author's labels; other annotators' rows in the same file are left to other tests."""
    found = []
    text = (SUITE / "labels" / f"{paper}.jsonl").read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        row = json.loads(line)
        if row["annotator"] != "author":
            continue
        assert row["kind"] == "author", f"{paper}.jsonl:{number}"
        row["level"] = Level(row["level"])
        row["drift"] = Drift(row["drift"])
        row["failure"] = Failure(row["failure"])
        row["lines"] = tuple(tuple(span) for span in row["lines"])
        found.append(Label(**row))
    return tuple(found)


def repository(submission: str) -> Path:
    return SUITE / "submissions" / submission / "repo"


def files(paper: str) -> list[Path]:
    return sorted(
        path
        for agent in AGENTS
        for path in repository(f"{agent}/{paper}").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    )


def distribution(rows: tuple[Label, ...]) -> str:
    lines = []
    for submission in sorted({row.submission for row in rows}):
        own = [row for row in rows if row.submission == submission]
        levels = Counter(int(row.level) for row in own)
        lines.append(f"{submission}: " + " ".join(f"{n}:{levels[n]}" for n in range(5)))
    return "\n".join(lines)


@papers
def test_claims_cover_all_dimensions(paper: str) -> None:
    ids = sau_ids(paper)
    assert 10 <= len(ids) <= 15
    assert len(set(ids)) == len(ids)
    for dimension, saus in claims(paper).items():
        assert saus, f"{paper} has no {dimension}"
        for sau in saus:
            assert re.fullmatch(rf"{re.escape(paper)}-{dimension}-\d{{3}}", sau["id"])
            assert len(sau["claim"]) > 40, sau["id"]
            assert sau["source"].strip(), sau["id"]
    assert (SUITE / "papers" / paper / "paper.md").stat().st_size > 1000


@papers
def test_every_pair_is_labelled_once(paper: str) -> None:
    wanted = Counter((f"{agent}/{paper}", sau) for agent in AGENTS for sau in sau_ids(paper))
    given = Counter((row.submission, row.sau) for row in labels(paper))
    assert given == wanted, distribution(labels(paper))


@papers
def test_level_drift_and_failure_agree(paper: str) -> None:
    for row in labels(paper):
        name = f"{row.submission} {row.sau}: {row.level.value} {row.drift} {row.failure}"
        faithful = row.level is Level.FAITHFUL
        assert (row.drift is Drift.NONE) == faithful, name
        assert (row.failure is Failure.NONE) == faithful, name
        assert row.level in row.failure.levels, name
        assert len(row.note) > 20, f"{name}: the note must say what the code does"
        assert row.time, name


@papers
def test_deciding_lines_are_in_the_files(paper: str) -> None:
    for row in labels(paper):
        name = f"{row.submission} {row.sau}"
        assert row.lines or row.failure is Failure.MISSING, f"{name}: no deciding lines"
        for path, first, last in row.lines:
            assert not path.endswith(".ipynb"), f"{name}: a notebook has no lines of its own"
            target = repository(row.submission) / path
            assert target.is_file(), f"{name}: {path} is not there"
            lines = target.read_text(encoding="utf-8").splitlines()
            assert 1 <= first <= last <= len(lines), f"{name}: {path} has {len(lines)} lines"
            assert lines[first - 1].strip(), f"{name}: {path}:{first} is blank"
            assert lines[last - 1].strip(), f"{name}: {path}:{last} is blank"
            assert last - first < 60, f"{name}: {path}:{first}-{last} decides nothing"


@papers
def test_outcomes_are_spread(paper: str) -> None:
    rows = labels(paper)
    shown = distribution(rows)
    below = {
        agent: [row for row in rows if row.submission == f"{agent}/{paper}" and row.level < 4]
        for agent in AGENTS
    }
    assert len(below["faithful"]) <= 3, shown
    for agent in ("drifted", "stubbed", "unused"):
        total = len(sau_ids(paper))
        assert total / 3 <= len(below[agent]) < total, f"{agent} must have both kinds\n{shown}"
    assert {int(row.level) for row in rows} == {0, 1, 2, 3, 4}, shown


@papers
def test_repositories_are_plausible_python(paper: str) -> None:
    for agent in AGENTS:
        root = repository(f"{agent}/{paper}")
        own = [path for path in files(paper) if root in path.parents]
        assert 3 <= len(own) <= 12, f"{agent}/{paper} has {len(own)} files"
        assert any(path.suffix == ".py" for path in own)
    for path in files(paper):
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".py":
            ast.parse(text, filename=str(path))
        elif path.suffix in {".json", ".ipynb"}:
            json.loads(text)


@papers
def test_no_file_gives_its_answer_away(paper: str) -> None:
    for path in files(paper):
        told = TELLING.search(path.read_text(encoding="utf-8"))
        assert told is None, f"{path.relative_to(SUITE)}: {told and told.group()!r}"
        inside = path.relative_to(SUITE / "submissions").parts[3:]
        assert not any(TELLING.search(part) for part in inside), path


def test_the_suite_is_large_enough() -> None:
    pairs = {(row.submission, row.sau) for paper in PAPERS for row in labels(paper)}
    assert len(PAPERS) >= 8
    assert len(pairs) >= 300
    used = {row.failure for paper in PAPERS for row in labels(paper)}
    assert used == set(Failure), f"no label has {set(Failure) - used}"
    drifts = {row.drift for paper in PAPERS for row in labels(paper)}
    assert drifts == set(Drift), f"no label has {set(Drift) - drifts}"
