"""A proportional-odds model with few parameters, fitted with a prior so that it always exists.

P(level <= k) = logistic(threshold_k - slopes . features): one slope a feature, whatever the number
of levels (P. McCullagh 1980). Slopes are drawn towards 0 by a normal prior, and one made-up label,
a fifth of it at each level, keeps thresholds apart where a level was never seen. Fitted by Fisher
scoring with halved steps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.crosstabs import Floats, Ints

__all__ = ["Ordinal", "fit_ordinal"]

LEVELS = 5
_STEPS = 200
_MADE_UP = 0.2


@dataclass(frozen=True, slots=True)
class Ordinal:
    """A fitted model.

    Attributes:
        thresholds: Rising, one fewer than there are levels.
        slopes: One a feature; a positive one means higher levels.
        steps: Steps that the fit took.
    """

    thresholds: tuple[float, ...]
    slopes: tuple[float, ...]
    steps: int = 0

    def location(self, features: Floats) -> Floats:
        """Where on the scale each row stands; shape (n,) for features (n, k)."""
        if not self.slopes:
            return np.zeros(len(features))
        location: Floats = features @ np.asarray(self.slopes)
        return location

    def distribution(self, features: Floats) -> Floats:
        """The chance of each level; shape (n, levels)."""
        return _shares(np.asarray(self.thresholds), self.location(features))[0]


def fit_ordinal(
    features: Floats, levels: Ints, weights: Floats, *, spread: Floats | float = 1.0
) -> Ordinal:
    """Fit to labels.

    Args:
        features: Shape (n, k), about 0 on the average and of size 1.
        levels: The levels, 0 to 4, shape (n,).
        weights: What each label counts, shape (n,).
        spread: Standard deviation of the prior of each slope; one for all, or shape (k,).

    Raises:
        ValueError: There is no label, or a value is not finite.
    """
    count, size = features.shape
    if not count or not (np.isfinite(features).all() and np.isfinite(weights).all()):
        raise ValueError(f"{count} labels with finite features: nothing to fit")
    features = np.vstack([features, np.zeros((LEVELS, size))])
    levels = np.concatenate([levels, np.arange(LEVELS)])
    weights = np.concatenate([weights, np.full(LEVELS, _MADE_UP)])
    shares = np.bincount(levels, weights, minlength=LEVELS) / weights.sum()
    upto = np.cumsum(shares)[:-1]
    found = np.concatenate([np.log(upto / (1 - upto)), np.zeros(size)])
    precision = np.concatenate(
        [np.zeros(LEVELS - 1), 1 / np.broadcast_to(np.asarray(spread, dtype=float), size) ** 2]
    )
    value = _objective(found, features, levels, weights, precision)
    step = 0
    for step in range(1, _STEPS + 1):  # noqa: B007 - how many steps it took is part of the result
        slope, curve = _derivatives(found, features, levels, weights, precision)
        move = np.linalg.solve(curve + 1e-10 * np.eye(len(found)), slope)
        share = 1.0
        while share > 1e-10:
            tried = found + share * move
            new = _objective(tried, features, levels, weights, precision)
            if new >= value:
                break
            share /= 2
        else:
            break
        gain, found, value = new - value, tried, new
        if gain < 1e-12 * (1 + abs(value)) and float(np.abs(share * move).max()) < 1e-9:
            break
    thresholds, slopes = found[: LEVELS - 1], found[LEVELS - 1 :]
    return Ordinal(tuple(map(float, thresholds)), tuple(map(float, slopes)), step)


def _logistic(x: Floats) -> Floats:
    result: Floats = 0.5 * (1 + np.tanh(x / 2))
    return result


def _shares(thresholds: Floats, location: Floats) -> tuple[Floats, Floats]:
    """The chance of each level, and the density at each threshold with 0 at both ends."""
    below = _logistic(thresholds[None, :] - location[:, None])
    edge = np.zeros((len(location), 1))
    upto = np.hstack([edge, below, edge + 1])
    shares = np.clip(np.diff(upto, axis=1), 1e-12, 1.0)
    return shares, np.hstack([edge, below * (1 - below), edge])


def _objective(
    found: Floats, features: Floats, levels: Ints, weights: Floats, precision: Floats
) -> float:
    thresholds, slopes = found[: LEVELS - 1], found[LEVELS - 1 :]
    if (np.diff(thresholds) <= 0).any():
        return -np.inf
    shares, _ = _shares(thresholds, features @ slopes)
    seen = shares[np.arange(len(levels)), levels]
    return float((weights * np.log(seen)).sum() - 0.5 * (precision * found**2).sum())


def _derivatives(
    found: Floats, features: Floats, levels: Ints, weights: Floats, precision: Floats
) -> tuple[Floats, Floats]:
    """The slope of the objective and its expected curvature."""
    size = len(found)
    thresholds, slopes = found[: LEVELS - 1], found[LEVELS - 1 :]
    shares, density = _shares(thresholds, features @ slopes)
    # How the chance of each level moves with each parameter: (n, levels, parameters).
    moves = np.zeros((len(levels), LEVELS, size))
    for place in range(LEVELS - 1):
        moves[:, place, place] += density[:, place + 1]
        moves[:, place + 1, place] -= density[:, place + 1]
    change = density[:, 1:] - density[:, :-1]
    moves[:, :, LEVELS - 1 :] = -change[:, :, None] * features[:, None, :]
    rows = np.arange(len(levels))
    slope = ((weights / shares[rows, levels])[:, None] * moves[rows, levels]).sum(0)
    curve = np.einsum("n,nl,nlp,nlq->pq", weights, 1 / shares, moves, moves, optimize=True)
    return slope - precision * found, curve + np.diag(precision)
