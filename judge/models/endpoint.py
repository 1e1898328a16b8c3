"""Where a judge's questions go, and the key that opens the door.

A key is read from the environment and nowhere else. It lives in a `Secret`, which shows itself to
nobody; `Endpoint.redact` takes it out of whatever a server says back.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from benchmark import InputError, Where

__all__ = ["NO_KEY", "Endpoint", "Secret", "normalise_base_url", "read_key"]

NO_KEY = "none"
"""The value of `api_key_env` for a server that wants no key."""

_DEFAULT_PORTS = {"http": 80, "https": 443}
_MAX_MESSAGE = 500


class Secret:
    """A string that prints as `***`."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def __repr__(self) -> str:
        return "Secret('***')"

    __str__ = __repr__

    def __reduce__(self) -> str | tuple[object, ...]:
        raise TypeError("a secret is not written anywhere")

    def reveal(self) -> str:
        """The value, for the one call that needs it."""
        return self._value


def normalise_base_url(url: str) -> str:
    """The one spelling of a base URL: lower-case host, no default port, no slash at the end.

    Raises:
        InputError: Not an http or https URL, or it carries a user, query or fragment: the URL is
            written into records and cache keys, and those may hold a secret.
    """
    where = Where("config", key="judge.base_url")
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError as error:
        raise InputError(
            f"base_url is not a URL ({error})",
            where=where,
            remedy="Write it like http://127.0.0.1:8000/v1",
        ) from None
    if parts.scheme.lower() not in _DEFAULT_PORTS or not parts.hostname:
        raise InputError(
            "base_url is not an http or https URL",
            where=where,
            remedy="Write it like http://127.0.0.1:8000/v1",
        )
    if parts.username or parts.password or parts.query or parts.fragment:
        raise InputError(
            "base_url holds a user, a password, a query or a fragment, and it is written into "
            "every record",
            where=where,
            remedy="Leave only scheme, host and path, and give the key by judge.api_key_env",
        )
    scheme = parts.scheme.lower()
    host = parts.hostname.lower()
    host = f"[{host}]" if ":" in host else host
    if port is not None and port != _DEFAULT_PORTS[scheme]:
        host = f"{host}:{port}"
    return urlunsplit((scheme, host, parts.path.rstrip("/"), "", ""))


def read_key(
    api_key_env: str | None, *, usual: str, environ: Mapping[str, str] | None = None
) -> tuple[Secret, str]:
    """The key and the name of the variable that it was read from.

    Args:
        api_key_env: As in the settings.
        usual: The provider's usual variable.
        environ: In place of `os.environ`.

    Raises:
        InputError: The variable is not set, is empty, or holds what no key can hold.
    """
    name = api_key_env or usual
    if name.lower() == NO_KEY:
        return Secret("none"), NO_KEY
    value = (os.environ if environ is None else environ).get(name, "").strip()
    where = Where("environment", key=name)
    if not value:
        raise InputError(
            f"the environment variable {name} is not set, and the judge's key is read from there",
            where=where,
            remedy=f"Set {name}, name another variable by judge.api_key_env, or write "
            "`api_key_env: none` for a local server that wants no key",
        )
    if not value.isascii() or not value.isprintable():
        raise InputError(
            f"the key in {name} holds characters that no HTTP header can carry",
            where=where,
            remedy="Set it again without quotes, line ends or odd characters",
        )
    return Secret(value), name


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A provider's API as one judge uses it.

    Attributes:
        provider: `openai` or `anthropic`.
        base_url: In its one spelling.
        model: The model's name.
        key: The key.
        key_variable: The variable that the key was read from, or `none`.
    """

    provider: str
    base_url: str
    model: str
    key: Secret
    key_variable: str

    @property
    def identity(self) -> tuple[str, str, str]:
        """What capabilities are remembered by."""
        return (self.provider, self.base_url, self.model)

    def redact(self, text: str) -> str:
        """Text that is safe to show: one line, not too long, the key taken out."""
        value = self.key.reveal()
        if self.key_variable != NO_KEY:
            text = text.replace(value, "***")
        text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        return text if len(text) <= _MAX_MESSAGE else text[: _MAX_MESSAGE - 1] + "…"
