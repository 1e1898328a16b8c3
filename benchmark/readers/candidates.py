"""What the readers of submissions share: a submission with the place it was named at."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import pathspec

from benchmark.documents import nearest, one_of, shown
from benchmark.errors import InputError, Where
from benchmark.nouns import Submission

__all__ = [
    "Candidate",
    "artifact_patterns",
    "check_patterns",
    "holds_code",
    "is_folder",
    "require_agents",
    "require_inside",
]

# Written by generators and scorers beside the code they make; names that no code has.
_ALWAYS = (
    "*-sau-score.json",
    "*_simple_analysis_response.json",
    "*_simple_analysis_trajectories.json",
    "/planning_response.json",
    "/planning_trajectories.json",
    "/planning_config.yaml",
    "/messages.jsonl",
)

_CODE = frozenset(
    {".py", ".ipynb", ".pyx", ".sh", ".r", ".jl", ".c", ".cc", ".cpp", ".cu", ".m", ".lua", ".js"}
)
_WALK_LIMIT = 10_000


@dataclass(frozen=True, slots=True)
class Candidate:
    """A submission as it was found.

    Attributes:
        submission: The submission.
        where: What names it: a folder, or a place in a manifest.
        claims_version: The version of the claims it was made for, where it says so.
    """

    submission: Submission
    where: Where
    claims_version: str = ""


def artifact_patterns(root: Path, paper: str, *, scored: bool) -> tuple[str, ...]:
    """What inside a repository was written by its generator or by a scorer, as patterns.

    A folder that may be the submission's own code is never among them.

    Args:
        root: The repository.
        paper: The paper's id.
        scored: Whether `result/` at the root is the scorer's whatever it holds, as in SA-Bench's
            run trees; elsewhere it is left out only when it holds no code.
    """
    patterns = [*_ALWAYS, f"/{paper}_cleaned.json"]
    if scored or (is_folder(root / "result") and not holds_code(root / "result")):
        patterns.append("/result/")
    if is_folder(root / "artifacts") and not holds_code(root / "artifacts"):
        patterns.append("/artifacts/")
    return tuple(patterns)


def is_folder(path: Path) -> bool:
    """Whether a folder is there and may be seen.

    What may not be seen is found out when it is read, and costs that submission alone.
    """
    try:
        return path.is_dir()
    except OSError:
        return False


def holds_code(folder: Path) -> bool:
    """Whether any file below is named as code; a link is not followed, and counts as code."""
    if folder.is_symlink():
        return True
    seen = 0
    for _, _, files in os.walk(folder):
        seen += len(files) + 1
        if seen > _WALK_LIMIT or any(Path(name).suffix.lower() in _CODE for name in files):
            return True
    return False


def check_patterns(patterns: Sequence[str], where: Where) -> tuple[str, ...]:
    """Patterns in `.gitignore` style that can be read; gives them back.

    Raises:
        InputError: One cannot.
    """
    for pattern in patterns:
        try:
            pathspec.GitIgnoreSpec.from_lines([pattern])
        except ValueError as error:
            raise InputError(
                f"the pattern {shown(pattern)} cannot be read ({error})",
                where=where,
                remedy="Write it as a line of a .gitignore file",
            ) from None
    return tuple(patterns)


def require_inside(root: Path, tree: Path, where: Where) -> None:
    """Refuse a repository that links lead out of the folder it was found in.

    Raises:
        InputError: It lies outside, or the links form a ring.
    """
    try:
        inside = _resolved(root).is_relative_to(tree.resolve(strict=True))
    except (OSError, RuntimeError):
        raise InputError(
            f"{root} cannot be followed to a folder",
            where=where,
            remedy="Correct the path or the links on its way",
        ) from None
    if not inside:
        raise InputError(
            f"the repository {root} lies outside {tree}",
            where=where,
            remedy="Copy it into the folder, or allow it with submissions.allow_outside: true",
        )


def _resolved(root: Path) -> Path:
    try:
        return root.resolve(strict=True)
    except PermissionError:
        return root.resolve()  # as far as one can see; nothing of it can be read either


def require_agents(agents: Collection[str] | None, known: Collection[str], where: Where) -> None:
    """Refuse an agent that was asked for and is not there.

    Raises:
        InputError: There is one; it names the nearest that is there.
    """
    for agent in sorted(agents or ()):
        if agent not in known:
            near = nearest(agent, known)
            raise InputError(
                f"there is no submission of the agent {shown(agent)}",
                where=Where(where.path, key=agent),
                remedy=f"Write {near}, if that is what you mean"
                if near
                else f"Use {one_of(sorted(known)) or 'another path'}",
            )
