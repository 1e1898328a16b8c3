"""How claims were read of which live code holds no sign of a step or of a used thing's name.

    python -m tests.benchmarks.absent_names --runs TREE --saus DIR

`TREE` holds `<agent>/<paper>/repo`, `DIR` `<paper>/sau.json`; the readings are the project's own.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from pathlib import Path

from judge.embedded.distilling.labelled import claims_of
from judge.embedded.looking import look
from judge.embedded.parts import claim_of
from judge.embedded.survey import survey_of
from retrieval.index import Index
from retrieval.reading import read_repository

_READINGS = Path(__file__).resolve().parents[2] / "calibration" / "readings" / "wide.jsonl"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--saus", type=Path, required=True)
    arguments = parser.parse_args()
    read: defaultdict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for line in _READINGS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        read[row["agent"], row["paper"]][row["sau"]] = row["level"]
    steps: Counter[int] = Counter()
    names: Counter[int] = Counter()
    for (agent, paper), levels in sorted(read.items()):
        root = arguments.runs / agent / paper / "repo"
        survey = survey_of(Index.build(read_repository(root, exclude=["result/"])))
        for sau in claims_of(arguments.saus / paper / "sau.json"):
            if sau.id in levels:
                found = look(survey, claim_of(sau))
                steps[levels[sau.id]] += bool(found.absent)
                names[levels[sau.id]] += bool(found.unknown)
    for what, counts in (("step", steps), ("name", names)):
        by_level = [counts[level] for level in range(5)]
        print(f"absent {what}: {counts.total()} claims, by level {by_level}")


if __name__ == "__main__":
    main()
