"""The live lines of a repository as one text, a line for each, for what is searched for in all."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judge.embedded.survey import Kept, Standing, Survey

__all__ = ["letters_of", "live_code", "live_names"]

_WIDEST = 400  # characters of a line that patterns read
_SEPARATORS = re.compile(r"[^a-z0-9]+")
_IN_LINE = re.compile(r"[^a-z0-9\n]+")
_CODE: Kept[str] = Kept()
_NAMES: Kept[tuple[str, str]] = Kept()


def live_code(survey: Survey) -> str:
    """The live lines, cut where they grow too wide for patterns; line breaks count their rows."""
    known = _CODE.get(survey)
    if known is None:
        known = _CODE[survey] = "\n".join(line[:_WIDEST] for line in survey.codes)
    return known


def live_names(survey: Survey) -> tuple[str, str]:
    """The live lines as wide as they are, and behind them the modules that live files import.

    Returns:
        As they are written, and as of `letters_of`, where a name may stand within one line alone.
    """
    known = _NAMES.get(survey)
    if known is None:
        lines = "\n".join((*survey.codes, *_imported(survey)))
        known = _NAMES[survey] = lines, _IN_LINE.sub("", lines.lower())
    return known


def letters_of(name: str) -> str:
    """The letters and digits of a name in lower case: `GSM-8K` and `gsm_8k` are one."""
    return _SEPARATORS.sub("", name.lower())


def _imported(survey: Survey) -> Iterator[str]:
    """The modules from elsewhere that files import of which a part is live."""
    acting = {block.path for block in survey.blocks if block.standing is Standing.LIVE}
    for path, modules in survey.index.graph.unresolved.items():
        if path in acting:
            yield from modules
