"""The fitted model: trees give a score, and the score the chance of each level.

Claims of one short sentence have trees of their own, as what is missing of few words says more than
of many; between the two kinds the score goes over from the ones to the others.

Cumulative ordinal logistic on the trees' score and the claim's dimension, with `x` each less its
neutral value over its spread: `P(level >= k) = 1 / (1 + exp(threshold_k - sum(slope * x)))`.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from judge.embedded.trees import Forest, parse_forest

__all__ = [
    "SCORE",
    "TERSE",
    "WORDS",
    "Model",
    "Outcome",
    "Slope",
    "load_model",
    "parse_model",
    "share_of_long",
]

_PATH = Path(__file__).with_name("weights.json")
SCORE = "score"
WORDS = "claim_words"
TERSE = (2.7, 3.1)
"""`claim_words` up to which a claim is terse alone, and from which it is long: 14 and 21 words."""


def share_of_long(words: float) -> float:
    """How far the trees of long claims count, from 0 to 1, by `claim_words`."""
    low, high = TERSE
    return min(1.0, max(0.0, (words - low) / (high - low)))


@dataclass(frozen=True, slots=True)
class Slope:
    """What one input of the scale adds.

    Attributes:
        slope: For one spread above neutral.
        neutral: The value that adds nothing.
        spread: The unit.
    """

    slope: float
    neutral: float
    spread: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """The chance of each of the five levels.

    Attributes:
        chances: By level; they sum to 1.
        score: The trees' score; the higher, the higher the level.
    """

    chances: tuple[float, ...]
    score: float = 0.0

    @property
    def expected(self) -> float:
        """The expected level, 0 to 4."""
        return sum(level * chance for level, chance in enumerate(self.chances))


@dataclass(frozen=True, slots=True)
class Model:
    """Trees and the scale on which their score is read.

    Attributes:
        version: Name of the fit.
        forest: The trees.
        terse: Those of terse claims.
        slopes: By input of the scale: `score`, or the name of a feature.
        thresholds: For levels 1, 2, 3 and 4, rising.
        cuts: Expected levels from which the level is 1, 2, 3 and 4.
        held: For each ceiling that rules can set, how often a label is not above it.
        digest: Fingerprint of the file.
    """

    version: str
    forest: Forest
    terse: Forest
    slopes: Mapping[str, Slope]
    thresholds: tuple[float, float, float, float]
    cuts: tuple[float, float, float, float]
    held: tuple[float, float, float, float, float]
    digest: str

    def outcome(self, features: Mapping[str, float], ceiling: int = 4) -> Outcome:
        """The chances of the levels for some features.

        A rule that sets a ceiling is not always right: of the chance of what lies above, the share
        falls on the ceiling with which labels keep to it.
        """
        score = self.score(features)
        location = 0.0
        for name, each in self.slopes.items():
            value = score if name == SCORE else features[name]
            if math.isfinite(value):
                location += each.slope * (value - each.neutral) / each.spread
        reached = [1.0, *(_logistic(location - cut) for cut in self.thresholds), 0.0]
        chances = [reached[k] - reached[k + 1] for k in range(5)]
        held = self.held[ceiling]
        above = sum(chances[ceiling + 1 :])
        chances[ceiling] += held * above
        for level in range(ceiling + 1, 5):
            chances[level] *= 1.0 - held
        return Outcome(tuple(chances), score)

    def score(self, features: Mapping[str, float]) -> float:
        """The trees' score."""
        share = share_of_long(features[WORDS])
        score = share * self.forest.score(features) if share > 0 else 0.0
        return score + (1.0 - share) * self.terse.score(features) if share < 1 else score

    def level(self, outcome: Outcome, ceiling: int = 4) -> int:
        """The level of an outcome, never above the ceiling."""
        return min(ceiling, sum(outcome.expected >= cut for cut in self.cuts))


def _logistic(value: float) -> float:
    if value >= 0:
        return 1.0 / (1.0 + math.exp(-value))
    grown = math.exp(value)
    return grown / (1.0 + grown)


@lru_cache(maxsize=1)
def load_model() -> Model:
    """The model that is shipped."""
    data = _PATH.read_bytes()
    return parse_model(json.loads(data), hashlib.sha256(data).hexdigest()[:16])


def parse_model(record: Mapping[str, Any], digest: str) -> Model:
    """A model from the JSON that the fit writes.

    Raises:
        ValueError: The trees do not fit together, or there are not four thresholds and cuts,
            or not five shares.
    """
    one, two, three, four = map(float, record["thresholds"])
    low, middle, high, top = map(float, record["cuts"])
    held = tuple(float(share) for share in record.get("held", (1.0,) * 5))
    if len(held) != 5 or not all(0.0 <= share <= 1.0 for share in held):
        raise ValueError("`held` is a share for each of the five ceilings")
    names = [str(name) for name in record["features"]]
    return Model(
        str(record["version"]),
        parse_forest(record, names),
        parse_forest(record["terse"], names),
        {
            name: Slope(float(item["slope"]), float(item["neutral"]), float(item["spread"]))
            for name, item in record["slopes"].items()
        },
        (one, two, three, four),
        (low, middle, high, top),
        (held[0], held[1], held[2], held[3], held[4]),
        digest,
    )
