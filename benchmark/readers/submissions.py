"""The submissions of a run: found, checked against the benchmark, in one order."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from benchmark.documents import nearest, one_of, shown
from benchmark.errors import InputError, Where
from benchmark.nouns import Benchmark, Submission
from benchmark.readers.candidates import Candidate, check_patterns, require_agents
from benchmark.readers.fields import same_name
from benchmark.readers.manifest import MANIFEST_SUFFIXES, read_manifest
from benchmark.readers.trees import LAYOUTS, read_tree

__all__ = ["load_submissions"]


def load_submissions(
    path: Path,
    *,
    benchmark: Benchmark,
    format: Literal["auto", "sa-bench", "manifest"] = "auto",  # noqa: A002
    agents: Collection[str] | None = None,
    papers: Collection[str] | None = None,
    agent_name: str | None = None,
    exclude: Sequence[str] = (),
    allow_outside: bool = False,
    skip_unknown_papers: bool = False,
) -> tuple[Submission, ...]:
    """Read the submissions of a run tree or of a manifest, sorted by id.

    Args:
        path: A run tree's folder, or a manifest's file.
        benchmark: The claims, with all their dimensions: versions are compared with it.
        format: The format; with `auto`, a folder is a run tree and a file a manifest.
        agents: Keep these agents alone.
        papers: Keep these papers alone; others are then no error, known or not.
        agent_name: The agent's name where a tree is one agent's.
        exclude: Patterns that are left out of every submission, in `.gitignore` style.
        allow_outside: Take repositories that lie outside the tree or the manifest's folder.
        skip_unknown_papers: Leave out submissions for papers without claims.

    Raises:
        InputError: Something is missing, malformed, given twice, outside, for an unknown paper or
            for another version of the claims; or nothing is left.
    """
    path = Path(path)
    where = Where(str(path))
    kind = format if format != "auto" else "manifest" if path.is_file() else "sa-bench"
    known = {paper.id: paper for paper in benchmark.papers}
    for paper in sorted(papers or ()):
        if paper not in known:
            raise _unknown_paper(paper, known, where)
    if kind == "manifest":
        if path.suffix.lower() not in MANIFEST_SUFFIXES:
            raise InputError(
                f"a manifest cannot end in {path.suffix or 'nothing'}",
                where=where,
                remedy=f"Name it {one_of(MANIFEST_SUFFIXES)}",
            )
        found = read_manifest(path, allow_outside=allow_outside)
        require_agents(agents, {candidate.submission.agent for candidate in found}, where)
    else:
        found = read_tree(
            path,
            known_papers=known,
            agents=agents,
            papers=papers,
            agent_name=agent_name,
            allow_outside=allow_outside,
        )
    _refuse_twins(found)
    kept = [
        candidate
        for candidate in found
        if (agents is None or candidate.submission.agent in agents)
        and (papers is None or candidate.submission.paper in papers)
    ]
    if skip_unknown_papers:
        kept = [candidate for candidate in kept if candidate.submission.paper in known]
    for candidate in kept:
        _check_paper(candidate, benchmark)
    if not kept:
        raise InputError(
            f"no submission found among {len(found)} of {kind} by this choice of agents and papers"
            if found
            else f"no submission found: looked for {', '.join(LAYOUTS)}",
            where=where,
            remedy="Widen submissions.agents and submissions.papers, or correct the path",
        )
    extra = check_patterns(exclude, Where(str(path), key="submissions.exclude"))
    submissions = (
        replace(candidate.submission, exclude=(*candidate.submission.exclude, *extra))
        for candidate in kept
    )
    return tuple(sorted(submissions, key=lambda submission: submission.id))


def _unknown_paper(paper: str, known: Collection[str], where: Where) -> InputError:
    near = nearest(paper, known)
    hint = f"Write {near}, if that is what you mean; else add" if near else "Add"
    return InputError(
        f"the benchmark has no claims for the paper {shown(paper)}",
        where=Where(where.path, where.line, where.column, where.key or paper),
        remedy=f"{hint} its claims, name the papers to grade in submissions.papers, or set "
        "submissions.skip_unknown_papers: true",
    )


def _check_paper(candidate: Candidate, benchmark: Benchmark) -> None:
    papers = {paper.id: paper for paper in benchmark.papers}
    paper = papers.get(candidate.submission.paper)
    if paper is None:
        raise _unknown_paper(candidate.submission.paper, papers, candidate.where)
    if candidate.claims_version and candidate.claims_version != paper.version:
        raise InputError(
            f"claims_version is {shown(candidate.claims_version)} but the claims of {paper.id} "
            f"that were loaded are version {paper.version}",
            where=candidate.where,
            remedy="Load the claims it was made for, or correct claims_version",
        )


def _refuse_twins(found: Sequence[Candidate]) -> None:
    """No two ids that are one file name where case does not count."""
    first: dict[str, Candidate] = {}
    for candidate in found:
        other = first.setdefault(same_name(candidate.submission.id), candidate)
        if other is candidate:
            continue
        same = other.submission.id == candidate.submission.id
        problem = (
            "is given twice"
            if same
            else f"differs from {shown(other.submission.id)} in upper and lower case "
            "or in its Unicode form alone"
        )
        raise InputError(
            f"the submission {shown(candidate.submission.id)} {problem}; the first is at "
            f"{_place(other.where)}",
            where=candidate.where,
            remedy="Give each submission an id of its own",
        )


def _place(where: Where) -> str:
    return where.path if where.line is None else f"{where.path}:{where.line}"
