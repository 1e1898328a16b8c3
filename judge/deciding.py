"""From a question to its verdict, by a judge over a wire: asked, asked again, put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from judge.asking import Asker, LedgerError
from judge.budget import CapReached
from judge.caution import GENERATOR, OWN_FAMILY, families
from judge.checking import error_verdict, verdict
from judge.preparing import Context, Pending, Prepared, crash, provenance_of
from judge.protocol import AnswerError, AnswerPending, FatalProviderError, Judge, Question
from judge.questioning import Held, Interview, added
from judge.records import writable
from judge.repeating import middle, spread
from judge.verdict import EvidenceNote, Status, Usage, Verdict
from retrieval.values import Evidence

__all__ = ["Decided", "Decider"]


@dataclass(frozen=True, slots=True)
class Decided:
    """A verdict, and the requests whose answers are not to be used again once it is kept."""

    verdict: Verdict
    spoilt: tuple[str, ...]


class Decider:
    """Makes the verdicts of one run.

    Args:
        context: What is the same for all submissions.
        judge: Who is asked.
        asker: Who carries questions and answers.
    """

    def __init__(self, context: Context, judge: Judge, asker: Asker) -> None:
        self._context = context
        self._judge = judge
        self._asker = asker

    async def decide(self, prepared: Prepared, pending: Pending) -> Decided:
        """Ask a question as often as is set, and put its verdict together.

        Raises:
            AnswerPending: An answer is not here yet; all that can be asked was asked.
            CapReached: No more may be spent.
            FatalProviderError: There will be no answer to any question.
            LedgerError: An answer cannot be written down.
        """
        interviews: list[Interview] = []
        held: list[Held | None] = []
        reasons: list[str] = []
        waiting: AnswerPending | None = None
        for repeat in range(self._context.question.repeats):
            try:
                interview = self._interview(prepared, pending, repeat)
            except Exception as error:  # noqa: BLE001 - one question's trouble is not the others'
                reasons.append(crash("judge", error))
                break
            interviews.append(interview)
            try:
                held.append(await interview.hold())
                continue
            except AnswerPending as pending_answer:
                waiting = pending_answer
            except AnswerError as error:
                reasons.append(str(error))
            except (FatalProviderError, LedgerError, CapReached):
                raise
            except Exception as error:  # noqa: BLE001 - as above
                reasons.append(crash("judge", error))
            held.append(None)
        if waiting is not None:
            raise waiting
        chosen = middle(interviews, held) if interviews else None
        if chosen is None:
            return self._error(prepared, pending, reasons[0], interviews)
        interview, best = chosen
        returned = None if interview.last is None else interview.last.model
        made = verdict(
            best.parsed,
            best.checked,
            sau=pending.sau,
            submission=prepared.submission,
            evidence=best.note,
            flags=(
                *pending.prompt.flags,
                *pending.flags,
                *best.flags,
                *self._kinship(prepared, returned),
            ),
            provenance=provenance_of(
                self._context, pending.input_key, **_known(interviews, interview)
            ),
        )
        made = made.model_copy(
            update={"levels": spread(held) if len(held) > 1 else (), "odds": best.odds}
        )
        # Answers that could be mended or outvoted are part of this verdict and stay as they are.
        return Decided(made, ())

    def _kinship(self, prepared: Prepared, returned: str | None) -> tuple[str, ...]:
        wrote = families(prepared.submission.meta.get(GENERATOR))
        return (OWN_FAMILY,) if wrote & families(self._judge.model, returned) else ()

    def _interview(self, prepared: Prepared, pending: Pending, repeat: int) -> Interview:
        assert prepared.sources is not None
        question = Question(
            prepared.submission.id, pending.sau, pending.evidence, prompt=pending.prompt
        )
        library = prepared.library

        async def look_up(lacking: tuple[str, ...], note: EvidenceNote) -> Evidence | None:
            assert library is not None
            return await library.look_up(pending.sau, lacking, note)

        return Interview(
            asker=self._asker,
            request=self._judge.request(question, repeat=repeat),
            submission=prepared.submission.id,
            sau=pending.sau.id,
            note=pending.note,
            sources=prepared.sources,
            version=self._context.prompt_version,
            look_up=None if library is None or pending.note.complete else look_up,
        )

    def _error(
        self,
        prepared: Prepared,
        pending: Pending,
        reason: str,
        interviews: Sequence[Interview],
    ) -> Decided:
        """Return the verdict of a question without a usable answer, with what it took."""
        known = _known(interviews, interviews[0]) if interviews else {"usage": Usage()}
        made = error_verdict(
            writable(reason),
            sau=pending.sau,
            submission=prepared.submission,
            provenance=provenance_of(self._context, pending.input_key, **known),
            evidence=pending.note,
            flags=(*pending.prompt.flags, *pending.flags),
        )
        assert made.status is Status.ERROR
        return Decided(made, tuple(key for one in interviews for key in one.unusable))


def _known(interviews: Sequence[Interview], chosen: Interview) -> dict[str, Any]:
    """What is known of the answers, for the verdict's provenance."""
    usage = None
    for interview in interviews:
        usage = added(usage, interview.usage)
    known: dict[str, Any] = {
        "request_key": chosen.request.key,
        "attempts": sum(interview.attempts for interview in interviews),
        "cached": all(interview.cached for interview in interviews),
        "usage": usage or Usage(),
    }
    if (last := chosen.last) is not None:
        known |= {
            "model_returned": last.model,
            "request_id": last.request_id,
            "rung": last.rung,
            "parameters": last.parameters,
        }
    return known
