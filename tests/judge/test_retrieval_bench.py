from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from benchmark import InputError
from judge.retrieval_bench import RETRIEVERS, measure, read_queries
from judge.retrieval_bench.measure import Result, mean_over_sets, score_query
from judge.retrieval_bench.queries import read_ranked
from judge.retrieval_bench.retrievers import Counted, Shown
from retrieval.index import Index
from retrieval.reading import read_repository
from tests.benchmarks.retrieval_queries import make
from tests.planting import plant

TRAIN = "import torch\n\n\ndef make_optimizer(net):\n    return torch.optim.AdamW(net, lr=1e-4)\n"
FILLER = "".join(f"def f{n}(x):\n    y = x + {n}\n    return y\n\n\n" for n in range(300))
QUERY = {
    "id": "q1",
    "set": "values",
    "repo": "one",
    "query": "AdamW with learning rate 10⁻⁴",
    "dimension": "D1",
    "gold": [["train.py", 4, 5]],
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    plant(tmp_path, {"repos/one/train.py": TRAIN, "repos/one/filler.py": FILLER})
    (tmp_path / "q.jsonl").write_text(json.dumps(QUERY) + "\n\n", encoding="utf-8")
    return tmp_path


def load(data: Path) -> Index:
    return Index.build(read_repository(data / "repos/one"))


def test_recall_counts_gold_lines_that_are_not_blank(data: Path) -> None:
    index = load(data)
    (query,) = read_queries(data / "q.jsonl")
    found = Shown([("filler.py", 1, 9), ("train.py", 1, 4)], 50, Counted.QUESTION)
    result = score_query(index, query, found, "x", 100)
    assert (result.recall, result.hit, result.reciprocal_rank) == (0.5, True, 0.5)
    assert score_query(index, query, Shown([], 9, Counted.PASSAGES), "x", 100).recall == 0.0
    assert (result.tokens, result.counted) == (50, Counted.QUESTION)


def test_each_retriever_keeps_its_budget(data: Path) -> None:
    queries = read_queries(data / "q.jsonl")
    results = measure(queries, lambda _: load(data), RETRIEVERS, [350, 600])
    assert {r.retriever for r in results} == set(RETRIEVERS)
    for result in results:
        # The reference always shows two windows.
        assert result.tokens <= result.budget or result.retriever == "reference"
    own = [r.recall for r in results if r.retriever == "sau-judge"]
    assert own == [1.0] * 4


def test_passages_alone_leave_more_room_than_a_question(data: Path) -> None:
    (read,) = read_queries(data / "q.jsonl")
    query = replace(read, query="y is returned as x plus a number")
    for retriever in ("sau-judge", "bm25-chunks"):
        index = load(data)
        own = RETRIEVERS[retriever](index)
        lines = {}
        for counted in Counted:
            found = own.search(query, 800, counted)
            assert found.tokens <= 800
            lines[counted] = sum(last - first + 1 for _, first, last in found.spans)
        assert lines[Counted.PASSAGES] > 1.2 * lines[Counted.QUESTION] > 0


def result(repo: str, recall: float) -> Result:
    return Result("q", "s", repo, "x", Counted.PASSAGES, 1, recall, recall, True, 1.0, 1)


def test_intervals_are_over_repositories() -> None:
    agreed = mean_over_sets([[result(f"r{n}", 0.5) for n in range(20)]], "recall")
    assert (agreed.mean, agreed.low, agreed.high) == (0.5, 0.5, 0.5)
    # A thousand queries of two repositories are two repositories.
    spread = [result(repo, float(repo == "a")) for repo in "ab" for _ in range(500)]
    few = mean_over_sets([spread], "recall")
    assert (few.low, few.high, few.repositories) == (0.0, 1.0, 2)
    sets = mean_over_sets([[result("a", 1.0)], [result("b", 0.0)] * 9], "recall")
    assert sets.mean == 0.5


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"query": " "}, "'query' is missing"),
        ({"gold": []}, "'gold' is not a list"),
        ({"gold": [["a.py", 3, 2]]}, "'gold' is not a list"),
        ({"dimension": "D9"}, "unknown dimension 'D9'"),
        ({"golden": 1}, "unknown key 'golden'"),
    ],
)
def test_a_wrong_query_is_named(data: Path, change: dict[str, object], message: str) -> None:
    path = data / "bad.jsonl"
    path.write_text(json.dumps(QUERY) + "\n" + json.dumps(QUERY | change) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=message) as caught:
        read_queries(path)
    assert caught.value.where.line == 2


def run_command(data: Path, repos: str) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable, "-m", "benchmark", "retrieval", "--queries", str(data / "q.jsonl"),
        "--repos", str(data / repos), "--budgets", "400", "--json",
    ]  # fmt: skip
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def test_the_command_prints_json(data: Path) -> None:
    done = run_command(data, "repos")
    assert done.returncode == 0, done.stderr
    rows = {row["retriever"]: row for row in json.loads(done.stdout)["rows"]}
    own = rows["sau-judge"]
    assert own["recall"]["mean"] == own["question"]["recall"]["mean"] == 1.0
    assert own["tokens"]["mean"] <= 400
    assert own["question"]["tokens"]["mean"] <= 400


def test_a_missing_repository_is_named(data: Path) -> None:
    wrong = run_command(data, "nowhere")
    assert wrong.returncode == 2
    assert "there is no repository 'one'" in wrong.stderr


def test_what_another_program_ranked_is_measured_alike(data: Path) -> None:
    (data / "r.jsonl").write_text(
        json.dumps({"query": "q1", "spans": [["gone.py", 1, 5], ["train.py", 1, 90]]}) + "\n",
        encoding="utf-8",
    )
    command = [
        *(sys.executable, "-m", "benchmark", "retrieval", "--queries", str(data / "q.jsonl")),
        *("--repos", str(data / "repos"), "--budgets", "400", "--retrievers", "sau-judge"),
        *("--json", "--ranked", f"theirs={data / 'r.jsonl'}"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    rows = {row["retriever"]: row for row in report["rows"]}
    assert rows["theirs"]["recall"]["mean"] == 1.0
    assert rows["theirs"]["tokens"]["mean"] <= 400
    assert "numbered lines" in report["tokens"]["question"]
    assert "no line numbers" in report["tokens"]["passages"]


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"query": "q"}', '{"query": "q", "spans": [["a", 1]]}']
)
def test_a_wrong_line_of_ranked_spans_is_named(data: Path, line: str) -> None:
    (data / "r.jsonl").write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match="ranked spans") as caught:
        read_ranked(data / "r.jsonl")
    assert caught.value.where is not None
    assert caught.value.where.line == 1


DERIVED = '''import argparse


def anneal(step, total):
    """Cosine annealing of the learning rate to zero.

    More of it.
    """
    share = step / total
    # Clamp what overshoots the end of training.
    share = min(share, 1.0)
    share = max(share, 0.0)
    return share


parser = argparse.ArgumentParser()
parser.add_argument("--warmup", type=int, default=2048, help="steps of warm-up (default: 2048)")
'''


def test_queries_are_made_out_of_repositories_and_their_texts_taken_out(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {"repos/a/train.py": DERIVED, "repos/a/broken.py": "def f(:", "repos/a/b": b"\xff"},
    )
    queries = make(tmp_path / "repos", tmp_path / "out", 5)
    told = {str(query["set"]): (query["query"], query["gold"]) for query in queries}
    assert told == {
        "docstring": (
            "Cosine annealing of the learning rate to zero.",
            [["train.py", 4, 13]],
        ),
        "comment": ("Clamp what overshoots the end of training.", [["train.py", 11, 13]]),
        "option": ("steps of warm-up = 2^11", [["train.py", 17, 17]]),
    }
    copy = (tmp_path / "out/repos/a/train.py").read_text(encoding="utf-8")
    assert copy.count("\n") == DERIVED.count("\n")
    assert not any(word in copy for word in ("annealing", "Clamp", "warm-up"))
    assert 'default=2048, help="")' in copy
