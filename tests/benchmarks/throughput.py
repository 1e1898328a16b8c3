"""How many questions a second a run puts to a provider, and what memory it takes meanwhile.

    python -m tests.benchmarks.throughput [--claims 20000] [--concurrency 200] [--latency 1.0]

A fake provider in a process of its own takes a second for each answer. With 200 questions at a
time the ideal is 200 a second; printed is what share of it the whole run reaches, from the first
question to the last verdict, and how much memory the run held after each tenth of it. The start is
part of it: the first question goes alone, and the limit grows from there.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmark import Benchmark, Dimension, Paper, Sau, Submission
from judge.models import JudgeSettings, make_judge
from judge.pipeline import RunPlan, run_plan
from judge.progress import Counts, SilentReporter

SUITE = Path(__file__).parents[2] / "benchmark" / "suite" / "submissions"
CLAIMS_EACH = 50


class Watching(SilentReporter):
    """Notes the memory that is held after each tenth of the run."""

    def __init__(self) -> None:
        super().__init__()
        self.memory: list[tuple[int, float, float]] = []
        self.first = 0.0
        self.last = 0.0

    def update(self, counts: Counts) -> None:
        self.last = time.monotonic()
        if counts.made and not self.first:
            self.first = self.last
        if counts.done * 10 >= counts.planned * (len(self.memory) + 1):
            self.memory.append((counts.done, self.last - self.first, resident_megabytes()))


def resident_megabytes() -> float:
    with Path("/proc/self/statm").open(encoding="ascii") as file:
        pages = int(file.read().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextmanager
def provider(folder: Path, latency: float) -> Iterator[str]:
    script = folder / "script.json"
    script.write_text(json.dumps({"latency_seconds": latency}), encoding="utf-8")
    command = [sys.executable, "-m", "tests.servers.fake_provider", "--script", str(script)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    try:
        assert process.stdout is not None
        yield process.stdout.readline().split()[-1]
    finally:
        process.kill()
        process.wait()


def questions(claims: int) -> tuple[Benchmark, tuple[Submission, ...]]:
    """Papers with claims of their own about one repository, so that no two questions are alike."""
    papers = []
    for number in range(max(claims // CLAIMS_EACH, 1)):
        name = f"paper{number:04}"
        saus = tuple(
            Sau(f"{name}-D1-{n:03}", name, Dimension.D1, f"The learning rate of {name} is {n}e-4")
            for n in range(min(CLAIMS_EACH, claims))
        )
        papers.append(Paper(name, saus))
    root = SUITE / "faithful" / "adam" / "repo"
    handed_in = tuple(Submission(f"agent/{p.id}", "agent", p.id, root) for p in papers)
    return Benchmark("throughput", tuple(papers)), handed_in


def main() -> None:
    parser = argparse.ArgumentParser(description="Throughput and memory of a run over a wire.")
    parser.add_argument("--claims", type=int, default=20_000)
    parser.add_argument("--concurrency", type=int, default=200)
    parser.add_argument("--latency", type=float, default=1.0)
    parser.add_argument("--kind", choices=["openai", "anthropic"], default="openai")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        benchmark, submissions = questions(options.claims)
        with provider(folder, options.latency) as url:
            settings = JudgeSettings(
                kind=options.kind,
                model="judge-model",
                base_url=f"{url}/v1" if options.kind == "openai" else url,
                api_key_env="none",
                concurrency=options.concurrency,
            )
            judge = make_judge(settings)
            plan = RunPlan(
                benchmark,
                submissions,
                folder / "out",
                folder / "cache",
                judge,
                concurrency=options.concurrency,
            )
            watching = Watching()
            started, cpu = time.monotonic(), time.process_time()
            result = asyncio.run(run_plan(plan, reporter=watching))
            cpu = time.process_time() - cpu
    seconds = watching.last - watching.first + options.latency
    made = result.counts.made
    ideal = options.concurrency / options.latency
    print(f"{made:,} verdicts, {result.counts.requests:,} requests, exit code {result.exit_code}")
    print(
        f"{made / seconds:.1f} a second of {ideal:.1f}: {made / seconds / ideal:.1%} of the ideal, "
        f"in {seconds:.1f} s ({time.monotonic() - started:.1f} s with set-up and summary)"
    )
    print(f"{1000 * cpu / made:.2f} ms of processor time a verdict")
    for done, since, megabytes in watching.memory:
        print(f"{done:>8,} verdicts  {since:6.1f} s  {megabytes:7.1f} MB")


if __name__ == "__main__":
    main()
