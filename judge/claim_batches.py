"""Several claims a request: put together, taken apart, and single questions for what went wrong.

Claims of one submission and kind are cut into groups that depend on the claims of the paper and on
the setting alone, never on what is asked now. What comes back is taken apart at once, and each
part kept as the answer to its claim's own question, under a key that names the claims of its group
too; from there on each claim goes its own way, as if it had been asked alone. A claim whose part is
missing, there twice, or not to be read is asked by itself.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Any

from judge.asking import Asker
from judge.parsing import parse_fields, read_object
from judge.posing import Pending
from judge.protocol import Answer, AnswerError, Judge, Question, Request
from judge.records import StoredAnswer
from judge.verdict import Usage
from prompts.batch import batch_hash, batch_ids, render_batch

__all__ = ["TOGETHER", "Batcher", "as_part", "parts_of", "shares", "together"]

_log = logging.getLogger(__name__)

TOGETHER = "asked_together"
"""The flag of a verdict whose first answer came with those to other claims."""

_ROOM = 4
"""Each further claim gets room for an answer of a quarter of the cap: few are as long as that."""


def as_part(single: Request, pending: Pending) -> Request:
    """The request whose key a claim's part of an answer is kept under.

    The words that put several questions together are part of what was asked.

    Args:
        single: The claim's own question.
        pending: The claim, with those that it may be asked with.
    """
    asked_by = batch_hash(pending.prompt.version)
    return Request({**single.body, "asked_with": list(pending.group), "asked_by": asked_by})


def together(judge: Judge, submission: str, pendings: Sequence[Pending], *, repeat: int) -> Request:
    """The request that asks about several claims."""
    first = pendings[0]
    about = replace(first.sau, id=" ".join(pending.sau.id for pending in pendings))
    prompt = render_batch([pending.prompt for pending in pendings])
    request = judge.request(Question(submission, about, first.evidence, prompt), repeat=repeat)
    body: dict[str, Any] = dict(request.body)
    for key in ("max_output_tokens", "reasoning_tokens"):
        if isinstance(room := body.get(key), int):
            body[key] = room + (len(pendings) - 1) * room // _ROOM
    return Request(body)


def parts_of(answer: Answer, count: int) -> dict[str, str]:
    """Take an answer to several claims apart.

    Args:
        answer: The answer.
        count: How many claims it is about.

    Returns:
        By the claim's name in the question, its part as JSON; those that are missing, there
        twice, or not to be read are left out.

    Raises:
        AnswerError: Nothing can be taken from it.
    """
    record = read_object(answer)
    given = record.get("verdicts")
    if not isinstance(given, list) or record.keys() != {"verdicts"}:
        raise AnswerError(
            "bad_field",
            "the answer has no list of verdicts",
            attempts=answer.attempts,
            answer=answer,
        )
    entries = [entry for entry in given if isinstance(entry, dict)]
    names = Counter(str(entry.get("id")) for entry in entries)
    wanted = batch_ids(count)
    parts = {}
    for entry in entries:
        name = entry.get("id")
        if name not in wanted or names[name] > 1:
            continue
        fields = {key: value for key, value in entry.items() if key != "id"}
        try:
            parse_fields(fields, answer)
        except AnswerError:
            continue
        parts[name] = json.dumps(fields, ensure_ascii=False)
    if unknown := names.keys() - set(wanted):
        _log.warning(
            "an answer to %d claims names others: %s", count, ascii(sorted(unknown)[:5])[:200]
        )
    return parts


class Batcher:
    """Asks about several claims at a time, for one run.

    Args:
        asker: Who carries questions and answers.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker
        self._tasks: dict[tuple[object, ...], asyncio.Task[None]] = {}
        self._alone: set[int] = set()

    async def first(
        self,
        judge: Judge,
        submission: str,
        pending: Pending,
        all_pending: Sequence[Pending],
        single: Request,
        *,
        repeat: int,
    ) -> Request:
        """The request to begin a claim's conversation with, its answer at hand where it may be.

        Args:
            judge: Who is asked.
            submission: The submission's id.
            pending: The claim's question.
            all_pending: All questions about the submission.
            single: The request for this one alone.
            repeat: The how-manieth time it is asked.

        Raises:
            AnswerPending: The answer to several is not here yet.
            CapReached: No more may be spent.
            FatalProviderError: There will be no answer to any question.
            LedgerError: An answer cannot be written down.
        """
        if len(pending.group) < 2:
            return single
        part = as_part(single, pending)
        if self._asker.knows(part):
            return part
        if id(judge) in self._alone or self._asker.knows(single):
            return single
        key = (id(judge), submission, pending.group, repeat)
        task = self._tasks.get(key)
        if task is None:
            task = asyncio.create_task(
                self._ask(judge, submission, pending, all_pending, repeat=repeat)
            )
            self._tasks[key] = task
        await asyncio.shield(task)
        return part if self._asker.knows(part) else single

    async def _ask(
        self,
        judge: Judge,
        submission: str,
        pending: Pending,
        all_pending: Sequence[Pending],
        *,
        repeat: int,
    ) -> None:
        """Ask about those of a group that have no answer yet, and keep each one's part."""
        open_ones: list[tuple[Pending, Request]] = []
        for other in all_pending:
            if other.group != pending.group:
                continue
            question = Question(submission, other.sau, other.evidence, other.prompt)
            single = judge.request(question, repeat=repeat)
            part = as_part(single, other)
            if not self._asker.knows(part) and not self._asker.knows(single):
                open_ones.append((other, part))
        if len(open_ones) < 2:
            return
        asked = [other for other, _ in open_ones]
        request = together(judge, submission, asked, repeat=repeat)
        count = len(asked)
        try:
            reply = await self._asker.ask_for(
                request,
                submission,
                asked[0].sau.id,
                lambda answer: parts_of(answer, count),
                judge=judge,
            )
        except AnswerError as error:
            _log.warning("%s: %d claims are asked one by one (%s)", judge.name, count, error)
            if error.code in {"no_room", "too_long"}:
                # It would be so each time.
                self._alone.add(id(judge))
            return
        answered = [
            (part, reply.parsed[name], one.sau.id)
            for name, (one, part) in zip(batch_ids(count), open_ones, strict=True)
            if name in reply.parsed
        ]
        took = shares(reply.stored.usage, [len(said) for _, said, _ in answered])
        await self._asker.adopt(
            [
                (part, _stored(reply.stored, said, usage, first=not number), submission, sau)
                for number, ((part, said, sau), usage) in enumerate(
                    zip(answered, took, strict=True)
                )
            ],
            fresh=not reply.cached,
        )


def _stored(whole: StoredAnswer, text: str, usage: Usage, *, first: bool) -> StoredAnswer:
    """A part of an answer as an answer, with its share of what the whole took."""
    return whole.model_copy(
        update={
            "text": text,
            "usage": usage,
            # One request was sent for all of them.
            "attempts": whole.attempts if first else 0,
            "level_tokens": None,
        }
    )


def shares(usage: Usage, lengths: Sequence[int]) -> list[Usage]:
    """What an answer took, shared out among its usable parts: together they took all of it.

    Args:
        usage: Of the whole answer.
        lengths: Of each part, in characters.

    Returns:
        One for each part; each took as many seconds as the whole.
    """
    total = sum(lengths)
    ends = [end / total for end in accumulate(lengths, initial=0)] if total else []
    return [
        Usage(
            **{
                name: None if value is None else _between(value, start, end)
                for name, value in usage.model_dump(exclude={"seconds"}).items()
            },
            seconds=usage.seconds,
        )
        for start, end in pairwise(ends)
    ]


def _between(value: float, start: float, end: float) -> float:
    if isinstance(value, int):
        # Rounded at the borders, so that no token is lost or counted twice.
        return round(value * end) - round(value * start)
    return value * (end - start)
