"""How common a word is in code of any kind: the less it is, the more it says that it stands there.

Counted over repositories on many papers, and shipped as numbers by stem; no text of any of them.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

__all__ = ["Background", "Count", "background_of", "load_background", "parse_background"]

_PATH = Path(__file__).with_name("commonness.json")
_LEAST_PAPERS = 3  # a stem of fewer papers is of a paper, and no common word
_HALF = 0.5
_BLOCK_HALF = 0.02  # a function is small: far fewer hold a word than do not
_TENTHS = 10


@dataclass(slots=True)
class Count:
    """Where one stem was seen in the repositories on one paper.

    Attributes:
        repositories: How many hold it in live code.
        functions: The share of a repository's live blocks (functions, the rest of files) with it,
            summed over repositories.
    """

    repositories: int = 0
    functions: float = 0.0


@dataclass(frozen=True, slots=True)
class Background:
    """The surprise of seeing a stem, in bits, in a repository and in one of its functions.

    Attributes:
        stems: Both, by stem.
        rare: Both, for a stem that is not among them.
        repositories: How many were counted.
        digest: Fingerprint of the file that it was read from.
    """

    stems: Mapping[str, tuple[float, float]]
    rare: tuple[float, float]
    repositories: int
    digest: str = ""

    def in_repository(self, terms: Sequence[str]) -> float:
        """The surprise of the most common of some stems, in a repository's live code."""
        if len(terms) == 1:
            return self.stems.get(terms[0], self.rare)[0]
        return min(self.stems.get(term, self.rare)[0] for term in terms)

    def in_function(self, terms: Sequence[str]) -> float:
        """The same in one live function."""
        if len(terms) == 1:
            return self.stems.get(terms[0], self.rare)[1]
        return min(self.stems.get(term, self.rare)[1] for term in terms)

    def record(self) -> dict[str, Any]:
        """As it is shipped: tenths of bits."""
        return {
            "about": "Surprise of stems in live code, tenths of bits: repository, function.",
            "repositories": self.repositories,
            "rare": [round(_TENTHS * bits) for bits in self.rare],
            "stems": {
                stem: [round(_TENTHS * bits) for bits in self.stems[stem]]
                for stem in sorted(self.stems)
            },
        }


def background_of(
    papers: Mapping[str, Mapping[str, Count]], sizes: Mapping[str, int], without: str = ""
) -> Background:
    """The background of counted repositories, but for those on one paper.

    Args:
        papers: By paper, what was counted, by stem.
        sizes: By paper, the number of its repositories.
        without: A paper to leave out.
    """
    total = sum(size for paper, size in sizes.items() if paper != without)
    sums: dict[str, Count] = {}
    spread: dict[str, int] = {}
    for paper, counts in papers.items():
        if paper == without:
            continue
        for stem, count in counts.items():
            own = sums.setdefault(stem, Count())
            own.repositories += count.repositories
            own.functions += count.functions
            spread[stem] = spread.get(stem, 0) + 1
    room = total + 3 * _HALF
    stems = {
        stem: (_bits(count.repositories + _HALF, room), _bits(count.functions + _BLOCK_HALF, room))
        for stem, count in sums.items()
        if spread[stem] >= _LEAST_PAPERS
    }
    # As if it had been seen in one repository, in every twentieth function.
    return Background(stems, (_bits(3 * _HALF, room), _bits(3 * _BLOCK_HALF, room)), total)


def _bits(seen: float, of: float) -> float:
    return max(0.0, -math.log2(seen / of))


@lru_cache(maxsize=1)
def load_background() -> Background:
    """The background that is shipped."""
    data = _PATH.read_bytes()
    return parse_background(json.loads(data), hashlib.sha256(data).hexdigest()[:16])


def parse_background(record: Mapping[str, Any], digest: str = "") -> Background:
    """A background from what `Background.record` wrote."""
    one, other = record["rare"]
    return Background(
        {stem: (a / _TENTHS, b / _TENTHS) for stem, (a, b) in record["stems"].items()},
        (one / _TENTHS, other / _TENTHS),
        int(record["repositories"]),
        digest,
    )
