"""Training loops whose calls stand in an order that cannot train, whatever a claim says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from judge.embedded.events import event_rows
from judge.embedded.hints import Hinted
from judge.embedded.statements import indent_of
from judge.embedded.survey import Kept, Survey

__all__ = ["BadLoop", "bad_loops", "is_later", "loops_for", "owner_of", "speaks_of_training"]


@dataclass(frozen=True, slots=True)
class BadLoop:
    """A function that trains in the wrong order.

    Attributes:
        said: What should be, in words.
        done: What is there.
        rows: The live rows that show it.
    """

    said: str
    done: str
    rows: tuple[int, ...]


_TRAINING = Hinted.of(
    r"\btrain(?:s|ed|ing)?\b|\bgradients?\b|\boptimi[sz]|\bbackprop|\bbackward\b|\bSGD\b|\bAdam"
    r"|\bupdat(?:e|es|ed|ing)\b|\blearn(?:s|ed|ing)?\b|fine-?tun|\bloss\b"
)
_ITERATION = re.compile(
    r"\bgradients?\b|\bbackprop|\bbackward\b|\biterations?\b|\boptimi[sz]er|\bupdat", re.IGNORECASE
)
_BAD: Kept[tuple[BadLoop, ...]] = Kept()


@lru_cache(maxsize=4096)
def speaks_of_training(text: str) -> bool:
    """Whether a claim speaks of training by gradients."""
    return _TRAINING.search(text) is not None


def loops_for(survey: Survey, text: str) -> tuple[BadLoop, ...]:
    """The functions that train in the wrong order, for a claim that they concern.

    Where several functions train, only claims about the iteration itself concern each of them.
    """
    bad = bad_loops(survey)
    if not bad or len(_by_block(survey, "step")) == 1 or _ITERATION.search(text) is not None:
        return bad
    return ()


def bad_loops(survey: Survey) -> tuple[BadLoop, ...]:
    """The functions that train in the wrong order; looked for once."""
    known = _BAD.get(survey)
    if known is None:
        known = _BAD[survey] = _find(survey)
    return known


def _find(survey: Survey) -> tuple[BadLoop, ...]:
    rows = {name: _by_block(survey, name) for name in ("backward", "step", "zero", "clip")}
    found: list[BadLoop] = []
    for block, steps in rows["step"].items():
        backward = rows["backward"].get(block, [])
        zeros, clips = rows["zero"].get(block, []), rows["clip"].get(block, [])
        # With several optimisers what belongs together cannot be told.
        if len(steps) != 1 or len(backward) != 1:
            continue
        step, back = steps[0], backward[0]
        owners = {owner_of(survey.codes[row]) for row in (step, *zeros)} - {""}
        if len(owners) > 1:
            continue
        if step < back and not is_later(survey, step, back):
            found.append(
                BadLoop("the backward pass before the step", "the step comes first", (step, back))
            )
        elif len(zeros) == 1 and back < zeros[0] < step:
            found.append(
                BadLoop(
                    "gradients erased before they are computed",
                    "they are erased between the backward pass and the step",
                    (zeros[0], step),
                )
            )
        if len(clips) == 1 and back < step < clips[0]:
            found.append(
                BadLoop(
                    "gradients clipped before the step", "the step comes first", (step, clips[0])
                )
            )
    return tuple(found)


def _by_block(survey: Survey, name: str) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for row in event_rows(survey, name):
        found.setdefault(int(survey.row_blocks[row]), []).append(row)
    return found


_CALLED = re.compile(r"([A-Za-z_][\w.]*)(?:\[[^\]]*\])?\.(?:zero_grad|step)\(")
_OPTIMISER = re.compile(r"_*(?:optimi[sz]er|optim|opt|scaler)s?_*")
_OF_ALL = frozenset({"", "model", "net", "network", "policy", "self"})


def owner_of(code: str) -> str:
    """Whose gradients a line erases or steps by; empty for those of the one model there is."""
    match = _CALLED.search(code)
    if match is None:
        return ""
    name = _OPTIMISER.sub("", match[1].rpartition(".")[2].lower()).strip("_")
    return "" if name in _OF_ALL else name


def is_later(survey: Survey, step: int, back: int) -> bool:
    """Whether the step is given to be called later, or stands in another branch."""
    codes: Sequence[str] = survey.codes
    return indent_of(codes[step]) > indent_of(codes[back]) or "lambda" in codes[step]
