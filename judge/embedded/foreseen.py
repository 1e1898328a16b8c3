"""What SA-Bench's published scorer would most likely have said of a claim.

Fitted on its published verdicts alone, one set of trees for each level: the chance that a verdict
reaches it. They hear which of its two judges is meant, what the embedded judge finds in the whole
repository, and what the scorer shows (`glimpse.py`). It is no verdict by the rubric.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from judge.embedded.model import Outcome
from judge.embedded.trees import Forest, parse_forest

__all__ = ["JUDGES", "Foreseen", "level_of", "load_foreseen", "parse_foreseen", "which"]

JUDGES = ("deepseek-v4-pro", "gpt-5.5")
"""The models by which the published verdicts were given."""

_PATH = Path(__file__).with_name("foreseen.json")


def which(judge: str) -> dict[str, float]:
    """Which judge is meant, as features."""
    return {f"by_{name}": float(judge == name) for name in JUDGES[1:]}


@dataclass(frozen=True, slots=True)
class Foreseen:
    """Trees for each level above 0.

    Attributes:
        version: Name of the fit.
        forests: For levels 1, 2, 3 and 4.
        digest: Fingerprint of the file.
    """

    version: str
    forests: tuple[Forest, ...]
    digest: str

    def outcome(self, features: Mapping[str, float], judge: str) -> Outcome:
        """The chances of the levels for some features; the score is the expected level."""
        told = {**features, **which(judge)}
        reached = [1 / (1 + math.exp(-forest.score(told))) for forest in self.forests]
        # The trees of one level do not know those of the others.
        falling = [1.0, *accumulate(reached, min), 0.0]
        chances = tuple(above - below for above, below in pairwise(falling))
        return Outcome(chances, sum(falling[1:]))


def level_of(outcome: Outcome) -> int:
    """The level nearest to the expected one, so that means of levels are close to the judge's."""
    return math.floor(outcome.expected + 0.5)


@lru_cache(maxsize=1)
def load_foreseen() -> Foreseen:
    """The fit that is shipped."""
    data = _PATH.read_bytes()
    return parse_foreseen(json.loads(data), hashlib.sha256(data).hexdigest()[:16])


def parse_foreseen(record: Mapping[str, Any], digest: str) -> Foreseen:
    """The fit from the JSON that `calibration distill --foreseen` writes.

    Raises:
        ValueError: The trees do not fit together, or there are not four levels.
    """
    names = [str(name) for name in record["features"]]
    forests = tuple(parse_forest(level, names) for level in record["levels"])
    if len(forests) != 4:
        raise ValueError("four levels have trees")
    return Foreseen(str(record["version"]), forests, digest)
