"""What verdicts are worth by a calibration, beside them in the run directory."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from benchmark import InputError
from calibration.calibrator import Calibrator, load_calibrator
from calibration.joining import Judged, judged
from judge.config import RunConfig
from judge.counting import counted
from judge.lines import write_atomically
from judge.loading import iter_current_verdicts
from judge.run_plan import RunPlan, context_of

__all__ = ["CALIBRATED", "calibrate_run", "calibrated_lines", "calibration_for"]

CALIBRATED = "calibrated.jsonl"


def calibration_for(config: RunConfig, plan: RunPlan) -> Calibrator | None:
    """Read the calibration that a config names, where it does, and see that it fits the run.

    Raises:
        InputError: It cannot be read, or was fitted on another judge or prompt than this run's.
    """
    path = config.calibration.path
    if path is None:
        return None
    found = load_calibrator(path)
    names = (
        [plan.judge.name] if plan.cascade is None else [plan.cascade.first.name, plan.judge.name]
    )
    others = [name for name in dict.fromkeys(names) if name != found.judge]
    prompt = context_of(plan).prompt_hash or ""
    wrong = ""
    if others:
        wrong = " and ".join(repr(name) for name in others)
    elif found.prompt_hash and found.prompt_hash != prompt:
        wrong = "another prompt"
    if wrong:
        raise InputError(
            f"the calibration was fitted on verdicts of {found.judge!r}, and this run's are of "
            f"{wrong}",
            where=config.where("calibration", "path"),
            remedy="Fit a calibration for it (judge calibrate), or take calibration out",
        )
    return found


def calibrate_run(path: Path, calibrator: Calibrator) -> str:
    """Write `calibrated.jsonl` of a run directory anew: a line for each graded verdict of the run.

    Verdicts themselves are never changed: another calibration tomorrow starts from the same ones.

    Args:
        path: The run directory.
        calibrator: Fitted on this judge.

    Returns:
        What was written, in words.

    Raises:
        InputError: The calibration is for another judge or prompt, or a line is damaged.
    """
    lines, people = calibrated_lines(judged(iter_current_verdicts(path)), calibrator)
    write_atomically(path / CALIBRATED, "".join(f"{line}\n" for line in lines))
    told = f"{counted(len(lines), 'verdict')} calibrated, {people} of them for a person to read"
    return f"{CALIBRATED}: {told}"


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
