"""Claims: every shape that SA-Bench's loader takes, and one benchmark out of all of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmark import Benchmark, Dimension, InputError
from benchmark.readers.claims import load_benchmark, select
from tests.planting import claim, claims, plant

SHARED = Path(__file__).resolve().parents[3] / "shared" / "sa-bench" / "saus"


def summary(benchmark: Benchmark) -> list[tuple[str, str, str]]:
    return [(sau.paper, sau.id, sau.dimension.value) for sau in benchmark.saus]


ADAM = [
    ("adam", "adam-D1-000", "D1"),
    ("adam", "adam-D1-001", "D1"),
    ("adam", "adam-D2-000", "D2"),
]


def as_list() -> list[dict[str, str]]:
    """The same claims as a list whose items carry their dimension and other names of keys."""
    items = [{**claim(n), "type": "d1"} for n in range(2)]
    items.append({**claim(0, dimension="D2"), "dimension": "D2"})
    return [{"claim_id": item.pop("id"), "text": item.pop("claim"), **item} for item in items]


@pytest.mark.parametrize(
    "shape",
    [
        claims(),
        {"title": "Adam", "authors": ["A", "B"], **claims()},
        {
            "paper_id": "adam",
            "requirements": {k: v for k, v in claims().items() if k != "paper_id"},
        },
        {"paper_id": "adam", "requirements": as_list()},
        {"requirements": as_list()},
        as_list(),
    ],
    ids=["sections", "metadata", "requirements", "list", "unnamed", "bare"],
)
@pytest.mark.parametrize("place", ["sau.json", "sau/sau.json", "sau/requirements.json"])
def test_every_shape_in_every_place_is_the_same_benchmark(
    tmp_path: Path, shape: Any, place: str
) -> None:
    plant(tmp_path, {f"papers/adam/{place}": shape, "papers/logs/x.txt": "", "papers/README": ""})
    for path in ("papers", "papers/adam", f"papers/adam/{place}"):
        benchmark = load_benchmark(tmp_path / path)
        assert summary(benchmark) == ADAM
        assert benchmark.saus[0].claim == "The claim of number 0."
        assert benchmark.saus[0].source == "Section 2"
        whole = load_benchmark(plant(tmp_path / "other", {"adam/sau.json": claims()}))
        assert benchmark.papers[0].version == whole.papers[0].version


def test_the_inner_folder_alone_is_a_paper(tmp_path: Path) -> None:
    plant(tmp_path, {"adam/sau/requirements.json": as_list(), "adam/paper.md": "# Adam"})
    benchmark = load_benchmark(tmp_path / "adam" / "sau")
    assert summary(benchmark) == ADAM
    assert benchmark.papers[0].text == tmp_path / "adam" / "paper.md"


def test_papers_are_sorted_and_their_text_is_found(tmp_path: Path) -> None:
    names = ["z", "a", "m"]
    plant(tmp_path, {f"{name}/sau.json": claims(name) for name in names})
    plant(tmp_path, {"m/paper.md": "text"})
    benchmark = load_benchmark(tmp_path, name="mine")
    assert [paper.id for paper in benchmark.papers] == ["a", "m", "z"]
    assert [paper.text for paper in benchmark.papers] == [None, tmp_path / "m" / "paper.md", None]
    assert benchmark.name == "mine"
    assert load_benchmark(tmp_path).name == tmp_path.name


def test_papers_and_dimensions_are_chosen(tmp_path: Path) -> None:
    plant(tmp_path, {"a/sau.json": claims("a"), "b/sau.json": claims("b", d2=0)})
    chosen = load_benchmark(tmp_path, papers=["b"], dimensions=[Dimension.D1])
    assert summary(chosen) == [("b", "b-D1-000", "D1"), ("b", "b-D1-001", "D1")]
    # A paper without a claim of the dimension stays: its submissions are no strangers.
    narrowed = select(load_benchmark(tmp_path), dimensions=[Dimension.D2])
    assert [(paper.id, len(paper.saus)) for paper in narrowed.papers] == [("a", 1), ("b", 0)]


def test_a_broken_paper_that_is_not_chosen_is_not_read(tmp_path: Path) -> None:
    plant(tmp_path, {"a/sau.json": claims("a"), "b/sau.json": "{"})
    assert len(load_benchmark(tmp_path, papers=["a"]).papers) == 1


def test_two_files_of_one_paper_may_agree(tmp_path: Path) -> None:
    plant(tmp_path, {"adam/sau.json": claims(), "adam/sau/sau.json": as_list()})
    assert summary(load_benchmark(tmp_path)) == ADAM


def test_number_ids_are_text(tmp_path: Path) -> None:
    plant(tmp_path, {"adam/sau.json": {"D1": [{"id": 7, "claim": "c"}]}})
    assert load_benchmark(tmp_path).saus[0].id == "7"


def test_a_folder_above_the_papers_is_pointed_out(tmp_path: Path) -> None:
    plant(tmp_path, {"data/papers/adam/sau.json": claims()})
    with pytest.raises(InputError) as caught:
        load_benchmark(tmp_path)
    assert "data/papers" in Path(caught.value.remedy).as_posix()


@pytest.mark.skipif(not SHARED.is_dir(), reason="SA-Bench's claims are not at ../shared")
def test_sa_bench_is_read_whole() -> None:
    benchmark = load_benchmark(SHARED)
    assert (len(benchmark.papers), len(benchmark.saus)) == (30, 1516)
