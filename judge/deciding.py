"""From a question to its verdict, by a judge over a wire: asked, asked again, put together."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from judge.asking import Asker, LedgerError
from judge.budget import CapReached
from judge.caution import GENERATOR, OWN_FAMILY, families
from judge.checking import error_verdict, verdict
from judge.claim_batches import TOGETHER, Batcher
from judge.models.panel import Member, PanelJudge, members_of
from judge.paneling import Said, rule
from judge.preparing import (
    Asked,
    Context,
    Pending,
    Prepared,
    crash,
    judge_hash,
    provenance_of,
)
from judge.protocol import AnswerError, AnswerPending, FatalProviderError, Judge, Question
from judge.questioning import Held, Interview, added
from judge.records import writable
from judge.repeating import middle, spread
from judge.verdict import (
    EvidenceNote,
    MemberSaid,
    Provenance,
    Status,
    Usage,
    Verdict,
)
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
        # Those of the asker keep to the cap, where there is one; they make the same requests.
        self._members = members_of(asker.judge, context.question.repeats)
        self._batcher = Batcher(asker)

    async def decide(self, prepared: Prepared, pending: Pending) -> Decided:
        """Ask a question as often as is set, and put its verdict together.

        Raises:
            AnswerPending: An answer is not here yet; all that can be asked was asked.
            CapReached: No more may be spent.
            FatalProviderError: There will be no answer to any question.
            LedgerError: An answer cannot be written down.
        """
        if not isinstance(self._judge, PanelJudge):
            (member,) = self._members
            said = await self._hear(prepared, pending, member)
            return self._alone(prepared, pending, said)
        outcomes = await asyncio.gather(
            *(self._hear(prepared, pending, member) for member in self._members),
            return_exceptions=True,
        )
        # All have been heard, so nothing that was paid for is lost by what one of them met.
        failures = [one for one in outcomes if isinstance(one, BaseException)]
        if failures:
            raise min(failures, key=lambda one: isinstance(one, AnswerPending))
        return self._together(prepared, pending, [one for one in outcomes if isinstance(one, Said)])

    async def _hear(self, prepared: Prepared, pending: Pending, member: Member) -> Said:
        """Ask one judge as often as is set."""
        interviews: list[Interview] = []
        held: list[Held | None] = []
        reasons: list[str] = []
        waiting: AnswerPending | None = None
        for repeat in range(member.repeats):
            try:
                interview = self._interview(prepared, pending, member.judge, repeat)
            except Exception as error:  # noqa: BLE001 - one question's trouble is not the others'
                reasons.append(crash("judge", error))
                break
            interviews.append(interview)
            try:
                await self._with_others(prepared, pending, interview, repeat)
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
        reason = "" if chosen is not None else writable(reasons[0])
        return Said(member.judge.name, tuple(interviews), tuple(held), chosen, reason)

    async def _with_others(
        self, prepared: Prepared, pending: Pending, interview: Interview, repeat: int
    ) -> None:
        """Let a conversation begin with an answer that came with those to other claims."""
        single = interview.request
        interview.request = await self._batcher.first(
            interview.judge,
            prepared.submission.id,
            pending,
            prepared.pending,
            single,
            repeat=repeat,
        )
        if interview.request is not single:
            interview.marks = (TOGETHER,)

    def _alone(self, prepared: Prepared, pending: Pending, said: Said) -> Decided:
        """The verdict of one judge."""
        if said.chosen is None:
            return self._error(prepared, pending, said.reason, said.interviews)
        interview, best = said.chosen
        made = self._verdict(prepared, pending, best, said.interviews, interview)
        made = made.model_copy(
            update={
                "levels": spread(said.held) if len(said.held) > 1 else (),
                "odds": best.odds,
            }
        )
        # Answers that could be mended or outvoted are part of this verdict and stay as they are.
        return Decided(made, ())

    def _together(self, prepared: Prepared, pending: Pending, said: Sequence[Said]) -> Decided:
        """The verdict of a panel."""
        assert isinstance(self._judge, PanelJudge)
        ruling = rule(said, self._judge.quorum)
        interviews = [interview for one in said for interview in one.interviews]
        more: dict[str, Any] = {
            "levels": tuple(one.level for one in said),
            "members": tuple(
                self._member(member.judge, one)
                for member, one in zip(self._members, said, strict=True)
            ),
        }
        if isinstance(ruling, str):
            decided = self._error(prepared, pending, ruling, interviews)
            return replace(decided, verdict=decided.verdict.model_copy(update=more))
        made = self._verdict(prepared, pending, ruling.held, interviews, ruling.interview)
        # Which of several models it was is told by its members.
        provenance = made.provenance.model_copy(update={"model_returned": None})
        return Decided(made.model_copy(update={**more, "provenance": provenance}), ())

    def _member(self, judge: Judge, said: Said) -> MemberSaid:
        """What one member of a panel said, as it stands in the verdict."""
        provenance = Provenance(
            judge=judge.name,
            provider=judge.provider,
            model=judge.model,
            judge_hash=judge_hash(
                Asked(judge.name, judge.provider, judge.model, dict(judge.identity()))
            ),
            prompt_hash=self._context.prompt_hash,
            **_known(said.interviews, said.chosen[0] if said.chosen else None),
        )
        levels = spread(said.held) if len(said.held) > 1 else ()
        if said.chosen is None:
            return MemberSaid(
                status=Status.ERROR, reason=said.reason, levels=levels, provenance=provenance
            )
        parsed, checked = said.chosen[1].parsed, said.chosen[1].checked
        graded = checked.status is Status.GRADED
        return MemberSaid(
            status=checked.status,
            level=checked.level,
            drift=parsed.drift if graded else None,
            failure=parsed.failure if graded else None,
            found=parsed.found,
            rationale=parsed.rationale,
            citations=checked.citations,
            confidence=checked.confidence,
            flags=tuple(dict.fromkeys((*said.chosen[1].flags, *checked.flags))),
            reason=checked.reason,
            levels=levels,
            odds=said.chosen[1].odds,
            provenance=provenance,
        )

    def _verdict(
        self,
        prepared: Prepared,
        pending: Pending,
        best: Held,
        interviews: Sequence[Interview],
        interview: Interview,
    ) -> Verdict:
        returned = [one.last.model for one in interviews if one.last is not None]
        return verdict(
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

    def _kinship(self, prepared: Prepared, returned: Sequence[str | None]) -> tuple[str, ...]:
        wrote = families(prepared.submission.meta.get(GENERATOR))
        asked = [member.judge.model for member in self._members]
        return (OWN_FAMILY,) if wrote & families(*asked, *returned) else ()

    def _interview(
        self, prepared: Prepared, pending: Pending, judge: Judge, repeat: int
    ) -> Interview:
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
            judge=judge,
            request=judge.request(question, repeat=repeat),
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
        made = error_verdict(
            writable(reason),
            sau=pending.sau,
            submission=prepared.submission,
            provenance=provenance_of(
                self._context,
                pending.input_key,
                **_known(interviews, interviews[0] if interviews else None),
            ),
            evidence=pending.note,
            flags=(*pending.prompt.flags, *pending.flags),
        )
        assert made.status is Status.ERROR
        return Decided(made, tuple(key for one in interviews for key in one.unusable))


def _known(interviews: Sequence[Interview], chosen: Interview | None) -> dict[str, Any]:
    """What is known of the answers, for a provenance."""
    usage = None
    for interview in interviews:
        usage = added(usage, interview.usage)
    known: dict[str, Any] = {"usage": usage or Usage()}
    if not interviews:
        return known
    chosen = chosen or interviews[0]
    known |= {
        "request_key": chosen.request.key,
        "attempts": sum(interview.attempts for interview in interviews),
        "cached": all(interview.cached for interview in interviews),
    }
    if (last := chosen.last) is not None:
        known |= {
            "model_returned": last.model,
            "request_id": last.request_id,
            "rung": last.rung,
            "parameters": last.parameters,
        }
    return known
