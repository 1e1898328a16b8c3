"""Queries with gold lines out of readings of claims; a benchmark's input, no test.

```
python -m tests.benchmarks.reading_queries --readings calibration/readings/wide.jsonl \
    --runs TREE --saus DIR --out DIR
python -m benchmark retrieval --queries DIR/queries.jsonl --repos DIR/repos
```

A query is a claim whose reading found something (level 1 or more) and cited lines, its gold these
lines. Repositories are copied without what the reference's own run left in `result/`.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmark import Dimension

__all__ = ["queries"]


def _claims(saus: Path, paper: str) -> dict[str, str]:
    record = json.loads((saus / paper / "sau.json").read_text(encoding="utf-8"))
    return {
        item["id"]: item["claim"] for dimension in Dimension for item in record[dimension.value]
    }


def queries(readings: Path, saus: Path) -> Iterator[dict[str, Any]]:
    """The queries of a file of readings, in its order."""
    known: dict[str, dict[str, str]] = {}
    for line in readings.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if not row["level"] or not row["citations"]:
            continue
        claims = known.setdefault(row["paper"], _claims(saus, row["paper"]))
        yield {
            "id": f"{row['agent']}/{row['sau']}",
            "set": "readings",
            "repo": f"{row['agent']}__{row['paper']}",
            "query": claims[row["sau"]],
            "dimension": row["dimension"],
            "gold": row["citations"],
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("readings", "runs", "saus", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    options = parser.parse_args()
    found = list(queries(options.readings, options.saus))
    options.out.mkdir(parents=True)
    for repo in sorted({query["repo"] for query in found}):
        agent, _, paper = repo.partition("__")
        root = options.runs / agent / paper / "repo"
        shutil.copytree(
            root,
            options.out / "repos" / repo,
            symlinks=True,
            ignore=lambda folder, names, root=root: [
                name
                for name in names
                if name == ".git" or (name == "result" and Path(folder) == root)
            ],
        )
    with (options.out / "queries.jsonl").open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(query) + "\n" for query in found)
    print(f"{len(found)} queries, {len({query['repo'] for query in found})} repositories")


if __name__ == "__main__":
    main()
