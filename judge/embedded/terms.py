"""Operations of a formula that have both their operands in code: the sign between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from judge.embedded.formulas import Term, formula_of, line_terms
from judge.embedded.operations import Operations, operations_of
from judge.embedded.survey import Survey
from judge.embedded.windows import Rows

__all__ = ["TermFinding", "see_terms"]

_OPPOSED: Mapping[str, tuple[str, ...]] = {
    "plus": ("minus",), "minus": ("plus",), "times": ("over",), "over": ("times",)
}  # fmt: skip
_COMMUTES = frozenset({"plus", "times"})
_MAX_TERMS = 24
_MAX_ROWS = 12


@dataclass(frozen=True, slots=True)
class TermFinding:
    """What was found of an operation with both operands.

    Attributes:
        term: The operation.
        right: It stands so in live code.
        opposed: What stands in its place, as written; empty where nothing does.
        row: The live row of that, -1 for none.
    """

    term: Term
    right: bool
    opposed: str = ""
    row: int = -1


def see_terms(survey: Survey, text: str) -> tuple[TermFinding, ...]:
    """What live code does of each operation of a claim that has both operands beside it."""
    terms = formula_of(text).terms[:_MAX_TERMS]
    if not terms:
        return ()
    operations = operations_of(survey)
    return tuple(_see(survey, operations, term) for term in terms)


def _see(survey: Survey, operations: Operations, term: Term) -> TermFinding:
    if _row(survey, operations, term.left, term.operation, term.right)[0] >= 0:
        return TermFinding(term, right=True)
    if term.operation in _COMMUTES and (
        _row(survey, operations, term.right, term.operation, term.left)[0] >= 0
    ):
        return TermFinding(term, right=True)
    if term.operation == "minus":
        row, written = _row(survey, operations, term.right, "minus", term.left)
        if row >= 0:
            return TermFinding(term, right=False, opposed=written, row=row)
    for operation in _OPPOSED[term.operation]:
        row, written = _row(survey, operations, term.left, operation, term.right)
        if row >= 0:
            return TermFinding(term, right=False, opposed=written, row=row)
    return TermFinding(term, right=False)


def _row(
    survey: Survey,
    operations: Operations,
    left: Sequence[str],
    operation: str,
    right: Sequence[str],
) -> tuple[int, str]:
    """The first live row where an operation stands between two operands, and how it is written."""
    before = operations.rows_of([f"{term} {operation}" for term in left])
    after = operations.rows_of([f"{operation} {term}" for term in right])
    both: Rows = np.intersect1d(before, after)
    for row in both[:_MAX_ROWS].tolist():
        for term in line_terms(survey.codes[row]):
            if (
                term.operation == operation
                and not set(left).isdisjoint(term.left)
                and not set(right).isdisjoint(term.right)
            ):
                return row, term.written
    return -1, ""
