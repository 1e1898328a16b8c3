"""How commands end when an input is wrong: one message, no traceback, the error's exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import PurePath
from typing import ParamSpec, TypeVar

import click

from benchmark import GraderError

__all__ = ["hint_at_config", "own_errors"]

_P = ParamSpec("_P")
_T = TypeVar("_T")


_SUFFIXES = frozenset({".yaml", ".yml", ".json", ".toml"})


def hint_at_config(error: click.ClickException, words: Sequence[str]) -> str:
    """Where a configuration was given as an argument, say that an option names it; else nothing.

    Args:
        error: What is wrong with the command line.
        words: The command line.
    """
    # Of this very class: options that are wrong or missing have classes of their own.
    if type(error) is not click.UsageError or error.ctx is None:
        return ""
    if not any("--config" in each.opts for each in error.ctx.command.params):
        return ""
    for word in words:
        if PurePath(word).suffix in _SUFFIXES and word in error.message:
            command = error.ctx.command_path
            return f"A configuration is named by an option: {command} --config {word}"
    return ""


def own_errors(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Show errors that are nobody's fault in the program as one message, without a traceback."""

    @wraps(function)
    def guarded(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        try:
            return function(*args, **kwargs)
        except GraderError as error:
            _complain(str(error))
            sys.exit(error.exit_code)
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            _complain(
                f"{place}{error.strerror or error}. Free the disk or mend the permissions, then "
                "give the same command again; what was finished is kept."
            )
            sys.exit(1)

    return guarded


def _complain(message: str) -> None:
    """Print an error; names of files and text from inputs cannot steer the terminal."""
    from judge.report.text import plain  # noqa: PLC0415

    click.secho(f"error: {plain(message)}", err=True, fg="red")
