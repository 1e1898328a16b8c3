"""One question and what follows from its answer, until there is a verdict or no hope of one.

An answer that cannot be read is asked for once more, with what was wrong with it. A judge that
says what it lacks is shown it once. An answer that contradicts itself, or whose level above 0
stands on no quote, is asked for anew once. Each follow-up holds the whole conversation, so its key
is that of the whole conversation, and it is in the ledger like any other.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from judge.asked_again import LOOKED_UP
from judge.asking import Asker, KnownAnswerError
from judge.checking import Checked, check
from judge.level_odds import LevelOdds, level_odds
from judge.parsing import ParsedAnswer
from judge.protocol import AnswerError, Judge, Request
from judge.records import StoredAnswer, writable
from judge.sources import Sources
from judge.verdict import EvidenceNote, Usage
from prompts.again import further_evidence, objection, repair
from prompts.scanning import scan
from retrieval.values import Evidence

__all__ = ["Held", "Interview", "added", "with_more_room"]

LookUp = Callable[[tuple[str, ...], EvidenceNote], Awaitable[Evidence | None]]
"""From what a judge lacks and what it was shown to what was found of it, if anything was."""

_UNREADABLE = frozenset(
    {
        *(
            "truncated",
            "reasoning_cut",
            "refused",
            "empty",
            "too_large",
            "bad_json",
            "duplicate_field",
        ),
        *("missing_field", "unknown_field", "bad_field", "off_scale", "off_menu"),
    }
)
"""What asking once more may cure. Whatever else goes wrong happened on the way."""

_INSTEAD = {
    "truncated": "(The answer was cut off.)",
    "reasoning_cut": "(There was no answer.)",
    "refused": "(There was no answer.)",
    "empty": "(There was no answer.)",
}
_MAX_REPEATED = 8_000
_MAX_WHY = 500


@dataclass(frozen=True, slots=True)
class Held:
    """What a conversation came to.

    Attributes:
        parsed: The last answer that could be read.
        checked: What the checks left of it.
        note: What the judge was shown in the end.
        flags: What it took.
        odds: What log probabilities say of the level, where they were asked for.
    """

    parsed: ParsedAnswer
    checked: Checked
    note: EvidenceNote
    flags: tuple[str, ...]
    odds: LevelOdds | None = None


@dataclass(slots=True)
class Interview:
    """A conversation with a judge about one claim.

    Attributes:
        asker: Who carries questions and answers.
        judge: Who is asked.
        request: The first question, then the latest one.
        submission: The submission's id.
        sau: The claim's id.
        note: What the judge is shown.
        sources: The repository's lines.
        version: Of the prompt.
        look_up: Finds what the judge lacks; `None` where there is nothing more to find.
        attempts: Requests sent, by this run and those before it.
        usage: Of all answers together; `None` where there is none.
        cached: Whether all answers were at hand.
        last: The latest answer, usable or not.
        unusable: Keys of the requests whose answers could not be read.
        marks: What a verdict should say of how it came to be asked.
    """

    asker: Asker
    judge: Judge
    request: Request
    submission: str
    sau: str
    note: EvidenceNote
    sources: Sources
    version: str
    look_up: LookUp | None = None
    attempts: int = 0
    usage: Usage | None = None
    cached: bool = True
    last: StoredAnswer | None = None
    unusable: list[str] = field(default_factory=list)
    marks: tuple[str, ...] = ()
    _flags: list[str] = field(default_factory=list)
    _mended: bool = False
    _odds: LevelOdds | None = None

    async def hold(self) -> Held:
        """Ask until there is an answer to judge by.

        Raises:
            AnswerError: There is none that can be read, or one did not come.
            AnswerPending: One is not here yet.
            FatalProviderError: There will be none to any question.
            LedgerError: It cannot be written down.
        """
        parsed = await self._answer()
        if parsed.lacking and self.look_up is not None:
            parsed = await self._with_more(parsed, self.look_up)
        checked = self._check(parsed)
        if checked.objections:
            self._flags.append(f"reasked_{checked.reason.partition(':')[0]}")
            self._say(objection(checked.objections, version=self.version), again=checked.reason)
            if (later := await self._later()) is not None:
                parsed, checked = later, self._check(later)
        if self._odds is not None and self._odds.reason:
            self._flags.append("no_level_odds")
        return Held(parsed, checked, self.note, (*self.marks, *self._flags), self._odds)

    async def _with_more(self, parsed: ParsedAnswer, look_up: LookUp) -> ParsedAnswer:
        found = await look_up(parsed.lacking, self.note)
        if found is None:
            return parsed
        text, suspect = further_evidence(found, version=self.version)
        self._flags.append("looked_up")
        if suspect:
            self._flags.append("odd_characters")
        # Names and values are shown of lines that are not.
        named = "\n".join(f"{fact.path} {fact.name} {fact.value}" for fact in found.facts)
        if scan([*((passage.path, passage.text) for passage in found.passages), ("", named)]):
            self._flags.append("suspect_instruction")
        shown = [(passage.path, passage.first, passage.last) for passage in found.passages]
        self.note = self.note.model_copy(
            update={
                "passages": [*self.note.passages, *shown],
                "tokens": self.note.tokens + found.tokens,
            }
        )
        self._say(text, again=f"{LOOKED_UP}: {'; '.join(parsed.lacking)}")
        return await self._later() or parsed

    def _check(self, parsed: ParsedAnswer) -> Checked:
        return check(parsed, self.sources, self.note, local=False)

    async def _later(self) -> ParsedAnswer | None:
        """Return a further answer, or `None` where it cannot be read: the earlier one could be."""
        try:
            return await self._answer()
        except AnswerError as error:
            if error.code not in _UNREADABLE:
                raise
            self._flags.append("follow_up_unusable")
            return None

    async def _answer(self) -> ParsedAnswer:
        """Return an answer that can be read, asking for it once more where it cannot."""
        try:
            return await self._ask()
        except AnswerError as error:
            if error.code not in _UNREADABLE or error.answer is None or self._mended:
                raise
            self._mended = True
            self._flags.append(f"reasked_{error.code}")
            self._say(
                repair(error.code, error.message, version=self.version),
                again=str(error),
                instead=_INSTEAD.get(error.code),
                cut=error.code,
            )
            return await self._ask()

    async def _ask(self) -> ParsedAnswer:
        try:
            reply = await self.asker.ask(self.request, self.submission, self.sau, judge=self.judge)
        except AnswerError as error:
            self.attempts += error.attempts
            self.cached = self.cached and isinstance(error, KnownAnswerError)
            if error.answer is not None:
                self.last = StoredAnswer.of(error.answer, time="")
                self.usage = added(self.usage, self.last.usage)
                self.unusable.append(self.request.key)
            raise
        self.attempts += reply.stored.attempts
        self.cached = self.cached and reply.cached
        self.usage = added(self.usage, reply.stored.usage)
        self.last = reply.stored
        self._odds = _odds(self.request, reply.stored)
        return reply.parsed

    def _say(self, text: str, *, again: str, instead: str | None = None, cut: str = "") -> None:
        """Make the next request: all that was said, and this."""
        said = instead
        if said is None:
            said = writable("" if self.last is None else self.last.text)[:_MAX_REPEATED]
        body: dict[str, Any] = dict(self.request.body)
        messages = list(body.get("messages", ()))
        # Some APIs spell a text as a list of one block: what follows is spelt as what went before.
        blocks = bool(messages) and isinstance(messages[-1]["content"], list)
        for role, words in (("assistant", said or _INSTEAD["empty"]), ("user", text)):
            content = [{"type": "text", "text": words}] if blocks else words
            messages.append({"role": role, "content": content})
        body["messages"] = messages
        again = writable(" ".join(again.split()))[:_MAX_WHY]
        self.request = Request(with_more_room(body, cut), again)


def _odds(request: Request, stored: StoredAnswer) -> LevelOdds | None:
    """What an answer's log probabilities say, or why there are none where they were wanted."""
    if stored.level_tokens is not None:
        return level_odds(stored.level_tokens)
    if not request.body.get("logprobs"):
        return None
    if "top_logprobs" not in stored.parameters:
        return LevelOdds(reason="refused: the endpoint gives no log probabilities for this model")
    return LevelOdds(reason=f"absent: none came with an answer by {stored.rung}")


def with_more_room(body: dict[str, Any], cut: str) -> dict[str, Any]:
    """The body of a request with about twice the room, where the last answer needed it.

    Args:
        body: The request's.
        cut: What went wrong: `truncated` makes more room for the answer, `reasoning_cut` for the
            thoughts before it, and anything else none.
    """
    answer = body.get("max_output_tokens")
    if not isinstance(answer, int):
        return body
    if cut == "truncated":
        return {**body, "max_output_tokens": 2 * answer}
    if cut == "reasoning_cut":
        reasoning = body.get("reasoning_tokens", 0)
        return {**body, "reasoning_tokens": max(2 * reasoning, reasoning + answer)}
    return body


def added(one: Usage | None, other: Usage | None) -> Usage | None:
    """Add up what answers took; what is unknown of one is unknown of both."""
    if one is None or other is None:
        return other if one is None else one
    sums = {}
    for name in Usage.model_fields:
        first, second = getattr(one, name), getattr(other, name)
        sums[name] = None if first is None or second is None else first + second
    return Usage(**sums)
