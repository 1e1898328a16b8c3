"""`judge search`: a person sees what a judge would see."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.cli import cli
from tests.planting import plant

FILES = {
    "train.py": "import torch\n\n\ndef train(model, data):\n"
    "    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)\n"
    "    for batch in data:\n        loss = model(batch)\n        loss.backward()\n"
    "        optimizer.step()\n\n\nif __name__ == '__main__':\n    train(None, [])\n",
    "filler.py": "".join(f"def f{n}(x):\n    return x + {n}\n\n\n" for n in range(400)),
}


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    plant(tmp_path, {f"repo/{path}": text for path, text in FILES.items()})
    return tmp_path / "repo"


def call(*words: str, color: bool = False) -> Result:
    return CliRunner().invoke(cli, ["search", *words], color=color, catch_exceptions=False)


def test_the_best_line_its_reason_and_what_is_nowhere_are_shown(repo: Path) -> None:
    done = call(str(repo), "AdamW with learning rate 0.0001 and warm-up of 2k steps, RMSNorm")
    assert done.exit_code == 0
    first = done.output.splitlines()
    assert first[0].startswith("train.py:")
    assert "values: 0.0001" in first[1]
    assert "5     optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)" in done.output
    assert "RMSNorm nowhere" in done.output
    assert "a part of the code" in done.output


def test_reasons_are_in_the_words_of_the_claim(repo: Path) -> None:
    claim = "Training is optimised by AdamW, learning rate 1×10⁻⁴, and losses are averaged"
    found = json.loads(call(str(repo), claim, "--json").output)
    reasons = [why for passage in found["passages"] for why in passage["why"]]
    told = [word for why in reasons for word in why.partition(": ")[2].split(", ") if word]
    assert "Training" in told
    assert "1×10⁻⁴" in told
    assert all(word in claim for word in told)


def test_json_is_for_programs(repo: Path) -> None:
    done = call(str(repo), "loss.backward, then optimizer.step", "--dimension", "D4", "--json")
    found = json.loads(done.output)
    assert found["passages"][0]["path"] == "train.py"
    assert any("optimizer.step" in line for line in found["calls"])
    assert found["tokens"] <= 4000


def test_the_budget_and_what_is_left_out_are_the_users(repo: Path) -> None:
    small = json.loads(call(str(repo), "AdamW", "--json", "--budget", "500").output)
    assert small["tokens"] <= 500
    without = call(str(repo), "AdamW", "--exclude", "train.py")
    assert "train.py" not in without.output


def test_files_that_were_not_read_are_named(repo: Path) -> None:
    (repo / "config.py").write_text("lr = 1e-4\n" * 150_000, encoding="utf-8")
    assert "config.py (not read: too large" in call(str(repo), "AdamW").output


def test_text_of_the_repository_cannot_drive_the_terminal(repo: Path) -> None:
    (repo / "odd.py").write_text("# \x1b[2J \x1b]0;owned\x07 zebra\nzebra = 1\n", encoding="utf-8")
    assert "\x1b" not in call(str(repo), "zebra").output


@pytest.mark.parametrize(("words", "told"), [(("nowhere", "x"), "nowhere"), ((".", " "), "empty")])
def test_mistakes_are_told(words: tuple[str, str], told: str) -> None:
    done = call(*words)
    assert done.exit_code == 2
    assert told in done.output


def test_lines_that_are_left_out_take_no_row(tmp_path: Path) -> None:
    idle = "".join(f"    # {n} words that tell of nothing at all, and no more\n" for n in range(40))
    code = f"def warmup(step):\n{idle}\n    return min(1, step / 4000)\n"
    (tmp_path / "a.py").write_text(code, encoding="utf-8")
    (tmp_path / "b.py").write_text("x = [\n" + "    1,\n" * 900 + "]\n", encoding="utf-8")
    told = call(str(tmp_path), "warmup over 4000 steps", "--budget", "400").output
    rows = [line.split() for line in told.splitlines()]
    assert ["1", "def", "warmup(step):"] in rows
    assert ["43", "return", "min(1,", "step", "/", "4000)"] in rows
    assert "tell of nothing" not in told
