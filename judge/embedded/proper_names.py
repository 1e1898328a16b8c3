"""Names of things from elsewhere that a claim says are used, and that no live line holds."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from judge.embedded.library_names import is_spelled
from judge.embedded.live_code import letters_of, live_names
from judge.embedded.named_steps import spans_of_steps
from judge.embedded.survey import Standing, Survey

if TYPE_CHECKING:
    from judge.embedded.looking import WordFinding

__all__ = ["unknown_names"]

_NAME = re.compile(r"[a-z][A-Z]|[A-Z]{2}|[A-Za-z]-?\d|-")
_IN_FORMULA = re.compile(r"[_=(]")
_FORMULA = re.compile(r"[=∈·]")  # its names are those of the claim's own terms
_SHORT = 3
# What is called by such a name is used as it is; a method's own parts go by many names in code, and
# losses, methods, algorithms, optimisers and models are told by what they do. Of 300 readings of
# claims that name such a thing that no live line holds, 1 % were of level 3 or 4; of 2,663 that
# name anything else so, 12 %.
_USED = re.compile(
    r"\s*(?:-?\w+ )?(?:datasets?|benchmarks?|corpus|corpora|suite|baselines?|tokenizers?|library"
    r"|metrics?|analysis|analyses|probes?|probing|attacks?|class|modules?)\b"
)
_USING = re.compile(
    r"\b(?:on|against|versus|vs\.?|dataset|benchmark|baseline|called|named)\s*:?\s*\Z"
)
_PERSONS = re.compile(r"[A-Z][a-z]+(?:[-–][A-Z][a-z]+)+")  # `Gauss-Newton`: what they found
_BEFORE, _BEHIND = 14, 30


def unknown_names(survey: Survey, text: str, words: Iterable[WordFinding]) -> tuple[str, ...]:
    """The names of data sets, baselines, models, libraries and analyses that no live line holds.

    Spelling does not matter, nor whether a name stands within another one or in a string; a library
    is held under the name by which it is imported. Names of components are no names here: what
    stands for them is looked for by signs, in `named_steps`.

    Args:
        survey: The repository.
        text: The claim.
        words: What was found of its words.
    """
    if _FORMULA.search(text):
        return ()
    steps = spans_of_steps(text)
    return tuple(
        name
        for word in words
        if word.places.standing <= Standing.TEXT
        and word.carried is None
        and word.concept.named
        and len(name := _whole(text, word.concept.text)) > _SHORT
        and _NAME.search(name)
        and not name.islower()  # `newstest2014`: a file that is given from outside
        and not _IN_FORMULA.search(name)
        and _is_used(text, name)
        and not _is_within(text, name, steps)
        and not _is_held(survey, text, name)
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
        before = text[max(0, start - _BEFORE) : start]
        if _USING.search(before) is not None and _PERSONS.fullmatch(name) is None:
            return True
        start = text.find(name, end)
    return False


def _is_within(text: str, name: str, spans: Iterable[tuple[int, int]]) -> bool:
    """Whether a name is that of a component, or a part of it."""
    start = text.find(name)
    return any(first < start + len(name) and start < end for first, end in spans)


# The maker that stands before a library's name.
_MAKERS = ("huggingface", "openai", "facebook", "meta", "google", "nvidia", "microsoft", "deepmind")
_DATA = re.compile(r"\s*(?:-?\w+ )?(?:datasets?|corpus|corpora|benchmarks?)\b")
_ON = re.compile(r"\b(?:on|dataset)\s*:?\s*\Z")
# Data of which code knows no more than the way to it.
_GIVEN = re.compile(
    r"(?:ImageFolder|DatasetFolder|load_from_disk)\(\s*(?![\"'])"
    r"|load_dataset\(\s*(?:args|cfg|config|self|opts?|flags|hparams)\b"
)


def _is_held(survey: Survey, text: str, name: str) -> bool:
    code, joined = live_names(survey)
    plain = letters_of(name)
    if plain in joined or is_spelled(plain, code):
        return True
    for maker in _MAKERS:
        rest = plain.removeprefix(maker)
        if rest and rest != plain and (rest in joined or is_spelled(rest, code)):
            return True
    start = text.find(name)
    before = text[max(0, start - _BEFORE) : start]
    is_data = _DATA.match(text, start + len(name)) is not None or _ON.search(before) is not None
    return is_data and _GIVEN.search(code) is not None
