"""Plots of the study as inline SVG: drawn from numbers, no script, no file beside the page."""

from __future__ import annotations

import math
from collections.abc import Sequence

from markupsafe import Markup, escape

__all__ = ["curve_plot", "interval_plot"]

_LEFT, _WIDE, _ROW = 170, 470, 26
_LONGEST_NAME = 26

Mark = tuple[str, float, float | None, float | None]
"""A name, a value, and the ends of its interval where it has one."""


def _svg(width: float, height: float, body: Sequence[str], label: str) -> Markup:
    # Every text in the body is escaped where it is put in; the rest are numbers of ours.
    return Markup(  # noqa: S704
        f'<svg role="img" aria-label="{escape(label)}" viewBox="0 0 {width:g} {height:g}" '
        f'style="max-width:{width:g}px;width:100%;height:auto" font-size="12" fill="currentColor">'
        + "".join(body)
        + "</svg>"
    )


def _text(x: float, y: float, text: str, anchor: str = "start", more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{escape(text)}</text>'


def _line(a: tuple[float, float], b: tuple[float, float], style: str) -> str:
    return f'<line x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}" {style}/>'


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _ticks(low: float, high: float) -> list[float]:
    """Every quarter of the scale; every half where it is long."""
    step = 0.25 if high - low <= 1.5 else 0.5
    first = math.ceil(low / step - 1e-9)
    return [place * step for place in range(first, math.floor(high / step + 1e-9) + 1)]


_GRID = 'stroke="var(--line)"'
_AXIS = 'stroke="var(--whisker)"'
_INK = 'stroke="var(--mark)" stroke-width="2"'
_INKS = (0, 4, 1, 3)
"""The page's colours of levels, those furthest from each other first."""


def interval_plot(
    series: Sequence[tuple[str, Sequence[Mark]]], *, low: float, high: float, label: str
) -> Markup:
    """Values with their intervals, one row a name; several series stand side by side in a row.

    Args:
        series: Names of series with their marks; the same names in the same order in each.
        low: Left end of the scale; the plot begins at the quarter below it.
        high: Right end.
        label: What the plot shows, for those who do not see it.
    """
    rows = max((len(marks) for _, marks in series), default=0)
    height = rows * _ROW + 30
    low = math.floor(low * 4 + 1e-9) / 4

    def x(value: float) -> float:
        share = (min(max(value, low), high) - low) / (high - low)
        return _LEFT + share * (_WIDE - _LEFT - 20)

    body = []
    for value in _ticks(low, high):
        style = _AXIS if value == 0 else _GRID
        body += [
            _line((x(value), 4), (x(value), rows * _ROW + 6), style),
            _text(x(value), height - 8, f"{value:g}", "middle"),
        ]
    for number, (_, marks) in enumerate(series):
        shade = 'opacity="0.45"' if number else ""
        for row, (name, value, left, right) in enumerate(marks):
            y = row * _ROW + 16 + (number - (len(series) - 1) / 2) * 8
            if not number:
                body.append(_text(_LEFT - 8, row * _ROW + 20, _short(name), "end"))
            if left is not None and right is not None:
                body.append(_line((x(left), y), (x(right), y), f"{_INK} {shade}"))
            body.append(
                f'<circle cx="{x(value):.1f}" cy="{y:.1f}" r="4" fill="var(--mark)" {shade}/>'
            )
    return _svg(_WIDE, height, body, label)


def curve_plot(
    curves: Sequence[tuple[str, Sequence[tuple[float, float]]]],
    *,
    axes: tuple[str, str],
    top: float = 1.0,
    diagonal: bool = False,
    label: str,
) -> Markup:
    """Curves over 0 to 1.

    Args:
        curves: Names with their points.
        axes: What is across and what is up.
        top: Upper end of what is up.
        diagonal: Draw the line where the two are equal.
        label: What the plot shows.
    """
    side, left, head, foot = 260, 50, 26, 36

    def at(point: tuple[float, float]) -> tuple[float, float]:
        return left + point[0] * side, head + side * (1 - min(point[1], top) / top)

    body = []
    for step in range(5):
        share = step / 4
        body += [
            _line(at((0, share * top)), at((1, share * top)), _GRID),
            _text(left - 6, at((0, share * top))[1] + 4, f"{share * top:.2f}", "end"),
            _text(at((share, 0))[0], head + side + 18, f"{share:.2f}", "middle"),
        ]
    body += [
        _text(left + side / 2, head + side + foot, axes[0], "middle"),
        _text(left - 40, 12, axes[1]),
    ]
    if diagonal:
        body.append(_line(at((0, 0)), at((1, 1)), f'{_AXIS} stroke-dasharray="4 4"'))
    for number, (name, points) in enumerate(curves):
        ink = f"var(--l{_INKS[number % len(_INKS)]})"
        joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(at, points))
        body.append(f'<polyline points="{joined}" fill="none" stroke="{ink}" stroke-width="2"/>')
        for x, y in map(at, points):
            body.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{ink}"/>')
        y = head + 10 + 20 * number
        body.append(
            f'<rect x="{left + side + 14}" y="{y - 9}" width="12" height="10" fill="{ink}"/>'
        )
        body.append(_text(left + side + 32, y, name))
    return _svg(left + side + 150, head + side + foot + 8, body, label)
