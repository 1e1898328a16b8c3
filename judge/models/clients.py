"""Making a vendor's client: from what the config says, and from nothing else.

Everything that goes to a vendor goes through a client made here, so that no way of asking forgets
to keep the SDK's own variables out, or repeats what is repeated elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.models.endpoint import Endpoint
from judge.models.environment import only_what_is_given

if TYPE_CHECKING:
    import httpx2
    from anthropic import AsyncAnthropic
    from openai import AsyncOpenAI

__all__ = ["anthropic_client", "openai_client"]


def openai_client(endpoint: Endpoint, http_client: httpx2.AsyncClient | None) -> AsyncOpenAI:
    """A client of OpenAI's SDK; `http_client` carries its requests, the SDK's own where `None`."""
    import openai  # noqa: PLC0415 - half a second that only those who ask should pay

    with only_what_is_given("OPENAI_", "AZURE_OPENAI_"):
        return openai.AsyncOpenAI(
            api_key=endpoint.key.reveal(),
            base_url=endpoint.base_url,
            max_retries=0,
            http_client=http_client,
        )


def anthropic_client(endpoint: Endpoint, http_client: httpx2.AsyncClient | None) -> AsyncAnthropic:
    """A client of Anthropic's SDK; `http_client` as for `openai_client`."""
    import anthropic  # noqa: PLC0415 - a second and more that only those who ask should pay

    with only_what_is_given("ANTHROPIC_"):
        return anthropic.AsyncAnthropic(
            api_key=endpoint.key.reveal(),
            base_url=endpoint.base_url,
            max_retries=0,
            http_client=http_client,
        )
