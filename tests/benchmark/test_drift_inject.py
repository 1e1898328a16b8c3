"""From a repository on disk to a test set that the grader reads, reproducibly and safely."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("libcst", reason="drift needs the extra of that name")

from benchmark.drift.anchors import load_anchors
from benchmark.drift.inject import Target, build, chosen_operators
from benchmark.drift.source import read_repo
from benchmark.drift.testset import write_testset
from benchmark.errors import InputError
from benchmark.nouns import Dimension, Drift, Failure, Level, Sau
from benchmark.readers import load_benchmark, load_labels, load_submissions

SUITE = Path(__file__).resolve().parents[2] / "benchmark" / "suite"

CODE = """\
import torch


def train(model, loader, optimizer, lr=0.01, epochs=20):
    optimizer.lr = lr
    for epoch in range(epochs):
        for x, y in loader:
            loss = torch.nn.functional.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return model


train(net, data, torch.optim.Adam(net.parameters()))
"""


def small(folder: Path) -> Path:
    root = folder / "mine"
    (root / "src").mkdir(parents=True)
    (root / "main.py").write_text(CODE, encoding="utf-8")
    (root / "src" / "conf.yaml").write_text("momentum: 0.9\n", encoding="utf-8")
    return root


def files(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()
    }


def test_a_set_is_read_by_the_readers_of_the_grader(tmp_path: Path) -> None:
    made = build([Target(small(tmp_path), "mine")], per_operator=2, variants=5, attacks=5)
    write_testset(made, tmp_path / "set")
    benchmark = load_benchmark(tmp_path / "set" / "papers")
    submissions = load_submissions(tmp_path / "set" / "manifest.jsonl", benchmark=benchmark)
    labels = load_labels(tmp_path / "set" / "labels.jsonl")
    assert {s.id for s in submissions} == {label.submission for label in labels}
    assert {label.sau for label in labels} == {sau.id for sau in benchmark.saus}
    assert {s.meta["kind"] for s in submissions} == {"base", "drift", "variant", "attack"}
    roots = {s.id: s.root for s in submissions}
    for label in labels:
        for path, first, last in label.lines:
            lines = (roots[label.submission] / path).read_text(encoding="utf-8").splitlines()
            assert 1 <= first <= last <= len(lines)


def test_a_mutant_differs_from_its_base_in_the_changed_files_alone(tmp_path: Path) -> None:
    made = build([Target(small(tmp_path), "mine")], per_operator=1)
    write_testset(made, tmp_path / "set")
    base = files(tmp_path / "set" / "repos" / "mine" / "base")
    assert base == files(tmp_path / "mine")
    rows = [row for row in made.rows if row.kind == "drift"]
    for number, row in enumerate(rows, 1):
        mutant = files(tmp_path / "set" / "repos" / "mine" / f"m{number:05}")
        assert {p for p in base if mutant[p] != base[p]} == set(row.texts)


def test_the_same_seed_gives_the_same_set_and_another_seed_another(tmp_path: Path) -> None:
    targets = [Target(small(tmp_path), "mine")]
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        write_testset(
            build(targets, seed=seed, per_operator=1, variants=4, attacks=4), tmp_path / name
        )
    assert files(tmp_path / "a") == files(tmp_path / "b")
    assert files(tmp_path / "a") != files(tmp_path / "c")


def test_the_suite_is_anchored_by_its_labels(tmp_path: Path) -> None:
    saus = load_benchmark(SUITE / "papers" / "ppo").saus
    anchors = load_anchors(SUITE / "labels" / "ppo.jsonl", saus, submission="faithful/ppo")
    made = build([Target(SUITE / "submissions/faithful/ppo/repo", "ppo", anchors)])
    rows = [row for row in made.rows if row.kind == "drift"]
    known = {anchor.sau.id: anchor for anchor in anchors}
    assert {row.mutant.sau.id for row in rows} <= set(known)
    assert len(rows) > 50
    clip = [r for r in rows if r.mutant.sau.id == "ppo-D1-003" and r.operator == "value_digit"]
    assert clip
    for row in clip:
        assert row.mutant.drift is Drift.NUMERICAL
        assert row.mutant.level in {Level.PARTIAL, Level.MINOR}
    # Another value on an anchored line is no part of a claim that does not state it.
    for row in rows:
        if row.operator == "value_digit":
            old = row.mutant.change.split(": ")[1].split(" becomes")[0]
            assert row.mutant.sau.claim, old


def test_a_stub_of_a_part_is_incomplete_and_not_nothing(tmp_path: Path) -> None:
    root = small(tmp_path)
    sau = Sau("x", "p", Dimension.D4, "Gradients are erased, computed and applied.", "")
    rows = [{"submission": "s", "sau": "x", "level": 4, "lines": [["main.py", 9, 11]]}]
    path = tmp_path / "labels.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    anchors = load_anchors(path, [sau])
    made = build([Target(root, "mine", anchors)], operators=chosen_operators(["step_missing"]))
    (row, *_) = [row for row in made.rows if row.kind == "drift"]
    assert (row.mutant.level, row.mutant.failure) == (Level.PARTIAL, Failure.INCOMPLETE)
    assert row.mutant.drift is Drift.ORDERING


def test_verdicts_of_a_run_anchor_claims_by_their_citations(tmp_path: Path) -> None:
    sau = Sau("x", "p", Dimension.D1, "The learning rate is 0.01.", "")
    verdict = {
        "submission": "s",
        "sau": "x",
        "level": 4,
        "citations": [
            {"path": "main.py", "first": 4, "last": 4, "state": "verified"},
            {"path": "main.py", "first": 9, "last": 9, "state": "not_found"},
        ],
    }
    path = tmp_path / "verdicts.jsonl"
    path.write_text(json.dumps(verdict) + "\n", encoding="utf-8")
    (anchor,) = load_anchors(path, [sau])
    assert anchor.lines == (("main.py", 4, 4),)
    made = build([Target(small(tmp_path), "mine", [anchor])])
    changes = {
        row.mutant.change.split(":")[0] for row in made.rows if row.operator == "value_digit"
    }
    assert changes == {"lr"}


def test_anchors_of_two_submissions_ask_whose_they_are(tmp_path: Path) -> None:
    sau = Sau("x", "p", Dimension.D1, "The rate is 0.01.", "")
    rows = [
        {"submission": s, "sau": "x", "level": 4, "lines": [["main.py", 4, 4]]} for s in ("a", "b")
    ]
    path = tmp_path / "l.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with pytest.raises(InputError, match="--submission"):
        load_anchors(path, [sau])
    with pytest.raises(InputError, match="no claim is anchored"):
        load_anchors(path, [sau], submission="c")


def test_a_set_never_overwrites_anything(tmp_path: Path) -> None:
    made = build([Target(small(tmp_path), "mine")], limit=1)
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "precious.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="not empty"):
        write_testset(made, tmp_path / "set")
    assert files(tmp_path / "set") == {"precious.txt": b"mine"}


def test_what_cannot_be_mutated_is_said(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no operator finds a place"):
        build([Target(tmp_path / "empty", "empty")])
    with pytest.raises(InputError, match="no folder"):
        build([Target(tmp_path / "gone", "gone")])
    with pytest.raises(InputError, match="Did you mean loss_term_dropped"):
        chosen_operators(["los_term_dropped"])


def test_hostile_files_cost_themselves_alone(tmp_path: Path) -> None:
    root = small(tmp_path)
    outside = tmp_path / "outside.py"
    outside.write_text("run(lr=0.1)\n", encoding="utf-8")
    (root / "link.py").symlink_to(outside)
    (root / "up").symlink_to(tmp_path, target_is_directory=True)
    (root / "deep.py").write_text("x = " + "(" * 3000 + ")" * 3000 + "\n", encoding="utf-8")
    (root / "chain.py").write_text("x = " + "-" * 20000 + "1\n", encoding="utf-8")
    (root / "latin.py").write_bytes(b"x = '\xe9'\n")
    (root / "cut.py").write_text("def f(:\n", encoding="utf-8")
    (root / "bad.yaml").write_text("a: [1\n", encoding="utf-8")
    (root / "large.py").write_bytes(b"x = 1\n" * 200_000)
    repo = read_repo(root, name="mine")
    assert set(repo.python) == {"main.py"}
    assert {"link.py", "large.py"} <= set(repo.left)
    assert not any(path.startswith("up") for path in repo.raw)
    write_testset(build([Target(root, "mine")], limit=3), tmp_path / "set")
    copied = tmp_path / "set" / "repos" / "mine" / "base"
    assert (copied / "latin.py").read_bytes() == b"x = '\xe9'\n"
    assert not (copied / "link.py").exists()


def test_ids_that_no_folder_can_bear_stay_apart(tmp_path: Path) -> None:
    saus = [
        Sau(name, "p", Dimension.D1, f"The learning rate is 0.01, {name}.", "")
        for name in ("a:b", "a/b", "a b")
    ]
    path = tmp_path / "labels.jsonl"
    path.write_text(
        "".join(
            json.dumps({"submission": "s", "sau": s.id, "level": 4, "lines": [["main.py", 4, 4]]})
            + "\n"
            for s in saus
        ),
        encoding="utf-8",
    )
    made = build([Target(small(tmp_path), "mine", load_anchors(path, saus))])
    write_testset(made, tmp_path / "set")
    benchmark = load_benchmark(tmp_path / "set" / "papers")
    assert {sau.id for sau in benchmark.saus} == {sau.id for sau in saus}
    assert load_submissions(tmp_path / "set" / "manifest.jsonl", benchmark=benchmark)


def test_results_of_a_scorer_are_never_copied(tmp_path: Path) -> None:
    root = small(tmp_path)
    (root / "result").mkdir()
    (root / "result" / "x-sau-score.json").write_text("{}", encoding="utf-8")
    repo = read_repo(root, name="mine")
    assert not any(path.startswith("result/") for path in repo.raw)
    assert "result" in repo.left
    (root / "result" / "own.py").write_text("x = 1\n", encoding="utf-8")
    assert [p for p in read_repo(root, name="mine").raw if p[0] == "r"] == ["result/own.py"]
