"""A small HTTP/1.1 server on the loopback, for tests that must cross a real socket.

Asyncio in a thread of its own, so that a test may be synchronous, may run an event loop of its
own, and may have hundreds of requests in flight.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Self

Handler = Callable[["HttpRequest"], Awaitable["HttpResponse | None"]]


@dataclass(frozen=True, slots=True)
class HttpRequest:
    method: str
    path: str
    headers: dict[str, str]  # names in lower case
    body: bytes


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """`cut` ends the connection after that many bytes of the body."""

    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)
    cut: int | None = None


class LoopbackServer:
    """Serves a handler; where the handler gives `None`, the connection is dropped unanswered."""

    def __init__(self, handler: Handler, *, port: int = 0) -> None:
        self._handler = handler
        self._port = port
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="loopback server", daemon=True)
        self._ready = threading.Event()
        self._failure: OSError | None = None
        self._connections: set[asyncio.Task[None]] = set()
        self.url = ""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        self._thread.start()
        self._ready.wait()
        if self._failure is not None:
            raise self._failure

    def stop(self) -> None:
        """Stop; a second time does nothing."""
        if not self._thread.is_alive():
            return
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def join(self) -> None:
        self._thread.join()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            server = self._loop.run_until_complete(
                asyncio.start_server(self._serve, "127.0.0.1", self._port, backlog=1024)
            )
        except OSError as error:
            self._failure = error
            self._loop.close()
            self._ready.set()
            return
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        self._ready.set()
        try:
            self._loop.run_forever()
        finally:
            server.close()
            for task in self._connections:
                task.cancel()
            self._loop.run_until_complete(
                asyncio.gather(*self._connections, return_exceptions=True)
            )
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            while await self._exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._connections.discard(task)
            writer.transport.abort()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.split("\r\n")
        method, path, _ = first.split(" ", 2)
        headers = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines if line)
        }
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        response = await self._handler(HttpRequest(method, path, headers, body))
        if response is None:
            return False
        fields = {
            "content-type": "application/json",
            "content-length": str(len(response.body)),
            **response.headers,
        }
        top = f"HTTP/1.1 {response.status} X\r\n"
        top += "".join(f"{name}: {value}\r\n" for name, value in fields.items()) + "\r\n"
        writer.write(top.encode("latin-1") + response.body[: response.cut])
        await writer.drain()
        return response.cut is None and headers.get("connection", "").lower() != "close"
