"""Finding what a judge says it lacks, in the repository that it was shown a part of."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from benchmark import Sau
from judge.stripping import strip_evidence
from judge.verdict import EvidenceNote
from retrieval.evidence import RetrievalSettings, estimate_tokens, find_evidence
from retrieval.index import Index
from retrieval.values import Evidence, Passage, Repository

__all__ = ["Library"]

_MAX_ASKED = 600
_MAX_FACTS = 8
_PIECE = 16
_WORD = re.compile(r"[A-Za-z_]\w{2,}|\d[\w.]*")
_WIDER = 3
"""How much more is searched for than shown: the best of it has mostly been seen already."""

Shown = Sequence[tuple[str, int, int]]


@dataclass(slots=True)
class Library:
    """A submission's repository, to look things up in; indexed when that is first wanted.

    Attributes:
        repository: What was read.
        retrieval: How evidence is found.
        tokens: How much may be shown at a time.
        strip_comments: Show code alone.
    """

    repository: Repository
    retrieval: RetrievalSettings
    tokens: int
    strip_comments: bool
    _building: asyncio.Task[Index] | None = field(default=None, repr=False)

    async def look_up(
        self, sau: Sau, lacking: tuple[str, ...], note: EvidenceNote
    ) -> Evidence | None:
        """Find lines for what is lacking that were not shown before.

        Args:
            sau: The claim that it is about.
            lacking: What the judge lacks, in its words.
            note: What it was shown.

        Returns:
            What was found, perhaps only that there is nothing; `None` where nothing was asked for.
        """
        wanted = "; ".join(text.strip() for text in lacking if text.strip())[:_MAX_ASKED]
        if not wanted:
            return None
        if self._building is None:
            self._building = asyncio.create_task(asyncio.to_thread(Index.build, self.repository))
        index = await asyncio.shield(self._building)
        return await asyncio.to_thread(
            self._found, index, replace(sau, claim=wanted, source=""), note.passages
        )

    def _found(self, index: Index, sau: Sau, shown: Shown) -> Evidence:
        settings = replace(
            self.retrieval, budget_tokens=_WIDER * self.tokens, map_tokens=0, max_facts=_MAX_FACTS
        )
        evidence = find_evidence(index, sau, settings)
        if self.strip_comments:
            evidence = strip_evidence(index, evidence)
        words = {word.lower() for word in _WORD.findall(sau.claim)}
        pieces = [
            piece
            for passage in evidence.passages
            for unseen in _unseen(passage, shown)
            for piece in _pieces(unseen)
        ]
        pieces.sort(key=lambda piece: (-_in_common(piece, words), -piece.score))
        chosen: list[Passage] = []
        left = self.tokens
        for passage in pieces:
            cost = estimate_tokens(passage.text)
            if cost <= left:
                chosen.append(passage)
                left -= cost
        return replace(
            evidence,
            passages=tuple(_joined(chosen)),
            complete=False,
            omitted=(),
            tokens=self.tokens - left,
        )


def _pieces(passage: Passage) -> Iterator[Passage]:
    """A passage in pieces of a few lines: neighbours come joined, and as large as a file."""
    starts = range(passage.first, passage.last + 1, _PIECE)
    spans = ((first, min(first + _PIECE - 1, passage.last)) for first in starts)
    return (piece for piece in passage.parts(spans) if piece.text.strip())


def _joined(passages: list[Passage]) -> list[Passage]:
    """Put pieces in order, and neighbours together again."""
    joined: list[Passage] = []
    for passage in sorted(passages, key=lambda piece: (piece.path, piece.first)):
        before = joined[-1] if joined else None
        if before and (before.path, before.last + 1) == (passage.path, passage.first):
            joined[-1] = replace(
                before,
                last=passage.last,
                text=f"{before.text}\n{passage.text}",
                folded=before.folded + passage.folded,
            )
        else:
            joined.append(passage)
    return joined


def _in_common(passage: Passage, words: set[str]) -> int:
    return len(words & {word.lower() for word in _WORD.findall(passage.text)})


def _unseen(passage: Passage, shown: Shown) -> Iterator[Passage]:
    """The parts of a passage that were not shown."""
    seen = {
        number
        for path, first, last in shown
        if path == passage.path
        for number in range(max(first, passage.first), min(last, passage.last) + 1)
    }
    spans: list[tuple[int, int]] = []
    start: int | None = None
    for number in range(passage.first, passage.last + 2):
        new = number <= passage.last and number not in seen
        if new and start is None:
            start = number
        elif not new and start is not None:
            spans.append((start, number - 1))
            start = None
    return (unseen for unseen in passage.parts(spans) if unseen.text.strip())
