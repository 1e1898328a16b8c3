"""Numbers of a short claim that code holds somewhere, but not as what the claim says they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from judge.embedded.cited import is_cited
from judge.embedded.looking import Findings
from judge.embedded.naming import is_small
from judge.embedded.parts import Claim
from judge.embedded.phrasing import value_label
from judge.embedded.place_names import is_number_of
from judge.embedded.points import uncontradicted
from judge.embedded.rules import implied_by
from judge.embedded.standing import OWN_VALUE, stands_by_name
from judge.embedded.survey import Survey
from judge.embedded.values import SOMEWHERE

__all__ = ["unplaced"]

_FEW = 3  # of many numbers it would be a list of no use


def unplaced(survey: Survey, claim: Claim, found: Findings) -> Iterator[str]:
    """Small numbers that stand in code under no name of the claim's, each with what it counts.

    A number that says which of several something is, or is part of a name or of a pair, is no
    value that could be looked for.
    """
    if len(claim.values) > _FEW or len(claim.mentions) > _FEW:
        return
    for value in uncontradicted(found):
        written = value.value.written.strip()
        if (
            value.state in SOMEWHERE
            and value.implied is None
            and value.value.weight >= OWN_VALUE
            and is_small(value.value.term[1:])
            and implied_by(value, found.values) is None
            and not is_number_of(claim.text, written)
            and not is_cited(claim.text, written)
            and not _is_of_name(claim.text, written)
            and not stands_by_name(survey, claim, value)
        ):
            yield f"{value_label(claim, value)}: not found as its value"


@lru_cache(maxsize=8192)
def _is_of_name(text: str, written: str) -> bool:
    """Whether a number is part of a name or of a pair: `GPT-2`, `Table 3`, `16 by 16`."""
    number = re.escape(written)
    return not written.isdigit() or bool(
        re.search(
            rf"[A-Za-z]-?{number}\b|\b{number}-?[A-Z]\b|\b{number}\s*(?:by|x|×|\*|/|:)\s*\d"
            rf"|\d\s*(?:by|x|×|\*|/|:)\s*{number}\b|\b[A-Z]\w*\s+{number}\b(?!\s+[a-z])"
            rf"|\b(?:step|table|figure|section|equation|stage|phase|level|version|layer|block|part"
            rf"|index|algorithm|experiment|class)s?\s+{number}\b",
            text,
        )
    )
