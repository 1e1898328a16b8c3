"""A panel: several judges that are asked the same question, each by itself.

The panel sends nothing. Whoever asks goes member by member, so that each member's answers have the
keys that they would have were it alone, and each finds the others' answers of earlier runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judge.protocol import Answer, Judge, Question, Remarking, Request

__all__ = ["Member", "PanelJudge", "majority", "members_of"]


@dataclass(frozen=True, slots=True)
class Member:
    """One judge, and how often it is asked each question."""

    judge: Judge
    repeats: int = 1


def majority(members: int) -> int:
    """The least number that is more than half."""
    return members // 2 + 1


class PanelJudge:
    """Several judges.

    Args:
        members: The judges, two or more.
        quorum: How many of them have to give a level for there to be one.
    """

    provider = "panel"
    model: str | None = None

    def __init__(self, members: Sequence[Member], *, quorum: int) -> None:
        self.members = tuple(members)
        self.quorum = quorum
        self.name = "panel:" + "+".join(one.judge.model or one.judge.name for one in members)

    def identity(self) -> Mapping[str, Any]:
        """Who its members are, and what it takes to agree."""
        members = [
            [one.judge.name, one.judge.provider, dict(one.judge.identity()), one.repeats]
            for one in self.members
        ]
        return {"members": members, "quorum": self.quorum}

    def each(self, change: Callable[[Judge], Judge]) -> PanelJudge:
        """The same panel with each judge in another's hands."""
        members = [Member(change(one.judge), one.repeats) for one in self.members]
        return PanelJudge(members, quorum=self.quorum)

    def request(self, question: Question, *, repeat: int = 0) -> Request:  # noqa: ARG002
        """Nothing: a panel is asked member by member."""
        raise TypeError("a panel is asked member by member")

    async def judge(self, request: Request) -> Answer:  # noqa: ARG002
        """Nothing: a panel is asked member by member."""
        raise TypeError("a panel is asked member by member")

    async def close(self) -> None:
        """Let go of all members' connections."""
        for one in self.members:
            await one.judge.close()

    def remarks(self) -> tuple[str, ...]:
        """What its members have to say."""
        return tuple(
            text
            for one in self.members
            if isinstance(one.judge, Remarking)
            for text in one.judge.remarks()
        )


def members_of(judge: Judge, repeats: int = 1) -> tuple[Member, ...]:
    """Who is asked: the members of a panel, or the judge alone.

    Args:
        judge: The judge.
        repeats: How often one that is no panel is asked; a panel's members know for themselves.
    """
    return judge.members if isinstance(judge, PanelJudge) else (Member(judge, repeats),)
