"""What the judge says with papers held out: as its verdicts would be, and blind to the paper."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.ordinal import Ordinal
from judge.embedded.distilling import figures
from judge.embedded.distilling.labelled import Row
from judge.embedded.distilling.learning import SCALE_INPUTS, Scale, predict
from judge.embedded.distilling.predicting import predicted, write_predictions
from judge.embedded.distilling.seeing import see
from prompts.schema import LEVEL_WORDS
from tests.benchmarks.cascade_share import given
from tests.judge.embedded_cases import TRAIN, answer_text, index_of, sau
from tests.planting import plant

SHIPPED = json.loads(Path(figures.__file__).parents[1].joinpath("weights.json").read_text("utf-8"))
CLAIMS = [
    sau("Adam with a learning rate of 1e-4 and weight decay 0.05."),
    sau("Adam with a learning rate of 3e-2."),
    sau("The contrastive loss is a cross entropy over similarity logits.", "D2"),
    sau("Results are averaged over five seeds on ImageNet.", "D3"),
    sau("The encoder is trained, then the teacher is distilled into it.", "D4"),
]
FILES = {"train.py": TRAIN, "teacher.py": "def distil_teacher(encoder):\n    pass\n"}


def _rows(tmp_path: Path, papers: Sequence[str], level: int = 2) -> list[Row]:
    found = []
    for paper in papers:
        root = plant(tmp_path / "runs" / paper, FILES)
        record: dict[str, Any] = {"paper_id": paper}
        for number, claim in enumerate(CLAIMS):
            record.setdefault(claim.dimension.value, []).append(
                {"id": f"{paper}-{number}", "claim": claim.claim, "source": ""}
            )
        path = tmp_path / "saus" / f"{paper}.json"
        plant(path.parent, {path.name: json.dumps(record)})
        ids = [item["id"] for each in list(record.values())[1:] for item in each]
        found += [Row("reading", "one", paper, each, level, root, path) for each in ids]
    return found


def _shipped_scale() -> Scale:
    slopes = [SHIPPED["slopes"][name] for name in SCALE_INPUTS]
    return Scale(
        np.array([each["neutral"] for each in slopes]),
        np.array([each["spread"] for each in slopes]),
        Ordinal(tuple(SHIPPED["thresholds"]), tuple(each["slope"] for each in slopes)),
        tuple(SHIPPED["cuts"]),
        tuple(SHIPPED["held"]),
    )


def test_predictions_by_the_shipped_weights_are_the_verdicts(tmp_path: Path) -> None:
    rows, seen = see(_rows(tmp_path, "x"), None, 1)
    count = len(rows)
    found = figures.HeldOut(
        rows,
        seen,
        predict(SHIPPED, seen.features),
        *(np.zeros(count), np.zeros(count, np.int64), np.zeros(count), np.zeros(count)),
    )
    figures.read_by(found, np.ones(count, np.bool_), _shipped_scale())
    told = list(predicted(found))
    index = index_of(tmp_path / "again", FILES)
    answers = [json.loads(answer_text(index, claim)) for claim in CLAIMS]
    assert [one["level"] for one in told] == [int(LEVEL_WORDS[one["level"]]) for one in answers]
    for key in ("drift", "failure"):
        assert [one[key] for one in told] == [one[key] for one in answers]
    for one, answer in zip(told, answers, strict=True):
        assert one["confidence"] == pytest.approx(answer["confidence"], abs=0.002)
    assert len({one["failure"] for one in told}) > 1


def test_neither_trees_nor_scale_see_the_paper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, seen = see(_rows(tmp_path, "xyz"), None, 1)
    chosen: list[set[str]] = []

    def fit_trees(rows: Sequence[Row], _: object, mask: Sequence[bool]) -> dict[str, Any]:
        chosen.append({row.paper for row, on in zip(rows, mask, strict=True) if on})
        return dict(SHIPPED)

    monkeypatch.setattr(figures, "fit_trees", fit_trees)

    def told(rows: list[Row]) -> dict[str, list[float]]:
        records = list(predicted(figures.hold_out(rows, seen, lambda _: None)))
        return {
            paper: [one["expected"] for one in records if one["paper"] == paper] for paper in "xyz"
        }

    before = told(rows)
    after = told([replace(row, level=4) if row.paper == "x" else row for row in rows])
    assert before["x"] == after["x"]
    assert before["y"] != after["y"]
    assert [{*"xyz"} - papers for papers in chosen[:3]] == [{"x"}, {"y"}, {"z"}]


def test_a_claim_is_told_once_and_the_cascade_reads_it(tmp_path: Path) -> None:
    rows = _rows(tmp_path, "x")
    mutant = replace(rows[0], source="mutant", root=plant(tmp_path / "mutant", FILES))
    again = replace(rows[0], source="gpt-5.5", level=4)
    rows, seen = see([*rows, again, mutant], None, 1)
    count = len(rows)
    levels = np.minimum(np.arange(count), 4)
    found = figures.HeldOut(
        rows, seen, np.zeros(count), levels / 1.0, levels, np.full(count, 0.5), np.full(count, 0.4)
    )
    path = tmp_path / "said.jsonl"
    assert write_predictions(path, found) == len(CLAIMS)
    read = given(path)
    assert [one.sau for one in read] == [row.sau for row in rows[: len(CLAIMS)]]
    assert [one.level for one in read] == [0, 1, 2, 3, 4]
    assert {one.submission for one in read} == {"one/x"}
    assert [one.dimension for one in read] == [claim.dimension for claim in CLAIMS]
    assert all(one.confidence == 0.4 for one in read)
