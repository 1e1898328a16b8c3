"""Labels for the fit: which are read, and which never are."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmark import InputError
from judge.embedded.distilling.command import WITHHELD
from judge.embedded.distilling.figures import fitted
from judge.embedded.distilling.labelled import (
    FITTED_SUITE,
    SHORT,
    Row,
    claims_of,
    read_rows,
    suite_rows,
)
from judge.embedded.distilling.learning import JUDGES, targets
from judge.embedded.distilling.seeing import see
from judge.embedded.features import MEASURES
from tests.judge.embedded_cases import TRAIN
from tests.planting import plant

CLAIM = {"id": "x-D1-001", "claim": "Adam with a learning rate of 1e-4.", "source": ""}
VERDICT = {
    "config": "one",
    "paper": "x",
    "sau": "x-D1-001",
    "dimension": "D1",
    "score": 0.75,
    "judge": "gpt-5.5",
    "evidence": [["train.py", "1-8", "code", "direct"]],
}
READING = {"agent": "one", "paper": "x", "sau": "x-D1-001", "annotator": "a", "level": 2}


def _read(tmp_path: Path, *items: dict[str, Any], packed: bool = False) -> list[Row]:
    plant(tmp_path / "runs" / "one" / "x" / "repo", {"train.py": TRAIN})
    claims = {"paper_id": "x", "D1": [CLAIM]}
    plant(tmp_path / "saus", {"x/sau.json": json.dumps(claims)})
    text = "".join(json.dumps(item) + "\n" for item in items).encode()
    path = tmp_path / ("labels.jsonl.gz" if packed else "labels.jsonl")
    path.write_bytes(gzip.compress(text) if packed else text)
    return list(read_rows(path, tmp_path / "runs", tmp_path / "saus", WITHHELD))


@pytest.mark.parametrize("packed", [False, True])
def test_verdicts_and_readings_are_told_apart(tmp_path: Path, packed: bool) -> None:
    rows = _read(tmp_path, VERDICT, READING, packed=packed)
    assert [(row.source, row.level) for row in rows] == [("gpt-5.5", 3), ("reading", 2)]


@pytest.mark.parametrize("packed", [False, True])
def test_a_label_of_a_short_claim_brings_its_claim(tmp_path: Path, packed: bool) -> None:
    text = "Weights are moved by Adam."
    short = {**READING, "sau": "x-one-D2-001", "kind": SHORT, "dimension": "D2", "claim": text}
    rows = _read(tmp_path, READING, short, packed=packed)
    assert [row.source for row in rows] == ["reading", "short"]
    [claim] = [sau for sau in claims_of(rows[1].claims) if sau.id == rows[1].sau]
    assert (claim.claim, claim.dimension.value) == (text, "D2")
    kept, seen = see(rows, None, 1)
    assert kept == rows
    assert seen.features[0].tolist() != seen.features[1].tolist()


@pytest.mark.parametrize(
    "change",
    [
        {"evidence": []},  # given by a keyword rule
        {"evidence": [["configs/gone.yaml", "1-8", "code", "direct"]]},  # of another repository
        *({"paper": paper} for paper in WITHHELD),
    ],
)
def test_what_must_not_be_learnt_from_is_not_read(tmp_path: Path, change: dict[str, Any]) -> None:
    assert not _read(tmp_path, {**VERDICT, **change})


def test_a_line_that_is_no_label_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="neither a reading nor a verdict"):
        _read(tmp_path, {"paper": "x"})


def test_half_of_the_suite_is_never_fitted() -> None:
    rows = list(suite_rows())
    assert {row.paper for row in rows} > FITTED_SUITE
    chosen = {row.paper for row, may in zip(rows, fitted(rows), strict=True) if may}
    assert chosen == FITTED_SUITE


def test_measures_are_kept_and_read_back(tmp_path: Path) -> None:
    rows = _read(tmp_path, VERDICT, READING)
    cache = tmp_path / "cache" / "measures.npz"
    kept, first = see(rows, cache, 1)
    again, second = see(rows, cache, 1)
    assert kept == again == rows
    assert first.features.shape == (2, len(MEASURES))
    assert len(first.seconds) == 1
    assert not second.seconds
    np.testing.assert_array_equal(first.features, second.features)


def test_a_reference_judge_is_put_on_the_scale_of_the_readings(tmp_path: Path) -> None:
    def row(source: str, sau: str, level: int) -> Row:
        return Row(source, "one", "x", sau, level, tmp_path, tmp_path)

    rows = [row("gpt-5.5", str(n), n % 2) for n in range(40)]
    rows += [row("reading", str(n), n % 5) for n in range(40)]
    found = targets(rows)
    low, spread = JUDGES["gpt-5.5"]
    assert found[:40].mean() == pytest.approx(0.5 + low)
    assert found[:40].std() == pytest.approx(spread)
    assert found[1] > found[0]
    assert found[40:].tolist() == [n % 5 for n in range(40)]
