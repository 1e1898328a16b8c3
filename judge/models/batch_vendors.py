"""The vendors' batch APIs: half the price, an answer within a day.

What differs between the two is here; what is done with them is in `judge/batching.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from benchmark import InputError, Where
from judge.models.clients import anthropic_client, openai_client
from judge.models.endpoint import Endpoint
from judge.models.faults import classify, read_fault
from judge.models.retrying import Patience, Transient
from judge.protocol import AnswerError, FatalProviderError

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from openai import AsyncOpenAI

__all__ = [
    "AnthropicBatches",
    "BatchState",
    "OpenAIBatches",
    "Vendor",
    "as_person",
    "vendor_of",
]

_T = TypeVar("_T")
_LISTED = 100


@dataclass(frozen=True, slots=True)
class BatchState:
    """A batch as its vendor sees it.

    Attributes:
        id: The vendor's id.
        status: In the vendor's word.
        ended: Whether nothing more will come of it.
        total: Requests in it.
        done: Those among them that are through, however they ended.
        name: Our name of it, where the vendor keeps one.
        created: When, in seconds since 1970, where it says.
        problem: What is wrong with the whole of it.
        files: Where its results are, in the vendor's terms.
    """

    id: str
    status: str
    ended: bool
    total: int
    done: int
    name: str = ""
    created: float = 0.0
    problem: str = ""
    files: tuple[str, ...] = ()


class Vendor(Protocol):
    """One batch API."""

    max_requests: int
    max_bytes: int

    def row(self, custom_id: str, payload: Mapping[str, Any]) -> dict[str, Any]:
        """One request as it stands in the file that is sent."""

    async def submit(self, file: Path, name: str) -> BatchState:
        """Send a file of requests. It is tried once, for a second try might be a second batch."""

    async def look(self, batch_id: str) -> BatchState:
        """How a batch stands."""

    async def recent(self) -> list[BatchState]:
        """The latest batches of this account."""

    def results(self, state: BatchState) -> AsyncIterator[bytes]:
        """The results of a batch that has ended, as pieces of JSON Lines."""

    async def close(self) -> None:
        """Let go of connections."""


def vendor_of(
    endpoint: Endpoint, *, patience: Patience | None = None, path: str = "/chat/completions"
) -> Vendor:
    """The batch API at an endpoint.

    Args:
        endpoint: Where.
        patience: How long one call is tried.
        path: The call that the requests are made for, where the vendor has several.

    Raises:
        InputError: There is none of that kind.
    """
    made = patience or Patience(timeout_seconds=600, deadline_seconds=1800)
    match endpoint.provider:
        case "openai":
            return OpenAIBatches(endpoint, made, path)
        case "anthropic":
            return AnthropicBatches(endpoint, made)
        case kind:
            raise InputError(
                f"a judge of the kind {kind!r} has no batch API",
                where=Where("config", key="judge.kind"),
                remedy="Choose openai or anthropic; exchange writes the same files for others",
            )


class OpenAIBatches:
    """Files and batches of OpenAI.

    Args:
        endpoint: Where.
        patience: How long one call is tried.
        path: The call that the requests are made for, below the base URL.
    """

    max_requests = 50_000
    max_bytes = 190_000_000

    def __init__(
        self, endpoint: Endpoint, patience: Patience, path: str = "/chat/completions"
    ) -> None:
        self._url = f"/v1{path}"
        self._endpoint = endpoint
        self._patience = patience
        self._made: AsyncOpenAI | None = None

    @property
    def _client(self) -> AsyncOpenAI:
        if self._made is None:
            import openai  # noqa: PLC0415 - half a second that only those who send should pay

            http_client = openai.DefaultAsyncHttpxClient(follow_redirects=False)
            self._made = openai_client(self._endpoint, http_client)
        return self._made

    def row(self, custom_id: str, payload: Mapping[str, Any]) -> dict[str, Any]:
        """One request as it stands in the file that is sent."""
        row = {"custom_id": custom_id, "method": "POST", "url": self._url}
        return {**row, "body": dict(payload)}

    async def submit(self, file: Path, name: str) -> BatchState:
        """Upload a file and make a batch of it."""
        uploaded = await self._again(lambda: self._client.files.create(file=file, purpose="batch"))
        url: Any = self._url  # one of those that the SDK spells out
        made = await self._once(
            lambda: self._client.batches.create(
                input_file_id=uploaded.id,
                endpoint=url,
                completion_window="24h",
                metadata={"judge_batch": name},
            )
        )
        return self._state(made)

    async def look(self, batch_id: str) -> BatchState:
        """How a batch stands."""
        return self._state(await self._again(lambda: self._client.batches.retrieve(batch_id)))

    async def recent(self) -> list[BatchState]:
        """The latest batches of this account."""
        page = await self._again(lambda: _page(self._client.batches.list(limit=_LISTED)))
        return [self._state(batch) for batch in page.data]

    async def results(self, state: BatchState) -> AsyncIterator[bytes]:
        """What is in the file of answers and in the file of errors."""
        for file_id in state.files:
            async with self._client.files.with_streaming_response.content(file_id) as response:
                async for piece in response.iter_bytes():
                    yield piece
            yield b"\n"

    async def close(self) -> None:
        """Let go of connections."""
        if self._made is not None:
            await self._made.close()
            self._made = None

    def _state(self, batch: Any) -> BatchState:  # noqa: ANN401 - the SDK's type, which is lazy
        counts = batch.request_counts
        errors = (batch.errors.data or []) if batch.errors else []
        problems = [error.message or error.code or "" for error in errors]
        files = (batch.output_file_id, batch.error_file_id)
        return BatchState(
            id=batch.id,
            status=batch.status,
            ended=batch.status in {"completed", "failed", "expired", "cancelled"},
            total=counts.total if counts else 0,
            done=counts.completed + counts.failed if counts else 0,
            name=(batch.metadata or {}).get("judge_batch", ""),
            created=float(batch.created_at),
            problem=self._endpoint.redact("; ".join(problems)),
            files=tuple(file for file in files if file),
        )

    async def _again(self, call: Callable[[], Awaitable[_T]]) -> _T:
        return await self._patience.persist(lambda: self._once(call))

    async def _once(self, call: Callable[[], Awaitable[_T]]) -> _T:
        import openai  # noqa: PLC0415

        return await _translated(
            call, self._endpoint, openai.APIStatusError, openai.APIConnectionError
        )


class AnthropicBatches:
    """Message batches of Anthropic.

    Args:
        endpoint: Where.
        patience: How long one call is tried.
    """

    max_requests = 100_000
    max_bytes = 250_000_000

    def __init__(self, endpoint: Endpoint, patience: Patience) -> None:
        self._endpoint = endpoint
        self._patience = patience
        self._made: AsyncAnthropic | None = None

    @property
    def _client(self) -> AsyncAnthropic:
        if self._made is None:
            import anthropic  # noqa: PLC0415 - a second that only those who send should pay

            http_client = anthropic.DefaultAsyncHttpxClient(follow_redirects=False)
            self._made = anthropic_client(self._endpoint, http_client)
        return self._made

    def row(self, custom_id: str, payload: Mapping[str, Any]) -> dict[str, Any]:
        """One request as it stands in the file that is sent."""
        return {"custom_id": custom_id, "params": dict(payload)}

    async def submit(self, file: Path, name: str) -> BatchState:  # noqa: ARG002 - no place for it
        """Make a batch of a file's requests."""
        text = await asyncio.to_thread(file.read_bytes)
        rows = b",".join(line for line in text.split(b"\n") if line)

        def make() -> Awaitable[Any]:
            from anthropic.types.messages import MessageBatch  # noqa: PLC0415

            return self._client.post(
                "/v1/messages/batches",
                content=b'{"requests":[' + rows + b"]}",
                cast_to=MessageBatch,
                options={"headers": {"Content-Type": "application/json"}},
            )

        return self._state(await self._once(make))

    async def look(self, batch_id: str) -> BatchState:
        """How a batch stands."""
        batches = self._client.messages.batches
        return self._state(await self._again(lambda: batches.retrieve(batch_id)))

    async def recent(self) -> list[BatchState]:
        """The latest batches of this account."""
        batches = self._client.messages.batches
        page = await self._again(lambda: _page(batches.list(limit=_LISTED)))
        return [self._state(batch) for batch in page.data]

    async def results(self, state: BatchState) -> AsyncIterator[bytes]:
        """The results, one line for each request."""
        batches = self._client.messages.batches
        async with batches.with_streaming_response.results(state.id) as response:
            async for piece in response.iter_bytes():
                yield piece

    async def close(self) -> None:
        """Let go of connections."""
        if self._made is not None:
            await self._made.close()
            self._made = None

    def _state(self, batch: Any) -> BatchState:  # noqa: ANN401 - the SDK's type, which is lazy
        counts = batch.request_counts
        through = counts.succeeded + counts.errored + counts.expired + counts.canceled
        return BatchState(
            id=batch.id,
            status=batch.processing_status,
            ended=batch.processing_status == "ended",
            total=through + counts.processing,
            done=through,
            created=batch.created_at.timestamp(),
        )

    async def _again(self, call: Callable[[], Awaitable[_T]]) -> _T:
        return await self._patience.persist(lambda: self._once(call))

    async def _once(self, call: Callable[[], Awaitable[_T]]) -> _T:
        import anthropic  # noqa: PLC0415

        return await _translated(
            call, self._endpoint, anthropic.APIStatusError, anthropic.APIConnectionError
        )


async def _page(awaitable: Awaitable[_T]) -> _T:
    return await awaitable


async def _translated(
    call: Callable[[], Awaitable[_T]],
    endpoint: Endpoint,
    status_error: type[Exception],
    connection_error: type[Exception],
) -> _T:
    """Make a call, and put what goes wrong into our words."""
    problem: Exception
    try:
        return await call()
    except status_error as error:
        response: Any = error.response  # type: ignore[attr-defined]
        fault = read_fault(response.status_code, response.headers, response.text, endpoint)
        problem = classify(fault, endpoint, rung="text", sent=())
        if not isinstance(problem, Transient | FatalProviderError):
            problem = FatalProviderError(
                f"{endpoint.provider} at {endpoint.base_url} takes no batch "
                f"(HTTP {fault.status}: {fault.message})"
            )
    except connection_error as error:
        cause = error.__cause__
        said = endpoint.redact(f"{type(cause).__name__}: {cause}" if cause else str(error))
        problem = Transient("connection", f"the connection failed ({said})")
    except ValueError as error:
        problem = Transient("unreadable", f"the answer is not JSON ({error})", limit=3)
    raise problem


def as_person(error: Transient | AnswerError, what: str) -> FatalProviderError:
    """A failure of a call as an error that stops a command."""
    return FatalProviderError(f"{what}: {error}. Start the same command again later")
