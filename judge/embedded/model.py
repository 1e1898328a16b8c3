"""The fitted model: one score from the features, and from the score the chance of each level.

Cumulative ordinal logistic: with `x` a feature less its neutral value over its spread,
`score = sum(weight * x)` and `P(level >= k) = 1 / (1 + exp(threshold_k - score))`. A feature that
does not apply adds nothing.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

__all__ = ["Model", "Outcome", "load_model"]

_PATH = Path(__file__).with_name("weights.json")


@dataclass(frozen=True, slots=True)
class Weight:
    """What one feature adds.

    Attributes:
        weight: To the score, for one spread above neutral.
        neutral: The feature's value that adds nothing.
        spread: The unit.
    """

    weight: float
    neutral: float
    spread: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """The chance of each of the five levels, and what each feature added to the score."""

    chances: tuple[float, ...]
    added: Mapping[str, float]

    @property
    def expected(self) -> float:
        """The expected level, 0 to 4."""
        return sum(level * chance for level, chance in enumerate(self.chances))


@dataclass(frozen=True, slots=True)
class Model:
    """Weights and thresholds.

    Attributes:
        version: Name of the fit.
        weights: By feature.
        thresholds: For levels 1, 2, 3 and 4, rising.
        cuts: Expected levels from which the level is 1, 2, 3 and 4.
        digest: Fingerprint of the file.
    """

    version: str
    weights: Mapping[str, Weight]
    thresholds: tuple[float, float, float, float]
    cuts: tuple[float, float, float, float]
    digest: str

    def outcome(self, features: Mapping[str, float], ceiling: int = 4) -> Outcome:
        """The chances of the levels for some features, none above a ceiling."""
        added = {
            name: weight.weight * (features[name] - weight.neutral) / weight.spread
            if math.isfinite(features[name])
            else 0.0
            for name, weight in self.weights.items()
        }
        score = sum(added.values())
        reached = [1.0, *(_logistic(score - cut) for cut in self.thresholds), 0.0]
        chances = [reached[k] - reached[k + 1] for k in range(5)]
        # What lies above the ceiling falls on it.
        chances[ceiling] = sum(chances[ceiling:])
        chances[ceiling + 1 :] = [0.0] * (4 - ceiling)
        return Outcome(tuple(chances), added)

    def level(self, outcome: Outcome, ceiling: int = 4) -> int:
        """The level of an outcome."""
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


def parse_model(record: Mapping[str, object], digest: str) -> Model:
    """A model from the JSON that the fitting script writes."""
    weights = record["weights"]
    thresholds, cuts = record["thresholds"], record["cuts"]
    assert isinstance(weights, dict)
    assert isinstance(thresholds, list)
    assert isinstance(cuts, list)
    one, two, three, four = map(float, thresholds)
    low, middle, high, top = map(float, cuts)
    return Model(
        str(record["version"]),
        {
            name: Weight(float(item["weight"]), float(item["neutral"]), float(item["spread"]))
            for name, item in weights.items()
        },
        (one, two, three, four),
        (low, middle, high, top),
        digest,
    )
