"""Sending once through a vendor's SDK: its connection and its errors, and nothing more of it.

The SDKs' plain `post`, made for what they have no method for: servers have parameters of their own,
and the typed methods walk through every message of every request. Both SDKs come from one
generator and name their errors alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

from judge.models.endpoint import Endpoint
from judge.models.retrying import Transient
from judge.models.wire import JSON_HEADERS, Reply, Unreachable, json_bytes

__all__ = ["post_once"]


async def post_once(
    sdk: ModuleType,
    client: Any,  # noqa: ANN401 - either SDK's client
    path: str,
    payload: Mapping[str, Any],
    *,
    timeout_seconds: float,
    endpoint: Endpoint,
) -> Reply:
    """Send a request and take whatever answer comes.

    Args:
        sdk: `openai` or `anthropic`.
        client: Its client.
        path: Below the base URL.
        payload: The JSON that is sent.
        timeout_seconds: For the whole of it.
        endpoint: Whose key is kept out of what is said.

    Returns:
        The response, whatever its status.

    Raises:
        Transient: No response came.
    """
    import httpx2  # noqa: PLC0415 - as slow to load as the SDK that needs it

    failure: Transient
    try:
        response = await client.post(
            path,
            content=json_bytes(payload),
            cast_to=httpx2.Response,
            options={
                "timeout": timeout_seconds,
                "headers": JSON_HEADERS,
                # A question goes to the host that the config names, and to no other.
                "follow_redirects": False,
            },
        )
        return Reply(response.status_code, response.headers, response.text)
    except sdk.APIStatusError as error:
        return Reply(error.status_code, error.response.headers, error.response.text)
    except sdk.APITimeoutError:
        failure = Transient("timeout", f"no answer within {timeout_seconds:.3g} s")
    except sdk.APIConnectionError as error:
        cause = error.__cause__
        said = endpoint.redact(f"{type(cause).__name__}: {cause}" if cause else "")
        refused = isinstance(cause, httpx2.ConnectError)
        failure = (Unreachable if refused else Transient)(
            "connection", f"the connection failed ({said})"
        )
    # Raised out here so that the SDK's exception, which holds the request's headers, is not
    # carried along as the context.
    raise failure
