"""Files of what was fitted: read whole, or refused with the place of the fault."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from benchmark import InputError, Where

__all__ = ["load_fitted"]

_Fitted = TypeVar("_Fitted", bound=BaseModel)


def load_fitted(
    model: type[_Fitted], path: Path, *, none: str, unread: str, remedy: str
) -> _Fitted:
    """Read such a file.

    Args:
        model: What it holds.
        path: The file.
        none: What to say of a file that is none.
        unread: What to say of one that cannot be read.
        remedy: What to do about either.

    Raises:
        InputError: It cannot be read or is none.
    """
    try:
        return model.model_validate_json(path.read_text(encoding="utf-8"))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        key = ".".join(map(str, first["loc"])) or None
        raise InputError(
            f"{none} ({first['msg']})", where=Where(str(path), key=key), remedy=remedy
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{unread} ({error})", where=Where(str(path)), remedy=remedy) from None
