"""What verdicts are worth by a calibration, beside them in the run directory."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from calibration.calibrator import Calibrator
from calibration.joining import Judged, judged
from judge.lines import write_atomically
from judge.store import iter_verdicts

__all__ = ["CALIBRATED", "calibrate_run", "calibrated_lines"]

CALIBRATED = "calibrated.jsonl"


def calibrate_run(path: Path, calibrator: Calibrator) -> str:
    """Write `calibrated.jsonl` of a run directory anew: a line for each graded verdict.

    Verdicts themselves are never changed: another calibration tomorrow starts from the same ones.

    Args:
        path: The run directory.
        calibrator: Fitted on this judge.

    Returns:
        What was written, in words.

    Raises:
        InputError: The calibration is for another judge or prompt, or a line is damaged.
    """
    lines, people = calibrated_lines(judged(iter_verdicts(path)), calibrator)
    write_atomically(path / CALIBRATED, "".join(f"{line}\n" for line in lines))
    return f"{CALIBRATED}: {len(lines)} verdicts calibrated, {people} of them for a person to read"


def calibrated_lines(verdicts: Iterable[Judged], calibrator: Calibrator) -> tuple[list[str], int]:
    """The lines, and how many of the verdicts go to a person; those without a level are left out.

    Raises:
        InputError: The calibration is for another judge or prompt.
    """
    graded = [one for one in verdicts if one.level is not None]
    results = calibrator.apply(graded)
    lines = [
        json.dumps(
            {
                "submission": verdict.submission,
                "sau": verdict.sau,
                "level": verdict.level,
                "calibrated_level": one.answer,
                "expected": round(one.expected, 6),
                "distribution": [round(share, 6) for share in one.distribution],
                "set": one.levels,
                "risk": round(one.risk, 6),
                "to_person": one.to_person,
            },
            ensure_ascii=False,
        )
        for verdict, one in zip(graded, results, strict=True)
    ]
    return lines, sum(one.to_person for one in results)
