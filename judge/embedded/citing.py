"""Quoting the lines that speak for a claim or against it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from judge.embedded.contradictions import contradictions
from judge.embedded.looking import Findings, WordFinding
from judge.embedded.phrasing import capitalised
from judge.embedded.points import Kind, Point
from judge.embedded.survey import Survey
from judge.embedded.values import ValueState
from judge.embedded.words import VERBS
from judge.imports import is_import
from judge.sources import substantial

__all__ = ["citations", "has_proof"]

_MOST_CITED = 5
_MAX_LINE = 400
_PROOFS = 2


def citations(
    survey: Survey, found: Findings, points: Sequence[Point], said: Sequence[str]
) -> list[dict[str, object]]:
    """Quotes of the lines that the told points speak of, in their order; each copied exactly.

    Behind them, as far as there is room, stand the lines where the claim's words, values and steps
    have their best places: where something is missing, that is where it should be.
    """
    order = {kind: number for number, kind in enumerate(Kind)}
    told = [point for point in points if capitalised(point.text) in said]
    ranked = sorted(told, key=lambda point: order[point.kind])
    lines = [line for point in ranked for line in point.lines]
    near = (line for line in _deciding(survey, found) if not _lists_packages(survey, line))
    packages = (line for line in _deciding(survey, found) if _lists_packages(survey, line))
    return list(_quotes(survey, chain(lines, near, packages), _MOST_CITED))


def _lists_packages(survey: Survey, line: int) -> bool:
    """Whether a line says which version of a package is wanted."""
    return survey.place(line)[0].rpartition("/")[2].startswith("requirements")


def has_proof(survey: Survey, found: Findings) -> bool:
    """Whether some line that speaks for a claim or against it can be quoted."""
    return any(True for _ in _quotes(survey, _deciding(survey, found), 1))


def _quotes(survey: Survey, lines: Iterable[int], most: int) -> Iterator[dict[str, object]]:
    seen: set[int] = set()
    for line in lines:
        if line in seen:
            continue
        seen.add(line)
        path, number = survey.place(line)
        quote = survey.index.lines(path)[number - 1]
        if len(quote) > _MAX_LINE or not substantial(survey.index.code_of(path, number)):
            continue
        if is_import(survey.index.lines(path), number):
            continue
        yield {"path": path, "first": number, "last": number, "quote": quote}
        most -= 1
        if not most:
            return


def _deciding(survey: Survey, found: Findings) -> Iterator[int]:
    """All lines that may speak for a claim or against it; whether there is any bounds its level."""
    for contradiction in contradictions(found.method)[:_PROOFS]:
        yield from (int(survey.live[row]) for row in contradiction.rows)
    for conflict in found.conflicts[:2]:
        yield survey.index.line_number(conflict.other.path, conflict.other.line)
    for value in found.values:
        if value.line >= 0 and value.state in {ValueState.BESIDE, ValueState.OVERRIDDEN}:
            yield value.line
            break
    for value in found.values:
        if value.other is not None:
            yield survey.index.line_number(value.other.path, value.other.line)
            break
    if found.focus and found.stub_focus >= 0:
        # A placeholder whose subject is the claim's: its head and what stands in place of a body.
        yield from survey.blocks[found.stub_focus].lines[:2]
    steps = [step.line for step in found.steps if step.line >= 0]
    yield from steps[:3]
    hits = _focus_hits(survey, found)
    yield from sorted(hits, key=lambda line: (-hits[line], line))[:6]
    for word in _weightiest(found.words):
        yield from (int(line) for line in word.places.live[:1])
    for value in found.values:
        if value.line >= 0:
            yield value.line


def _focus_hits(survey: Survey, found: Findings) -> dict[int, float]:
    hits: dict[int, float] = {}
    if not found.focus:
        return hits
    for word in found.words:
        live = word.places.live
        if not len(live) or word.concept.text.lower() in VERBS:
            continue
        for line in live[survey.block_of_line[live] == found.focus[0]].tolist():
            hits[line] = hits.get(line, 0.0) + word.weight * word.credit
    return hits


def _weightiest(words: list[WordFinding]) -> list[WordFinding]:
    telling = [word for word in words if word.concept.text.lower() not in VERBS]
    return sorted(telling, key=lambda word: -word.weight)
