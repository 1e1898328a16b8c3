"""Names of things from elsewhere that a claim says are used, and that no live line holds."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from judge.embedded.survey import Kept, Standing, Survey

if TYPE_CHECKING:
    from judge.embedded.looking import WordFinding

__all__ = ["unknown_names"]

_NAME = re.compile(r"[a-z][A-Z]|[A-Z]{2}|[A-Za-z]-?\d|-")
_IN_FORMULA = re.compile(r"[_=(]")
_FORMULA = re.compile(r"[=∈·]")  # its names are those of the claim's own terms
_SHORT = 3
# What is called by such a name is used as it is; a method's own parts go by many names in code. Of
# 300 readings of claims that name such a thing that no live line holds, 1 % were of level 3 or 4;
# of 2,663 that name anything else so, 12 %.
_USED = re.compile(
    r"\s*(?:-?\w+ )?(?:datasets?|benchmarks?|corpus|corpora|suite|baselines?|methods?|algorithms?"
    r"|optimi[sz]ers?|schedulers?|models?|tokenizers?|library|metrics?|loss|analysis|analyses"
    r"|probes?|probing|attacks?|class|modules?)\b"
)
_USING = re.compile(
    r"\b(?:on|against|with|versus|vs\.?|using|by|via|from|dataset|benchmark|baseline|called|named)"
    r"\s*:?\s*\Z"
)
_BEFORE, _BEHIND = 14, 30
_SEPARATORS = re.compile(r"[^a-z0-9]+")


def unknown_names(survey: Survey, text: str, words: Iterable[WordFinding]) -> tuple[str, ...]:
    """The names of data sets, baselines, models, libraries and analyses that no live line holds.

    Spelling does not matter, nor whether a name stands within another one or in a string.

    Args:
        survey: The repository.
        text: The claim.
        words: What was found of its words.
    """
    if _FORMULA.search(text):
        return ()
    return tuple(
        name
        for word in words
        if word.places.standing <= Standing.TEXT
        and word.concept.named
        and len(name := _whole(text, word.concept.text)) > _SHORT
        and _NAME.search(name)
        and not name.islower()  # `newstest2014`: a file that is given from outside
        and not _IN_FORMULA.search(name)
        and _is_used(text, name)
        and not _is_held(survey, name)
    )


def _whole(text: str, name: str) -> str:
    """A name with what is joined to it: `GSM-8K`."""
    start = text.find(name)
    joint = _JOINT.match(text, start + len(name)) if start >= 0 else None
    return name + joint[0] if joint is not None else name


_JOINT = re.compile(r"[-–][A-Z0-9]\w{0,5}\b")


def _is_used(text: str, name: str) -> bool:
    """Whether a claim says by the words around a name that something from elsewhere is used."""
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        if _USED.match(text[end : end + _BEHIND]) is not None:
            return True
        if _USING.search(text[max(0, start - _BEFORE) : start]) is not None:
            return True
        start = text.find(name, end)
    return False


_CODE: Kept[str] = Kept()


def _is_held(survey: Survey, name: str) -> bool:
    known = _CODE.get(survey)
    if known is None:
        known = _CODE[survey] = _SEPARATORS.sub("", "".join(survey.codes).lower())
    return _SEPARATORS.sub("", name.lower()) in known
