"""From what the members of a panel say to one verdict: the median level, with all that was said.

The lower of two levels in the middle is taken. Drift and failure are a pair that members at that
level gave, the commonest of them and among equals that of the surest; all members at that level
hand in their citations. A member without an answer, or one that abstains, leaves a panel of the
rest as long as the quorum gives a level.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median_low

from judge.checking import Checked
from judge.counting import counted
from judge.questioning import Held, Interview
from judge.verdict import Citation, Status

__all__ = ["Ruling", "Said", "rule"]


@dataclass(frozen=True, slots=True)
class Said:
    """What one member came to.

    Attributes:
        name: The member's name.
        interviews: Its conversations, as often as it was asked.
        held: What each came to; `None` for one without an answer.
        chosen: The conversation that speaks for the member, and what it came to; `None` where it
            has no answer.
        reason: Why it has none; else empty.
    """

    name: str
    interviews: tuple[Interview, ...]
    held: tuple[Held | None, ...]
    chosen: tuple[Interview, Held] | None
    reason: str = ""

    @property
    def level(self) -> int | None:
        """The level that it gives, if it gives one."""
        if self.chosen is None or self.chosen[1].checked.level is None:
            return None
        return int(self.chosen[1].checked.level)


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a panel came to.

    Attributes:
        speaker: The member whose words the verdict takes over.
        interview: Its conversation.
        held: What stands in the verdict.
    """

    speaker: Said
    interview: Interview
    held: Held


def rule(said: Sequence[Said], quorum: int) -> Ruling | str:
    """Put together what the members said.

    Args:
        said: Each member's answer, in the panel's order.
        quorum: How many have to give a level.

    Returns:
        The ruling; or, where fewer than the quorum have an answer at all, why there is none.
    """
    levels = [one.level for one in said if one.level is not None]
    answered = [one for one in said if one.chosen is not None]
    if len(answered) < quorum:
        silent = "; ".join(f"{one.name}: {one.reason}" for one in said if one.chosen is None)
        heard = f"{len(answered)} of {counted(len(said), 'member')} answered"
        return f"no_quorum: {heard}, {quorum} must ({silent})"
    if len(levels) < quorum:
        return _undecided(said, answered, len(levels), quorum)
    level = median_low(levels)
    speakers = [one for one in said if one.level == level]
    speaker = _speaker(speakers)
    assert speaker.chosen is not None
    interview, held = speaker.chosen
    flags = list(held.flags)
    for one in speakers:
        assert one.chosen is not None
        flags += one.chosen[1].flags
    flags += _marks(said, levels)
    sure = held.checked.confidence
    checked = replace(
        held.checked,
        citations=_citations(speaker, speakers),
        confidence=None if sure is None else min(sure, len(speakers) / len(said)),
        flags=tuple(dict.fromkeys(flag for one in speakers for flag in _checked(one).flags)),
    )
    made = replace(held, checked=checked, flags=tuple(dict.fromkeys(flags)))
    return Ruling(speaker, interview, made)


def _undecided(said: Sequence[Said], answered: Sequence[Said], levels: int, quorum: int) -> Ruling:
    """The abstention of a panel of which too few members give a level."""
    speaker = next(one for one in answered if one.level is None)
    assert speaker.chosen is not None
    interview, held = speaker.chosen
    checked = replace(
        held.checked,
        reason=(
            f"no_quorum: {levels} of {counted(len(said), 'member')} "
            f"{'gives' if levels == 1 else 'give'} a level, {quorum} must; "
            f"{speaker.name}: {held.checked.reason}"
        )[:500],
    )
    flags = (*held.flags, *_marks(said, [one.level for one in said if one.level is not None]))
    return Ruling(
        speaker, interview, replace(held, checked=checked, flags=tuple(dict.fromkeys(flags)))
    )


def _speaker(speakers: Sequence[Said]) -> Said:
    """Of members at one level the surest among those whose drift and failure are the commonest."""
    pairs = Counter(_pair(one) for one in speakers)
    most = max(pairs.values())
    return max(
        (one for one in speakers if pairs[_pair(one)] == most),
        key=lambda one: _checked(one).confidence or 0.0,
    )


def _pair(one: Said) -> tuple[str, str]:
    assert one.chosen is not None
    parsed = one.chosen[1].parsed
    return parsed.drift.value, parsed.failure.value


def _checked(one: Said) -> Checked:
    assert one.chosen is not None
    return one.chosen[1].checked


def _citations(speaker: Said, speakers: Sequence[Said]) -> tuple[Citation, ...]:
    """The citations of members at one level, the speaker's first, each once."""
    ordered = [speaker, *(one for one in speakers if one is not speaker)]
    found: dict[tuple[str, int, int, str], Citation] = {}
    for one in ordered:
        for cited in _checked(one).citations:
            found.setdefault((cited.path, cited.first, cited.last, cited.quote), cited)
    return tuple(found.values())


def _marks(said: Sequence[Said], levels: Sequence[int]) -> list[str]:
    marks = ["members_differ"] if len(set(levels)) > 1 else []
    if any(one.chosen is None for one in said):
        marks.append("member_missing")
    if any(one.chosen is not None and _checked(one).status is not Status.GRADED for one in said):
        marks.append("member_abstained")
    return marks
