"""How often each stem stands in live code, over the repositories on each paper."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from judge.embedded.background import Background, Count, background_of
from judge.embedded.survey import Standing, survey_of
from retrieval.index import Index
from retrieval.reading import read_repository

__all__ = ["Counted", "count_words"]

_NUMBER = "#"  # numbers are no words


@dataclass(slots=True)
class Counted:
    """What was counted, by paper.

    Attributes:
        papers: By paper and stem.
        sizes: By paper, its repositories.
    """

    papers: dict[str, dict[str, Count]] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)

    def background(self, without: str = "") -> Background:
        """The background of all papers but one."""
        return background_of(self.papers, self.sizes, without)


def _stems(job: tuple[str, Path]) -> tuple[str, dict[str, float]]:
    paper, root = job
    survey = survey_of(Index.build(read_repository(root, exclude=["result/"])))
    blocks = max(1, int(survey.live_blocks.sum()))
    return paper, {
        stem: len(places.live_blocks) / blocks
        for stem in survey.stems
        if not stem.startswith(_NUMBER)
        and (places := survey.places(stem)).standing is Standing.LIVE
    }


def count_words(runs: Path, without: Iterable[str], workers: int) -> Counted:
    """Count over `<agent>/<paper>/repo`, but for some papers."""
    left_out = frozenset(without)
    jobs = [
        (root.parent.name, root)
        for root in sorted(runs.glob("*/*/repo"))
        if root.is_dir() and root.parent.name not in left_out
    ]
    found = Counted()
    with multiprocessing.Pool(workers) as pool:
        for paper, stems in pool.imap(_stems, jobs, chunksize=4):
            own = found.papers.setdefault(paper, {})
            found.sizes[paper] = found.sizes.get(paper, 0) + 1
            for stem, share in stems.items():
                counted = own.setdefault(stem, Count())
                counted.repositories += 1
                counted.functions += share
    return found
