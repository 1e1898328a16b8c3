"""Reading a repository that may be hostile.

Nothing is executed, no link is followed, nothing but regular files is opened, and whatever is not
read is named with the reason. The walk and the reading are bounded by `ReadLimits`. The result
depends on names and bytes alone, not on the order in which a system lists them.

Which files get read when a limit is met is settled by rank, not by luck: code and configuration
before anything else, then files nearer the root, then by path.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmark.counting import counted
from benchmark.errors import InputError, Where
from retrieval.decoding import BinaryContentError, decode, split_lines
from retrieval.ignoring import Excludes, refuse_by_contents, refuse_by_name
from retrieval.languages import (
    NameKind,
    could_decide,
    kind_by_name,
    kind_by_text,
    link_could_decide,
    refusal_by_text,
)
from retrieval.notebook import MalformedNotebookError, render_notebook
from retrieval.opening import Entry, EntryKind, Folder, Tree, UnreadableError, shown
from retrieval.values import Repository, Role, Skipped, SourceFile

__all__ = ["ReadLimits", "read_repository", "split_lines"]


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """How much of a repository is read at most. Whatever meets a limit is named in `skipped`.

    Attributes:
        max_file_bytes: Largest file of code, configuration or prose.
        max_notebook_bytes: Largest notebook; most of it is outputs, which are dropped.
        max_files: Files read.
        max_total_bytes: Bytes read, of all files.
        max_entries: Names looked at, of files and folders outside of those that are left out.
        max_depth: Folders inside each other, the root not counted.
        max_line_chars: Longest line that is kept whole; the middle of a longer one is cut out.
        max_skipped: Entries of `skipped` that are named one by one; the rest is counted in one.
    """

    max_file_bytes: int = 1 << 20
    max_notebook_bytes: int = 16 << 20
    max_files: int = 20_000
    max_total_bytes: int = 64 << 20
    max_entries: int = 200_000
    max_depth: int = 40
    max_line_chars: int = 5_000
    max_skipped: int = 5_000

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}")


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A file that is to be read."""

    folder: Folder
    name: str
    path: str
    kind: NameKind

    @property
    def rank(self) -> tuple[bool, int, bytes]:
        late = self.kind.role not in {Role.CODE, Role.CONFIG}
        return late, len(self.folder), self.path.encode()

    def skip(self, reason: str) -> _Skip:
        """This file as one that is not read."""
        return _Skip(self.path, reason, could_decide=could_decide(self.path, self.kind))


@dataclass(frozen=True, slots=True)
class _Skip:
    """A path that is not read; a leftover is no part of what was handed in."""

    path: str
    reason: str
    leftover: bool = False
    could_decide: bool = False


def read_repository(
    root: Path, *, exclude: Sequence[str] = (), limits: ReadLimits = ReadLimits()
) -> Repository:
    """Read a submission.

    Args:
        root: The repository's folder.
        exclude: Patterns in `.gitignore` style, relative to the root, of what is not the
            submission's. The repository's own `.gitignore` is not applied.
        limits: How much to read at most.

    Returns:
        The files and what was skipped, each sorted by the bytes of its path. Paths show bytes that
        are not UTF-8, control characters and invisible characters as backslash escapes.

    Raises:
        InputError: The root is missing, is no folder or cannot be opened; a pattern is none.
    """
    excludes = Excludes(exclude)
    with _open_root(root) as tree:
        candidates, skips = _walk(tree, excludes, limits)
        files, unread = _read_all(tree, candidates, limits)
    skips += unread
    files = _note_case_collisions(sorted(files, key=lambda file: file.path.encode()))
    named = _bounded(skips, limits.max_skipped)
    return Repository(
        files=tuple(files),
        skipped=tuple(Skipped(skip.path, skip.reason, skip.could_decide) for skip in named),
        digest=_digest(files, [skip for skip in named if not skip.leftover]),
    )


def _open_root(root: Path) -> Tree:
    remedy = "Give the folder that holds the submission's files"
    try:
        return Tree(root)
    except FileNotFoundError:
        problem = "there is no such folder"
    except NotADirectoryError:
        problem = "this is not a folder"
    except (OSError, ValueError) as error:
        problem = f"the folder cannot be opened ({getattr(error, 'strerror', None) or error})"
    raise InputError(problem, where=Where(str(root)), remedy=remedy)


def _walk(
    tree: Tree, excludes: Excludes, limits: ReadLimits
) -> tuple[list[_Candidate], list[_Skip]]:
    """Every file worth opening, level by level so that what lies near the root comes first."""
    candidates: list[_Candidate] = []
    skips: list[_Skip] = []
    seen: set[str] = set()
    left = limits.max_entries
    queue: deque[Folder] = deque([()])
    while queue and left > 0:
        folder = queue.popleft()
        place = _join(folder)
        try:
            entries, more = tree.entries(folder, left)
        except UnreadableError as error:
            skips.append(_Skip(place or ".", f"folder not read: {error}", could_decide=True))
            continue
        names = {entry.name for entry in entries}
        if folder and (refusal := refuse_by_contents(folder[-1], names)):
            skips.append(_Skip(place, refusal.reason, refusal.leftover))
            continue
        left -= len(entries)
        if more:
            limit = f"over the limit of {limits.max_entries:,} names in all"
            reason = f"{counted(more, 'more name')}: {limit}"
            skips.append(_Skip(place or ".", reason, could_decide=True))
        for entry in entries:
            path = _join((*folder, entry.name))
            raw = "/".join((*folder, entry.name))
            pattern = excludes.pattern(raw, folder=entry.kind is EntryKind.FOLDER)
            if pattern is not None:
                skips.append(_Skip(path, f"excluded by the pattern {pattern!r}", leftover=True))
            elif path in seen:
                unread = could_decide(path, kind_by_name(path))
                unread = unread or entry.kind is EntryKind.FOLDER
                reason = "another name is written in the same way"
                skips.append(_Skip(path, reason, could_decide=unread))
            elif entry.kind is EntryKind.FOLDER:
                if refusal := refuse_by_name(entry.name):
                    skips.append(_Skip(path, refusal.reason, refusal.leftover))
                elif len(folder) >= limits.max_depth:
                    reason = f"more than {limits.max_depth} folders deep"
                    skips.append(_Skip(path, reason, could_decide=True))
                else:
                    queue.append((*folder, entry.name))
            elif entry.kind is EntryKind.FILE:
                kind = kind_by_name(path)
                if kind.refusal:
                    skips.append(_Skip(path, kind.refusal))
                else:
                    candidates.append(_Candidate(folder, entry.name, path, kind))
            else:
                skips.append(_special(tree, folder, entry, path))
            seen.add(path)
    if queue:
        reason = f"over the limit of {limits.max_entries:,} names in all"
        told = f"{counted(len(queue), 'more folder')} not looked into: {reason}"
        skips.append(_Skip(".", told, could_decide=True))
    return candidates, skips


def _special(tree: Tree, folder: Folder, entry: Entry, path: str) -> _Skip:
    if entry.kind is not EntryKind.LINK:
        unread = could_decide(path, kind_by_name(path))
        return _Skip(path, "a device, pipe or socket: not opened", could_decide=unread)
    unread = link_could_decide(path)
    target = tree.link_target(folder, entry.name)
    if target is None:
        return _Skip(path, "a link: not followed", could_decide=unread)
    # Judged by its spelling alone: to look where it leads would be to follow it.
    depth = len(folder)
    outside = target.startswith(("/", "\\")) or ":" in target[:3]
    for part in target.replace("\\", "/").split("/"):
        depth += -1 if part == ".." else part not in {"", "."}
        outside = outside or depth < 0
    if outside:
        return _Skip(path, "a link out of the repository: not followed", could_decide=unread)
    return _Skip(path, "a link inside the repository: what it names is read in its own place")


def _read_all(
    tree: Tree, candidates: list[_Candidate], limits: ReadLimits
) -> tuple[list[SourceFile], list[_Skip]]:
    files: list[SourceFile] = []
    skips: list[_Skip] = []
    left = limits.max_total_bytes
    ranked = sorted(candidates, key=lambda candidate: candidate.rank)
    for position, candidate in enumerate(ranked):
        if len(files) >= limits.max_files or left <= 0:
            limit = (
                f"{limits.max_files:,} files"
                if len(files) >= limits.max_files
                else f"{limits.max_total_bytes:,} bytes"
            )
            rest = ranked[position:]
            told = f"{counted(len(rest), 'more file')}: over the limit of {limit} in all"
            unread = any(could_decide(other.path, other.kind) for other in rest)
            skips.append(_Skip(".", told, could_decide=unread))
            break
        try:
            data = tree.read(candidate.folder, candidate.name, _largest(candidate.kind, limits))
            left -= len(data)
            files.append(_source(candidate, data, limits))
        except UnreadableError as error:
            skips.append(candidate.skip(str(error)))
        except BinaryContentError as error:
            skips.append(candidate.skip(f"not text: {error}"))
    return files, skips


def _largest(kind: NameKind, limits: ReadLimits) -> int:
    if kind.language == "notebook":
        return limits.max_notebook_bytes
    return min(kind.largest or limits.max_file_bytes, limits.max_file_bytes)


def _source(candidate: _Candidate, data: bytes, limits: ReadLimits) -> SourceFile:
    """Make the value of a file from its bytes.

    Raises:
        BinaryContentError: It is not text.
        UnreadableError: It is text that nobody wrote.
    """
    decoded = decode(data)
    text, notes = decoded.text, list(decoded.notes)
    if refusal := refusal_by_text(candidate.kind, text):
        raise UnreadableError(refusal)
    language, role = kind_by_text(candidate.path, candidate.kind, text)
    if language == "notebook":
        try:
            text, more = render_notebook(text)
            notes += more
        except MalformedNotebookError as error:
            if len(data) > limits.max_file_bytes:
                raise UnreadableError(
                    f"not a readable notebook ({error}), and too large for text"
                ) from error
            language = "text"
            notes.append(f"not a readable notebook ({error}): read as text")
    text, cut = _cut_lines(text, limits.max_line_chars)
    if cut:
        notes.append(cut)
    return SourceFile(
        path=candidate.path,
        language=language,
        role=role,
        text=text,
        sha256=hashlib.sha256(data).hexdigest(),
        notes=tuple(notes),
        cut=cut,
    )


def _cut_lines(text: str, most: int) -> tuple[str, str]:
    """Take the middle out of overlong lines; head and tail stay, so that a long literal closes."""
    if len(text) <= most:
        return text, ""
    lines = text.split("\n")
    long = [number for number, line in enumerate(lines) if len(line) > most]
    if not long:
        return text, ""
    for number in long:
        line = lines[number]
        tail = min(200, most // 4)
        lines[number] = f"{line[: most - tail]} ... {line[-tail:]}"
    first = ", ".join(str(number + 1) for number in long[:5]) + (", ..." if len(long) > 5 else "")
    return "\n".join(lines), f"{counted(len(long), 'line')} over {most:,} characters cut: {first}"


def _note_case_collisions(files: list[SourceFile]) -> list[SourceFile]:
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for file in files:
        groups[file.path.casefold()].append(file.path)
    noted: list[SourceFile] = []
    for file in files:
        others = [path for path in groups[file.path.casefold()] if path != file.path]
        if others:
            note = f"differs from {others[0]} in upper and lower case only"
            noted.append(replace(file, notes=(*file.notes, note)))
        else:
            noted.append(file)
    return noted


def _bounded(skips: Iterable[_Skip], most: int) -> list[_Skip]:
    """The skips by path; beyond `most`, one entry that counts the rest.

    What could decide a claim is named before what could not.
    """
    ordered = sorted(skips, key=lambda skip: (not skip.could_decide, skip.path.encode()))
    # Whole-repository entries sort among the paths but must never be the ones that are dropped.
    general = [skip for skip in ordered if skip.path == "."]
    named = [skip for skip in ordered if skip.path != "."]
    if len(named) > most:
        told = f"{counted(len(named) - most, 'more path')} skipped, not named one by one"
        general.append(_Skip(".", told, could_decide=named[most].could_decide))
        named = named[:most]
    return sorted([*general, *named], key=lambda skip: (skip.path.encode(), skip.reason))


def _digest(files: Iterable[SourceFile], skips: Iterable[_Skip]) -> str:
    digest = hashlib.sha256(b"repository 1\n")
    for file in files:
        # The text too: a better reader that shows other text is another repository to a judge.
        text = hashlib.sha256(file.text.encode()).hexdigest()
        fields = ("file", file.path, file.sha256, file.language, file.role.value, text)
        digest.update("\0".join(fields).encode() + b"\n")
    for skip in skips:
        digest.update("\0".join(("skipped", skip.path, skip.reason)).encode() + b"\n")
    return digest.hexdigest()


def _join(folder: Folder) -> str:
    return "/".join(shown(name) for name in folder)
