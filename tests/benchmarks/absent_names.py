"""How claims were read of which live code holds no sign of a step or of a used thing's name.

    python -m tests.benchmarks.absent_names --runs TREE --saus DIR [--short]

`TREE` holds `<agent>/<paper>/repo`, `DIR` `<paper>/sau.json`; the readings are the project's own:
the wide ones, with `--short` those of short claims. Of steps each group is counted by itself, what
bounds a claim to level 1 apart.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from pathlib import Path

from judge.embedded.distilling.labelled import claims_of
from judge.embedded.looking import look
from judge.embedded.named_steps import NAMED_STEPS
from judge.embedded.parts import claim_of
from judge.embedded.survey import survey_of
from retrieval.index import Index
from retrieval.reading import read_repository

_READINGS = Path(__file__).resolve().parents[2] / "calibration" / "readings"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--saus", type=Path, required=True)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--steps", action="store_true", help="count each step, not each group")
    arguments = parser.parse_args()
    readings = _READINGS / ("short.jsonl" if arguments.short else "wide.jsonl")
    read: defaultdict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for line in readings.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        read[row["agent"], row["paper"]][row["sau"]] = row["level"]
    short = {sau.id: sau for sau in claims_of(readings)} if arguments.short else {}
    counts: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for (agent, paper), levels in sorted(read.items()):
        root = arguments.runs / agent / paper / "repo"
        survey = survey_of(Index.build(read_repository(root, exclude=["result/"])))
        known = short or {sau.id: sau for sau in claims_of(arguments.saus / paper / "sau.json")}
        for name, level in levels.items():
            if name not in known:
                continue
            found = look(survey, claim_of(known[name]))
            missed = found.method.missed
            steps = {
                step.name if arguments.steps else NAMED_STEPS[step.name].group for step in missed
            }
            for step in steps:
                counts[step][level] += 1
            counts["any step"][level] += bool(missed)
            counts["a step that is all a short claim names"][level] += any(s.whole for s in missed)
            counts["a step with another in its place"][level] += any(s.rival for s in missed)
            counts["name"][level] += bool(found.unknown)
    for what, of_level in sorted(counts.items()):
        by_level = [of_level[level] for level in range(5)]
        print(f"absent {what}: {of_level.total()} claims, by level {by_level}")


if __name__ == "__main__":
    main()
