"""Every operator, by name."""

from __future__ import annotations

from benchmark.drift.operator import Operator
from benchmark.drift.operators.components import OPERATORS as _COMPONENTS
from benchmark.drift.operators.extent import OPERATORS as _EXTENT
from benchmark.drift.operators.failures import OPERATORS as _FAILURES
from benchmark.drift.operators.methodological import OPERATORS as _METHODOLOGICAL
from benchmark.drift.operators.numerical import OPERATORS as _NUMERICAL
from benchmark.drift.operators.ordering import OPERATORS as _ORDERING
from benchmark.drift.operators.protocol import OPERATORS as _PROTOCOL

__all__ = ["OPERATORS"]

OPERATORS: dict[str, Operator] = {
    operator.name: operator
    for operators in (
        _NUMERICAL,
        _METHODOLOGICAL,
        _COMPONENTS,
        _PROTOCOL,
        _EXTENT,
        _ORDERING,
        _FAILURES,
    )
    for operator in operators
}
