"""The command that the crash test kills: one run against a server, over real HTTP."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import judge.run_plan
from judge.models import make_judge
from judge.models.settings import JudgeSettings
from judge.pipeline import run_plan
from tests.judge.toys import bench, hand_in, plan


def main() -> None:
    folder, url = Path(sys.argv[1]), sys.argv[2]
    # Whoever edits the program while this runs must not see verdicts made again for it.
    judge.run_plan.code_hash = lambda: "the same throughout"
    benchmark = bench(papers=2, claims=15)
    asked = make_judge(
        JudgeSettings(kind="openai", model="fake-1", base_url=f"{url}/v1", api_key_env="none")
    )
    made = plan(
        folder,
        asked,
        benchmark=benchmark,
        submissions=hand_in(folder / "in", benchmark, agents=3),
        workers=2,
        concurrency=4,
    )
    sys.exit(asyncio.run(run_plan(made)).exit_code)


if __name__ == "__main__":
    main()
