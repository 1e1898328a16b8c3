"""How often something is repeated, where a list of seeds says it and no number does."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile

from judge.embedded.survey import Kept, Survey

__all__ = ["counts_repeats", "repeated_on"]

_KINDS = (
    r"(?:seeds?|runs?|trials?|repeats?|repetitions?|replicates?|replications?|restarts?|inits?)"
)
_COUNT = r"(?<![\w.])(\d[\w.]{0,20}|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)"
_SAID = re.compile(
    rf"{_COUNT}(?:[ -][A-Za-z][A-Za-z-]{{0,30}}){{0,2}}[ -](?:seeds?|runs?|trials?|repeats?"
    r"|repetitions?|replicates?|replications?|restarts?|initiali[sz]ations?)\b"
    r"|\b(?:seeds|runs|trials|repeats|repetitions)\s*[=:]\s*(\d+)"
    rf"|\brepeat(?:ed|s)? (?:\w{{1,30}} )?{_COUNT} times",
    re.IGNORECASE,
)
# A name of seeds, as a variable, a key or an option, and what is listed behind it.
_NAME = rf"(?:[A-Za-z]\w{{0,40}}_)?{_KINDS}(?:_(?:list|values|ids|range|pool))?"
# The variable of a loop: one of its parts says it, so that a prune_round is no run.
_EACH = (
    r"(?:[A-Za-z]\w{0,40}_)?(?:seeds?|runs?|trials?|repeats?|reps?|repetitions?|replicates?|restarts?)"
    r"(?:_?(?:id|idx|i|no|num|number|index|seed)|\d{1,3})?"
)
_LISTED = re.compile(
    rf"(?<![A-Za-z0-9])['\"]?{_NAME}['\"]?\s*(?::[^=(]{{1,30}})?[=:]"
    r"\s*(?:[\w.]*\([^\[\]()]{0,60})?[\[(]([^\[\]()]{1,200})[\])]"
    rf"|\bfor\s+(?:\w{{1,40}},\s*)?{_EACH}\s+in\s+(?:enumerate\()?[\[(]"
    r"([^\[\]()]{1,200})[\])]"
    rf"|['\"]--{_NAME}['\"].*\bdefault\s*=\s*(?:[\[(]([^\[\]()]{{1,200}})[\])]"
    r"|['\"]([-\d\s,]{3,200})['\"])"
    rf"|(?<![A-Za-z0-9]){_NAME}['\"]?\s*[=:]\s*['\"]([-\d\s,]{{3,200}})['\"]",
    re.IGNORECASE,
)
_IN_SHELL = re.compile(
    rf"\bfor\s+{_EACH}\s+in\s+([^;]{{1,200}})"
    rf"|(?<![A-Za-z0-9]){_NAME}=[\"'(]([-\d\s]{{3,200}})[\"')]"
    rf"|--{_NAME}[= ]+((?:-?\d+[ ,]+)+-?\d+)\b",
    re.IGNORECASE,
)
_RANGE = re.compile(
    rf"\bfor\s+{_EACH}\s+in\s+range\(\s*(?:(\d+)\s*,\s*)?(\d+)\s*\)"
    rf"|(?<![A-Za-z0-9]){_NAME}\s*=\s*(?:list\()?range\(\s*(?:(\d+)\s*,\s*)?(\d+)\s*\)",
    re.IGNORECASE,
)
_BRACES = re.compile(r"\{(\d+)\.\.(\d+)\}|\bseq\s+(?:-\w\s+\S+\s+)?(?:(\d+)\s+)?(\d+)\b")
_LOOP = re.compile(r"\bfor\s+(\w+)\s+in\s+([^;]{1,200})")
_GIVEN = r"--\w*seed\w*[= ]+\"?\$\{{?{name}\b"
_ONE = re.compile(r"--\w*seed[= ]+(\d{1,9})\b")
_SOON = 40  # lines below the head of a loop
_OPENED = re.compile(
    rf"(?<![A-Za-z0-9]){_NAME}['\"]?\s*(?::[^=(]{{1,30}})?[=:]\s*[\[(]\s*\Z", re.IGNORECASE
)
_KEY = re.compile(rf"\s*(?:-\s+)?['\"]?{_NAME}['\"]?\s*:\s*\Z", re.IGNORECASE)
_ITEM = re.compile(r"\s*-\s+-?\d+\s*\Z")
_NUMBER = re.compile(r"-?\d+\Z")
_WIDEST = 400
_HINT = re.compile(r"seed|run|trial|rep|init|restart", re.IGNORECASE)


def counts_repeats(text: str, written: str) -> bool:
    """Whether a claim's number says how often something is repeated: `three seeds`."""
    return written in _counts(text)


@lru_cache(maxsize=4096)
def _counts(text: str) -> frozenset[str]:
    """The numbers of a claim, as written, that say how often something is repeated."""
    if _HINT.search(text) is None:
        return frozenset()
    return frozenset(group for match in _SAID.finditer(text) for group in match.groups() if group)


_REPEATED: Kept[Mapping[str, Sequence[int]]] = Kept()


def repeated_on(survey: Survey) -> Mapping[str, Sequence[int]]:
    """The live lines that list seeds or count runs, over all files from 0, by how many."""
    known = _REPEATED.get(survey)
    if known is None:
        found: defaultdict[str, list[int]] = defaultdict(list)
        rows = survey.live.tolist()
        for place, (line, code) in enumerate(zip(rows, survey.codes, strict=True)):
            if _HINT.search(code) is None or _is_cut_short(survey, place, code[:_WIDEST]):
                continue
            count = _count(code[:_WIDEST]) or _items(survey, place, code)
            if count > 1:
                found[str(count)].append(line)
        for line, count in _scripts(survey, rows):
            found[str(count)].append(line)
        known = _REPEATED[survey] = found
    return known


# Of a list only some are taken, or the loop over it ends after the first.
_CUT = re.compile(r"[\])\w]\s?\[\s{0,4}(?:-?\d{0,9}\s{0,4}:\s{0,4}-?\d{1,9}|0|-1)\s{0,4}\]")
_LOOPED = re.compile(rf"(\s*)for\s+(?:\w{{1,40}},\s*)?{_EACH}\s+in\b(.{{1,300}})", re.IGNORECASE)
_LOOP_HEAD = re.compile(r"(\s*)for\s.{1,300}:\s*\Z")
_LISTS = re.compile(rf"\s*({_NAME})\s{{0,4}}(?::[^=(]{{1,30}})?=\s{{0,4}}[\[(r]", re.IGNORECASE)


def _is_cut_short(survey: Survey, place: int, code: str) -> bool:
    """Whether of the seeds on a line only some are gone over, or only the first."""
    if (looped := _LOOPED.match(code)) is not None:
        return _CUT.search(looped[2]) is not None or _ends_at_once(
            survey.codes[place + 1 : place + 1 + _SOON], len(looped[1])
        )
    if (listed := _LISTS.match(code)) is None:
        return False
    if _CUT.search(code):
        return True
    name = listed[1]
    used = re.compile(rf"(?<![\w'\"-]){name}(?!\w)(?!\s*(?::[^=(]{{1,30}})?=(?!=))")
    uses = [
        (row, match.end())
        for row, text in enumerate(survey.codes)
        if row != place and name in text
        for match in used.finditer(text[:_WIDEST])
    ]
    return bool(uses) and all(_takes_one(survey, row, end) for row, end in uses)


def _takes_one(survey: Survey, row: int, end: int) -> bool:
    """Whether of what a line names up to a column only some is taken, or only the first."""
    code = survey.codes[row]
    if _CUT.match(code, end - 1):
        return True
    looped = _LOOP_HEAD.match(code)
    return looped is not None and _ends_at_once(
        survey.codes[row + 1 : row + 1 + _SOON], len(looped[1])
    )


def _ends_at_once(body: Sequence[str], depth: int) -> bool:
    """Whether what a loop does ends it, whatever it goes over."""
    own = -1
    for text in body:
        indent = len(text) - len(text.lstrip())
        if not text.strip():
            continue
        if indent <= depth:
            return False
        own = indent if own < 0 else own
        if indent == own and _ENDS.match(text):
            return True
    return False


_ENDS = re.compile(r"\s*(?:break|return|sys\.exit|exit)\b")


def _count(code: str) -> int:
    """How many seeds a line lists; 0 where it lists none."""
    if (listed := _LISTED.search(code)) is not None:
        count = _numbers(next(group for group in listed.groups() if group).split(","))
        if count > 1:
            return count
    if (counted := _RANGE.search(code)) is not None:
        first, last, first_listed, last_listed = counted.groups()
        return int((last or last_listed)[:6]) - int((first or first_listed or "0")[:6])
    if (looped := _IN_SHELL.search(code)) is not None:
        return _in_shell(next(group for group in looped.groups() if group))
    return 0


def _in_shell(text: str) -> int:
    """How many numbers a loop of a script goes over: `0 1 2`, `{0..2}`, `$(seq 3)`."""
    if (span := _BRACES.search(text)) is not None:
        first, last, start, end = span.groups()
        return int((last or end)[:6]) - int((first or start or "1")[:6]) + 1
    return _numbers(re.split(r"[\s,]+", text.strip()))


def _numbers(parts: Sequence[str]) -> int:
    """How many numbers a list holds; 0 where it holds anything else."""
    own = [part.strip() for part in parts if part.strip()]
    return len(own) if all(_NUMBER.match(part) for part in own) else 0


def _items(survey: Survey, place: int, code: str) -> int:
    """How many items the list has that begins on a line and goes on below it."""
    behind = survey.codes[place + 1 : place + 1 + _SOON]
    if _KEY.match(code):
        return len(list(takewhile(_ITEM.match, behind)))
    if _OPENED.search(code[:_WIDEST]):
        inside = takewhile(lambda text: text.strip()[:1] not in {"]", ")"}, behind)
        return _numbers(" ".join(inside).split(","))
    return 0


def _scripts(survey: Survey, rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Loops of scripts whose variable is a seed, and scripts that name several seeds."""
    seeds: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for place, (line, code) in enumerate(zip(rows, survey.codes, strict=True)):
        if "--" in code and (one := _ONE.search(code, 0, _WIDEST)) is not None:
            seeds[survey.place(line)[0]].setdefault(one[1], line)
        if "for " not in code or (loop := _LOOP.search(code, 0, _WIDEST)) is None:
            continue
        given = re.compile(_GIVEN.format(name=re.escape(loop[1])))
        if any(given.search(text, 0, _WIDEST) for text in survey.codes[place : place + _SOON]):
            count = _in_shell(loop[2])
            if count > 1:
                yield line, count
    for own in seeds.values():
        if len(own) > 1:
            yield next(iter(own.values())), len(own)
