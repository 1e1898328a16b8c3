"""A cascade: the first judge answers what it may, the second judge all the rest.

Which of the two answers is decided for each claim by a rule that was fitted on labels
(`calibration/risk_control.py`), from the first judge's own verdict. Of what the first judge could
answer, a random share goes to the second all the same: there the two are compared, and the second
one's verdict stands. Whoever answered is in the verdict's provenance; the way that a claim took is
in its `cascade` note. Where the second judge has no answer there is none: the first one's is never
put in its place.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark import InputError, Where
from calibration.cascade_rule import Bound, CascadeRule, RulePoint, load_rule, loss_of
from calibration.joining import judged
from judge.counting import counted
from judge.protocol import LocalJudge
from judge.verdict import CascadeNote, Verdict

__all__ = ["MOVED", "Cascade", "make_cascade"]

FORMAT = 1
MOVED = "moved_to_labels_scale"
"""The flag of a verdict of the first judge whose level the rule moved to the labels' scale."""


@dataclass(frozen=True, slots=True)
class Cascade:
    """What decides who answers; make it with `make_cascade`.

    Attributes:
        first: The first judge.
        rule: How its verdicts are weighed.
        point: How far down the curve of the rule it answers.
        risk: The loss that is accepted.
        bound: Which bound on the loss is kept below it.
        audit: Share of what the first judge could answer that goes to the second all the same.
        seed: Of the audit's draw.
    """

    first: LocalJudge
    rule: CascadeRule
    point: RulePoint
    risk: float
    bound: Bound
    audit: float
    seed: int

    def identity(self) -> Mapping[str, Any]:
        """All that decides who answers what, besides the second judge."""
        return {
            "format": FORMAT,
            "first": [self.first.name, self.first.model, self.rule.judge_hash],
            "rule": self.digest,
            "risk": self.risk,
            "bound": self.bound,
            "audit": self.audit,
            "seed": self.seed,
        }

    @property
    def digest(self) -> str:
        """16 digits of a SHA-256 of the rule."""
        return hashlib.sha256(self.rule.model_dump_json().encode()).hexdigest()[:16]

    def routes(self, verdicts: Sequence[Verdict]) -> list[CascadeNote]:
        """Who answers, for verdicts of the first judge, in their order."""
        notes = []
        said = self.rule.decide(list(judged(verdicts)))
        for verdict, one in zip(verdicts, said, strict=True):
            able = one.level is not None and one.risk <= self.point.limit
            audited = able and self._drawn(verdict.submission, verdict.sau)
            notes.append(
                CascadeNote(
                    route="audit" if audited else "first" if able else "second",
                    said=verdict.level,
                    level=one.level,
                    risk=None if one.level is None else round(one.risk, 6),
                    accepted=self.risk,
                )
            )
        return notes

    def _drawn(self, submission: str, sau: str) -> bool:
        """Whether a claim is audited: by seed and ids alone, and so the same in every run."""
        text = f"{self.seed}\0{submission}\0{sau}"
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest[:8], "big") / 2**64 < self.audit

    def standing(self, verdict: Verdict, note: CascadeNote) -> Verdict:
        """The first judge's verdict as it stands, with the note, on the rule's scale."""
        changes: dict[str, Any] = {"cascade": note}
        if self.rule.scale == "labels":
            made = verdict.provenance
            mixed = hashlib.sha256(f"{made.judge_hash} {self.digest}".encode()).hexdigest()[:12]
            # A level that a rule moved is not what this judge says when it is asked alone.
            changes["provenance"] = made.model_copy(
                update={"judge": f"{made.judge} on the labels' scale", "judge_hash": mixed}
            )
        if note.level != verdict.level:
            changes |= {
                "level": note.level,
                "confidence": None,
                "odds": None,
                "flags": (*verdict.flags, MOVED),
            }
        return verdict.model_copy(update=changes)

    def noted(self, note: CascadeNote, verdict: Verdict) -> Verdict:
        """The second judge's verdict with the note; where it is an audit, with what is lost."""
        level = verdict.level
        if note.route == "audit" and note.level is not None and level is not None:
            lost = loss_of(note.level, level, loss=self.rule.loss, cut=self.rule.cut)
            note = note.model_copy(update={"lost": lost})
        return verdict.model_copy(update={"cascade": note})

    def remarks(self, second: str) -> tuple[str, ...]:
        """What a person should know of the rule before anything is asked.

        Args:
            second: The second judge's name.
        """
        known = self.rule.labels_of
        said = []
        if self.rule.kinds.get("model") and second not in known:
            names = ", ".join(known)
            said.append(
                f"the cascade's rule was fitted on labels of {names}, and {second} is asked: the "
                "bound is on the loss against those"
            )
        if not self.audit:
            said.append("the cascade audits nothing: its bound is not checked in this run")
        return tuple(said)


def make_cascade(
    first: LocalJudge,
    rule: Path,
    *,
    judge_hash: str,
    risk: float,
    bound: Bound,
    audit: float,
    seed: int,
) -> Cascade:
    """Put a cascade together and refuse what would promise nothing.

    Args:
        first: The first judge.
        rule: The file of its rule.
        judge_hash: Fingerprint of the first judge as it is now.
        risk: The loss that is accepted.
        bound: Which bound on the loss is to stay below it.
        audit: Share that is audited.
        seed: Of the audit's draw.

    Raises:
        InputError: The rule is for another judge or another version of it, or at this risk nothing
            may be answered.
    """
    loaded = load_rule(rule)
    if loaded.judge != first.name or loaded.judge_hash != judge_hash:
        whose = (
            f"version {loaded.model} ({loaded.judge_hash}) of {loaded.judge}"
            if loaded.judge == first.name
            else f"the judge {loaded.judge!r}"
        )
        raise InputError(
            f"the rule was fitted on verdicts of {whose}, and the first judge here is "
            f"{first.name} {first.model} ({judge_hash}), which may answer otherwise",
            where=Where(str(rule), key="judge_hash"),
            remedy="Run the first judge again and fit the rule anew: judge calibrate --cascade",
        )
    point = loaded.point(risk, bound)
    if point is None:
        raise InputError(
            f"nothing can be answered at a risk of {risk:g} by the {bound} bound: on "
            f"{counted(loaded.labels, 'label')} of {counted(loaded.papers, 'paper')} it promises "
            f"{loaded.least(bound):.3f} at best",
            where=Where("config", key="judge.risk"),
            remedy="Raise judge.risk, label more papers, or set judge.bound to "
            + ("upper" if bound == "conformal" else "conformal"),
        )
    return Cascade(first, loaded, point, risk, bound, audit, seed)
