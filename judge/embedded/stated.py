"""The values that a claim gives to parameters for which libraries have defaults."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from judge.embedded.default_table import SPOKEN
from judge.embedded.hints import Hinted, lowered
from judge.embedded.mentions import real_numbers
from retrieval.numbers import Number

__all__ = ["Stated", "stated_in"]


@dataclass(frozen=True, slots=True)
class Stated:
    """A value that a claim gives to what a library has a default for.

    Attributes:
        keys: Of `SPOKEN`.
        written: The number as written.
        forms: Its canonical forms.
        name: What the claim calls it.
    """

    keys: tuple[str, ...]
    written: str
    forms: frozenset[str]
    name: str


_NAMES = {key: Hinted.of(names) for key, (_, names, _) in SPOKEN.items()}
_ABOUT = {key: Hinted.of(about) for key, (about, _, _) in SPOKEN.items() if about}
_LINK = re.compile(
    r"\s*[$(\[]*\s*(?:of|is|was|are|set|fixed|to|at|being|equals?|=|:|≈|values?|a|the|\$|\\|\s"
    r"|(?:with )?(?:probability|rate|norm)\b|[prkγλτεδ]\s*=)*\s*"
    r"[$(\[{]*\s*\Z",
    re.IGNORECASE,
)
_FOR = re.compile(r"\s+(?:for|of|in|on) (?:the )?(?:[\w-]+ ){1,3}(?:is|was|=|:)\s*(?:set to )?\Z")
_NEXT = re.compile(r"\s*[$)]*\s*(?:,|/|and|,\s*and)\s*[$(]*\s*\Z")
# `attention dropout` and `target learning rate` are others than what the word alone names.
_FREE = re.compile(
    r"(?:\A|[^\w\s-]|\b(?:an?|the|with|of|and|or|use[sd]?|using|apply|applies|applied|has|have|by"
    r"|at|its|whose|where|optimi[sz]er|adamw?|sgd|default|is|ppo|sac|dqn|td3|training"
    r"|fixed|constant|parameters|coefficients|momentum|momenta|moment|rates|lora|layers?|in|for"
    r"|from|to))\s*\Z",
    re.IGNORECASE,
)
_PLAIN = frozenset(
    (
        "dropout",
        "lr",
        "epochs",
        "batch_size",
        "discount",
        "momentum",
        "eps",
        "beta1",
        "beta2",
        "betas",
    )
)
_MEANS = r"\bEMA\b|moving average|teacher|target network|momentum encoder|batch[ -]?norm"
_BUT = {
    key: re.compile(pattern, re.IGNORECASE)
    for key, pattern in (
        ("eps", r"norm|greedy"),
        ("layer_norm_eps", r"adam|optimi[sz]|RMS|(?:batch|group)[ -]?norm"),
        ("group_norm_eps", r"adam|optimi[sz]|RMS|(?:batch|layer)[ -]?norm"),
        ("batch_norm_eps", r"adam|optimi[sz]|RMS|(?:layer|group)[ -]?norm"),
        ("momentum", _MEANS),
        ("dropout", r"lora|low-rank"),
        ("lr", r"boost"),
    )
}
"""What a claim must not speak of, since the same word names something of it too."""


def _is_momentum(form: str) -> bool:
    """Whether a number may be what a running mean keeps of itself."""
    try:
        return _LEAST_KEPT <= float(form) < 1
    except ValueError:
        return False


_LEAST_KEPT = 0.4


@lru_cache(maxsize=4096)
def stated_in(text: str) -> tuple[Stated, ...]:
    """The values of a claim whose names are those of defaults, in the table's order."""
    numbers = real_numbers(text)
    if not numbers:
        return ()
    low = lowered(text)
    found: list[Stated] = []
    for key, named in _NAMES.items():
        if not named.can_match(low):
            continue
        about, but = _ABOUT.get(key), _BUT.get(key)
        if about is not None and about.search(text, low) is None:
            continue
        if but is not None and but.search(text) is not None:
            continue  # which of both is not said
        for match in named.pattern.finditer(text):
            run = _run(text, match, numbers, 2 if key == "betas" else 1)
            start = min((match.start(), *(number.start for number in run)))
            if not run or (key in _PLAIN and not _FREE.search(text[:start])):
                continue
            pair = key == "betas" and len(run) == 2
            for number, own in zip(run, ("beta1", "beta2") if pair else (key,), strict=True):
                forms = frozenset((number.value, *number.also))
                if not key.startswith("beta") or any(map(_is_momentum, forms)):
                    # Other betas are those of a schedule of noise, or of a loss.
                    found.append(Stated((own,), number.written.strip(), forms, match[0]))
    return tuple(found)


_WIDEST = 60  # what may stand between a name and its number


def _run(text: str, name: re.Match[str], numbers: Sequence[Number], most: int) -> list[Number]:
    """The numbers that a claim gives to a name: those behind it, or the one right before it."""
    run: list[Number] = []
    end = name.end()
    for number in numbers:
        if number.start < end:
            continue
        gap = text[end : number.start]
        if len(gap) > _WIDEST or not (
            _NEXT.match(gap) if run else _LINK.match(gap) or _FOR.match(gap)
        ):
            break
        run.append(number)
        end = number.end
        if len(run) == most:
            break
    return run or [
        number
        for number in numbers
        if number.end <= name.start() and not text[number.end : name.start()].strip()
    ]
