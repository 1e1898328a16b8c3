"""What it costs to index repositories and to retrieve for their claims; no test, a measurement.

    python -m tests.benchmarks.index_speed --runs TREE --saus FOLDER [--every 10]

TREE is a run tree as SA-Bench publishes it (`<agent>/<paper>/repo`; the published verdicts in
`repo/result` are left out), FOLDER holds `<paper>/sau.json`. Printed are CPU seconds, one process:
of reading, indexing and retrieving; of tree-sitter alone, parsing the same Python; the ratio of the
two; how many repositories stay within twice the parse plus 2 ms a claim; the share of each stage,
by samples of the running code; peak memory; and what it costs to index a repository once more in
the same process, as it was and with one file changed.
"""

from __future__ import annotations

import argparse
import platform
import resource
import signal
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType

import tree_sitter_python
from tree_sitter import Language, Parser

from benchmark import Sau
from benchmark.readers import load_benchmark
from retrieval.evidence import RetrievalSettings, expect_claims, find_evidence
from retrieval.index import Index
from retrieval.reading import read_repository
from retrieval.values import Repository

_SAMPLE_SECONDS = 0.001
_MS_A_CLAIM = 2.0
_PARSES = 2.0
# The outermost of these modules on the stack says what is being done.
_STAGES = {
    "reading": "reading opening decoding languages ignoring notebook",
    "outline": "analysis",
    "chunks": "chunks",
    "graph": "graph imports program reachability run_time_names entry_points overview",
    "terms, postings": "lexicon postings",
    "costs": "tokens",
    "facts": "facts fact_index config_use value_readers",
    "query": "query",
    "ranking": "ranking folders together",
    "packing": "packing",
}
_ELSE = frozenset({"index", "evidence"})
_STAGE_OF = {module: stage for stage, modules in _STAGES.items() for module in modules.split()}


class Sampler:
    """Counts, now and then while the processor is at work, which stage is running."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def _sample(self, _number: int, frame: FrameType | None) -> None:
        stage = other = "else"
        while frame is not None:
            code = frame.f_code
            module = code.co_filename.rpartition("/")[2].removesuffix(".py")
            if code.co_filename.endswith("/retrieval/grammars.py") and code.co_name == "parse":
                stage = "parsing"
                break
            if "/retrieval/" in code.co_filename and module in _STAGE_OF:
                stage = _STAGE_OF[module]
            elif module in _ELSE:
                other = f"else in {module}"
            frame = frame.f_back
        self.counts[other if stage == "else" else stage] += 1

    @contextmanager
    def running(self) -> Iterator[None]:
        """Sample inside of this block."""
        signal.signal(signal.SIGPROF, self._sample)
        signal.setitimer(signal.ITIMER_PROF, _SAMPLE_SECONDS, _SAMPLE_SECONDS)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)


def parse_alone(repository: Repository, parser: Parser) -> float:
    """Seconds that tree-sitter takes for a repository's Python."""
    sources = [f.text.encode() for f in repository.files if f.language in {"python", "notebook"}]
    start = time.process_time()
    for source in sources:
        parser.parse(source)
    return time.process_time() - start


def changed(repository: Repository) -> Repository:
    """The repository with a line more in its largest file of Python."""
    python = [file for file in repository.files if file.language == "python"]
    if not python:
        return repository
    largest = max(python, key=lambda file: len(file.text))
    other = replace(largest, text=f"{largest.text}\nadded = 1\n", sha256="0" * 64)
    files = tuple(other if file is largest else file for file in repository.files)
    return replace(repository, files=files)


def claims_of(folder: Path) -> dict[str, tuple[Sau, ...]]:
    """Claims by paper."""
    return {paper.id: paper.saus for paper in load_benchmark(folder).papers}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--saus", type=Path, required=True)
    parser.add_argument("--every", type=int, default=1, help="every so many repositories")
    options = parser.parse_args()
    claims = claims_of(options.saus)
    roots = sorted(options.runs.glob("*/*/repo"))[:: options.every]
    settings = RetrievalSettings()
    alone = Parser(Language(tree_sitter_python.language()))
    sampler = Sampler()
    cpu = time.process_time
    spent: defaultdict[str, float] = defaultdict(float)
    ratios: list[float] = []
    files = asked = within = 0
    for root in roots:
        saus = claims[root.parent.name]
        with sampler.running():
            start = cpu()
            repository = read_repository(root, exclude=["/result/"])
            read = cpu()
            index = Index.build(repository)
            indexed = cpu()
            expect_claims(index, saus)
            for sau in saus:
                find_evidence(index, sau, settings)
            done = cpu()
        del index
        bare = parse_alone(repository, alone)
        again = cpu()
        Index.build(repository)
        repeated = cpu()
        Index.build(changed(repository))
        spent["index again, as it was"] += repeated - again
        spent["index again, one file changed"] += cpu() - repeated
        spent["reading"] += read - start
        spent["indexing"] += indexed - read
        spent["claims"] += done - indexed
        spent["bare"] += bare
        files += len(repository.files)
        asked += len(saus)
        within += done - start <= _PARSES * bare + _MS_A_CLAIM / 1000 * len(saus)
        if bare:
            ratios.append((indexed - start) / bare)
    total = spent["reading"] + spent["indexing"] + spent["claims"]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (
        2**20 if sys.platform == "darwin" else 2**10
    )
    print(f"Python {platform.python_version()}, {platform.machine()}, one process")
    print(f"{len(roots)} repositories, {files:,} files, {asked:,} claims: {total:.1f} CPU s")
    print(
        f"  reading {spent['reading']:.1f} s, indexing {spent['indexing']:.1f} s "
        f"({files / (spent['reading'] + spent['indexing']):,.0f} files a second), claims "
        f"{spent['claims']:.1f} s ({1000 * spent['claims'] / max(asked, 1):.2f} ms each)"
    )
    print(f"  peak memory {memory:.0f} MB")
    print(
        f"tree-sitter alone: {spent['bare']:.1f} s; reading and indexing take "
        f"{(spent['reading'] + spent['indexing']) / spent['bare']:.1f} times that, "
        f"{statistics.median(ratios):.1f} at the median repository"
    )
    print(
        f"within {_PARSES:.0f} x tree-sitter and {_MS_A_CLAIM:.0f} ms a claim: "
        f"{within} of {len(roots)} repositories"
    )
    for name in ("index again, as it was", "index again, one file changed"):
        print(
            f"{name}: {spent[name]:.1f} s, {spent['indexing'] / spent[name]:.1f} times as fast "
            "as the first time"
        )
    samples = sum(sampler.counts.values())
    print(f"by stage, {samples:,} samples:")
    for stage, count in sampler.counts.most_common():
        print(f"  {stage:30} {total * count / samples:6.2f} s  {count / samples:6.1%}")


if __name__ == "__main__":
    main()
