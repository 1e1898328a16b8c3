"""Code without its comments, docstrings and docs: what is left is what can act.

A comment that claims an equation is not the equation. Line numbers stay as they are, so that
quotes are found where they were shown.
"""

from __future__ import annotations

from dataclasses import replace

from retrieval.index import Index
from retrieval.tokens import estimate_tokens
from retrieval.values import Evidence, Passage, Role

__all__ = ["code_lines", "strip_evidence", "strip_passages"]

_BARE = frozenset({Role.DOC, Role.DATA})


def code_lines(index: Index, path: str) -> list[str]:
    """A file's lines with whatever is no code blanked; docs and data are blank altogether."""
    file = index.file(path)
    count = len(index.lines(path))
    if file is None or file.role in _BARE:
        return [""] * count
    lines = [index.code_of(path, number).rstrip() for number in range(1, count + 1)]
    if file.language == "text":
        # No grammar says what a comment is here; in requirements and their like this is one.
        lines = ["" if line.lstrip().startswith("#") else line for line in lines]
    return lines


def strip_passages(index: Index, passages: tuple[Passage, ...]) -> tuple[Passage, ...]:
    """The passages without comments; what has no code left in it is dropped."""
    lines: dict[str, list[str]] = {}
    kept = []
    for passage in passages:
        if passage.path not in lines:
            lines[passage.path] = code_lines(index, passage.path)
        first, last = passage.first, passage.last
        shown = lines[passage.path][first - 1 : last]
        while shown and not shown[0]:
            shown = shown[1:]
            first += 1
        while shown and not shown[-1]:
            shown = shown[:-1]
            last -= 1
        if shown:
            kept.append(replace(passage, first=first, last=last, text="\n".join(shown)))
    return tuple(kept)


def strip_evidence(index: Index, evidence: Evidence) -> Evidence:
    """The evidence without comments, docstrings and docs."""
    passages = strip_passages(index, evidence.passages)
    tokens = sum(estimate_tokens(passage.text) for passage in passages)
    return replace(evidence, passages=passages, tokens=min(tokens, evidence.tokens))
