"""The one style sheet of every page that the program writes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, StrictUndefined

__all__ = ["SHADES", "TEMPLATES", "page_style"]

TEMPLATES = Path(__file__).parent / "templates"
"""Where the templates of pages, their style and their scripts lie."""

SHADES = 20
"""Shades of a cell beside the lightest: the classes h0 to h20."""


@cache
def page_style() -> str:
    """The style sheet as text: light and dark, wide and narrow, screen and paper."""
    text = (TEMPLATES / "report.css").read_text(encoding="utf-8")
    environment = Environment(undefined=StrictUndefined, autoescape=False)  # noqa: S701 - no HTML
    return environment.from_string(text).render()
