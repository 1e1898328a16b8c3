"""The judge that hands its questions on in a file, and finds the answers in another.

Requests are written in the format of OpenAI's batch API, which vLLM's offline runner and vendors'
dashboards take as it is. Who answers is no matter: a model, a service, a person.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from judge.asked_again import counts_of
from judge.counting import counted
from judge.models.adapting import Form
from judge.models.endpoint import NO_KEY, Endpoint, Secret
from judge.models.exchange_folder import ASKED, ExchangeFolder, Subjects
from judge.models.openai import DEFAULT_BASE_URL, OpenAIWire
from judge.models.prompted import FORMAT
from judge.models.settings import JudgeSettings
from judge.models.usable import usable
from judge.models.wire import output_cap, parameters_sent, prompted_request, settings_in_key
from judge.pricing import PriceTable
from judge.protocol import Answer, AnswerPending, Question, Request

__all__ = ["ExchangeJudge"]

_URL = "/v1/chat/completions"


class ExchangeJudge:
    """Answers what is answered in its folder, and writes the rest out.

    Args:
        settings: What the user set; `model` names who answers, for the records.
        folder: Where requests and answers are.
        prices: For the price of an answer; no other price is known here.
    """

    provider = "exchange"

    def __init__(
        self, settings: JudgeSettings, folder: Path, *, prices: PriceTable | None = None
    ) -> None:
        self.model = settings.model
        self.name = f"exchange:{settings.model}"
        self._settings = settings
        self._folder = ExchangeFolder(folder)
        self._prices = prices
        endpoint = Endpoint(
            self.provider, DEFAULT_BASE_URL, settings.model or "", Secret("none"), NO_KEY
        )
        self._wire = OpenAIWire(endpoint)
        rung = "json_schema" if settings.structure == "auto" else settings.structure
        self._form = Form(rung, cap="max_completion_tokens")
        self._subjects = Subjects()
        self._files: list[Path] = []

    @property
    def max_output_tokens(self) -> int | None:
        """The cap on one answer, reasoning included."""
        return output_cap(self.identity())

    def identity(self) -> Mapping[str, Any]:
        """All that decides its answers besides the question; where the folder is does not."""
        return {
            "format": FORMAT,
            "provider": self.provider,
            "model": self.model,
            "structure": self._form.rung,
            **settings_in_key(self._settings),
        }

    def request(self, question: Question, *, repeat: int = 0) -> Request:
        """The exact request for a question.

        Raises:
            ValueError: The question has no prompt.
        """
        request = prompted_request(self.identity(), self._wire, question, repeat)
        self._subjects.note(request.body, question.submission, question.sau.id)
        return request

    async def judge(self, request: Request) -> Answer:
        """Answer a request from the folder.

        Raises:
            AnswerError: The answer that is there cannot be used.
            AnswerPending: There is none; the request is written out.
        """
        key = request.key
        about = self._subjects.of(request.body)
        line = self._folder.answer(key, about)
        if line is None or line.answer is None:
            body = self._wire.payload(request.body, self._form)
            row = {"custom_id": key, "method": "POST", "url": _URL, "body": body}
            self._folder.ask(key, row, about, again=request.again)
            raise AnswerPending(f"{key}: not answered yet")
        answer = line.answer
        usage = answer.usage
        usage = usage.model_copy(update={"cost_usd": self._price(answer)})
        rung = answer.rung or self._form.rung
        sent = {} if line.plain else parameters_sent(request.body, self._form, self._wire)
        return usable(replace(answer, usage=usage, rung=rung, parameters=sent), request.body)

    def worst_cost(self, request: Request) -> float | None:  # noqa: ARG002
        """Nothing: what is handed on in a file is not paid for by this program."""
        return 0.0

    def why_unpriced(self) -> str:
        """Nothing is unpriced."""
        return ""

    async def close(self) -> None:
        """Put the file of requests in place."""
        self._files = self._folder.close()

    def remarks(self) -> tuple[str, ...]:
        """What waits for an answer and where it is, and what is odd about the answers."""
        remarks = list(self._folder.remarks())
        if waiting := len(self._folder.waiting):
            names = ", ".join(file.name for file in self._files)
            remarks.insert(
                0,
                f"{counted(waiting, 'question waits', 'questions wait')} for an answer: {names} "
                f"in {self._folder.path}; put the answers there as answers.jsonl and run again",
            )
            again = list(counts_of(self._folder.again.values()))
            if again:
                again[-1] += (
                    f"; why, for each: again in {self._folder.path / ASKED}, "
                    "or judge show SUBMISSION CLAIM"
                )
            remarks[1:1] = again
        if dropped := self._folder.dropped:
            remarks.append(
                f"{counted(dropped, 'question that waited', 'questions that waited')} in "
                f"{self._folder.path} and not asked for now left its files: a run that asks for "
                "them writes them again; runs that share the folder need one each (judge.exchange)"
            )
        return tuple(remarks)

    def _price(self, answer: Answer) -> float | None:
        for model in (self.model, answer.model):
            if self._prices is not None and model is not None:
                entry = self._prices.find(model)
                if entry is not None:
                    return entry.of(answer.usage)
        return None
