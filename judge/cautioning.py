"""What to beware of in a judge as it was made, before it is asked."""

from __future__ import annotations

from collections.abc import Sequence

from benchmark import Submission
from judge.caution import cautions
from judge.models.openai import DEFAULT_BASE_URL as OPENAI
from judge.models.panel import members_of
from judge.models.prompted import PromptedJudge
from judge.protocol import Judge

__all__ = ["cautions_about"]


def cautions_about(judge: Judge | None, submissions: Sequence[Submission]) -> tuple[str, ...]:
    """Say what to beware of in a judge; of a panel, in all its members."""
    if judge is None:
        return ()
    said = [
        text
        for member in members_of(judge)
        for text in cautions(member.judge.model, submissions, dated=_dates(member.judge))
    ]
    return tuple(dict.fromkeys(said))


def _dates(judge: Judge) -> bool:
    """Whether it asks the vendor whose undated names are known to move."""
    return isinstance(judge, PromptedJudge) and judge.endpoint.base_url == OPENAI
