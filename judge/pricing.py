"""What an answer costs, in US dollars.

Prices come from the user's table first, and for the vendors' own endpoints from the package
`genai-prices` where it is installed (`pip install ".[prices]"`), whose table is the one
that it ships: nothing is downloaded. A price that nobody knows is `None`, never 0.

A table is a small YAML file; prices are dollars per million tokens:

```yaml
date: 2026-11-20
models:
  some-model: {input: 1.25, cached: 0.125, output: 10}
  "my-local-*": {input: 0, output: 0}
```
"""

from __future__ import annotations

import fnmatch
import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmark import InputError, Where
from benchmark.yaml_text import YamlTextError, YamlTree, parse_yaml
from judge.verdict import Usage

__all__ = ["BATCH_SHARE", "Price", "PriceTable", "how_to_price", "price", "price_source"]

BATCH_SHARE = {"openai": 0.5, "anthropic": 0.5}
"""What a question costs by a vendor's batch API, as a share of its usual price."""

_MILLION = 1_000_000
_VENDOR_HOSTS = {"openai": "api.openai.com", "anthropic": "api.anthropic.com"}
_REMEDY = "Write each model as {input: dollars per million tokens, output: ..., cached: ...}"


@dataclass(frozen=True, slots=True)
class Price:
    """Prices of one model, in dollars per million tokens.

    Attributes:
        input: Of input that is neither read from nor written to a cache.
        output: Of output, reasoning included.
        cached: Of input read from a cache; `None` is as dear as other input.
        written: Of input written to a cache; `None` is as dear as other input.
    """

    input: float
    output: float
    cached: float | None = None
    written: float | None = None

    def of(self, usage: Usage) -> float | None:
        """The price of an answer, or `None` where its tokens are unknown."""
        if usage.input_tokens is None or usage.output_tokens is None:
            return None
        cached = usage.cached_tokens or 0
        written = usage.written_tokens or 0
        new = max(usage.input_tokens - cached - written, 0)
        dollars = new * self.input + usage.output_tokens * self.output
        dollars += cached * (self.input if self.cached is None else self.cached)
        dollars += written * (self.input if self.written is None else self.written)
        return dollars / _MILLION


@dataclass(frozen=True, slots=True)
class PriceTable:
    """The user's own prices.

    Attributes:
        date: When they were looked up.
        models: Price by model name; a name may be a pattern with `*`.
        source: The file.
    """

    date: date
    models: Mapping[str, Price]
    source: str = ""

    def find(self, model: str) -> Price | None:
        """The price of a model: its own name first, then the first pattern that fits."""
        if model in self.models:
            return self.models[model]
        for pattern, entry in self.models.items():
            if "*" in pattern and fnmatch.fnmatchcase(model, pattern):
                return entry
        return None

    @classmethod
    def load(cls, path: Path) -> PriceTable:
        """Read a table.

        Raises:
            InputError: The file cannot be read, or an entry is not a price.
        """
        shown = str(path)
        try:
            tree = parse_yaml(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(
                f"the price table cannot be read ({error})",
                where=Where(shown),
                remedy="Check judge.prices",
            ) from error
        except YamlTextError as error:
            line, column = error.place or (None, None)
            raise InputError(
                f"the price table is not YAML: {error.problem}",
                where=Where(shown, line=line, column=column),
                remedy=error.remedy,
            ) from error
        data = tree.value
        if not isinstance(data, dict) or not isinstance(data.get("models"), dict):
            raise InputError(
                "the price table has no `models`", where=Where(shown, key="models"), remedy=_REMEDY
            )
        if unknown := sorted(data.keys() - {"date", "models"}):
            raise InputError(
                f"the price table has an unknown key {unknown[0]!r}",
                where=_where(shown, tree, unknown[0]),
                remedy="Only `date` and `models` stand there",
            )
        try:
            day = date.fromisoformat(str(data.get("date")))
        except ValueError:
            raise InputError(
                "the price table does not say of which day it is",
                where=_where(shown, tree, "date"),
                remedy="Write `date: 2026-11-20`, the day on which you looked the prices up",
            ) from None
        models = {
            name: _price(entry, _where(shown, tree, "models", name))
            for name, entry in data["models"].items()
        }
        return cls(day, models, shown)


def _where(shown: str, tree: YamlTree, *way: str) -> Where:
    line = tree.places.get(way, (None, None))[0]
    return Where(shown, line=line, key=".".join(way))


def _price(entry: object, where: Where) -> Price:
    names = {"input", "output", "cached", "written"}
    if not isinstance(entry, dict) or not {"input", "output"} <= entry.keys() <= names:
        raise InputError(
            "a price needs `input` and `output`, and may have `cached` and `written`",
            where=where,
            remedy=_REMEDY,
        )
    for name, value in entry.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e6:
            raise InputError(
                f"{name} is {value!r}, which is no price in dollars", where=where, remedy=_REMEDY
            )
    return Price(**entry)


def price(
    model: str,
    usage: Usage,
    *,
    provider: str | None = None,
    base_url: str | None = None,
    table: PriceTable | None = None,
) -> float | None:
    """The price of an answer in dollars.

    Args:
        model: The model's name.
        usage: What it used; `input_tokens` includes what was read from and written to a cache.
        provider: Whose model it is; `openai` or `anthropic`.
        base_url: Where it was asked. Elsewhere than at the vendor, only the user's table counts:
            a gateway has its own prices, and a local model with a famous name has none.
        table: The user's prices.

    Returns:
        Dollars, or `None` where the price or the tokens are unknown.
    """
    if table is not None and (entry := table.find(model)) is not None:
        return entry.of(usage)
    vendor = _VENDOR_HOSTS.get(provider or "")
    if base_url is not None and urlsplit(base_url).hostname != vendor:
        return None
    if usage.input_tokens is None or usage.output_tokens is None:
        return None
    package = _genai_prices()
    if package is None:
        return None
    tokens = {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cache_read_tokens": usage.cached_tokens,
        "cache_write_tokens": usage.written_tokens,
    }
    try:
        found = package.calc_price(package.Usage(**tokens), model, provider_id=provider)
    except (LookupError, ValueError):
        return None
    return float(found.total_price)


def price_source(
    model: str,
    *,
    provider: str | None = None,
    base_url: str | None = None,
    table: PriceTable | None = None,
) -> str:
    """Where the price of a model comes from and of which day it is; empty where nobody knows it."""
    known = Usage(input_tokens=1, output_tokens=1)
    if table is not None and table.find(model) is not None:
        return f"{Path(table.source).name or 'your price table'} of {table.date.isoformat()}"
    if price(model, known, provider=provider, base_url=base_url) is None:
        return ""
    return f"genai-prices {_genai_prices().__version__}"


def how_to_price(*, provider: str | None = None, base_url: str | None = None) -> str:
    """What a person does about a price that is not known."""
    vendor = _VENDOR_HOSTS.get(provider or "")
    own = vendor is not None and (base_url is None or urlsplit(base_url).hostname == vendor)
    if own and _genai_prices() is None:
        return (
            "install the vendors' prices (in the project's folder: pip install \".[prices]\"), "
            "or give it by judge.prices"
        )
    return "give it by judge.prices"


@cache
def _genai_prices() -> Any:  # noqa: ANN401 - an optional package has no type here
    try:
        return importlib.import_module("genai_prices")
    except ImportError:
        return None
