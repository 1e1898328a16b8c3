"""Values that live code computes from literals and constants, with their lines and their names.

`lr = 3 * 10**-4` gives 0.0003, `batch_size = GPUS * PER_GPU` their product where each of the two is
given one value in the whole repository and nothing else.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from judge.embedded.folding import fold, form_of
from judge.embedded.survey import Kept, Survey
from retrieval.numbers import canonical
from retrieval.values import Fact, FactSource
from retrieval.words import join

__all__ = ["Computed", "Computing", "computed_in"]


@dataclass(frozen=True, slots=True)
class Computed:
    """A computed value.

    Attributes:
        form: Its canonical form.
        line: Its line, counted over all files from 0.
        parts: The canonical forms of the literals that it is computed from.
        fact: It as a named value; `None` where it is given to no name.
    """

    form: str
    line: int
    parts: frozenset[str]
    fact: Fact | None


@dataclass(frozen=True, slots=True)
class Computing:
    """The computed values of a repository's live code.

    Attributes:
        all: In the order of the lines.
        by_form: By canonical form.
        parts_of: Of each named one the literals, by path, line and name.
    """

    all: Sequence[Computed]
    by_form: Mapping[str, Sequence[Computed]]
    parts_of: Mapping[tuple[str, int, str], frozenset[str]]


_COMPUTING: Kept[Computing] = Kept()


def computed_in(survey: Survey) -> Computing:
    """The computed values of a repository; looked for once."""
    known = _COMPUTING.get(survey)
    if known is None:
        known = _COMPUTING[survey] = _compute(survey)
    return known


# Digits can be matched in one way only, or a long sum would be tried in all ways.
_NUMBER = r"(?:\d[\d_]*(?:\.[\d_]*)?|\.\d+)(?:[eE][+-]?\d+)?"
_OPERAND = rf"-?(?:{_NUMBER}(?![\w.])|[A-Za-z_][\w.]*(?![\w.(\[]))"
_RUN = re.compile(
    rf"(?<![\w.)\]'\"*/%@+-])(?<![*/%@+-]\s)({_OPERAND}(?:[ ]?(?:\*\*|//|[-+*/])[ ]?{_OPERAND})+)"
    r"(?![ ]?[\w.*/%@+(\[-])"
)
# A name that no program has, in place of the one that is asked about: one pattern serves for all.
_N = "\u02adname"
_GIVEN = re.compile(
    rf"\b{_N}\b\s*(?:[-+*/%]|//|\*\*)=|\bfor\b[^:]*\b{_N}\b[^:]*\bin\b|\bas {_N}\b"
    rf"|\b{_N}\s*(?:,\s*[\w.]+\s*)+=(?!=)|,\s*{_N}\s*(?:,\s*[\w.]+\s*)*=(?!=)(?=[^,()]*$)"
    rf"|\bdef\b.*[(,]\s*{_N}\s*(?::[^=,)]*)?[,)]|\b{_N}\s*:=|\bglobal\b.*\b{_N}\b"
    rf"|(?:^|[\s.(,])(?:self\.)?{_N}\s*(?::\s*[\w\[\]., ]+)?=(?!=)"
    rf"(?!\s*{_NUMBER}\s*(?:[,)\]}}#;]|$))"
)
# What is negative keeps its brackets, as a power behind them would bind it first.
_BRACKET = re.compile(rf"(?:(?<![\w)\]])|\bfloat)\(\s*((?!-){_OPERAND})\s*\)")
_NAMED = re.compile(
    r"(?:^\s*|[(,{]\s*)(?:self\.)?['\"]?([A-Za-z_]\w*)['\"]?\s*(?::\s*\w+\s*)?[=:]\s*\Z"
)
_LITERAL = re.compile(rf"(?<![\w.]){_NUMBER}(?![\w.])")
_TEXT = re.compile(r"(['\"])(?!\w+\1)(?:\\.|(?!\1)[^\\])*\1")
_NAME = re.compile(r"[A-Za-z_][\w.]*")
_MAY_HOLD = re.compile(r"[-+*/](?:(?<=[\w)].)|(?<=[\w)] .))[*/]? ?[\w(.-]")
_ROUNDS = 3  # of brackets in brackets
_LONGEST = 200
_MOST = 400


def _compute(survey: Survey) -> Computing:
    constants = _Constants(survey)
    found: list[Computed] = []
    python = [block.path in survey.index.graph.paths for block in survey.blocks]
    for row, code in enumerate(survey.codes):
        if _MAY_HOLD.search(code) is None or len(code) > _LONGEST or len(found) >= _MOST:
            continue
        if python[int(survey.row_blocks[row])]:
            found += _on_line(survey, row, _without_texts(code), constants)
    by_form: defaultdict[str, list[Computed]] = defaultdict(list)
    parts: dict[tuple[str, int, str], frozenset[str]] = {}
    for one in found:
        by_form[one.form].append(one)
        if one.fact is not None:
            parts[one.fact.path, one.fact.line, one.fact.name] = one.parts
    return Computing(found, by_form, parts)


def _without_texts(code: str) -> str:
    """A line with nothing in its strings but what may be a key."""
    return _TEXT.sub("''", code) if "'" in code or '"' in code else code


def _on_line(survey: Survey, row: int, code: str, constants: _Constants) -> list[Computed]:
    found: list[Computed] = []
    line = int(survey.live[row])
    for _ in range(_ROUNDS):
        changed = False
        for match in list(_RUN.finditer(code))[::-1]:
            value = constants.fold(match[1])
            form = form_of(value) if value is not None else None
            if value is None or form is None:
                continue
            literals = _LITERAL.findall(match[1])
            parts = frozenset(each for one in literals if (each := canonical(one)) is not None)
            name = _given_to(code, match.start(), match.end())
            path, number = survey.place(line)
            fact = Fact(name, form, path, number, FactSource.ASSIGNMENT) if name else None
            found.append(Computed(form, line, parts, fact))
            written = f"-{form}" if value < 0 else form
            code = code[: match.start()] + written + code[match.end() :]
            changed = True
        bare = _BRACKET.sub(r"\1", code)
        if bare == code and not changed:
            break
        code = bare
    return found


def _given_to(code: str, start: int, end: int) -> str:
    """The name that an expression is given to whole; empty where it is given to none."""
    match = _NAMED.search(code, 0, start)
    if match is None or code[end:].lstrip()[:1] not in {"", ",", ")", "}"}:
        return ""
    return match[1]


class _Constants:
    """Names that are given one number each, and nothing else."""

    def __init__(self, survey: Survey) -> None:
        self._survey = survey
        forms: defaultdict[str, set[str | None]] = defaultdict(set)
        for fact in survey.index.facts:
            form = canonical(fact.value) if fact.value[:1] != "-" else None
            forms[fact.name.rpartition(".")[2]].add(form)
        self._forms = {
            name: form
            for name, own in forms.items()
            if len(own) == 1 and (form := next(iter(own))) is not None
        }
        self._values: dict[str, Fraction | None] = {}

    def fold(self, run: str) -> Fraction | None:
        """The value of a run of operands and signs."""
        names = _NAME.findall(_LITERAL.sub("0", run))
        known: dict[str, Fraction] = {}
        for name in names:
            own = name.rpartition(".")[2]
            if own not in self._forms:
                return None
            if own not in self._values:
                self._values[own] = self._value(own)
            value = self._values[own]
            if value is None:
                return None
            known[name] = value
        return fold(run, known)

    def _value(self, name: str) -> Fraction | None:
        """What a name is given, unless a live line may give it something else."""
        survey = self._survey
        rows = survey.rows(survey.places(join(name)).live).tolist()
        codes = [survey.codes[row] for row in rows]
        if len(codes) > _MOST or any(len(code) > _LONGEST for code in codes):
            return None
        whole = re.compile(rf"\b{name}\b")
        if any(_GIVEN.search(whole.sub(_N, code)) for code in codes):
            return None
        return fold(self._forms[name])
