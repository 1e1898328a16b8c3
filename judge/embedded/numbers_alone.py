"""Which lines a number stands on as a number: not in a version, an address or a file's name."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from judge.embedded.survey import Survey
from retrieval.numbers import token_values
from retrieval.words import TOKEN

__all__ = ["first_number"]

_MOST = 24  # lines that are looked at
_WIDEST = 400
_PACKAGING = re.compile(
    r"(?:.*dockerfile.*|.*requirements[^/]*\.(?:txt|in)|setup\.(?:py|cfg)|pyproject\.toml"
    r"|environment[^/]*\.ya?ml|conda[^/]*\.ya?ml|.*\.lock|docker-compose[^/]*|package(?:-lock)?\.json"
    r"|makefile)\Z"
)
_NO_NUMBER = re.compile(
    r"\w+://\S+"  # an address
    r"|\bv?\d+\.\d+\.\d[\w.]*"  # a version
    r"|[A-Za-z_][\w-]*[-_]v?\d[\w.]*\.[A-Za-z]{2,4}\b"  # a file
    r"|[A-Za-z]\w*_\d+\.\d+_\w+"
    r"|['\"]#?\s*version:?\s*[\d.]+[^'\"]*['\"]"
    r"|\b\w+==\d[\w.]*"
)


def first_number(survey: Survey, lines: npt.NDArray[np.int64], form: str) -> int:
    """The first of some lines that holds a number as one; -1 where none does.

    Args:
        survey: The repository.
        lines: Lines that hold it in some way, counted over all files from 0, rising.
        form: Its canonical form.
    """
    for line in lines[:_MOST].tolist():
        path, number = survey.place(line)
        if _PACKAGING.match(path.rpartition("/")[2].lower()):
            continue
        code = survey.index.code_of(path, number)[:_WIDEST]
        if not _MAY_HIDE.search(code):
            return int(line)
        held = _NO_NUMBER.sub(" ", code)
        if any(form in token_values(token) for token in TOKEN.findall(held)):
            return int(line)
    return int(lines[_MOST]) if len(lines) > _MOST else -1


_MAY_HIDE = re.compile(r"://|==|version|\d\.\d+\.\d|[-_]v?\d")
