"""What a check could see of a repository: whether it holds code, and what of it was not read.

Another look than the judge's own, before anything is asked: a check of nothing, and one that
passes over a file, are told apart from code that does not do what is claimed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmark import InputError, Where
from judge.check_parsing import Unparsed, unparsed_of
from retrieval.reading import ReadLimits, read_repository
from retrieval.tokens import SHOWN_LINE_CHARACTERS
from retrieval.values import Role, SourceFile

__all__ = ["ALL_READ", "Sight", "Unread", "look"]

_CODE = frozenset({Role.CODE, Role.CONFIG, Role.TEST})


@dataclass(frozen=True, slots=True)
class Unread:
    """Code or configuration that was not read, or not all of it.

    Attributes:
        path: The file or folder; `.` for what is not named one by one.
        reason: Why.
        in_part: The file was read, and what the reason names of it was cut.
    """

    path: str
    reason: str
    in_part: bool = False

    @property
    def what(self) -> str:
        """What was not read and why, in words."""
        return f"in part: {self.reason}" if self.in_part else self.reason


@dataclass(frozen=True, slots=True)
class Sight:
    """What was read of a repository.

    Attributes:
        unread: Code and configuration that was not read, or not whole.
        others: How many other paths were not read: images, data, what was excluded.
        shortened: Files of which the judge is shown some line without its end.
        unparsed: Python that does not parse, and is read as far as it can be made out.
    """

    unread: tuple[Unread, ...] = ()
    others: int = 0
    shortened: tuple[str, ...] = ()
    unparsed: tuple[Unparsed, ...] = ()


ALL_READ = Sight()
"""Where nothing was left out."""


def look(
    repository: Path, exclude: Sequence[str], limits: ReadLimits, *, prompted: bool = False
) -> Sight:
    """Read a repository as a judge would, and say what of it cannot be read.

    Args:
        repository: Its folder.
        exclude: What is not its code, in `.gitignore` style.
        limits: How much is read at most.
        prompted: The judge reads prompts, which show the beginnings of long lines alone.

    Raises:
        InputError: It holds no code and no configuration, or a pattern is none.
    """
    read = read_repository(repository, exclude=exclude, limits=limits)
    code = [file for file in read.files if file.role in _CODE]
    unread = [Unread(one.path, one.reason) for one in read.skipped if one.could_decide]
    if not unread and not code:
        raise InputError(
            f"there is no code in {repository}",
            where=Where(str(repository)),
            remedy="Give the folder that holds the code, and look at what --exclude leaves out",
        )
    others = len(read.skipped) - len(unread)
    unread += [Unread(file.path, file.cut, in_part=True) for file in code if file.cut]
    shortened = [file.path for file in code if prompted and not file.cut and _has_long_line(file)]
    return Sight(tuple(unread), others, tuple(shortened), unparsed_of(code))


def _has_long_line(file: SourceFile) -> bool:
    return any(len(line) > SHOWN_LINE_CHARACTERS for line in file.text.split("\n"))
