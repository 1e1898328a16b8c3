"""How often something is repeated, where a list of seeds says it and no number does."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from judge.embedded.survey import Kept, Survey

__all__ = ["counts_repeats", "repeated_on"]

_KINDS = (
    r"(?:seeds?|runs?|trials?|repeats?|repetitions?|replicates?|replications?|restarts?|inits?)"
)
_SAID = (
    r"{number}(?:[ -][A-Za-z-]+){{0,2}}[ -](?:seeds?|runs?|trials?|repeats?|repetitions?"
    r"|replicates?|replications?|restarts?|initiali[sz]ations?)\b"
    r"|\b(?:seeds|runs|trials|repeats|repetitions)\s*[=:]\s*{number}(?![\w.]*\d)"
    r"|\brepeat(?:ed|s)? (?:\w+ )?{number} times"
)
# A name of seeds, as a variable, a key or an option, and what is listed behind it.
_NAME = rf"(?:[A-Za-z]\w*_)?{_KINDS}(?:_(?:list|values|ids|range|pool))?"
_LISTED = re.compile(
    rf"(?<![A-Za-z0-9])['\"]?{_NAME}['\"]?\s*(?::[^=(]{{1,30}})?[=:]"
    r"\s*(?:[\w.]*\([^\[\]()]{0,60})?[\[(]([^\[\]()]{1,200})[\])]"
    rf"|\bfor\s+\w*(?:seed|run|trial|repeat|rep)\w*\s+in\s+[\[(]([^\[\]()]{{1,200}})[\])]"
    rf"|['\"]--{_NAME}['\"].*\bdefault\s*=\s*[\[(]([^\[\]()]{{1,200}})[\])]",
    re.IGNORECASE,
)
_IN_SHELL = re.compile(
    rf"\bfor\s+\w*(?:seed|run|trial|repeat|rep)\w*\s+in\s+([^;]{{1,200}})"
    rf"|(?<![A-Za-z0-9]){_NAME}=[\"'(]([-\d\s]{{3,200}})[\"')]"
    rf"|--{_NAME}[= ]+((?:-?\d+[ ,]+)+-?\d+)\b",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"\bfor\s+\w*(?:seed|run|trial|repeat|rep)\w*\s+in\s+range\(\s*(?:(\d+)\s*,\s*)?(\d+)\s*\)"
    rf"|(?<![A-Za-z0-9]){_NAME}\s*=\s*(?:list\()?range\(\s*(?:(\d+)\s*,\s*)?(\d+)\s*\)",
    re.IGNORECASE,
)
_BRACES = re.compile(r"\{(\d+)\.\.(\d+)\}|\bseq\s+(?:-\w\s+\S+\s+)?(?:(\d+)\s+)?(\d+)\b")
_KEY = re.compile(rf"\s*(?:-\s+)?['\"]?{_NAME}['\"]?\s*:\s*\Z", re.IGNORECASE)
_ITEM = re.compile(r"\s*-\s+-?\d+\s*\Z")
_NUMBER = re.compile(r"-?\d+\Z")
_WIDEST = 400
_HINT = re.compile(r"seed|run|trial|rep|init|restart", re.IGNORECASE)


def counts_repeats(text: str, written: str) -> bool:
    """Whether a claim's number says how often something is repeated: `three seeds`."""
    number = rf"(?<![\w.]){re.escape(written)}"
    return re.search(_SAID.format(number=number), text, re.IGNORECASE) is not None


_REPEATED: Kept[Mapping[str, Sequence[int]]] = Kept()


def repeated_on(survey: Survey) -> Mapping[str, Sequence[int]]:
    """The live lines that list seeds or count runs, over all files from 0, by how many."""
    known = _REPEATED.get(survey)
    if known is None:
        found: defaultdict[str, list[int]] = defaultdict(list)
        rows = survey.live.tolist()
        for place, (line, code) in enumerate(zip(rows, survey.codes, strict=True)):
            if _HINT.search(code) is None:
                continue
            count = _count(code[:_WIDEST]) or _items(survey, rows, place, code)
            if count > 1:
                found[str(count)].append(line)
        known = _REPEATED[survey] = found
    return known


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
        text = next(group for group in looped.groups() if group)
        if (span := _BRACES.search(text)) is not None:
            first, last, start, end = span.groups()
            return int((last or end)[:6]) - int((first or start or "1")[:6]) + 1
        return _numbers(re.split(r"[\s,]+", text.strip()))
    return 0


def _numbers(parts: Sequence[str]) -> int:
    """How many numbers a list holds; 0 where it holds anything else."""
    own = [part.strip() for part in parts if part.strip()]
    return len(own) if all(_NUMBER.match(part) for part in own) else 0


def _items(survey: Survey, rows: Sequence[int], place: int, code: str) -> int:
    """How many items the list in YAML has whose key is on a line."""
    if not _KEY.match(code):
        return 0
    count = 0
    while place + count + 1 < len(rows) and _ITEM.match(survey.codes[place + count + 1]):
        count += 1
    return count
