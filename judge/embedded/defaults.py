"""The values that live calls of libraries act with though they are written nowhere.

`AdamW(model.parameters(), lr=lr)` has a weight decay of 0.01. That counts like a value which is
written there, for a claim and against it, as long as no live line gives any name of the parameter
a value: what is written always wins, and so does doubt.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from judge.embedded.default_table import DEFAULTS, SPOKEN
from judge.embedded.known_calls import KnownCall
from judge.embedded.library import Carried
from judge.embedded.library_entries import Default, Entry
from judge.embedded.parts import Claim
from judge.embedded.stated import Stated, stated_in
from judge.embedded.statements import Statements, arguments_of, may_be_grouped
from judge.embedded.survey import Kept, Standing, Survey
from retrieval.graph import Call
from retrieval.numbers import token_values
from retrieval.values import Fact, FactSource
from retrieval.words import TOKEN, join, token_terms

__all__ = ["Defaults", "Implied", "defaults_of"]


# A default counts as stated: as much as a word may that is not said to stand on a line.
_STATED = 0.69


@dataclass(frozen=True, slots=True)
class Implied:
    """A default that a live call acts with.

    Attributes:
        key: Of `SPOKEN`.
        call: The call.
        default: The default.
        fact: The same as a named value at the call's line.
    """

    key: str
    call: KnownCall
    default: Default
    fact: Fact

    @property
    def name(self) -> str:
        """What people call the parameter: `weight decay`, `beta2`."""
        own = self.default.argument
        return self.key if own == "betas" else own.replace("_", " ")

    @property
    def form(self) -> str:
        """The canonical form of the value."""
        return next(iter(token_values(self.default.written)))


class Defaults:
    """The defaults that a repository's calls act with and that nothing written replaces."""

    def __init__(self, survey: Survey) -> None:
        self._by_key: Mapping[str, Sequence[Implied]] = _find(survey)
        self._idle = {
            key
            for key in self._by_key
            if any(len(survey.places(term).idle) for term in _aliases(key))
        }
        self._facts = {one.fact: one for own in self._by_key.values() for one in own}

    def __bool__(self) -> bool:
        return bool(self._by_key)

    def has(self, key: str) -> bool:
        """Whether a call acts with a default of a key of `SPOKEN`."""
        return key in self._by_key

    def of(self, fact: Fact) -> Implied | None:
        """The default that a fact is; `None` for what is written."""
        return self._facts.get(fact) if fact.source is FactSource.DEFAULT else None

    def given(self, text: str, terms: Sequence[str]) -> Implied | None:
        """The default by which code has a value of a claim, by the value's terms.

        Args:
            text: The claim.
            terms: The terms of the value, `#` before each.
        """
        forms = {term[1:] for term in terms}
        for stated in stated_in(text) if self._by_key else ():
            if stated.forms & forms:
                for one in self._called(stated, text):
                    if one.form in stated.forms:
                        return one
        return None

    def against(self, text: str, written: str, forms: frozenset[str]) -> Implied | None:
        """The default that code has in place of a value of a claim.

        Args:
            text: The claim.
            written: The value as written.
            forms: Its canonical forms.
        """
        for stated in stated_in(text) if self._by_key else ():
            if stated.written != written or not stated.forms & forms:
                continue
            own = self._called(stated, text)
            held = any(one.form in stated.forms for one in own)
            if own and not held and self._idle.isdisjoint(stated.keys):
                return own[0]
        return None

    def carried(self, claim: Claim) -> dict[int, Carried]:
        """The words of a claim that name a default other than 0, by their positions."""
        found: dict[int, Carried] = {}
        for stated in stated_in(claim.text) if self._by_key else ():
            own = [one for one in self._called(stated, claim.text) if one.form != "0"]
            if not own:
                continue
            terms = _terms(stated.name)
            calls = tuple(one.call for one in own)
            carried = Carried(
                calls,
                "",
                np.array(sorted({call.line for call in calls}), np.int64),
                np.array(sorted({call.block for call in calls if call.block >= 0}), np.int64),
                _STATED,
            )
            for place, concept in enumerate(claim.concepts):
                if concept.terms[0] in terms:
                    found.setdefault(place, carried)
        return found

    def _called(self, stated: Stated, text: str) -> list[Implied]:
        """The defaults of a stated value, of the call that the claim names where it names one."""
        own = [one for key in stated.keys for one in self._by_key.get(key, ())]
        named = [one for one in own if _is_said(one.call.shown.rpartition(".")[2], text)]
        return named or own


@lru_cache(maxsize=4096)
def _is_said(name: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None


@lru_cache(maxsize=1024)
def _terms(name: str) -> frozenset[str]:
    """The terms of a name's words, and of each two side by side."""
    tokens = TOKEN.findall(name)
    pairs = [join(f"{one} {other}") for one, other in itertools.pairwise(tokens)]
    return frozenset((*(term for token in tokens for term in token_terms(token)), *pairs))


_DEFAULTS: Kept[Defaults] = Kept()


def defaults_of(survey: Survey) -> Defaults:
    """The defaults that a repository acts with; found once."""
    known = _DEFAULTS.get(survey)
    if known is None:
        known = _DEFAULTS[survey] = Defaults(survey)
    return known


# ---- calls ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Row:
    key: str
    argument: str
    position: int
    value: str


@lru_cache(maxsize=1)
def _table() -> Mapping[str, Sequence[tuple[str, tuple[_Row, ...]]]]:
    """By the last part of a call's name: a part of its whole name, and its defaults."""
    found: defaultdict[str, list[tuple[str, tuple[_Row, ...]]]] = defaultdict(list)
    for root, names, cells in DEFAULTS:
        rows = tuple(_row(cell) for cell in cells.split(", "))
        for name in names.split():
            found[name].append((root, rows))
    return dict(found)


def _row(cell: str) -> _Row:
    key, _, rest = cell.strip().partition(" ")
    head, _, value = rest.partition("=")
    argument, _, position = head.partition(":")
    return _Row(key, argument, int(position) if position else -1, value)


@lru_cache(maxsize=64)
def _aliases(key: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(join(name) for name in SPOKEN[key][2].split()))


_NOTHING = Entry((), frozenset(), (), acts=False)


def _find(survey: Survey) -> Mapping[str, Sequence[Implied]]:
    found: defaultdict[str, list[Implied]] = defaultdict(list)
    own_lines: defaultdict[str, set[int]] = defaultdict(set)
    doubtful: set[str] = set()
    for call, rows, statements, path in _calls(survey):
        given = arguments_of(statements.text_from(call))
        base = survey.index.line_number(path, 1) - 1
        first = statements.first(call.line - 1)
        lines = range(base + first + 1, base + statements.last(first) + 2)
        if given is None:
            doubtful.update(row.key for row in rows)
            continue
        places, keywords, more = given
        grouped = "torch.optim" in statements.resolve(call.name) and may_be_grouped(
            places[0] if places else keywords.get("params", "")
        )
        line = base + call.line
        for row in rows:
            if more or grouped or row.argument in keywords or 0 <= row.position < len(places):
                doubtful.add(row.key)
                continue
            shown = call.name.rpartition(".")[2]
            default = Default(
                row.argument,
                row.position,
                row.value,
                frozenset("#" + form for form in token_values(row.value)),
                frozenset(),
            )
            fact = Fact(f"{shown}.{row.argument}", row.value, path, call.line, FactSource.DEFAULT)
            known = KnownCall(
                _NOTHING, call.name, line, int(survey.block_of_line[line]), (default,)
            )
            found[row.key].append(Implied(row.key, known, default, fact))
            own_lines[row.key].update(lines)
    return {
        key: tuple(own)
        for key, own in found.items()
        if key not in doubtful and not _is_written(survey, key, own_lines[key])
    }


def _calls(survey: Survey) -> Iterator[tuple[Call, tuple[_Row, ...], Statements, str]]:
    """The live calls of the table's functions whose results are used."""
    table = _table()
    for symbol in survey.index.graph.symbols:
        own = [call for call in symbol.calls if call.name.rpartition(".")[2] in table]
        if not own:
            continue
        base = survey.index.line_number(symbol.path, 1) - 1
        statements = None
        for call in dict.fromkeys(own):
            if survey.standing[base + call.line] != Standing.LIVE:
                continue
            statements = statements or survey.statements(symbol.path)
            whole = statements.resolve(call.name)
            for root, rows in table[call.name.rpartition(".")[2]] if whole else ():
                inside = whole.startswith(root + ".") or (
                    root == "keras"
                    and whole.startswith(("tensorflow.", "tf."))
                    and ".keras." in whole
                )
                if inside and statements.is_used(call):
                    yield call, rows, statements, symbol.path


_GIVES_DROPOUT = re.compile(
    r"drop\w*['\"]?\s*[:=](?!=)(?!\s*(?:torch\.)?nn\.|\s*Dropout)|\.\w*drop\w*\s*[,)\]]"
    r"|Dropout\d?d?\(\s*[^)\s]",
    re.IGNORECASE,
)


def _is_written(survey: Survey, key: str, own: set[int]) -> bool:
    """Whether a live line, but for those of the calls themselves, has a parameter's name."""
    for term in _aliases(key):
        for line in survey.places(term).live.tolist():
            if line in own:
                continue
            code = survey.index.code_of(*survey.place(line))
            if key in _OF_DROPOUT and _GIVES_DROPOUT.search(code) is None:
                continue
            if _spelt(key).search(code) is not None and _DRAWN.search(code) is None:
                return True
    return False


_OF_DROPOUT = frozenset({"dropout", "lora_dropout"})
_DRAWN = re.compile(r"=.*\b(?:rand\w*|normal|sample|noise)\b")  # `eps = torch.randn_like(x)`


@lru_cache(maxsize=64)
def _spelt(key: str) -> re.Pattern[str]:
    """Where code gives a parameter's name something, or asks for it.

    As code spells it: `beta` is not `betas`, of which it is the stem.
    """
    names = "|".join(name.replace("_", "_?") for name in SPOKEN[key][2].split())
    given = rf"(?<![^\W_])(?:{names})(?![^\W_])\w*['\"]?\]?\s*[:=](?!=)"
    asked = rf"[.(\[]['\"]?(?:\w+_)?(?:{names})(?![^\W_])(?!\s*[*/+-])"
    return re.compile(f"{given}|{asked}", re.IGNORECASE)
