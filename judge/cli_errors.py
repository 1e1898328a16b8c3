"""How commands end when an input is wrong: one message, no traceback, the error's exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

import click

from benchmark import GraderError

__all__ = ["own_errors"]

_P = ParamSpec("_P")
_T = TypeVar("_T")


def own_errors(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Show the errors that the project raises on purpose as one message, without a traceback."""

    @wraps(function)
    def guarded(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        try:
            return function(*args, **kwargs)
        except GraderError as error:
            click.secho(f"error: {error}", err=True, fg="red")
            sys.exit(error.exit_code)

    return guarded
