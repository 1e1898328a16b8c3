"""Student's t without a statistics package: tail areas and quantiles to about twelve digits."""

from __future__ import annotations

import math
from statistics import NormalDist

__all__ = ["normal_quantile", "student_quantile", "student_two_sided"]

_STEPS = 400


def student_two_sided(t: float, df: float) -> float:
    """The chance of a value at least as far from 0 as `t`, with `df` degrees of freedom.

    Raises:
        ValueError: `df` is not above 0, or `t` is no number.
    """
    if df <= 0 or math.isnan(t):
        raise ValueError(f"no tail area of t={t} with {df} degrees of freedom")
    if math.isinf(t):
        return 0.0
    return _beta_share(df / (df + t * t), df / 2, 0.5)


def student_quantile(probability: float, df: float) -> float:
    """The value below which a share `probability` of Student's t lies.

    Raises:
        ValueError: `probability` is not inside (0, 1), or `df` is not above 0.
    """
    if not 0 < probability < 1 or df <= 0:
        raise ValueError(f"no quantile {probability} with {df} degrees of freedom")
    if probability == 0.5:
        return 0.0
    tail = 2 * min(probability, 1 - probability)
    low, high = 0.0, 2.0
    while student_two_sided(high, df) > tail:
        low, high = high, high * 2
    # Newton's steps, kept inside what is known to hold the answer.
    scale = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)
    guess = (low + high) / 2
    for _ in range(100):
        over = student_two_sided(guess, df) - tail
        low, high = (guess, high) if over > 0 else (low, guess)
        slope = 2 * scale * (1 + guess * guess / df) ** (-(df + 1) / 2)
        tried = guess + over / slope if slope > 0 else low
        after = tried if low < tried < high else (low + high) / 2
        if abs(after - guess) <= 1e-14 * guess:
            break
        guess = after
    return math.copysign(guess, probability - 0.5)


def normal_quantile(probability: float) -> float:
    """The value below which a share `probability` of the standard normal lies."""
    return NormalDist().inv_cdf(probability)


def _beta_share(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz's way)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta_share(1 - x, b, a)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
        + a * math.log(x) + b * math.log1p(-x)
    ) / a  # fmt: skip
    tiny = 1e-300
    c, d = 1.0, 1 / _away_from(1 - (a + b) * x / (a + 1), tiny)
    value = d
    for m in range(1, _STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / _away_from(1 + term * d, tiny)
            c = _away_from(1 + term / c, tiny)
            value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * value


def _away_from(value: float, tiny: float) -> float:
    return value if abs(value) > tiny else tiny
