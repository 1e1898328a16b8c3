"""A cap on what a run may spend: the worst case is set aside before each question is sent.

What a question really took is put in its place when the answer is there. While what is set aside
leaves no room, the next question waits; when nothing is set aside and there is still no room, the
run stops.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from benchmark import GraderError, InputError, Where
from judge.models.panel import PanelJudge
from judge.protocol import Answer, AnswerError, FatalProviderError, Judge, Question, Request

__all__ = ["Budget", "CapReached", "CappedJudge", "Priced", "capped"]

_MAYBE_PAID = frozenset({"timeout", "connection", "unreadable"})
"""Errors after which the provider may have counted an answer that never arrived."""


class CapReached(GraderError):  # noqa: N818 - nothing is wrong: it is what the user wanted
    """The next question could cost more than is left."""


@runtime_checkable
class Priced(Protocol):
    """A judge that knows beforehand what a question can cost at most."""

    def worst_cost(self, request: Request) -> float | None:
        """Dollars for one answer at most, or `None` where that is not known."""

    def why_unpriced(self) -> str:
        """Why a worst case is not known, and what to do, for a person."""


class Budget:
    """Money that may be spent.

    Args:
        dollars: How much.

    Attributes:
        spent: What is spent for sure, or has to be taken as spent.
    """

    def __init__(self, dollars: float) -> None:
        self.dollars = dollars
        self.spent = 0.0
        self._aside = 0.0
        self._reserved = 0
        self._settled = asyncio.Condition()

    async def reserve(self, worst: float) -> None:
        """Set the worst case of one question aside, waiting for room where there may yet be some.

        Raises:
            CapReached: There is no room, and none can come.
        """
        async with self._settled:
            while self.spent + self._aside + worst > self.dollars:
                if not self._reserved:
                    raise CapReached(
                        f"max_cost is ${self.dollars:,.2f}: ${self.spent:,.4f} is spent, and the "
                        f"next question could cost up to ${worst:,.4f}. Raise the cap and start "
                        "the same command again: what was answered is kept"
                    )
                await self._settled.wait()
            self._aside += worst
            self._reserved += 1

    async def settle(self, worst: float, spent: float) -> None:
        """Put what was spent in the place of what was set aside."""
        async with self._settled:
            self._reserved -= 1
            # No remainder of rounding may be left behind when nothing is set aside.
            self._aside = max(self._aside - worst, 0.0) if self._reserved else 0.0
            self.spent += spent
            self._settled.notify_all()


class CappedJudge:
    """A judge that asks within a budget.

    Args:
        judge: Who is asked.
        budget: What may be spent.
    """

    def __init__(self, judge: Judge, budget: Budget) -> None:
        self.name = judge.name
        self.provider = judge.provider
        self.model = judge.model
        self._judge = judge
        self._budget = budget

    def identity(self) -> Mapping[str, Any]:
        """All that decides its answers besides the question; a cap does not."""
        return self._judge.identity()

    def request(self, question: Question, *, repeat: int = 0) -> Request:
        """The exact request for a question."""
        return self._judge.request(question, repeat=repeat)

    async def judge(self, request: Request) -> Answer:
        """Answer a request, if there is money for it.

        Raises:
            AnswerError: No usable answer to this question.
            CapReached: There is no money left for it.
            FatalProviderError: No answer to any question is to be had.
        """
        worst = worst_cost(self._judge, request)
        await self._budget.reserve(worst)
        spent = worst  # of whatever else ends it nobody knows what it took
        try:
            answer = await self._judge.judge(request)
            spent = _or(answer.usage.cost_usd, worst)
        except AnswerError as error:
            if error.answer is not None:
                spent = _or(error.answer.usage.cost_usd, worst)
            elif error.code not in _MAYBE_PAID:
                spent = 0.0
            raise
        except FatalProviderError:
            spent = 0.0
            raise
        finally:
            await self._budget.settle(worst, spent)
        return answer

    async def close(self) -> None:
        """Let go of connections."""
        await self._judge.close()


def capped(judge: Judge, dollars: float | None) -> Judge:
    """A judge that keeps to a cap, where there is one.

    Raises:
        InputError: The judge cannot say what a question costs at most.
    """
    if dollars is None:
        return judge
    budget = Budget(dollars)
    if isinstance(judge, PanelJudge):
        return judge.each(lambda one: _within(one, budget))
    return _within(judge, budget)


def _within(judge: Judge, budget: Budget) -> CappedJudge:
    if not isinstance(judge, Priced):
        raise _unknown(f"the judge {judge.name} knows no prices")
    if why := judge.why_unpriced():
        raise _unknown(why)
    return CappedJudge(judge, budget)


def worst_cost(judge: object, request: Request) -> float:
    """Dollars that an answer to a request costs at most.

    Raises:
        InputError: Nobody knows.
    """
    worst = judge.worst_cost(request) if isinstance(judge, Priced) else None
    if worst is None:
        raise _unknown("the price of a question is not known")
    return worst


def _or(cost: float | None, worst: float) -> float:
    return worst if cost is None else cost


def _unknown(why: str) -> InputError:
    return InputError(
        f"a cap cannot be kept: {why}",
        where=Where("config", key="max_cost"),
        remedy="Give the model's price by judge.prices, install the vendors' (in the project's "
        'folder: pip install ".[prices]"), or run without max_cost',
    )
