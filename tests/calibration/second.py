"""Second implementations, which only tests use; without the extra `stats-test` they skip."""

from __future__ import annotations

import importlib
import warnings
from types import ModuleType

import pytest


def second_implementation(name: str) -> ModuleType:
    """Import a module of the extra, or skip."""
    with warnings.catch_warnings():
        # What these packages warn of while they are imported is not ours to fix.
        warnings.simplefilter("ignore")
        try:
            return importlib.import_module(name)
        except ImportError as error:
            pytest.skip(f"no second implementation at hand: {error} (extra stats-test)")
