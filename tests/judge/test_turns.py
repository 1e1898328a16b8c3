"""Two runs with one cache: nothing is asked twice, and nobody waits for the dead."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from judge.store import iter_attempts, iter_verdicts
from judge.turns import Turns
from tests.servers.fake_provider import FakeProvider

ROOT = Path(__file__).parents[2]
KEYS = ["0" * 64, "0" * 63 + "1", "f" * 64, "ab" * 32]

HOLDER = """
import sys
from pathlib import Path
from judge.turns import Turns
turns = Turns(Path(sys.argv[1]))
print([turns.begin(key) for key in sys.argv[2:]], flush=True)
sys.stdin.read()
"""


def holder(file: Path, *keys: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(file), *keys],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_a_turn_is_one_process_s_until_it_gives_it_back_or_dies(tmp_path: Path) -> None:
    file = tmp_path / "turns"
    with holder(file, KEYS[2], KEYS[3]) as other:
        assert said(other) == "[True, True]"
        mine = Turns(file)
        assert [mine.begin(key) for key in KEYS] == [True, True, False, False]
        with holder(file, KEYS[0], KEYS[2]) as third:
            assert said(third) == "[False, False]"
            third.kill()
        mine.end(KEYS[0])
        with holder(file, KEYS[0]) as third:
            assert said(third) == "[True]"
            third.kill()
        other.kill()
    assert [mine.begin(key) for key in KEYS] == [True, True, True, True]
    mine.close()
    mine.close()


def test_without_a_file_every_turn_is_given(tmp_path: Path) -> None:
    turns = Turns(tmp_path / "nowhere" / "turns")
    assert turns.begin(KEYS[0])
    turns.end(KEYS[0])
    turns.close()


RUN = """
import asyncio, sys
from pathlib import Path
from judge.models import make_judge
from judge.models.settings import JudgeSettings
from judge.pipeline import run_plan
from tests.judge.toys import bench, hand_in, plan
folder, url, name = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
benchmark = bench(papers=1, claims=12)
judge = make_judge(
    JudgeSettings(kind="openai", model="fake-1", base_url=f"{url}/v1", api_key_env="none")
)
made = plan(
    folder / name,
    judge,
    benchmark=benchmark,
    submissions=hand_in(folder / name / "in", benchmark, agents=2),
    concurrency=4,
    cache=folder / "cache",
)
sys.exit(asyncio.run(run_plan(made)).exit_code)
"""


@pytest.mark.timeout(120)
def test_two_runs_at_once_ask_nothing_twice(tmp_path: Path) -> None:
    with FakeProvider({"latency_seconds": 0.1}) as server:
        runs = [
            subprocess.Popen([sys.executable, "-c", RUN, tmp_path, server.url, name], cwd=ROOT)
            for name in ("one", "two")
        ]
        assert [run.wait() for run in runs] == [0, 0]
        asked = Counter(json.dumps(one.body["messages"]) for one in server.asked)
    assert len(asked) == 24
    assert set(asked.values()) == {1}
    paid = [len(list(iter_attempts(tmp_path / name / "out"))) for name in ("one", "two")]
    assert sum(paid) == 24
    for name in ("one", "two"):
        assert len(list(iter_verdicts(tmp_path / name / "out"))) == 24
