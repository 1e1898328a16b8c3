"""Runs made up in memory, for tests of what people look at."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmark import Dimension, Drift, Failure, Sau, claims_version
from judge.records import JudgeNote, RunMeta, SubmissionNote
from judge.store import LoadedRun
from judge.verdict import Citation, EvidenceNote, Provenance, QuoteState, Status, Verdict


def sau(number: int, paper: str = "adam", dimension: str = "D1", claim: str = "") -> Sau:
    return Sau(
        id=f"{paper}-{dimension}-{number:03}",
        paper=paper,
        dimension=Dimension(dimension),
        claim=claim or f"Claim {number} of {paper}.",
        source="Section 2",
    )


def note(agent: str, paper: str, **more: Any) -> SubmissionNote:
    return SubmissionNote(id=f"{agent}/{paper}", agent=agent, paper=paper, **more)


def by(judge: str = "openai:m", returned: str | None = None, **more: Any) -> Provenance:
    provider = judge.partition(":")[0]
    return Provenance(judge=judge, provider=provider, model_returned=returned, **more)


QUOTED = Citation(path="train.py", first=1, last=1, quote="rate = 0.5", state=QuoteState.VERIFIED)


def graded(of: SubmissionNote, on: Sau, level: int, **more: Any) -> Verdict:
    values: dict[str, Any] = {
        "drift": Drift.NONE if level == 4 else Drift.NUMERICAL,
        "failure": Failure.NONE if level == 4 else Failure.MISMATCH,
        "citations": (QUOTED,) if level else (),
        "provenance": by(),
    }
    return Verdict(
        submission=of.id,
        agent=of.agent,
        paper=of.paper,
        sau=on.id,
        dimension=on.dimension,
        status=Status.GRADED,
        level=level,
        **{**values, **more},
    )


def failed(of: SubmissionNote, on: Sau, status: Status = Status.ERROR, **more: Any) -> Verdict:
    values: dict[str, Any] = {"reason": "timeout: no answer in 60 s", "provenance": by()}
    return Verdict(
        submission=of.id,
        agent=of.agent,
        paper=of.paper,
        sau=on.id,
        dimension=on.dimension,
        status=status,
        **{**values, **more},
    )


def run_of(
    saus: Sequence[Sau],
    notes: Sequence[SubmissionNote],
    verdicts: Sequence[Verdict],
    *,
    path: Path = Path("no-such-run"),
    **meta: Any,
) -> LoadedRun:
    values: dict[str, Any] = {
        "name": "made up",
        "claims_version": claims_version(saus),
        "judge": JudgeNote(name="openai:m", provider="openai", model="m"),
        "state": "complete",
    }
    return LoadedRun(
        path=path,
        meta=RunMeta(**{**values, **meta}),
        saus={one.id: one for one in saus},
        submissions=tuple(notes),
        verdicts=list(verdicts),
    )


CODE = "def step(lr=1e-3):\n    return lr\n"

HOSTILE = (
    "</script><script>document.title='pwned'</script>"
    "<img src=x onerror=\"document.title='pwned'\">"
    "\" onmouseover=\"document.title='pwned'\" x=\" javascript:document.title='pwned' "
    "{{ 7 * 7 }} \u202egnp.exe\u200b\u2066 \x1b[31mred\x07 \ufeff \U000e0041 ]]> <!-- & '"
)
"""What a graded repository, a claim or a judge may hold."""


def small_run(**meta: Any) -> LoadedRun:
    """Two agents, two papers, all kinds of verdicts; the first submission says hostile things."""
    saus = [
        sau(1, claim="The learning rate is 1e-4."),
        sau(2, dimension="D2", claim=f"Bias correction. {HOSTILE}"),
        sau(3, dimension="D3"),
        sau(4, dimension="D4"),
        sau(1, "lora"),
        sau(2, "lora", "D2"),
    ]
    notes = [
        note(
            "opus",
            "adam",
            digest="d" * 64,
            files=3,
            bytes=2048,
            meta={"generator_model": HOSTILE},
            skipped=((f"weights/{HOSTILE}.bin", "binary file"),),
            notes=(("odd.py", "not UTF-8: read as latin-1"),),
        ),
        note("opus", "lora", digest="e" * 64, files=1, bytes=10),
        note("gpt", "adam", error="the folder is gone"),
        note("gpt", "lora"),
    ]
    first, second, third, fourth = notes
    cited = Citation(
        path="src/train.py",
        first=7,
        last=8,
        quote=CODE.rstrip("\n"),
        state=QuoteState.VERIFIED,
    )
    verdicts = [
        graded(
            first,
            saus[0],
            1,
            expected="1e-4",
            found="1e-3",
            rationale="Off by an order of magnitude.",
            citations=(cited,),
            confidence=0.8,
            flags=("evidence_incomplete",),
            evidence=EvidenceNote(
                complete=False,
                tokens=900,
                passages=[("src/train.py", 1, 20)],
                searched_not_found=["warmup"],
                omitted_files=2,
            ),
        ),
        graded(
            first,
            saus[1],
            0,
            drift=Drift.METHODOLOGICAL,
            failure=Failure.STUB,
            expected=HOSTILE,
            found=HOSTILE,
            rationale=HOSTILE,
            flags=(HOSTILE,),
            citations=(
                Citation(
                    path=f"src/{HOSTILE}.py",
                    first=3,
                    last=3,
                    quote=f"x = '{HOSTILE}'",
                    state=QuoteState.NOT_FOUND,
                ),
                cited.model_copy(update={"state": QuoteState.RELOCATED, "quote": HOSTILE}),
            ),
            provenance=by(returned=HOSTILE, parameters={"seed": HOSTILE}, time=HOSTILE),
        ),
        graded(first, saus[2], 4),
        failed(first, saus[3], reason=f"timeout: {HOSTILE}"),
        graded(second, saus[4], 2),
        failed(second, saus[5], Status.ABSTAINED, reason="not_enough: two configurations"),
        graded(third, saus[0], 0),
        graded(fourth, saus[4], 3),
    ]
    return run_of(saus, notes, verdicts, **meta)
