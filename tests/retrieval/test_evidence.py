from __future__ import annotations

import json
import pickle
import random
from dataclasses import asdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark import Dimension, Sau
from retrieval.evidence import (
    RetrievalSettings,
    estimate_tokens,
    find_evidence,
    find_passages,
)
from retrieval.folders import Folders
from retrieval.index import Index
from retrieval.overview import cut_calls, repository_map
from retrieval.query import query_of
from retrieval.ranking import RankingWeights, rank
from retrieval.values import Evidence, Role
from tests.retrieval.handmade import build, repository

FILLER = "".join(
    f"def filler_{n}(items, count={n}):\n    total = count\n    for item in items:\n"
    f"        total += item * {n}\n        print(total)\n    return total\n\n\n"
    for n in range(80)
)
FILES = {
    "train.py": "import torch\nfrom loss import contrastive_loss\n\n\ndef train(model, data):\n"
    "    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, weight_decay=0.05)\n"
    "    for batch in data:\n        loss = contrastive_loss(batch)\n        loss.backward()\n"
    "        optimizer.step()\n\n\nif __name__ == '__main__':\n    train(None, [])\n",
    "loss.py": "def contrastive_loss(z, temperature=0.07):\n    # lr is 3e-4\n"
    "    sim = z @ z.T / temperature\n    return sim.logsumexp(1)\n",
    "filler.py": FILLER,
    "more.py": FILLER.replace("filler", "more"),
    "config.yaml": "optim:\n  warmup_steps: 2000\n",
    "README.md": "# Title\n\nWe use AdamW with a learning rate of 1e-4 and a contrastive loss.\n",
    "tests/test_loss.py": "from loss import contrastive_loss\n\n"
    "def test_loss():\n    contrastive_loss(1)\n",
}
SMALL = RetrievalSettings(budget_tokens=600)


def ask(
    claim: str,
    index: Index | None = None,
    settings: RetrievalSettings = SMALL,
    dimension: Dimension = Dimension.D1,
) -> Evidence:
    sau = Sau("x", "p", dimension, claim, "Section 3")
    return find_evidence(index or build(FILES), sau, settings)


def shown(evidence: Evidence) -> set[tuple[str, int]]:
    return {(p.path, n) for p in evidence.passages for n in range(p.first, p.last + 1)}


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("AdamW is used with a learning rate of 0.0001", ("train.py", 6)),
        ("learning rate 10⁻⁴", ("train.py", 6)),
        ("weight decay of 5 %", ("train.py", 6)),
        ("The softmax temperature τ is 7e-2", ("loss.py", 1)),
        ("2k warm-up steps", ("config.yaml", 2)),
    ],
)
def test_the_deciding_line_is_shown(claim: str, line: tuple[str, int]) -> None:
    assert line in shown(ask(claim))


def test_passages_are_the_files_own_lines() -> None:
    index = build(FILES)
    evidence = ask("contrastive loss with temperature", index)
    assert evidence.passages
    for passage in evidence.passages:
        own = index.lines(passage.path)[passage.first - 1 : passage.last]
        for number, (shown, line) in enumerate(
            zip(passage.text.split("\n"), own, strict=True), passage.first
        ):
            assert shown == (line if passage.shows(passage.path, number) else "")


def test_prose_and_tests_come_after_code() -> None:
    claim = "AdamW, contrastive loss, learning rate 1e-4"
    tight = ask(claim, settings=RetrievalSettings(budget_tokens=400)).passages
    assert {passage.role for passage in tight} == {Role.CODE}
    roomy = ask(claim, settings=RetrievalSettings(budget_tokens=750)).passages
    assert {passage.role for passage in roomy} == {Role.CODE, Role.TEST, Role.DOC}


def test_a_small_repository_is_shown_whole() -> None:
    index = build(
        {path: text for path, text in FILES.items() if "filler" not in text and "more" not in path}
    )
    evidence = ask("anything at all", index, RetrievalSettings(budget_tokens=2000))
    assert evidence.complete
    assert evidence.omitted == ()
    lines = {
        (path, n)
        for path in ("train.py", "loss.py", "config.yaml")
        for n, line in enumerate(index.lines(path), 1)
        if line.strip()
    }
    assert lines <= shown(evidence)


def test_what_is_not_shown_is_named() -> None:
    evidence = ask("temperature of the contrastive loss")
    assert not evidence.complete
    assert {p.path for p in evidence.passages if p.role is not Role.DOC}.isdisjoint(
        evidence.omitted
    )
    assert {"train.py", "loss.py", "filler.py", "more.py", "config.yaml"} >= set(evidence.omitted)


def test_without_room_nothing_is_shown() -> None:
    evidence = ask("contrastive loss for items", settings=RetrievalSettings(budget_tokens=100))
    assert evidence.passages == evidence.facts == ()
    assert {"train.py", "loss.py"} <= set(evidence.omitted)


def test_what_was_searched_and_where_it_stands_is_told() -> None:
    searched = {s.term: s for s in ask("AdamW with learning rate 3e-4, EMA decay 0.999").searched}
    assert searched["AdamW"].code_lines == 1
    assert searched["AdamW"].prose_lines == 1
    assert (searched["3e-4"].code_lines, searched["3e-4"].prose_lines) == (0, 1)  # a comment only
    assert (searched["EMA"].code_lines, searched["0.999"].code_lines) == (0, 0)


@pytest.mark.parametrize(
    ("value", "lines"),
    [("10k", 4), ("10,000", 4), ("10 %", 2), ("ten thousand", 4), ("2M", 0)],
)
def test_a_value_is_counted_in_all_of_its_spellings_and_in_no_other(value: str, lines: int) -> None:
    code = "WINDOW = 10\nA = 10000\nB = 10_000\nC = 1e4\nD = '10k'\nMANY = 2\n"
    searched = ask(f"train for {value} steps", build({"a.py": code})).searched
    (found,) = (row for row in searched if row.term == value)
    assert found.code_lines == lines


def test_facts_tell_the_values_of_lines_that_are_not_shown() -> None:
    tight = ask("AdamW learning rate is 3e-4", settings=RetrievalSettings(budget_tokens=300))
    assert ("train.py", 6) not in shown(tight)
    assert ("AdamW.lr", "1e-4") in {(f.name, f.value) for f in tight.facts}
    assert not {(f.path, f.line) for f in ask("AdamW learning rate").facts} & {("train.py", 6)}


def test_ordering_claims_get_the_order_of_calls() -> None:
    evidence = ask(
        "train computes the contrastive loss before the optimizer step", dimension=Dimension.D4
    )
    line = next(line for line in evidence.calls if "train.py:5 train" in line)
    assert line.index("contrastive_loss") < line.index("backward") < line.index("optimizer.step")
    assert ask("the same", dimension=Dimension.D2).calls == ()


@pytest.mark.parametrize("budget", [300, 500, 800, 1500])
def test_calls_that_do_not_fit_are_cut_and_marked_as_going_on(budget: int) -> None:
    steps = [f"phase_{number}" for number in range(40)]
    body = "".join(f"    {step}()\n" for step in steps)
    code = "".join(f"def {step}():\n    return 1\n\n\n" for step in steps)
    index = build({"run.py": f"{code}def train():\n{body}\n\ntrain()\n", "more.py": FILLER})
    evidence = ask(
        "train goes through its phases in order",
        index,
        RetrievalSettings(budget_tokens=budget),
        Dimension.D4,
    )
    (line,) = (line for line in evidence.calls if " train: " in line)
    told = [part.split()[0] for part in line.partition(": ")[2].split(" > ")]
    *names, last = told
    assert names == steps[: len(names)]
    assert len(names) >= 2
    assert last == "..."
    assert sum(map(estimate_tokens, evidence.calls)) <= 0.15 * budget
    # Not even one call more would have fitted, but for what rounding takes.
    longer = len(names) * estimate_tokens(" > phase_10 (170)") / (len(names) - 1)
    assert len(names) == 24 or estimate_tokens(line) > 0.15 * budget - 2 * longer


def test_no_order_is_told_where_two_calls_do_not_fit() -> None:
    line = "a.py:1 train: first (2) > second (3) > third (4)"
    begun = "a.py:1 train: first (2) > second (3) > ..."
    cut = [cut_calls(line, budget) for budget in range(estimate_tokens(line))]
    fits = [budget for budget, text in enumerate(cut) if text]
    assert {*cut} == {"", begun}
    assert min(fits) >= estimate_tokens(begun)
    assert fits == list(range(min(fits), len(cut)))


@pytest.mark.parametrize(
    ("text", "lines"), [("a = 1\nb = 2\n", 2), ("a = 1\nb = 2", 2), ("a = 1\n\n", 2), ("", 0)]
)
def test_the_map_counts_lines_as_editors_do(text: str, lines: int) -> None:
    index = build({"a.py": text})
    assert f"a.py {lines} lines" in repository_map(index, 100)


def test_the_map_names_files_and_dead_symbols_within_its_budget() -> None:
    index = build(FILES)
    evidence = ask("x", index, RetrievalSettings(budget_tokens=100, map_tokens=300))
    assert "train.py" in evidence.repository_map
    assert "(entry)" in evidence.repository_map
    assert "-filler_0" in evidence.repository_map
    assert estimate_tokens(evidence.repository_map) <= 310
    none = ask("x", index, RetrievalSettings(budget_tokens=100, map_tokens=0)).repository_map
    assert estimate_tokens(none) < 20


def test_comments_are_told_from_code() -> None:
    index = build(FILES)
    assert [(m.path, m.kind) for m in index.mentions("3e-4")] == [("loss.py", "comment")]
    kinds = {m.kind for m in index.mentions("learning rate")}
    assert kinds == {"prose"}


def test_file_order_does_not_matter() -> None:
    claims = ["AdamW with learning rate 1e-4", "contrastive loss", "filler items total", "warm-up"]
    expected = [ask(claim) for claim in claims]
    for seed in range(5):
        paths = list(FILES)
        random.Random(seed).shuffle(paths)
        index = build({path: FILES[path] for path in paths})
        assert [ask(claim, index) for claim in claims] == expected


def test_an_index_can_be_sent_to_another_process() -> None:
    index = pickle.loads(pickle.dumps(build(FILES)))
    assert ask("AdamW learning rate", index) == ask("AdamW learning rate")


def test_settings_are_json() -> None:
    assert json.loads(json.dumps(asdict(RetrievalSettings())))["budget_tokens"] == 4000
    with pytest.raises(ValueError, match="budget_tokens"):
        RetrievalSettings(budget_tokens=-1)


def test_an_empty_repository_gives_empty_evidence() -> None:
    evidence = find_evidence(
        Index.build(repository({})), Sau("x", "p", Dimension.D4, "Adam 1e-4"), RetrievalSettings()
    )
    assert evidence.passages == ()
    assert evidence.complete
    assert evidence.searched[0].code_lines == 0


def test_deep_nesting_and_long_lines_cost_only_their_file() -> None:
    files = {
        "deep.py": "(" * 100_000,
        "deep2.py": "x = " + "[" * 20_000 + "]" * 20_000,
        "deep.json": '{"a":' * 20_000,
        "deep.yaml": "- " * 5_000 + "x",
        "many.py": "x = 1; " * 20_000,
        "else.py": "if x:\n" + "".join(f"{' ' * n}if y:\n" for n in range(1, 2_000)),
    }
    index = build({**FILES, **files})
    assert ("train.py", 6) in shown(ask("AdamW learning rate 1e-4", index))


TEXTS = st.text(
    alphabet=st.sampled_from("abAB_ 01.\n\t()[]{}:=#'\"\\`-eβ×⁻\u2028\r\f\x00é😀"), max_size=200
)


@settings(max_examples=80, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["a.py", "b.md", "c.yaml", "d.sh", "e.ipynb"]), TEXTS, max_size=4
    ),
    TEXTS,
    st.sampled_from(list(Dimension)),
    st.integers(0, 700),
)
def test_any_text_is_survived_and_quoted_truly(
    files: dict[str, str], claim: str, dimension: Dimension, budget: int
) -> None:
    index = build(files)
    evidence = ask(claim or "x", index, RetrievalSettings(budget_tokens=budget), dimension)
    seen: set[tuple[str, int]] = set()
    for passage in evidence.passages:
        own = {(passage.path, n) for n in range(passage.first, passage.last + 1)}
        assert not seen & own
        seen |= own
        assert passage.text.split("\n") == list(
            index.lines(passage.path)[passage.first - 1 : passage.last]
        )
    assert list(evidence.passages) == sorted(evidence.passages, key=lambda p: (p.path, p.first))
    # The claim is asked whatever it takes.
    assert not evidence.passages or evidence.tokens <= budget


def test_copies_of_one_function_do_not_fill_the_budget() -> None:
    body = "def warm_up(step):\n    rate = step / 2000\n    return min(1.0, rate)\n"
    files = {f"agent_{n}/schedule.py": body for n in range(30)}
    other = "def decay(step):\n    # after the warm-up\n    return 0.99 ** step\n"
    evidence = ask("warm-up of the rate, then decay", build({**files, "z/decay.py": other}))
    copies = [p.path for p in evidence.passages if p.path.startswith("agent_")]
    assert len(copies) == 1
    assert ("z/decay.py", 3) in shown(evidence)


def test_a_folder_that_the_claim_names_comes_first() -> None:
    files = {
        f"{game}/retrain_{n}.py": f"def reset_{n}(env, seed={n}):\n    env.random_{game} = {n}\n"
        "    return env.reset(random=True)\n" * 3
        for game in ("chess", "mining", "driving")
        for n in range(8)
    }
    evidence = ask("For the mining environment, random resets are used", build(files))
    assert {p.path.partition("/")[0] for p in evidence.passages} == {"mining"}


def test_a_head_that_is_shown_is_not_told_twice() -> None:
    settings = "".join(f"    rate_{n} = {n}\n" for n in range(6))
    body = "".join(f"        x = step_{n}(x)\n" for n in range(40))
    text = f"class Trainer:\n{settings}\n    def run(self, x):\n{body}"
    chunks = [chunk for chunk in build({"a.py": text}).chunks if chunk.symbol == "Trainer.run"]
    assert chunks[0].header == "class Trainer"
    assert chunks[1].header == "class Trainer > def run(self, x)"


def test_a_short_head_of_a_class_is_shown_with_its_first_method() -> None:
    text = (
        "class Net(Base):\n\n    def __init__(self):\n        self.width = 64\n\n"
        "    def forward(self, x):\n        return x\n"
    )
    spans = [(c.first, c.last, c.symbol, c.header) for c in build({"a.py": text}).chunks]
    assert spans == [(1, 4, "Net.__init__", ""), (6, 7, "Net.forward", "class Net(Base)")]


def test_options_of_a_command_line_are_cut_small() -> None:
    options = "".join(
        f'    parser.add_argument("--rate_{n}", type=float, default=0.{n}, help="rate {n}")\n'
        for n in range(1, 40)
    )
    chunks = build({"a.py": f"def options(parser):\n{options}"}).chunks
    assert max(chunk.last - chunk.first + 1 for chunk in chunks) <= 12


def test_a_folder_is_told_from_its_siblings_and_not_by_what_they_share() -> None:
    files = {
        f"envs_{game}/core/step.py": f"def reset(env):\n    env.speed = {n}\n"
        for n, game in enumerate(("chess", "mining", "driving", "routing"))
    }
    folders = Folders(list(files))
    terms = set(folders.table.numbers)
    assert {"chess", "min", "driv", "rout"} <= terms
    assert terms.isdisjoint({"env", "core"})
    assert not Folders(["src/net/a.py", "src/net/b.py"])


def test_a_piece_of_a_function_that_speaks_of_all_the_claim_comes_before_its_like() -> None:
    piece = "    x = plan(x)\n" + "    total = add(total)\n" * 19
    files = {
        "a.py": f"def first(x, total):\n{piece * 2}",
        "b.py": f"def other(x, total):\n{piece * 2}    return decayed_cosine(total)\n",
    }
    index = build(files)
    query = query_of(Sau("x", "p", Dimension.D2, "a plan of cosine decay", ""))
    middle = [n for n, chunk in enumerate(index.chunks) if chunk.first == 13]
    alone, together = (
        rank(index, query, RankingWeights(group=group, sibling=0, file=0)).score[middle]
        for group in (0, 0.2)
    )
    assert alone[0] == alone[1]
    assert together[1] > together[0]


def test_of_copies_the_one_in_the_folder_that_the_claim_names_is_shown() -> None:
    code = "def schedule(step, warmup):\n    return min(1.0, step / warmup)\n"
    files = {f"{game}/train/schedule.py": code for game in ("chess", "driving", "mining")}
    files |= {f"{game}/filler.py": FILLER for game in ("chess", "driving", "mining")}
    evidence = ask("In the mining game the schedule warms up by the step", build(files))
    places = [p.path for p in evidence.passages if p.path.endswith("schedule.py")]
    assert places == ["mining/train/schedule.py"]


def test_what_stands_next_to_what_is_taken_comes_before_its_like() -> None:
    piece = "    total = add(total)\n" * 16
    many = "left, right, " * 12
    files = {
        "a.py": f"def other(total):\n{piece * 3}",
        "b.py": f"def first(total):\n    mix = blended(mixture, {many})\n{piece * 3}",
    }
    index = build(files)
    sau = Sau("x", "p", Dimension.D2, "the blended mixture adds a total", "")
    one, other = (
        find_passages(index, sau, budget, RankingWeights(group=0, file=0, sibling=0))
        for budget in (120, 220)
    )
    assert [p.path for p in one] == [p.path for p in other] == ["b.py"]
    assert other[0].last > one[0].last
