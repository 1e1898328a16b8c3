"""Every operator, by name."""

from __future__ import annotations

from benchmark.drift.operator import Operator
from benchmark.drift.operators import failures, methodological, numerical, ordering, protocol

__all__ = ["OPERATORS"]

OPERATORS: dict[str, Operator] = {
    operator.name: operator
    for operators in (
        numerical.OPERATORS,
        methodological.OPERATORS,
        protocol.OPERATORS,
        ordering.OPERATORS,
        failures.OPERATORS,
    )
    for operator in operators
}
