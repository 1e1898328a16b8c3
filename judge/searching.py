"""`judge search`: what a judge would be shown for a claim, in the terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from benchmark import Dimension, InputError, Sau, Where
from judge.code_shown import code_shown
from judge.counting import counted
from judge.report.text import plain
from retrieval.evidence import RetrievalSettings, find_evidence
from retrieval.index import Index
from retrieval.reading import read_repository
from retrieval.values import Evidence, Passage

__all__ = ["as_json", "print_evidence", "search"]

_BAR = 10


def search(
    repo: Path,
    claim: str,
    *,
    dimension: Dimension,
    budget: int,
    exclude: Sequence[str] = (),
) -> Evidence:
    """Find what a judge would be shown.

    Args:
        repo: The repository's folder.
        claim: The claim, or any question about the code.
        dimension: What kind of claim it is; ordering claims get the order of calls.
        budget: Tokens of the question.
        exclude: Patterns of what is not part of the repository, in `.gitignore` style.

    Raises:
        InputError: There is no such folder, or the claim is empty.
    """
    if not claim.strip():
        raise InputError(
            "the claim is empty", where=Where("CLAIM"), remedy="Say in words what to look for"
        )
    index = Index.build(read_repository(repo, exclude=exclude))
    settings = RetrievalSettings(budget_tokens=budget, reasons=True)
    return find_evidence(index, Sau("search", repo.name, dimension, claim), settings)


def as_json(evidence: Evidence) -> str:
    """The evidence as one JSON object, passages best first."""
    record: dict[str, Any] = asdict(evidence)
    record["passages"] = [asdict(passage) for passage in _ranked(evidence)]
    return json.dumps(record, indent=2, sort_keys=True)


def print_evidence(evidence: Evidence, console: Console) -> None:
    """Print evidence: passages best first, with scores and reasons; then what else is told."""
    best = max((passage.score for passage in evidence.passages), default=0.0)
    for passage in _ranked(evidence):
        console.print(_passage(passage, best))
    if not evidence.passages:
        console.print(Text("No line matched.", style="yellow"))
    if evidence.facts:
        rows = [(f"{one.name} = {one.value}", f"{one.path}:{one.line}") for one in evidence.facts]
        console.print(_list("named values that match", rows))
    if evidence.calls:
        console.print(_list("order of calls", [(call, "") for call in evidence.calls]))
    console.print(_searched(evidence))
    shown = len({passage.path for passage in evidence.passages})
    state = "all code and configuration" if evidence.complete else "a part of the code"
    left = f"; {counted(len(evidence.omitted), 'file')} left out" if evidence.omitted else ""
    summary = f"{state}: {counted(len(evidence.passages), 'passage')} of {counted(shown, 'file')}, "
    console.print(Text(f"{summary}about {counted(evidence.tokens, 'token')}{left}", style="bold"))
    for name in evidence.omitted:
        if " (not " in name:
            console.print(Text(f"  {plain(name)}", style="yellow"))


def _ranked(evidence: Evidence) -> list[Passage]:
    return sorted(evidence.passages, key=lambda one: (-one.score, one.path, one.first))


def _passage(passage: Passage, best: float) -> RenderableType:
    head = Text(plain(f"{passage.path}:{passage.first}-{passage.last}"), style="bold cyan")
    filled = round(_BAR * passage.score / best) if best > 0 else 0
    head.append(f"  {'━' * filled}", "green").append("━" * (_BAR - filled), "dim")
    head.append(f" {passage.score:.2f}", "green")
    if passage.reached is False:
        head.append("  not reached from any entry point", "yellow")
    notes = [note for note in (passage.header and f"in {passage.header}", *passage.why) if note]
    code = code_shown(passage.path, passage.text, passage.first, passage.folded)
    why = Text(plain("; ".join(notes)), style="dim italic")
    return Group(head, why, Padding(code, (0, 0, 1, 0)))


def _list(name: str, rows: Sequence[tuple[str, str]]) -> RenderableType:
    lines = Text()
    for text, place in rows:
        lines.append(f"  {plain(text)}").append(f"  {plain(place)}\n", "dim")
    return Group(Text(name, style="bold"), lines)


def _searched(evidence: Evidence) -> RenderableType:
    text = Text("searched for  ", style="bold")
    for one in evidence.searched:
        style = "green" if one.code_lines else "yellow" if one.prose_lines else "red"
        elsewhere = "in prose only" if one.prose_lines else "nowhere"
        told = f"in {counted(one.code_lines, 'line')}" if one.code_lines else elsewhere
        text.append(plain(one.term), style).append(f" {told}   ", "dim")
    return text if evidence.searched else Text("")
