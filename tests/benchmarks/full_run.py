"""Grade a whole tree of submissions, twice, and print time and memory; no test, a measurement.

    python -m tests.benchmarks.full_run --runs TREE --saus FOLDER [--reference CHECKOUT]

TREE is a run tree as SA-Bench publishes it (`<agent>/<paper>/repo`), FOLDER holds
`<paper>/sau.json`. With `--reference`, a checkout of SA-Bench's own scorer, its search alone (no
judge) is timed on the same repositories in the same call, and the ratio is printed. Both see copies
of the repositories without the published verdicts in `repo/result`.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import yaml

from tests.benchmarks.processes import Watch

_REFERENCE_SEARCH = """
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from sa_bench.cc_agent import ClaudeCodeAgent
from sa_bench.claims import load_claims
from sa_bench.types import PipelineConfig
claims = windows = 0
for repo in sorted(Path(sys.argv[2]).glob("*/*/repo")):
    _, wanted = load_claims(Path(sys.argv[3]) / repo.parent.name / "sau.json")
    agent = ClaudeCodeAgent(repo, PipelineConfig(use_llm_judge=False))
    for claim in wanted:
        windows += len(agent.collect_evidence(claim).evidence)
        claims += 1
print(json.dumps({"claims": claims, "windows": windows}))
"""


@dataclass
class Measured:
    """What one command took: seconds of wall and CPU time, peak of summed memory in MB."""

    wall: float
    cpu: float
    memory: float
    code: int
    output: str


def measure(command: list[str], cwd: Path) -> Measured:
    """Run a command to its end."""
    start = time.perf_counter()
    with (
        subprocess.Popen(
            command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as process,
        Watch(process.pid, every=0.2) as watch,
    ):
        output = process.communicate()[0]
    wall = time.perf_counter() - start
    return Measured(wall, sum(watch.used.values()), watch.peak, process.returncode, output)


@contextmanager
def repositories_alone(runs: Path, agents: list[str] | None) -> Iterator[Path]:
    """A copy of a run tree without the published verdicts, of all agents or some."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "runs"
        for repo in sorted(runs.glob("*/*/repo")):
            if agents is not None and repo.parts[-3] not in agents:
                continue
            shutil.copytree(
                repo,
                target / repo.relative_to(runs),
                symlinks=True,
                ignore=lambda where, names, top=str(repo): (
                    {"result"} & set(names) if where == top else set()
                ),
            )
        yield target


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--saus", type=Path, required=True)
    parser.add_argument("--reference", type=Path)
    parser.add_argument("--agents", nargs="+", help="these alone")
    parser.add_argument("--keep", type=Path, help="keep the run directory here")
    options = parser.parse_args()
    cores = os.cpu_count()
    print(f"Python {platform.python_version()}, {platform.machine()}, {cores} cores")
    with repositories_alone(options.runs.resolve(), options.agents) as runs:
        out = (options.keep or runs.parent / "out").resolve()
        config = runs.parent / "run.yaml"
        config.write_text(
            yaml.safe_dump(
                {
                    "benchmark": {"path": str(options.saus.resolve())},
                    "submissions": {"path": str(runs)},
                    "output": {"path": str(out)},
                }
            ),
            encoding="utf-8",
        )
        command = [sys.executable, "-m", "judge", "run", "--config", str(config)]
        for name in ("first run", "second run"):
            result = measure(command, Path.cwd())
            print(
                f"{name}: {result.wall:.1f} s wall, {result.cpu:.1f} s CPU, "
                f"{result.memory:.0f} MB peak, exit code {result.code}"
            )
            if name == "first run":
                first = result
            if result.code:
                print(result.output[-3000:])
        with (out / "verdicts.jsonl").open(encoding="utf-8") as lines:
            statuses = Counter(json.loads(line)["status"] for line in lines)
        print(f"verdicts: {dict(statuses)}")
        if options.reference:
            result = measure(
                [
                    sys.executable, "-c", _REFERENCE_SEARCH,
                    str(options.reference.resolve()), str(runs), str(options.saus.resolve()),
                ],
                Path.cwd(),
            )  # fmt: skip
            print(
                f"reference search alone: {result.wall:.1f} s wall, {result.cpu:.1f} s CPU, "
                f"{result.memory:.0f} MB peak: {result.output.strip()}"
            )
            print(
                f"ratio (reference's search to our whole run): "
                f"{result.cpu / first.cpu:.1f} x CPU, {result.wall / first.wall:.1f} x wall"
            )


if __name__ == "__main__":
    main()
