"""What a tree of submissions takes in tokens a verdict, and what grading it would cost.

    python -m tests.benchmarks.plan_prices --runs TREE --saus FOLDER [--as PROVIDER:MODEL ...]

TREE is a run tree as SA-Bench publishes it (`<agent>/<paper>/repo`), FOLDER holds
`<paper>/sau.json`. All is counted as `judge plan` counts it, once for each choice of what the judge
is shown; nothing is sent. *Cold* are the tokens of a question as they stand. *Warm* is what they
are charged as where each shared beginning is written to the provider's cache once, at 1.25 of the
price, and read from there at a tenth. Prices are those of the table that is installed.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.metadata
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import yaml

from judge.config import load_config
from judge.context_choice import READ, WRITE
from judge.inputs import load_inputs
from judge.models import make_judge
from judge.planning import RunEstimate, estimate
from judge.pricing import price_source
from judge.quoting import Quote, Seller, quote
from judge.run_plan import plan_of
from tests.benchmarks.full_run import repositories_alone

CONTEXTS = ("auto", "whole", "retrieve")
SELLERS = ("openai:gpt-6-luna", "anthropic:claude-haiku-5-5", "anthropic:claude-sonnet-5-5")


@dataclass(frozen=True)
class Taken:
    """What one choice of context takes.

    Attributes:
        context: The choice.
        found: What would be asked.
        seconds: How long it took to find out.
    """

    context: str
    found: RunEstimate
    seconds: float

    @property
    def warm(self) -> float:
        """Tokens a question is charged as, with a cache that works."""
        found = self.found
        new = found.input_tokens - found.shared_tokens - found.prefix_tokens
        charged = new + WRITE * found.prefix_tokens + READ * found.shared_tokens
        return charged / found.calls

    def tokens(self) -> str:
        """A row of the table of tokens."""
        found = self.found
        sizes = [miss.tokens for miss in found.misses]
        return (
            f"| {self.context} | {found.whole / max(found.submissions, 1):.0%} | {found.calls:,} | "
            f"{self.warm:,.0f} | {found.input_tokens / found.calls:,.0f} | {median(sizes):,.0f} | "
            f"{quantiles(sizes, n=10)[-1]:,.0f} | {found.input_tokens / 1e6:,.0f} M |"
        )


def taken(config: Path, settings: dict[str, Any], context: str) -> Taken:
    """Find out what one choice of context takes."""
    settings["retrieval"] = {"context": context}
    config.write_text(yaml.safe_dump(settings), encoding="utf-8")
    loaded = load_config(config)
    judge = make_judge(loaded.judge.settings(), need_key=False)
    started = time.perf_counter()
    found = asyncio.run(estimate(plan_of(loaded, load_inputs(loaded), judge)))
    return Taken(context, found, time.perf_counter() - started)


def prices(one: Taken, sellers: list[Seller]) -> Iterator[str]:
    """Rows of the table of prices, by model."""
    for seller in sellers:
        made = quote(one.found, seller)
        name = f"| {seller.model} | {one.context} |"
        if made.low is None or made.high is None:
            yield f"{name} unknown | | | |"
            continue
        yield f"{name} {_cells(made, one.found.calls)} |"


def _cells(made: Quote, calls: int) -> str:
    assert made.low is not None
    assert made.high is not None
    share = made.batch_share or 1.0
    whole = f"${made.low:,.0f} to {made.high:,.0f}"
    each = f"${made.low / calls:.5f} to {made.high / calls:.5f}"
    batch = f"${made.low * share:,.0f} to {made.high * share:,.0f}"
    return f"{whole} | {each} | {batch} | up to ${made.high * share / calls:.5f}"


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--saus", type=Path, required=True)
    parser.add_argument("--agents", nargs="+", help="these alone")
    parser.add_argument("--contexts", nargs="+", choices=CONTEXTS, default=list(CONTEXTS))
    parser.add_argument("--as", dest="sellers", action="append", metavar="PROVIDER:MODEL")
    options = parser.parse_args()
    sellers = [Seller.parse(text) for text in options.sellers or SELLERS]
    with (
        repositories_alone(options.runs.resolve(), options.agents) as runs,
        tempfile.TemporaryDirectory() as name,
    ):
        settings: dict[str, Any] = {
            "benchmark": {"path": str(options.saus.resolve())},
            "submissions": {"path": str(runs)},
            "output": {"path": str(Path(name) / "out")},
            "judge": {"kind": sellers[0].provider, "model": sellers[0].model},
        }
        results = [
            taken(Path(name) / "run.yaml", settings, context) for context in options.contexts
        ]
    print("| context | shown whole | questions | warm | cold | median | nine in ten | all |")
    print("|---|---|---|---|---|---|---|---|")
    for one in results:
        print(one.tokens())
    output = results[0].found.output
    print(f"\noutput: {output.low:,} to {output.high:,} tokens a verdict on average")
    for seller in sellers:
        source = price_source(seller.model, provider=seller.provider) or "no price known"
        print(f"{seller.provider}:{seller.model}: {source}")
    print(f"price table: genai-prices {importlib.metadata.version('genai-prices')}\n")
    print("| model | context | all | a verdict | all, in batch | a verdict, in batch |")
    print("|---|---|---|---|---|---|")
    for one in results:
        for row in prices(one, sellers):
            print(row)
    print("\n" + ", ".join(f"{one.context}: {one.seconds:.0f} s" for one in results))


if __name__ == "__main__":
    main()
