"""Steps and parts that a claim names, and of which live code holds no sign under any name.

Each is known in code by few spellings, so that a repository without any of them does without it.
Where another of its group stands there, that took its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from judge.embedded.component_table import MODELS, TABLE
from judge.embedded.hints import hints_of, lowered
from judge.embedded.live_code import live_code
from judge.embedded.survey import Kept, Survey

__all__ = ["NAMED_STEPS", "Absent", "NamedStep", "missed_steps", "spans_of_steps"]


@dataclass(frozen=True, slots=True)
class NamedStep:
    """A component that goes by few names.

    Attributes:
        name: What it is called.
        group: What it is one of.
        rivals: Another of its group that stands in code takes its place.
        proved: Only such another one proves that it is absent.
        by_name: Code hardly does it without its name: not written out by hand.
        hints: Letters of which a claim that says it holds some, as of `hints_of`.
        said: The pattern of what a claim says.
        signs: The pattern of what code holds that may do it.
        done: The pattern of what code does it by without doubt; empty where none tells.
    """

    name: str
    group: str
    rivals: bool
    proved: bool
    by_name: bool
    hints: tuple[str, ...]
    said: str
    signs: str
    done: str

    def is_stated(self, text: str, low: str) -> bool:
        """Whether a claim says that it is there; `low` is the claim as of `lowered`."""
        return any(hint in low for hint in self.hints) and self.is_said(text)

    def is_said(self, text: str) -> bool:
        """The same of a claim that holds one of the hints."""
        return any(
            _NOT.search(before := text[max(0, match.start() - _BEFORE) : match.start()]) is None
            and _CITED.search(before) is None
            and _UNDONE.match(text[match.end() : match.end() + _BEHIND]) is None
            for match in _compiled(self.said).finditer(text)
        )


@dataclass(frozen=True, slots=True)
class Absent:
    """A component that a claim states and that no live code holds.

    Attributes:
        name: The component.
        whole: The claim is short and about what is absent: nothing that it states by name is there,
            or what it says of it is turned round; and another stands in its place, or it is hardly
            written without its name.
        rival: What took its place, as the code writes it; empty where nothing of its group is seen.
        row: The live row of that, -1 for none.
    """

    name: str
    whole: bool
    rival: str = ""
    row: int = -1


_MACRO = re.compile(rf"<({'|'.join(MODELS)})>")


def _read() -> Iterator[NamedStep]:
    group, rivals = "", False
    for line in TABLE.strip().replace("\n+ | ", " | ").replace("\n+ ", "").splitlines():
        if line.startswith("# "):
            group, rivals = line[2:].removesuffix(" ~"), line.endswith("~")
            continue
        name, said, signs, *done = line.split(" | ")
        yield NamedStep(
            name.rstrip(" !="),
            group,
            rivals,
            name.endswith("!"),
            name.endswith("="),
            hints_of(said),
            said,
            signs,
            done[0] if done else "",
        )


@cache  # the table is finite; most of it is never asked for
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(_whole(pattern), re.IGNORECASE | re.MULTILINE)


@cache
def _hints(pattern: str) -> tuple[str, ...]:
    return hints_of(_whole(pattern))


def _whole(pattern: str) -> str:
    return _MACRO.sub(lambda found: MODELS[found[1]], pattern)


NAMED_STEPS: Mapping[str, NamedStep] = {step.name: step for step in _read()}
"""The components by name."""

_STEPS = tuple(NAMED_STEPS.values())
_HINTED = [(hint, number) for number, step in enumerate(_STEPS) for hint in step.hints]

_TERSE = 16  # words of a claim that is about what it names
_BEFORE, _BEHIND = 60, 50
_NOT = re.compile(
    r"\b(?:without|no|not|nor|never|neither|instead of|rather than|in place of|in lieu of|unlike"
    r"|than|replac\w+|remov\w+|omit\w*|avoid\w*|w/o|disabl\w+|skip\w*|lacks?|beyond|versus|vs\.?"
    r"|free of|compared (?:to|with)|(?:drop|turn|switch)\w* (?:off )?)(?:\W+\w+){0,3}\W*\Z",
    re.IGNORECASE,
)
# `Eq. F1` is a formula's number.
_CITED = re.compile(
    r"\b(?:eqs?|equations?|figs?|figures?|tables?|theorems?|lemmas?|propositions?|sections?|secs?"
    r"|appendix|app|algorithms?|alg|assumptions?|steps?|lines?)\b\.?\W{0,2}\Z",
    re.IGNORECASE,
)
_UNDONE = re.compile(
    r"[\w\s-]{0,25}?\b(?:(?:is|are|was) (?:not|never|replaced|removed|omitted|dropped|disabled"
    r"|avoided|skipped|switched off|turned off|off)\b|-free\b"
    r"|(?:of|is|are|=|set to) (?:0(?:\.0+)?|zero)\b(?![.\d]))",
    re.IGNORECASE,
)


def missed_steps(survey: Survey, text: str) -> tuple[Absent, ...]:
    """The components that a claim states and of which no live line holds a sign."""
    stated = _stated(text)
    if not stated:
        return ()
    found: list[Absent] = []
    gone = [step for step in stated if not _stands(survey, step)]
    if not gone:
        return ()
    held = {step.group for step in stated if step.rivals and step not in gone}
    terse = len(text.split()) <= _TERSE
    for step in gone:
        if step.group in held:
            continue  # `GELU or ReLU`
        rival, row = _rival(survey, step)
        if rival or not step.proved:
            whole = terse and (step.proved or len(gone) == len(stated))
            # What is often written by hand goes by signs that nobody foresaw.
            whole = whole and (bool(rival) or step.by_name)
            found.append(Absent(step.name, whole, rival, row))
    return tuple(found)


def spans_of_steps(text: str) -> tuple[tuple[int, int], ...]:
    """Where a claim speaks of components, whether it says that they are there or not."""
    low = lowered(text)
    may = {number for hint, number in _HINTED if hint in low}
    return tuple(
        match.span()
        for number in sorted(may)
        for match in _compiled(_STEPS[number].said).finditer(text)
    )


@lru_cache(maxsize=4096)
def _stated(text: str) -> tuple[NamedStep, ...]:
    """The components that a claim states, and does not deny."""
    low = lowered(text)
    may = {number for hint, number in _HINTED if hint in low}
    return tuple(_STEPS[number] for number in sorted(may) if _STEPS[number].is_said(text))


# ---- in code -------------------------------------------------------------------------------------

_SIGNS: Kept[dict[str, bool]] = Kept()
_LOW: Kept[str] = Kept()
_DONE: Kept[dict[str, tuple[str, int]]] = Kept()


def _stands(survey: Survey, step: NamedStep) -> bool:
    known = _SIGNS.setdefault(survey, {})
    held = known.get(step.name)
    if held is None:
        held = _in_code(survey, step.signs) is not None or bool(_done(survey, step)[0])
        known[step.name] = held
    return held


def _in_code(survey: Survey, pattern: str) -> re.Match[str] | None:
    """Where a pattern matches live code first."""
    low = _LOW.get(survey)
    if low is None:
        low = _LOW[survey] = lowered(live_code(survey))
    for hint in _hints(pattern):
        if hint in low:
            return _compiled(pattern).search(live_code(survey))
    return None


def _rival(survey: Survey, step: NamedStep) -> tuple[str, int]:
    """What of a component's group live code does in its place, and the row; empty and -1."""
    if step.rivals:
        for other in _STEPS:
            if other.group == step.group and other is not step:
                seen = _done(survey, other)
                if seen[0]:
                    return seen
    return "", -1


def _done(survey: Survey, step: NamedStep) -> tuple[str, int]:
    """What live code does a component by, as it is written there, and its row; empty and -1."""
    if not step.done:
        return "", -1
    known = _DONE.setdefault(survey, {})
    seen = known.get(step.name)
    if seen is None:
        match = _in_code(survey, step.done)
        seen = ("", -1)
        if match is not None:
            shown = match[0].strip().partition("\n")[0].rstrip("(")
            seen = shown or step.name, match.string.count("\n", 0, match.start())
        known[step.name] = seen
    return seen
