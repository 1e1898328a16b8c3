"""Keeping a vendor's SDK to what the config says.

The SDKs read variables of their own while a client is made: headers, an organisation, a project, a
base URL. A header set for another service would travel to whatever URL the config names, and would
be in no record. Only the key's variable, which the config names, is read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["only_what_is_given"]


@contextmanager
def only_what_is_given(*prefixes: str) -> Iterator[None]:
    """Hide the variables whose names start so while a client is made.

    Args:
        prefixes: Beginnings of names, e.g. `OPENAI_`.
    """
    hidden = {name: value for name, value in os.environ.items() if name.startswith(prefixes)}
    for name in hidden:
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(hidden)
