"""Ids that look alike, ids that nobody sees whole, and texts that are too long to be claims."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmark import Benchmark, InputError
from benchmark.readers.claims import load_benchmark
from benchmark.readers.fields import MAX_CLAIM, MAX_SOURCE, same_name
from benchmark.readers.submissions import load_submissions
from tests.planting import claim, claims, plant

SHARED = Path(__file__).resolve().parents[3] / "shared" / "sa-bench" / "saus"


def with_ids(tmp_path: Path, *ids: str) -> Benchmark:
    items = [{**claim(number), "id": id_} for number, id_ in enumerate(ids)]
    plant(tmp_path, {"papers/adam/sau.json": {"paper_id": "adam", "D1": items}})
    return load_benchmark(tmp_path / "papers")


HIDDEN = {
    "zero width space": "a\u200bdam",
    "bidi override": "a\u202edam",
    "isolate": "a\u2066dam",
    "soft hyphen": "a\u00addam",
    "byte order mark": "adam\ufeffx",
    "tag": "adam\U000e0041",
    "variation selector": "adam\ufe0f",
    "filler": "a\u3164dam",
    "private": "a\ue000dam",
}
TWINS = [
    ("lr-D1-001", "LR-D1-001"),
    ("caf\u00e9", "cafe\u0301"),
    ("\u212b", "\u00c5"),
    ("stra\u00dfe", "STRASSE"),
    ("\uff41dam", "adam"),
]


@pytest.mark.parametrize("name", HIDDEN.values(), ids=HIDDEN)
def test_a_claim_s_id_is_seen_whole(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"not all to be seen: it holds U\+"):
        with_ids(tmp_path, name)


@pytest.mark.parametrize(("one", "other"), TWINS)
def test_no_two_claims_of_a_paper_have_ids_that_look_alike(
    tmp_path: Path, one: str, other: str
) -> None:
    with pytest.raises(InputError, match="in upper and lower case or in its Unicode form alone"):
        with_ids(tmp_path, one, other)


@pytest.mark.parametrize(("one", "other"), TWINS)
def test_nor_do_two_claims_of_two_papers(tmp_path: Path, one: str, other: str) -> None:
    for paper, id_ in (("adam", one), ("lora", other)):
        item = {**claim(0), "id": id_}
        plant(tmp_path, {f"{paper}/sau.json": {"paper_id": paper, "D1": [item]}})
    with pytest.raises(InputError, match="is also that of a claim in"):
        load_benchmark(tmp_path)


def manifest(tmp_path: Path, *ids: str) -> None:
    plant(tmp_path, {"papers/adam/sau.json": claims("adam"), "repo/main.py": "x = 1\n"})
    rows = [{"submission": id_, "agent": "a", "paper": "adam", "path": "repo"} for id_ in ids]
    (tmp_path / "list.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8"
    )
    load_submissions(tmp_path / "list.jsonl", benchmark=load_benchmark(tmp_path / "papers"))


@pytest.mark.parametrize("name", HIDDEN.values(), ids=HIDDEN)
def test_a_submission_s_id_is_seen_whole(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"holds the invisible U\+"):
        manifest(tmp_path, name)


@pytest.mark.parametrize(("one", "other"), TWINS)
def test_no_two_submissions_have_ids_that_look_alike(tmp_path: Path, one: str, other: str) -> None:
    with pytest.raises(InputError, match="in upper and lower case or in its Unicode form alone"):
        manifest(tmp_path, one, other)


def test_ids_of_other_scripts_are_ids(tmp_path: Path) -> None:
    assert len(with_ids(tmp_path, "\u8bba\u6587-1", "caf\u00e9", "\u03b1-\u03b2", "x y").saus) == 4
    manifest(tmp_path / "m", "\u8bba\u6587-1", "caf\u00e9")
    assert same_name("a") != same_name("b")


@pytest.mark.parametrize(("key", "most"), [("claim", MAX_CLAIM), ("source", MAX_SOURCE)])
def test_what_is_as_long_as_a_paper_is_no_claim(tmp_path: Path, key: str, most: int) -> None:
    for length in (most, most + 1):
        item = {**claim(0), key: "x" * length}
        plant(tmp_path, {"adam/sau.json": {"paper_id": "adam", "D1": [item]}})
        if length == most:
            assert len(load_benchmark(tmp_path).saus) == 1
            continue
        with pytest.raises(InputError, match=rf"the {key} has {length:,} characters") as caught:
            load_benchmark(tmp_path)
        assert f"the most is {most:,}" in str(caught.value)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared claims are not here")
def test_real_claims_are_far_from_the_limits() -> None:
    saus = load_benchmark(SHARED).saus
    assert max(len(sau.claim) for sau in saus) < MAX_CLAIM / 3
    assert max(len(sau.source) for sau in saus) < MAX_SOURCE / 3
