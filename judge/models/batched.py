"""A prompted judge whose answers come from batches, and whose questions wait for the next one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from judge.asked_again import counts_of
from judge.models.batch_vendors import Vendor
from judge.models.exchange_folder import ExchangeFolder, Subjects
from judge.models.prompted import PromptedJudge
from judge.models.usable import usable
from judge.pricing import BATCH_SHARE
from judge.protocol import Answer, AnswerError, AnswerPending, Question, Request

__all__ = ["BatchedJudge"]


class BatchedJudge:
    """Asks the same questions as the judge behind it, so each finds the other's answers.

    Args:
        judge: Who would be asked directly.
        vendor: The batch API.
        folder: Where requests and answers are.
        in_flight: Ids of requests that are in a batch now.
        per_batch: Requests in one batch; `None` is as many as the vendor takes.

    Attributes:
        folder: The folder, with what is missing after a run.
        files: The files of requests, after `close`.
    """

    def __init__(
        self,
        judge: PromptedJudge,
        vendor: Vendor,
        folder: Path,
        in_flight: frozenset[str],
        *,
        per_batch: int | None = None,
    ) -> None:
        self.name, self.provider, self.model = judge.name, judge.provider, judge.model
        self._judge = judge
        self._vendor = vendor
        self._in_flight = in_flight
        self.folder = ExchangeFolder(
            folder,
            max_lines=min(per_batch or vendor.max_requests, vendor.max_requests),
            max_bytes=vendor.max_bytes,
        )
        self.files: list[Path] = []
        self._subjects = Subjects()

    @property
    def max_output_tokens(self) -> int | None:
        """The cap on one answer, reasoning included."""
        return self._judge.max_output_tokens

    def identity(self) -> Mapping[str, Any]:
        """That of the judge behind it: how an answer came does not decide it."""
        return self._judge.identity()

    def request(self, question: Question, *, repeat: int = 0) -> Request:
        """The exact request for a question."""
        request = self._judge.request(question, repeat=repeat)
        self._subjects.note(request.body, question.submission, question.sau.id)
        return request

    async def judge(self, request: Request) -> Answer:
        """Answer a request from what batches brought.

        Raises:
            AnswerError: It came back, and asking the same again would be in vain.
            AnswerPending: It is in a batch, or waits for one.
        """
        key, about = request.key, self._subjects.of(request.body)
        line = self.folder.answer(key, about)
        if line is None or line.answer is None:
            failed = self.folder.failed.get(key)
            if failed is not None and not failed.retry and key not in self._in_flight:
                raise AnswerError("refused_request", f"{failed.failure} ({failed.place})")
            row = None
            if key not in self._in_flight:
                row = self._vendor.row(key, self._judge.payload(request))
            self.folder.ask(key, row, about, again=request.again)
            raise AnswerPending(f"{key}: not answered yet")
        answer = self._judge.completed(line.answer, request)
        cost = answer.usage.cost_usd
        if cost is not None:
            share = BATCH_SHARE.get(self.provider, 1.0)
            usage = answer.usage.model_copy(update={"cost_usd": cost * share})
            answer = replace(answer, usage=usage)
        return usable(answer, request.body)

    def worst_cost(self, request: Request) -> float | None:
        """Dollars for sending it now at most: nothing where it is answered or under way."""
        key, about = request.key, self._subjects.of(request.body)
        if key in self._in_flight or self.folder.answer(key, about) is not None:
            return 0.0
        worst = self._judge.worst_cost(request)
        return None if worst is None else worst * BATCH_SHARE.get(self.provider, 1.0)

    def why_unpriced(self) -> str:
        """Why a worst case is not known, for a person; empty where it is."""
        return self._judge.why_unpriced()

    async def close(self) -> None:
        """Put the files of requests in place."""
        self.files = self.folder.close()
        await self._judge.close()

    def remarks(self) -> tuple[str, ...]:
        """What is asked again and why, and what is odd about the answers."""
        return (*counts_of(self.folder.again.values()), *self.folder.remarks())
