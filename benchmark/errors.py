"""The exceptions that people meet.

```
GraderError                 exit code 1
├── InputError              exit code 2: a config, benchmark, manifest or label file is wrong
└── (rooms add their own, each with an exit code that the README lists)
```

Every error says what is wrong, where, and what to do about it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

__all__ = ["GraderError", "InputError", "Where"]


@dataclass(frozen=True, slots=True)
class Where:
    """A place in an input: a file or folder, and inside it a line and a key where they are known.

    Attributes:
        path: The file or folder as the user wrote it.
        line: Line number from 1.
        column: Column number from 1.
        key: The key, id or record inside the file, e.g. `submissions.path` or `rice-D1-003`.
    """

    path: str
    line: int | None = None
    column: int | None = None
    key: str | None = None

    def __str__(self) -> str:
        place = self.path
        if self.line is not None:
            place += f":{self.line}"
            if self.column is not None:
                place += f":{self.column}"
        return f"{place}: {self.key}" if self.key else place


class GraderError(Exception):
    """The root of every error that the project raises on purpose."""

    exit_code: ClassVar[int] = 1


class InputError(GraderError):
    """An input is wrong, and nothing was done or spent.

    Args:
        problem: What is wrong, as one sentence without a full stop.
        where: The place.
        remedy: What to do, as one sentence without a full stop.
    """

    exit_code = 2

    def __init__(self, problem: str, *, where: Where, remedy: str) -> None:
        self.problem = problem
        self.where = where
        self.remedy = remedy
        super().__init__(f"{where}: {problem}. {remedy}.")
