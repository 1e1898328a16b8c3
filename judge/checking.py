"""From a parsed answer to a verdict: quotes looked up, contradictions found, sight accounted for.

A level above 0 stands on a quote of code that is really there. An answer that says two things at
once is no verdict. A judge that saw a part of the repository is never sure that something is
absent from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from benchmark import Drift, Failure, Level, Sau, Submission
from judge.counting import counted
from judge.level_odds import LevelOdds
from judge.parsing import ParsedAnswer, ParsedCitation
from judge.sources import Place, Sources
from judge.verdict import Citation, EvidenceNote, Provenance, QuoteState, Status, Verdict
from retrieval.values import Evidence

__all__ = ["Checked", "check", "contradiction", "error_verdict", "evidence_note", "verdict"]

_TOLERANCE = 2
"""How many lines a quote may be off and still count as where it was said to be."""

_MAX_QUOTE = 4_000
_MAX_PATH = 400
_UNSURE = 0.5
_MAX_TOLD = 5


@dataclass(frozen=True, slots=True)
class Checked:
    """What is left of an answer after the checks; the fields are those of `Verdict`.

    Attributes:
        objections: What is wrong with the answer, as sentences that may be put to the judge; empty
            where nothing is, or where it says itself that it cannot tell.
    """

    status: Status
    level: Level | None
    confidence: float | None
    citations: tuple[Citation, ...]
    flags: tuple[str, ...]
    reason: str
    objections: tuple[str, ...] = ()


def contradiction(level: Level, drift: Drift, failure: Failure) -> str | None:
    """Say which two fields of an answer cannot both be true, or `None` where all can."""
    if level is Level.FAITHFUL:
        if drift is not Drift.NONE:
            return f"level 1 with drift {drift.value}"
        if failure is not Failure.NONE:
            return f"level 1 with failure {failure.value}"
        return None
    if failure is Failure.NONE:
        return f"level {level.score:g} without a failure"
    if drift is Drift.NONE:
        return f"level {level.score:g} without a drift"
    if level not in failure.levels:
        return f"level {level.score:g} with failure {failure.value}"
    return None


def check(
    parsed: ParsedAnswer, sources: Sources, evidence: EvidenceNote, *, local: bool
) -> Checked:
    """Check an answer against the repository.

    Args:
        parsed: The answer.
        sources: The repository's lines.
        evidence: What the judge was shown.
        local: Whether the judge had the whole repository before it and not the evidence alone.
    """
    found = [_look_up(citation, sources) for citation in parsed.citations]
    citations = tuple(citation for citation, _ in found)
    flags = list(parsed.flags)
    if any(citation.state is QuoteState.NOT_FOUND for citation in citations):
        flags.append("quote_not_found")
    flags += _file_flags(citations, sources)
    confidence = parsed.confidence
    if not local and not evidence.complete:
        flags.append("evidence_incomplete")
        if parsed.level is Level.ABSENT:
            confidence = min(confidence, _UNSURE)
    reason = _reason(parsed, found)
    return Checked(
        status=Status.ABSTAINED if reason else Status.GRADED,
        level=None if reason else parsed.level,
        confidence=confidence,
        citations=citations,
        flags=tuple(dict.fromkeys(flags)),
        reason=reason,
        objections=tuple(_objections(parsed, found)) if reason else (),
    )


def verdict(
    parsed: ParsedAnswer,
    checked: Checked,
    *,
    sau: Sau,
    submission: Submission,
    evidence: EvidenceNote,
    provenance: Provenance,
    flags: tuple[str, ...] = (),
    odds: LevelOdds | None = None,
) -> Verdict:
    """Put a verdict together; `flags` are what was noticed before the question was asked."""
    graded = checked.status is Status.GRADED
    return Verdict(
        submission=submission.id,
        agent=submission.agent,
        paper=submission.paper,
        sau=sau.id,
        dimension=sau.dimension,
        status=checked.status,
        level=checked.level,
        drift=parsed.drift if graded else None,
        failure=parsed.failure if graded else None,
        expected=parsed.expected,
        found=parsed.found,
        rationale=parsed.rationale,
        citations=checked.citations,
        confidence=checked.confidence,
        flags=tuple(dict.fromkeys((*flags, *checked.flags))),
        reason=checked.reason,
        odds=odds if graded else None,
        evidence=evidence,
        provenance=provenance,
    )


def error_verdict(
    reason: str,
    *,
    sau: Sau,
    submission: Submission,
    provenance: Provenance,
    evidence: EvidenceNote | None = None,
    flags: tuple[str, ...] = (),
) -> Verdict:
    """Return the verdict for a question that got no usable answer; it has no level."""
    return Verdict(
        submission=submission.id,
        agent=submission.agent,
        paper=submission.paper,
        sau=sau.id,
        dimension=sau.dimension,
        status=Status.ERROR,
        flags=flags,
        reason=reason,
        evidence=evidence,
        provenance=provenance,
    )


def evidence_note(evidence: Evidence) -> EvidenceNote:
    """Say in short what the judge was shown."""
    return EvidenceNote(
        complete=evidence.complete,
        tokens=evidence.tokens,
        passages=[(passage.path, passage.first, passage.last) for passage in evidence.passages],
        searched_not_found=[row.term for row in evidence.searched if not row.code_lines],
        omitted_files=len(evidence.omitted),
    )


def _reason(parsed: ParsedAnswer, found: list[tuple[Citation, str]]) -> str:
    """Say why an answer is no verdict, or nothing."""
    if parsed.level is None:
        lacking = "; ".join(parsed.lacking) or "it does not say what it lacks"
        return f"cannot_tell: the judge lacks {lacking}"[:500]
    if problem := contradiction(parsed.level, parsed.drift, parsed.failure):
        return f"contradiction: {problem}"
    if parsed.level is not Level.ABSENT and all(weakness for _, weakness in found):
        said = f"the judge said {parsed.level.score:g}"
        if not found:
            return f"no_verified_quote: {said} and quoted nothing"
        states = Counter(weakness for _, weakness in found)
        kinds = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
        return f"no_verified_quote: {said} on {counted(len(found), 'quote')} ({kinds})"
    return ""


def _objections(parsed: ParsedAnswer, found: list[tuple[Citation, str]]) -> Iterator[str]:
    """Say everything that is wrong with an answer, in words for the judge."""
    if parsed.level is None:
        return
    word = f'"{parsed.level.score:g}"'
    if contradiction(parsed.level, parsed.drift, parsed.failure):
        yield (
            f'level {word} does not go with drift "{parsed.drift.value}" and failure '
            f'"{parsed.failure.value}": drift and failure are "none" if and only if the level is '
            '"1", and what is a stub, missing, only mentioned or unreachable is at most "0.5".'
        )
    if parsed.level is Level.ABSENT or not all(weakness for _, weakness in found):
        return
    if not found:
        yield f"level {word} needs at least one citation of code or configuration; there is none."
        return
    yield (
        f"level {word} needs at least one citation of code or configuration that stands in the "
        "repository, and none of yours does. Copy whole lines exactly as they stand after the "
        "bar. Where no such line is there to be cited, the level is not what you said."
    )
    for citation, weakness in found[:_MAX_TOLD]:
        where = f"{citation.path}:{citation.first}-{citation.last}"
        if citation.state is QuoteState.NOT_FOUND:
            yield f"The quote given for {where} stands in no file."
        else:
            yield f"The quote at {where} {_WEAK[weakness]}."


_NOT_FOUND = "not_found"
_WEAK = {
    "no_code": "is no code: comment, docstring, doc, or a line like `)`",
    "import": "only imports: what is imported and not used is a mention",
    "fragment": "is a short part of a line, or one that stands in several lines: copy whole lines",
}


def _look_up(cited: ParsedCitation, sources: Sources) -> tuple[Citation, str]:
    """Find where a quote really stands, and why it proves nothing, if it does not."""
    path = sources.resolve(cited.path)
    place = None if path is None else sources.find(cited.quote, path, cited.first)
    if place is not None and path == cited.path and _is_near(place, cited):
        return _found(place, QuoteState.VERIFIED, sources)
    if place is None:
        place = sources.find_elsewhere(cited.quote)
        if place is not None and not sources.proves(place):
            place = None  # a bracket that stands in one other file is no quote of it
    if place is not None:
        return _found(place, QuoteState.RELOCATED, sources)
    first = max(1, cited.first)
    citation = Citation(
        path=cited.path[:_MAX_PATH],
        first=first,
        last=max(first, cited.last),
        quote=cited.quote[:_MAX_QUOTE],
        state=QuoteState.NOT_FOUND,
    )
    return citation, _NOT_FOUND


def _is_near(place: Place, cited: ParsedCitation) -> bool:
    return (
        place.last >= cited.first - _TOLERANCE
        and place.first <= max(cited.first, cited.last) + _TOLERANCE
    )


def _found(place: Place, state: QuoteState, sources: Sources) -> tuple[Citation, str]:
    quote = sources.files[place.path].text(place.first, place.last)
    citation = Citation(
        path=place.path,
        first=place.first,
        last=place.last,
        quote=quote[:_MAX_QUOTE],
        state=state,
    )
    return citation, sources.weakness(place)


def _file_flags(citations: tuple[Citation, ...], sources: Sources) -> list[str]:
    """Pass on what was odd about the files that a verdict stands on."""
    cited = dict.fromkeys(c.path for c in citations if c.state is not QuoteState.NOT_FOUND)
    return [flag for path in cited for flag in sources.files[path].flags]
