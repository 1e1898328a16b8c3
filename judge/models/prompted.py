"""The prompted judge: one question, one request, one answer, whichever API carries it.

What differs between APIs is a `Wire`; all else (the canonical request, adapting, asking again,
counting, naming what went wrong) is here once.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from benchmark import InputError, Where
from judge.models.adapting import Adaptation, Form, adaptation_for
from judge.models.endpoint import Endpoint
from judge.models.faults import Fault, Unsupported, classify, read_fault
from judge.models.gate import Gate
from judge.models.measuring import at_most, request_tokens
from judge.models.retrying import Patience, Transient
from judge.models.settings import APIS, LOGPROBS, STRUCTURES, JudgeSettings
from judge.models.usable import usable
from judge.models.wire import (
    Reply,
    Unreachable,
    Wire,
    output_cap,
    parameters_sent,
    prompted_request,
    settings_in_key,
)
from judge.pricing import PriceTable, price
from judge.protocol import (
    Answer,
    AnswerError,
    FatalProviderError,
    Question,
    Request,
    canonical_json,
)
from judge.verdict import Usage

__all__ = ["FORMAT", "PromptedJudge", "check_settings"]

FORMAT = 1
"""Version of the translation from a request's body to the bytes on the wire: it is part of the
key, so that a change of the translation is a change of the question."""

_UNREADABLE_LIMIT = 3
_UNREACHABLE_LIMIT = 5


class PromptedJudge:
    """A judge that asks a model by an HTTP API.

    Args:
        settings: What the user set.
        endpoint: Where to ask.
        wire: The API's spelling.
        reserved: Parameters that the wire sets by itself and the user may not.
        prices: For the price of an answer.
        patience: In place of the one that the settings describe.

    Raises:
        InputError: The settings contradict themselves or the API.
    """

    def __init__(
        self,
        settings: JudgeSettings,
        endpoint: Endpoint,
        wire: Wire,
        *,
        reserved: frozenset[str],
        prices: PriceTable | None = None,
        patience: Patience | None = None,
    ) -> None:
        check_settings(settings, wire.ladder, reserved)
        self.provider = endpoint.provider
        self.model: str | None = endpoint.model
        self.name = f"{endpoint.provider}:{endpoint.model}"
        self._settings = settings
        self._endpoint = endpoint
        self._wire = wire
        self._prices = prices
        self._answered_by: set[str] = set()
        self._patience = patience or Patience(
            timeout_seconds=settings.timeout_seconds, deadline_seconds=settings.deadline_seconds
        )
        self._gate = Gate(
            settings.concurrency,
            calm=self._patience.calm,
            ready=lambda: self._adaptation.proven,
            requests_per_minute=settings.requests_per_minute,
            tokens_per_minute=settings.tokens_per_minute,
        )

    def __repr__(self) -> str:
        return f"<judge {self.name} at {self._endpoint.base_url}>"

    @property
    def max_output_tokens(self) -> int | None:
        """The cap on one answer, reasoning included."""
        return output_cap(self.identity())

    def identity(self) -> Mapping[str, Any]:
        """All that decides its answers besides the question."""
        return {
            "format": FORMAT,
            "provider": self.provider,
            "base_url": self._endpoint.base_url,
            "model": self.model,
            "structure": self._settings.structure,
            **settings_in_key(self._settings),
        }

    def request(self, question: Question, *, repeat: int = 0) -> Request:
        """The exact request for a question; pure, and the same whatever was learnt of the endpoint.

        Raises:
            ValueError: The question has no prompt.
        """
        return prompted_request(self.identity(), self._wire, question, repeat)

    async def judge(self, request: Request) -> Answer:
        """Answer a request.

        Raises:
            AnswerError: No usable answer to this question. What came back, where anything did, is
                in its `answer`, with what it cost.
            FatalProviderError: No answer to any question is to be had.
        """
        attempts = 0

        async def attempt() -> Answer:
            nonlocal attempts
            while True:
                form = self._adaptation.form(self._settings.structure)
                attempts += 1
                try:
                    return await self._once(request.body, form)
                except Unsupported as refusal:
                    self._adaptation.learn(refusal, form, self._settings.structure, self._endpoint)

        self._wire.open()
        # Counting takes a while, and only a bound on tokens wants to know.
        bounded = self._settings.tokens_per_minute is not None
        tokens = request_tokens(request.body) if bounded else 0
        try:
            answer = await self._patience.persist(attempt, self._gate, tokens)
        except FatalProviderError as error:
            error.attempts = attempts
            raise
        except AnswerError as error:
            error.attempts = attempts
            if error.answer is not None:
                error.answer = replace(error.answer, attempts=attempts)
            if error.code == "unreachable":
                place = f"{self.provider} at {self._endpoint.base_url}"
                fatal = FatalProviderError(
                    f"{place} cannot be reached ({error}). "
                    "Check judge.base_url, that the server runs, and the network"
                )
                fatal.attempts = attempts
                raise fatal from None
            raise
        return replace(answer, attempts=attempts)

    @property
    def endpoint(self) -> Endpoint:
        """Where it asks."""
        return self._endpoint

    @property
    def path(self) -> str:
        """The call that is made, below the base URL."""
        return self._wire.path

    def payload(self, request: Request) -> dict[str, Any]:
        """The JSON that would be sent for a request, as far as the endpoint is known."""
        return self._wire.payload(request.body, self._form())

    def completed(self, answer: Answer, request: Request) -> Answer:
        """An answer to `payload` that came another way, with what it cost and was asked by."""
        form = self._form()
        usage = answer.usage.model_copy(
            update={"cost_usd": self._price(answer.model, answer.usage)}
        )
        sent = parameters_sent(request.body, form, self._wire)
        return replace(answer, rung=form.rung, usage=usage, parameters=sent)

    def _form(self) -> Form:
        return self._adaptation.form(self._settings.structure)

    def worst_cost(self, request: Request) -> float | None:
        """Dollars for one answer at most, or `None` where that is not known."""
        cap = output_cap(request.body)
        if cap is None or self.model is None:
            return None
        most = at_most(request_tokens(request.body))
        plain = self._price(None, Usage(input_tokens=most, output_tokens=cap))
        # Writing to a cache may be dearer than not using one.
        written = Usage(input_tokens=most, written_tokens=most, output_tokens=cap)
        costs = [plain, self._price(None, written)]
        known = [cost for cost in costs if cost is not None]
        return max(known) if len(known) == len(costs) else None

    def why_unpriced(self) -> str:
        """Why a worst case is not known, for a person; empty where it is."""
        if self._settings.max_output_tokens is None:
            return "judge.max_output_tokens is empty, so an answer may be of any length"
        if self._price(None, Usage(input_tokens=1, output_tokens=1)) is None:
            return f"the price of {self.model} at {self._endpoint.base_url} is not known"
        return ""

    async def close(self) -> None:
        """Let go of connections."""
        await self._wire.close()

    def remarks(self) -> tuple[str, ...]:
        """How the provider took the number of requests, where it objected."""
        said = []
        gate = self._gate
        if gate.cuts:
            said.append(
                f"{self.name} turned requests away, and fewer were sent at a time: as few as "
                f"{gate.least} of judge.concurrency {self._settings.concurrency}"
            )
        if others := sorted(self._answered_by - {self.model or ""}):
            said.append(
                f"judge.model {self.model!r} was answered by {', '.join(others)}: name that "
                "version, or a later run may be judged by another one"
            )
        return tuple(said)

    @property
    def _adaptation(self) -> Adaptation:
        return adaptation_for(self._endpoint, self._wire.ladder, self._wire.caps)

    async def _once(self, body: Mapping[str, Any], form: Form) -> Answer:
        payload = self._wire.payload(body, form)
        started = time.monotonic()
        try:
            reply = await self._wire.post(payload, self._patience.timeout_seconds)
        except Unreachable as failure:
            if self._adaptation.reached:
                raise Transient("connection", failure.message) from None
            # Nobody ever answered there: more likely a wrong address than a bad moment.
            raise Transient("unreachable", failure.message, limit=_UNREACHABLE_LIMIT) from None
        seconds = time.monotonic() - started
        self._adaptation.reached = True
        sent = parameters_sent(body, form, self._wire)
        if reply.status >= 300:
            fault = read_fault(reply.status, reply.headers, reply.text, self._endpoint)
            error = classify(fault, self._endpoint, rung=form.rung, sent=sent)
            if isinstance(error, FatalProviderError) and self._asks_for_more(body, fault):
                raise AnswerError("no_room", f"no more room is to be had ({fault.message})")
            raise error
        answer = self._read(reply, form, sent)
        self._adaptation.proven = True
        if answer.model is not None:
            self._answered_by.add(answer.model)
        usage = answer.usage.model_copy(update={"seconds": round(seconds, 3)})
        usage = usage.model_copy(update={"cost_usd": self._price(answer.model, usage)})
        return usable(replace(answer, rung=form.rung, usage=usage, parameters=sent), body)

    def _asks_for_more(self, body: Mapping[str, Any], fault: Fault) -> bool:
        """Whether a refusal may be for room beyond what is set: one question's trouble alone."""
        cap, usual = output_cap(body), self.max_output_tokens
        more = cap is not None and usual is not None and cap > usual
        return more and fault.status in {400, 422}

    def _read(self, reply: Reply, form: Form, sent: Mapping[str, Any]) -> Answer:
        place = f"{self.provider} at {self._endpoint.base_url}"
        try:
            data = json.loads(reply.text)
        except ValueError:
            data = None
        if isinstance(data, dict) and data.get("error"):
            # Gateways report an upstream's failure under a status of 200.
            inner = data["error"]
            code = inner.get("code") if isinstance(inner, dict) else None
            status = code if isinstance(code, int) and 400 <= code < 600 else 500
            fault = read_fault(status, reply.headers, reply.text, self._endpoint)
            raise classify(fault, self._endpoint, rung=form.rung, sent=sent)
        try:
            if not isinstance(data, dict):
                raise TypeError  # noqa: TRY301 - one word for every way of being unreadable
            return self._wire.read(data, reply.headers)
        except (KeyError, IndexError, TypeError, AttributeError):
            start = self._endpoint.redact(reply.text[:200]) or "nothing"
            raise Transient(
                "unreadable",
                f"{place} answered HTTP {reply.status} without a readable answer, but: {start}",
                limit=_UNREADABLE_LIMIT,
            ) from None

    def _price(self, returned: str | None, usage: Usage) -> float | None:
        for model in (self.model, returned):
            if model is None:
                continue
            cost = price(
                model,
                usage,
                provider=self.provider,
                base_url=self._endpoint.base_url,
                table=self._prices,
            )
            if cost is not None:
                return cost
        return None


def check_settings(
    settings: JudgeSettings, ladder: tuple[str, ...], reserved: frozenset[str]
) -> None:
    """Check what the user set against what an API has.

    Raises:
        InputError: The settings contradict themselves or the API.
    """

    def wrong(problem: str, key: str, remedy: str) -> InputError:
        return InputError(problem, where=Where("config", key=f"judge.{key}"), remedy=remedy)

    if settings.structure not in STRUCTURES:
        raise wrong(
            f"structure {settings.structure!r} is unknown",
            "structure",
            f"Choose one of {', '.join(STRUCTURES)}",
        )
    if settings.structure != "auto" and settings.structure not in ladder:
        raise wrong(
            f"this API has no structure {settings.structure!r}",
            "structure",
            f"Choose auto, {', '.join(ladder)}",
        )
    for key, choices in (("api", APIS), ("logprobs", LOGPROBS)):
        if (chosen := getattr(settings, key)) not in choices:
            raise wrong(f"{key} {chosen!r} is unknown", key, f"Choose one of {', '.join(choices)}")
    if taken := sorted(reserved.intersection(settings.parameters)):
        raise wrong(
            f"{', '.join(taken)} cannot be set here: the judge sets it",
            "parameters",
            "Take it out; the cap on an answer is judge.max_output_tokens",
        )
    try:
        canonical_json(dict(settings.parameters))
    except (TypeError, ValueError) as error:
        raise wrong(
            f"the parameters are not plain JSON ({error})",
            "parameters",
            "Write numbers, strings, lists and mappings only",
        ) from None
    for key in ("concurrency", "max_output_tokens"):
        value = getattr(settings, key)
        if value is not None and value < 1:
            raise wrong(f"{key} is {value}", key, "Give a whole number of 1 or more")
    if settings.reasoning_tokens < 0:
        raise wrong(
            f"reasoning_tokens is {settings.reasoning_tokens}", "reasoning_tokens", "Give 0 or more"
        )
    if settings.reasoning_tokens and settings.max_output_tokens is None:
        raise wrong(
            "reasoning_tokens is room on top of max_output_tokens, and that is empty",
            "reasoning_tokens",
            "Give max_output_tokens too, or neither",
        )
    for key in ("timeout_seconds", "deadline_seconds"):
        if getattr(settings, key) <= 0:
            raise wrong(f"{key} is not above 0", key, "Give seconds")
