"""From a configuration to its cascade, checked before anybody is asked."""

from __future__ import annotations

from benchmark import InputError
from judge.cascade import Cascade, make_cascade
from judge.config import RunConfig
from judge.models import JudgeSettings, make_judge
from judge.preparing import Asked, judge_hash
from judge.protocol import LocalJudge
from judge.versions import code_hash

__all__ = ["cascade_of"]


def cascade_of(config: RunConfig) -> Cascade | None:
    """The cascade that a configuration describes; `None` where it describes none.

    Raises:
        InputError: Its rule is missing, malformed, or for another judge or version, or nothing may
            be answered at the risk.
    """
    section = config.judge
    if section.kind != "cascade" or section.rule is None:
        return None
    if config.calibration.path is not None:
        raise InputError(
            "a calibration is for the verdicts of one judge, and a cascade has two",
            where=config.where("calibration", "path"),
            remedy="Take calibration.path out; judge calibrate --apply takes one judge's run",
        )
    first = make_judge(JudgeSettings("embedded"))
    assert isinstance(first, LocalJudge)
    asked = Asked(first.name, first.provider, first.model, dict(first.identity()))
    try:
        return make_cascade(
            first,
            section.rule,
            judge_hash=judge_hash(asked, code_hash()),
            risk=section.risk,
            bound=section.bound,
            audit=section.audit,
            seed=section.seed,
        )
    except InputError as error:
        if error.where.path != "config":
            raise
        keys = (error.where.key or "judge").split(".")
        raise InputError(error.problem, where=config.where(*keys), remedy=error.remedy) from None
