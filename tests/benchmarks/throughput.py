"""How many questions a second a run puts to a provider, and what memory it takes meanwhile.

    python -m tests.benchmarks.throughput [--claims 20000] [--concurrency 200] [--latency 1.0]

A provider in a process of its own takes a second for each answer and next to no processor time.
With 200 questions at a time the ideal is 200 a second; printed is what share of it the whole run
reaches, from the first question to the last verdict: the start is part of it, where the first
question goes alone and the limit grows from there. Beside it stand the share from a tenth of the
run on, the processor time by process, and the memory of the run and of its workers on the way.

Submissions are made of the built-in suite's repositories under other names, `--methods` of them in
each, with 50 claims of their own about each: no two questions are alike.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmark import Benchmark, Dimension, Paper, Sau, Submission
from judge.models import JudgeSettings, make_judge
from judge.pipeline import RunPlan, run_plan
from judge.progress import Counts, SilentReporter
from tests.benchmarks.processes import Watch, seconds_of

SUITE = Path(__file__).parents[2] / "benchmark" / "suite" / "submissions" / "faithful"
CLAIMS_EACH = 50
PATH, LINE = "settings_of_run.py", "rate = 3e-4"
"""What is in every repository, and what every answer quotes."""

SHOWN = (0.05, 0.1, 0.25, 0.5, 0.75, 1.0)
"""When memory is printed, as shares of the run; of 20,000 claims the first is a thousand."""


@dataclass(frozen=True)
class Moment:
    """Where a run stood: verdicts, seconds since the first question, megabytes."""

    done: int
    seconds: float
    run: float
    all: float


class Noting(SilentReporter):
    """Notes the memory that is held on the way."""

    def __init__(self, watch: Watch) -> None:
        super().__init__()
        self.watch = watch
        self.moments: list[Moment] = []
        self.first = 0.0
        self.last = 0.0
        self.tenth: tuple[int, float] = (0, 0.0)

    def update(self, counts: Counts) -> None:
        self.last = time.monotonic()
        if counts.made and not self.first:
            self.first = self.last
        if not self.tenth[0] and counts.done * 10 >= counts.planned:
            self.tenth = (counts.done, self.last)
        left = SHOWN[len(self.moments) :]
        if left and counts.done >= counts.planned * left[0]:
            self.moments.append(
                Moment(
                    counts.done,
                    self.last - self.first,
                    resident_megabytes(),
                    self.watch.megabytes,
                )
            )


def resident_megabytes() -> float:
    """Memory of this process."""
    with Path("/proc/self/statm").open(encoding="ascii") as file:
        pages = int(file.read().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextmanager
def provider(latency: float) -> Iterator[tuple[str, int]]:
    """A provider's address and its process."""
    command = [sys.executable, "-m", "tests.benchmarks.quick_provider"]
    command += ["--latency", str(latency), "--path", PATH, "--quote", LINE]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[-1], process.pid
        finally:
            process.kill()


def questions(folder: Path, claims: int, methods: int) -> tuple[Benchmark, tuple[Submission, ...]]:
    """Papers with claims of their own, each with one repository."""
    suite = sorted(SUITE.iterdir())
    papers, handed_in = [], []
    for number in range(max(claims // CLAIMS_EACH, 1)):
        name = f"paper{number:04}"
        saus = tuple(
            Sau(f"{name}-D1-{n:03}", name, Dimension.D1, f"The learning rate of {name} is {n}e-4")
            for n in range(min(CLAIMS_EACH, claims))
        )
        root = folder / name
        for step in range(methods):
            method = suite[(number + step) % len(suite)]
            shutil.copytree(method / "repo", root / method.name)
        (root / PATH).write_text(f"{LINE}\nname = {name!r}\n", encoding="utf-8")
        papers.append(Paper(name, saus))
        handed_in.append(Submission(f"agent/{name}", "agent", name, root))
    return Benchmark("throughput", tuple(papers)), tuple(handed_in)


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description="Throughput and memory of a run over a wire.")
    parser.add_argument("--claims", type=int, default=20_000)
    parser.add_argument("--concurrency", type=int, default=200)
    parser.add_argument("--latency", type=float, default=1.0)
    parser.add_argument("--methods", type=int, default=2, help="of the suite in a repository")
    parser.add_argument("--workers", type=int, default=1, help="that prepare submissions")
    parser.add_argument("--kind", choices=["openai", "anthropic"], default="openai")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        benchmark, submissions = questions(folder / "in", options.claims, options.methods)
        with provider(options.latency) as (url, server):
            settings = JudgeSettings(
                kind=options.kind,
                model="judge-model",
                base_url=f"{url}/v1" if options.kind == "openai" else url,
                api_key_env="none",
                concurrency=options.concurrency,
            )
            plan = RunPlan(
                benchmark,
                submissions,
                folder / "out",
                folder / "cache",
                make_judge(settings),
                concurrency=options.concurrency,
                workers=options.workers,
            )
            load = os.getloadavg()[0]
            with Watch(os.getpid(), without=server) as watch:
                noting = Noting(watch)
                started, cpu = time.monotonic(), time.process_time()
                result = asyncio.run(run_plan(plan, reporter=noting))
                took = time.monotonic() - started
                cpu = time.process_time() - cpu
            serving = seconds_of(server)
    made = result.counts.made
    ideal = options.concurrency / options.latency
    seconds = noting.last - noting.first + options.latency
    rate = made / seconds
    then, since = noting.tenth
    later = (made - then) / (noting.last - since)
    print(
        f"{made:,} verdicts ({result.counts.graded:,} graded), {result.counts.requests:,} "
        f"requests, exit code {result.exit_code}; load before it {load:.1f}"
    )
    print(
        f"{rate:.1f} a second of {ideal:.1f}: {rate / ideal:.1%} of the ideal, in {seconds:.1f} s "
        f"({took:.1f} s with set-up and summary); from a tenth on {later:.1f}, {later / ideal:.1%}"
    )
    print(
        f"processor time a verdict: {1000 * cpu / made:.2f} ms the run, "
        f"{1000 * watch.seconds / made:.2f} ms its workers, {1000 * serving / made:.2f} ms the "
        "provider"
    )
    print(f"threads at the end: {threading.active_count()}")
    print(f"{'verdicts':>9} {'seconds':>8} {'run, MB':>8} {'with workers, MB':>17}")
    for at in noting.moments:
        print(f"{at.done:>9,} {at.seconds:>8.1f} {at.run:>8.1f} {at.all:>17.1f}")


if __name__ == "__main__":
    main()
