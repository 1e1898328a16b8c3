"""How often the windows that are measured are those that the published scorer showed.

    python -m tests.benchmarks.shown_windows --runs TREE --saus DIR --labels FILE

`TREE` holds `<agent>/<paper>/repo`, `DIR` `<paper>/sau.json`; `FILE` is the published verdicts with
their evidence, `reference_verdicts.jsonl.gz`. Papers that are kept for
acceptance are left out, and so are verdicts without evidence of code or configuration.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from judge.embedded.distilling.labelled import claims_of
from judge.embedded.glimpsing import Pages, pick
from judge.embedded.survey import survey_of
from retrieval.index import Index
from retrieval.reading import read_repository

_KEPT = frozenset({"ngpt", "sam2", "wdno", "mrq", "adjoint-matching", "lora-sb"})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--runs", "--saus", "--labels"):
        parser.add_argument(name, type=Path, required=True)
    given = parser.parse_args()
    by_repository: defaultdict[tuple[str, str], dict[str, Any]] = defaultdict(dict)
    with gzip.open(given.labels, "rt", encoding="utf-8") as lines:
        for verdict in map(json.loads, lines):
            if verdict["paper"] not in _KEPT and verdict["evidence"]:
                by_repository[verdict["config"], verdict["paper"]][verdict["sau"]] = verdict
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for (agent, paper), verdicts in by_repository.items():
        root = given.runs / agent / paper / "repo"
        pages = Pages(survey_of(Index.build(read_repository(root, exclude=["result/"]))))
        for sau in claims_of(given.saus / paper / "sau.json"):
            verdict = verdicts.get(sau.id)
            if verdict is None:
                continue
            shown = [(f, n) for f, n, kind, _ in verdict["evidence"] if kind in {"code", "config"}]
            shown = shown[:2]
            picked = [one for one in pick(pages, sau)[0] if one.shown][:2]
            own = [(one.page.path, f"{one.first}-{one.last}") for one in picked]
            count = counts[verdict["judge"]]
            count["verdicts"] += bool(shown)
            count["both the same, in order"] += bool(shown) and own == shown
            count["the first the same"] += bool(shown) and own[:1] == shown[:1]
            count["with a file that is not there"] += any(
                not (root / path).is_file() for path, _ in shown
            )
            count["windows"] += len(shown)
            count["windows the same"] += len(set(own) & set(shown))
    for judge, count in sorted(counts.items()):
        print(judge, ", ".join(f"{name} {number}" for name, number in count.items()))


if __name__ == "__main__":
    main()
