"""The script that prices a whole tree counts what a plan counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from judge.quoting import Seller
from tests.benchmarks.plan_prices import prices, taken
from tests.planting import small_project


@pytest.mark.parametrize("context", ["whole", "retrieve"])
def test_tokens_and_prices_of_a_tree(tmp_path: Path, context: str) -> None:
    small_project(tmp_path)
    settings: dict[str, Any] = {
        "benchmark": {"path": str(tmp_path / "papers")},
        "submissions": {"path": str(tmp_path / "grade")},
        "output": {"path": str(tmp_path / "out")},
        "judge": {"kind": "openai", "model": "some-model"},
    }
    one = taken(tmp_path / "priced.yaml", settings, context)
    assert one.found.calls > 0
    assert one.found.whole == (one.found.submissions if context == "whole" else 0)
    cold = one.found.input_tokens / one.found.calls
    # The rules are shared at least: all but the first question read them at a tenth.
    assert one.found.shared_tokens > 0
    assert 0.1 * cold < one.warm < cold
    assert f"| {one.warm:,.0f} | {cold:,.0f} |" in one.tokens()
    rows = list(prices(one, [Seller("openai", "o1"), Seller("openai", "of nobody")]))
    assert "$" in rows[0]
    assert "unknown" in rows[1]
    assert not (tmp_path / "out").exists()
