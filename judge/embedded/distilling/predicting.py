"""What the judge says of claims whose paper its weights have not seen, a line a claim."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from judge.embedded.distilling.figures import HeldOut
from judge.embedded.distilling.labelled import claims_of
from judge.embedded.distilling.seeing import DRIFTS, FAILURES

__all__ = ["predicted", "write_predictions"]


def predicted(found: HeldOut) -> Iterator[dict[str, Any]]:
    """One record for each claim in a repository, however many labels it has.

    Level, drift, failure and confidence are as a verdict would give them, under the ceilings of the
    rules. Faults put into repositories are no sample of claims, and neither are short claims, of
    which half are false on purpose: both are left out.
    """
    dimensions = {
        (path, sau.id): sau.dimension.value
        for path in {row.claims for row in found.rows}
        for sau in claims_of(path)
    }
    told: set[tuple[Path, str]] = set()
    for place, row in enumerate(found.rows):
        if row.source in {"mutant", "short"} or (row.root, row.sau) in told:
            continue
        told.add((row.root, row.sau))
        level = int(found.levels[place])
        yield {
            "agent": row.agent,
            "paper": row.paper,
            "sau": row.sau,
            "dimension": dimensions[row.claims, row.sau],
            "level": level,
            "confidence": round(float(found.confidence[place]), 3),
            "drift": DRIFTS[found.seen.drift[place, level]].value,
            "failure": FAILURES[found.seen.failure[place, level]].value,
            "expected": round(float(found.expected[place]), 4),
            "chances": [round(float(chance), 4) for chance in found.chances[place]],
            "chance_2": round(float(found.chance[place]), 4),
        }


def write_predictions(path: Path, found: HeldOut) -> int:
    """Write the records as JSON Lines, and return how many there are."""
    lines = [json.dumps(record) + "\n" for record in predicted(found)]
    path.write_text("".join(lines), encoding="utf-8", newline="\n")
    return len(lines)
