"""Folders by what their names tell apart."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from retrieval.postings import Table
from retrieval.words import TOKEN, token_terms

__all__ = ["Folders", "folder_of"]


def folder_of(path: str) -> str:
    """The folder of a file; empty at the top."""
    return path.rpartition("/")[0]


class Folders:
    """The folders that hold files, and the terms that tell them from their siblings.

    A claim about one of several environments is about the folder of that name, though half of all
    files may lie in it, so that the name is no rare word. What a name says is measured among the
    folders beside it: the logarithm of how many there are for each that has the term. A folder
    without siblings says nothing.

    Attributes:
        number: Each folder's number, by its path.
        table: Terms to folders; a folder has what its parents have.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self.number = {
            folder: number for number, folder in enumerate(sorted(set(map(folder_of, paths))))
        }
        by_term: defaultdict[str, dict[int, float]] = defaultdict(dict)
        said = _said(self.number)
        for folder, number in self.number.items():
            parts = folder.split("/")
            for depth in range(len(parts)):
                for term, weight in said["/".join(parts[: depth + 1])].items():
                    row = by_term[term]
                    row[number] = max(weight, row.get(number, 0.0))
        widths = np.array([len(row) for row in by_term.values()], np.int64)
        self.table = Table(
            {term: position for position, term in enumerate(by_term)},
            np.concatenate(([0], np.cumsum(widths))).astype(np.int64),
            np.array([number for row in by_term.values() for number in row], np.int32),
            np.array([weight for row in by_term.values() for weight in row.values()], np.float32),
        )

    def __bool__(self) -> bool:
        return bool(self.table.numbers)


def _said(folders: Iterable[str]) -> dict[str, dict[str, float]]:
    """For each folder, and each that it is in, the weights of its own name's terms."""
    children: defaultdict[str, set[str]] = defaultdict(set)
    for folder in folders:
        here = folder
        while here:
            parent, _, name = here.rpartition("/")
            if name in children[parent]:
                break
            children[parent].add(name)
            here = parent
    said: dict[str, dict[str, float]] = {"": {}}
    for parent, names in children.items():
        terms = {
            name: {term for token in TOKEN.findall(name) for term in token_terms(token)}
            for name in names
        }
        spread = Counter(term for own in terms.values() for term in own)
        for name, own in terms.items():
            said[f"{parent}/{name}" if parent else name] = {
                term: math.log(len(names) / spread[term])
                for term in sorted(own)
                if spread[term] < len(names)
            }
    return said
