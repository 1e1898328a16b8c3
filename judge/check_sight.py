"""What a check could see of a repository: whether it holds code, and which code was not read.

Another look than the judge's own, before anything is asked: a check of nothing, and one that
passes over a file, are told apart from code that does not do what is claimed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmark import InputError, Where
from retrieval.reading import ReadLimits, read_repository
from retrieval.values import Role

__all__ = ["ALL_READ", "Sight", "look"]

_CODE = frozenset({Role.CODE, Role.CONFIG, Role.TEST})


@dataclass(frozen=True, slots=True)
class Sight:
    """What was read of a repository.

    Attributes:
        unread: Code and configuration that was not read, each path with the reason; `.` for what
            is not named one by one.
        others: How many other paths were not read: images, data, what was excluded.
    """

    unread: tuple[tuple[str, str], ...] = ()
    others: int = 0


ALL_READ = Sight()
"""Where nothing was left out."""


def look(repository: Path, exclude: Sequence[str], limits: ReadLimits) -> Sight:
    """Read a repository as a judge would, and say what of it cannot be read.

    Args:
        repository: Its folder.
        exclude: What is not its code, in `.gitignore` style.
        limits: How much is read at most.

    Raises:
        InputError: It holds no code and no configuration, or a pattern is none.
    """
    read = read_repository(repository, exclude=exclude, limits=limits)
    unread = tuple((one.path, one.reason) for one in read.skipped if one.could_decide)
    if not unread and not any(file.role in _CODE for file in read.files):
        raise InputError(
            f"there is no code in {repository}",
            where=Where(str(repository)),
            remedy="Give the folder that holds the code, and look at what --exclude leaves out",
        )
    return Sight(unread, len(read.skipped) - len(unread))
