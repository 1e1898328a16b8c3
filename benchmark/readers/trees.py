"""SA-Bench's run trees: one folder an agent, one a paper, the repository inside.

A paper's folder holds its repository as `repo`, `workspace/repo` or `<paper>_repo`. The tree is
given by the folder of the agents, by one agent's folder, or by one paper's folder. Beside the
repository a file `submission.yaml` may say `claims_version`, `exclude` and free metadata.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from benchmark.errors import InputError, Where
from benchmark.nouns import Submission
from benchmark.readers.candidates import (
    Candidate,
    artifact_patterns,
    require_agents,
    require_inside,
)
from benchmark.readers.fields import check_name
from benchmark.readers.manifest import read_notes

__all__ = ["LAYOUTS", "read_tree"]

LAYOUTS = (
    "<agent>/<paper>/repo",
    "<agent>/<paper>/workspace/repo",
    "<agent>/<paper>/<paper>_repo",
    "<paper>/repo",
    "<paper>/workspace/repo",
    "<paper>/<paper>_repo",
)

_NOTES = "submission.yaml"


@dataclass(frozen=True, slots=True)
class _Slot:
    agent: str
    paper: str
    folder: Path


def read_tree(
    path: Path,
    *,
    known_papers: Collection[str],
    agents: Collection[str] | None = None,
    papers: Collection[str] | None = None,
    agent_name: str | None = None,
    allow_outside: bool = False,
) -> list[Candidate]:
    """Find the submissions of a run tree, in the order of agent and paper.

    Args:
        path: The tree.
        known_papers: A folder of one of these names must hold a repository.
        agents: Look at these agents alone.
        papers: Look at these papers alone.
        agent_name: The agent's name where the tree is one agent's; by default the folder's name.
        allow_outside: Follow links that lead out of the tree.

    Raises:
        InputError: Nothing was found, a repository is missing or named twice, or layouts mix.
    """
    slots = _slots(path, agent_name, known_papers)
    require_agents(agents, {slot.agent for slot in slots}, Where(str(path)))
    candidates: list[Candidate] = []
    for slot in slots:
        if (agents is not None and slot.agent not in agents) or (
            papers is not None and slot.paper not in papers
        ):
            continue
        repository = _repository(slot.folder, slot.paper)
        if repository is None:
            if slot.paper not in known_papers:
                continue  # a folder of something else, e.g. logs
            raise InputError(
                f"no repository: looked for repo, workspace/repo and {slot.paper}_repo",
                where=Where(str(slot.folder)),
                remedy="Put the repository there (an empty folder if nothing was handed in), "
                "or name the papers to grade in submissions.papers",
            )
        if not allow_outside:
            require_inside(repository, path, Where(str(repository)))
        candidates.append(_candidate(slot, repository))
    return candidates


def _candidate(slot: _Slot, repository: Path) -> Candidate:
    where = Where(str(repository))
    check_name(slot.agent, what="agent's name", where=where)
    check_name(slot.paper, what="paper's name", where=where)
    notes_file = slot.folder / _NOTES
    try:
        notes = read_notes(notes_file) if notes_file.is_file() else None
    except PermissionError:
        notes = None
    return Candidate(
        Submission(
            id=f"{slot.agent}/{slot.paper}",
            agent=slot.agent,
            paper=slot.paper,
            root=repository,
            meta={} if notes is None else notes.meta,
            exclude=(
                *artifact_patterns(repository, slot.paper, scored=True),
                *(() if notes is None else notes.exclude),
            ),
        ),
        where if notes is None else notes.where,
        "" if notes is None else notes.claims_version,
    )


def _slots(path: Path, agent_name: str | None, known: Collection[str]) -> list[_Slot]:
    """The folders that may hold a repository, by which of the three ways the tree is given."""
    if not path.is_dir():
        raise InputError(
            "there is no such folder of submissions"
            if not path.exists()
            else "a run tree is a folder, not a file",
            where=Where(str(path)),
            remedy="Correct the path; name a manifest in submissions.manifest",
        )
    resolved = path.resolve()
    if _repository(path, resolved.name) is not None:
        agent = agent_name or resolved.parent.name or "agent"
        return [_Slot(agent, resolved.name, path)]
    first = _folders(path)
    sealed = {folder for folder in first if _is_sealed(folder)}
    flat = [
        folder
        for folder in first
        if folder not in sealed and _repository(folder, folder.name) is not None
    ]
    if flat:
        first = [folder for folder in first if folder not in sealed or folder.name in known]
    nested = [
        (folder, inner)
        for folder in first
        if folder not in flat and not (flat and folder in sealed)
        for inner in _folders(folder)
    ]
    filled = [pair for pair in nested if _repository(pair[1], pair[1].name) is not None]
    if flat and filled:
        raise InputError(
            f"two layouts are mixed: {flat[0].name} holds a repository itself, and so does "
            f"{filled[0][0].name}/{filled[0][1].name}",
            where=Where(str(path)),
            remedy="Keep agents in one tree and papers in another, or write a manifest",
        )
    if flat:
        agent = agent_name or resolved.name or "agent"
        return [_Slot(agent, folder.name, folder) for folder in first]
    if not filled:
        raise InputError(
            f"no submission found: looked for {', '.join(LAYOUTS)}",
            where=Where(str(path)),
            remedy="Correct the path, arrange the folders so, or write a manifest",
        )
    if agent_name is not None:
        raise InputError(
            "agent_name is given, but the tree has folders of agents",
            where=Where(str(path)),
            remedy="Remove submissions.agent_name, or name one agent's folder as the path",
        )
    return [_Slot(folder.name, inner.name, inner) for folder, inner in nested]


def _is_sealed(folder: Path) -> bool:
    """Whether what is in a folder may not be seen."""
    try:
        (folder / "repo").is_dir()
    except PermissionError:
        return True
    return False


def _folders(path: Path) -> list[Path]:
    try:
        names = sorted(
            inner.name for inner in path.iterdir() if inner.name[0] != "." and inner.is_dir()
        )
    except OSError as error:
        raise InputError(
            f"the folder cannot be read ({error.strerror})",
            where=Where(str(path)),
            remedy="Check its permissions",
        ) from None
    return [path / name for name in names]


def _repository(folder: Path, paper: str) -> Path | None:
    """The repository in a paper's folder.

    Raises:
        InputError: There are several.
    """
    inner = (folder / "repo", folder / "workspace" / "repo", folder / f"{paper}_repo")
    try:
        found = [path for path in inner if path.is_dir()]
    except PermissionError:
        return folder / "repo"  # nobody can say: reading it will fail, for this submission alone
    if len(found) > 1:
        names = " and ".join(path.relative_to(folder).as_posix() for path in found)
        raise InputError(
            f"several repositories for one submission: {names}",
            where=Where(str(folder)),
            remedy="Keep the one that was handed in, or write a manifest",
        )
    return found[0] if found else None
