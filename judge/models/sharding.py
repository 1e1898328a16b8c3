"""Many requests in flight through an SDK's client, at a price that does not grow with them.

The connection pool below the SDKs looks at every one of its connections for every request, so 200
in flight cost more than their questions. Here each connection is a pool of its own behind one
client; which of them carries a request makes no difference to anybody else.

This module loads the HTTP library, which takes a while: it is for those who ask.
"""

from __future__ import annotations

import socket
import urllib.request
from collections.abc import Callable

import httpx2

__all__ = ["http_client"]

_FEW = 32
"""Requests in flight up to which one pool is as good."""

_NO_LIMITS = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
"""How many there may be is decided elsewhere; none is closed only to be opened again."""


def http_client(
    make: Callable[..., httpx2.AsyncClient], concurrency: int
) -> httpx2.AsyncClient | None:
    """A client for an SDK, or `None` where the one that it makes for itself is as good.

    Args:
        make: The SDK's own class of clients, with its defaults.
        concurrency: Requests in flight at a time.
    """
    if concurrency <= _FEW:
        return None
    if urllib.request.getproxies().keys() & {"http", "https", "all"}:
        # A client with a transport of its own would go past the proxy.
        return make(limits=_NO_LIMITS)
    return make(transport=_Pools(concurrency))


class _Pools(httpx2.AsyncBaseTransport):
    """Sends each request through the pool that has the fewest on their way."""

    def __init__(self, count: int) -> None:
        context = httpx2.create_ssl_context()
        self._pools = [
            httpx2.AsyncHTTPTransport(
                verify=context, limits=_NO_LIMITS, socket_options=_kept_alive()
            )
            for _ in range(count)
        ]
        self._load = [0] * count

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request."""
        number = self._load.index(min(self._load))
        self._load[number] += 1
        try:
            return await self._pools[number].handle_async_request(request)
        finally:
            self._load[number] -= 1

    async def aclose(self) -> None:
        """Close all connections."""
        for pool in self._pools:
            await pool.aclose()


def _kept_alive() -> list[tuple[int, int, int]]:
    """Socket options that keep a connection open while a model thinks for minutes."""
    options = [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)]
    for name, value in (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 60), ("TCP_KEEPCNT", 5)):
        if (option := getattr(socket, name, None)) is not None:
            options.append((socket.IPPROTO_TCP, option, value))
    return options
