"""The fitted model: trees worked out at once are the trees, and it keeps to what it knows."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark import Dimension, Sau
from retrieval.correction import (
    CANDIDATES,
    FEATURES,
    Candidates,
    correction,
    parse,
    trust,
)
from retrieval.index import Index
from retrieval.query import query_of
from retrieval.ranking import RankingWeights, best_candidates, rank
from retrieval.reading import read_repository
from retrieval.together import together
from retrieval.traits import TRAITS
from retrieval.values import Chunk

SUITE = Path(__file__).resolve().parents[2] / "benchmark" / "suite"
PLAIN = RankingWeights(fitted=0.0)
CLAIM = (
    "Training draws a step t uniformly from 1 to T = 1000, adds Gaussian noise with the cumulative "
    "product of 1 - beta, and minimises the squared error between the noise and the model's "
    "prediction; Adam with learning rate 2e-4, batch size 128 and an exponential moving average "
    "of the weights with decay 0.9999"
)


def sau(text: str) -> Sau:
    return Sau("one", "ddpm", Dimension.D2, text)


@pytest.fixture(scope="module")
def index() -> Index:
    return Index.build(read_repository(SUITE / "submissions/faithful/ddpm/repo"))


@st.composite
def models(draw: st.DrawFn) -> dict[str, Any]:
    depth = draw(st.integers(1, 4))
    names = draw(st.lists(st.sampled_from(FEATURES), min_size=1, max_size=5, unique=True))
    split = st.tuples(st.integers(0, len(names) - 1), st.integers(-3, 3)).map(list)
    values = st.lists(st.integers(-900, 900), min_size=1 << depth, max_size=1 << depth)
    tree = st.fixed_dictionaries(
        {"splits": st.lists(split, min_size=depth, max_size=depth), "values": values}
    )
    return {
        "features": names,
        "unit": 0.001,
        "trees": draw(st.lists(tree, min_size=1, max_size=6)),
    }


@settings(deadline=None)
@given(record=models(), seed=st.integers(0, 1 << 16))
def test_sums_are_those_of_trees_walked_one_by_one(record: dict[str, Any], seed: int) -> None:
    features = np.random.default_rng(seed).integers(-4, 5, (len(FEATURES), 7)).astype(np.int16)
    wanted = []
    for column in features.T:
        total = 0
        for tree in record["trees"]:
            leaf = 0
            for asked, above in tree["splits"]:
                leaf = 2 * leaf + int(column[FEATURES.index(record["features"][asked])] > above)
            total += tree["values"][leaf]
        wanted.append(total)
    assert parse(record).sums(features).tolist() == wanted


def test_what_is_no_candidate_gets_the_least_factor_and_no_trust_changes_nothing() -> None:
    record = {
        "features": ["rank"],
        "unit": 0.001,
        "trees": [{"splits": [[0, 0]], "values": [700, -300]}],
    }
    features = np.zeros((len(FEATURES), 4), np.int16)
    features[FEATURES.index("rank")] = [0, 1, 0, 1]
    found = Candidates(np.array([[4, 1], [0, 2]]), features)
    factors = parse(record).factors(found, np.array([1.0, 0.0]), 5)
    best, least = np.exp(0.5), np.exp(-0.5)
    assert factors[0] == pytest.approx([least, least, least, least, best])
    assert factors[1].tolist() == [1.0] * 5


def test_traits_are_what_the_lines_say(index: Index) -> None:
    row = {name: index.traits[number].tolist() for number, name in enumerate(TRAITS)}
    for number, chunk in enumerate(index.chunks):
        lines = range(chunk.first, chunk.last + 1)
        kinds = [index.line_kind(chunk.path, line) for line in lines]
        assert row["lines"][number] == len(kinds)
        assert row["code_lines"][number] == kinds.count("code")
        assert row["comment"][number] == 1000 * kinds.count("comment") // len(kinds)
        assert row["string"][number] == 1000 * kinds.count("string") // len(kinds)
        assert row["facts"][number] == index.fact_chunks.count(number)
        own = [other for other in index.chunks if other.path == chunk.path]
        assert row["file_size"][number] == len(own)
        assert row["in_file"][number] == 1000 * own.index(chunk) // len(own)
    starts = [chunk for chunk, begins in zip(index.chunks, row["begins"], strict=True) if begins]
    symbols = [(chunk.path, chunk.symbol) for chunk in index.chunks if chunk.symbol]
    assert {(chunk.path, chunk.symbol) for chunk in starts} == set(symbols)


def test_candidates_are_the_best_of_code_with_their_neighbours(index: Index) -> None:
    query = query_of(sau(CLAIM))
    score = rank(index, query, PLAIN).score
    found = best_candidates(index, query, PLAIN)
    wanted = sorted(
        range(len(score)), key=lambda n: (int(index.role_order[n]) * 100 - score[n], n)
    )[:CANDIDATES]
    assert found.chunk[0].tolist() == wanted
    told = {name: found.features[place].tolist() for place, name in enumerate(FEATURES)}
    paths = [chunk.path for chunk in index.chunks]
    thousandths = np.rint(score * 1000).tolist()
    for place, number in enumerate(wanted):
        assert told["rank"][place] == place
        assert told["score"][place] == thousandths[number]
        same = [n for n, path in enumerate(paths) if path == paths[number]]
        assert told["before"][place] == (thousandths[number - 1] if number - 1 in same else 0)
        assert told["behind"][place] == (thousandths[number + 1] if number + 1 in same else 0)
        for name, step in (("before_two", -2), ("behind_two", 2)):
            assert told[name][place] == (thousandths[number + step] if number + step in same else 0)
        assert told["best_of_file"][place] == max(thousandths[n] for n in same)
        mass = sum(score[n] ** 2 for n in same) / sum(score**2)
        assert told["file_share"][place] == pytest.approx(1000 * mass, abs=1)
        away = [abs(number - n) if n in same else 99 for n in wanted[:3]]
        assert told["from_first"][place] == min(99, away[0])
        others = [steps for n, steps in zip(wanted[:3], away, strict=True) if n != number]
        assert told["from_third"][place] == min(99, *others)
        group = [index.group_of_chunk[n] == index.group_of_chunk[number] for n in wanted[:place]]
        assert told["in_group_before"][place] == sum(group)
        symbols = [(index.chunks[n].path, index.chunks[n].symbol) for n in wanted[:10]]
        own = (index.chunks[number].path, index.chunks[number].symbol)
        assert own[1] == "" or told["in_piece"][place] == symbols.count(own)


def test_candidates_are_told_of_callers_callees_and_words_in_code(tmp_path: Path) -> None:
    filling = "".join(f"    value += {number} * value\n" for number in range(30))
    (tmp_path / "train.py").write_text(
        "from noise import add_noise\n\n\n"
        f"def training(value):\n{filling}    return add_noise(value)\n",
        encoding="utf-8",
    )
    (tmp_path / "noise.py").write_text(
        f"def add_noise(value):\n    # gaussian schedule\n{filling}    return value\n\n\n"
        f"def alone(gaussian):\n{filling}    return gaussian\n",
        encoding="utf-8",
    )
    index = Index.build(read_repository(tmp_path))
    query = query_of(sau("Training adds noise of a gaussian schedule to the value"))
    found = best_candidates(index, query, PLAIN)
    score = np.rint(rank(index, query, PLAIN).score * 1000)
    chunks = [index.chunks[number] for number in found.chunk[0]]
    row = {name: found.features[place].tolist() for place, name in enumerate(FEATURES)}
    best = {
        name: max(score[n] for n, chunk in enumerate(index.chunks) if chunk.symbol == name)
        for name in ("training", "add_noise", "alone")
    }
    calling = [p for p, chunk in enumerate(chunks) if "add_noise(" in chunk_text(index, chunk)]
    calling = [place for place in calling if chunks[place].symbol == "training"]
    assert len(calling) == 1
    for place, chunk in enumerate(chunks):
        assert row["callee"][place] == (best["add_noise"] if place == calling[0] else 0)
        called = chunk.symbol == "add_noise"
        assert row["caller"][place] == (row["score"][calling[0]] if called else 0)
        assert row["code_words"][place] <= row["whole"][place]
    assert max(row["code_of_best"]) == 1000
    commented = [chunk.first == 1 and chunk.symbol == "add_noise" for chunk in chunks].index(True)
    assert row["code_words"][commented] < row["whole"][commented]


def chunk_text(index: Index, chunk: Chunk) -> str:
    return "\n".join(index.lines(chunk.path)[chunk.first - 1 : chunk.last])


def test_a_claim_is_corrected_and_a_few_words_are_not(index: Index) -> None:
    long, short = query_of(sau(CLAIM)), query_of(sau("learning rate 2e-4"))
    assert trust(index, together((long, short))).tolist() == [1.0, 0.0]
    for query, same in ((long, False), (short, True)):
        plain, fitted = rank(index, query, PLAIN).score, rank(index, query, RankingWeights()).score
        assert np.array_equal(plain, fitted) is same
        assert np.array_equal(plain > 0, fitted > 0)


def test_nothing_is_made_of_it_in_repositories_of_another_size(tmp_path: Path) -> None:
    for number in range(40):
        body = "".join(f"def noise_{number}_{n}(x):\n    return x + {n}\n\n\n" for n in range(40))
        (tmp_path / f"noise_{number}.py").write_text(body, encoding="utf-8")
    index = Index.build(read_repository(tmp_path))
    query = query_of(sau(CLAIM))
    assert len(index.chunks) > 1200
    assert trust(index, together((query,))).tolist() == [0.0]
    plain, fitted = rank(index, query, PLAIN).score, rank(index, query, RankingWeights()).score
    assert np.array_equal(plain, fitted)


def test_an_empty_repository_is_ranked(tmp_path: Path) -> None:
    index = Index.build(read_repository(tmp_path))
    assert rank(index, query_of(sau(CLAIM)), RankingWeights()).score.tolist() == []


def test_the_shipped_model_is_small_and_asks_for_what_there_is() -> None:
    text = files("retrieval").joinpath("ranking.json").read_text(encoding="utf-8")
    assert len(text) < 60_000
    assert set(json.loads(text)["features"]) <= set(FEATURES)
    model = correction()
    assert model.value.any()
    assert len({tuple(row) for row in model.feature.tolist()}) > 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"features": ["no_such_thing"]}, "no_such_thing"),
        ({"trees": [{"splits": [[0, 1]], "values": [1, 2, 3]}]}, "leaves"),
    ],
)
def test_a_model_that_does_not_fit_is_told(change: dict[str, Any], said: str) -> None:
    record = {
        "features": ["rank"],
        "unit": 0.001,
        "trees": [{"splits": [[0, 1]], "values": [1, 2]}],
    }
    with pytest.raises(ValueError, match=said):
        parse(record | change)
