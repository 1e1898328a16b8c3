"""What the questions of a run would cost, as a range, at the price of one model or another."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from benchmark import InputError, Where
from judge.counting import counted
from judge.models.measuring import AT_LEAST, AT_MOST
from judge.planning import RunEstimate
from judge.pricing import BATCH_SHARE, PriceTable, how_to_price, price, price_source
from judge.verdict import Usage

__all__ = ["Quote", "Seller", "describe", "quote"]

_NAMED = 20


@dataclass(frozen=True, slots=True)
class Seller:
    """Who would be asked.

    Attributes:
        provider: `openai` or `anthropic`; anything else has no list price.
        model: The model's name.
        base_url: Where; `None` is the vendor's own.
    """

    provider: str
    model: str
    base_url: str | None = None

    @classmethod
    def parse(cls, text: str) -> Seller:
        """Read `provider:model`.

        Raises:
            InputError: It is something else.
        """
        provider, colon, model = text.partition(":")
        if not colon or not model or provider not in BATCH_SHARE:
            raise InputError(
                f"{text!r} names no model of a vendor",
                where=Where("command line", key="--as"),
                remedy=f"Write it as {' or '.join(f'{name}:MODEL' for name in BATCH_SHARE)}",
            )
        return cls(provider, model)


@dataclass(frozen=True, slots=True)
class Quote:
    """Dollars. `None` is unknown, which is not 0.

    Attributes:
        seller: Who would be asked.
        source: Where the price comes from; empty where there is none.
        low: With few tokens, short answers and every shared prefix read from the provider's cache.
        high: With many tokens, long answers and nothing read from a cache.
        most: With every answer as long as its cap allows: what `max_cost` sets aside in all.
        batch_share: Of the price, by the vendor's batch API; `None` where there is none.
        calls: How many requests these dollars are for.
    """

    seller: Seller
    source: str
    low: float | None
    high: float | None
    most: float | None
    batch_share: float | None
    calls: int = 0


def quote(found: RunEstimate, seller: Seller, table: PriceTable | None = None) -> Quote:
    """Price what a run would ask."""
    calls = found.calls
    source = price_source(
        seller.model, provider=seller.provider, base_url=seller.base_url, table=table
    )
    share = BATCH_SHARE.get(seller.provider) if seller.base_url is None else None
    if not calls:
        nothing = 0.0 if source else None
        return Quote(seller, source, nothing, nothing, nothing, share, 0)
    # Prices may depend on the size of one request, so one average question is priced.
    mean = found.input_tokens / calls
    prefix, shared = found.prefix_tokens / calls, found.shared_tokens / calls
    writes = seller.provider == "anthropic"

    def dollars(scale: float, *, cached: float, written: float, output: int) -> float | None:
        usage = Usage(
            input_tokens=math.ceil(mean * scale),
            cached_tokens=math.floor(cached * scale),
            written_tokens=math.floor(written * scale) if writes else 0,
            output_tokens=output,
        )
        one = price(
            seller.model, usage, provider=seller.provider, base_url=seller.base_url, table=table
        )
        return None if one is None else one * calls

    fewest, most = found.output_range
    caps = [miss.cap for miss in found.misses if miss.cap is not None]
    return Quote(
        seller,
        source,
        low=dollars(AT_LEAST, cached=shared, written=prefix, output=fewest // calls),
        high=dollars(AT_MOST, cached=0, written=prefix + shared, output=math.ceil(most / calls)),
        most=None
        if len(caps) < calls
        else dollars(
            AT_MOST, cached=0, written=prefix + shared, output=math.ceil(sum(caps) / calls)
        ),
        batch_share=share,
        calls=calls,
    )


def together(quotes: list[Quote]) -> tuple[float, float] | None:
    """What several sellers cost together, at least and at most; `None` where one is unknown."""
    lows = [one.low for one in quotes if one.low is not None]
    highs = [one.high for one in quotes if one.high is not None]
    if len(lows) < len(quotes) or len(highs) < len(quotes):
        return None
    return sum(lows), sum(highs)


def describe(
    found: RunEstimate,
    quotes: list[Quote],
    *,
    members: list[Quote] | None = None,
    each: bool = False,
) -> Iterator[str]:
    """A plan as lines of text.

    Args:
        found: What a run would ask.
        quotes: What that would cost.
        members: Of a panel, what each member's part would cost.
        each: Whether to list every question.
    """
    hits = sum(found.hits.values())
    new = found.pairs - found.kept - sum(found.failed.values())
    yield f"judge      {found.judge}"
    yield f"claims     {found.pairs:,}"
    if found.here:
        yield "This judge computes here: nobody is asked, and nothing costs."
        if quotes:
            yield "There are no questions to price: set judge.kind to who would be asked them."
        return
    yield f"kept       {counted(found.kept, 'has', 'have')} a verdict that stands"
    if found.first or found.audited:
        yield (
            f"first      {found.first:,} of {new:,} {'is' if found.first == 1 else 'are'} "
            f"answered by the first judge ({found.first / max(new, 1):.0%}), "
            f"{counted(found.audited, 'more audits', 'more audit')} it"
        )
    by_place = ", ".join(f"{count:,} {place}" for place, count in sorted(found.hits.items()))
    yield f"at hand    {counted(hits, 'answer')}" + (f" ({by_place})" if hits else "")
    more = f" for {counted(found.answers, 'answer')}" if found.answers != found.calls else ""
    yield f"calls      {found.calls:,}{more}"
    for part in found.parts:
        yield f"           {part.calls:,} to {part.judge}"
    for why, count in found.reasons.most_common():
        yield f"           {count:,} {why}"
    if found.submissions:
        yield (
            f"context    {found.whole:,} of {counted(found.submissions, 'submission')} "
            f"{'is' if found.whole == 1 else 'are'} shown whole"
            + (
                ""
                if found.whole == found.submissions
                else ", the rest by what was found for each claim"
            )
        )
    for reason, count in found.failed.most_common(_NAMED):
        yield f"errors     {count:,} cannot be asked: {reason}"
    if found.calls:
        yield from _tokens(found)
        yield ""
        for one in members or ():
            yield from _cost(one)
        if members:
            sums = together(members)
            yield "all        " + ("unknown" if sums is None else _range(*sums))
            halved = [_in_batch(one) for one in members]
            if (sums := together(halved)) is not None:
                yield f"  in batch {_range(*sums)}"
        for one in quotes:
            yield from _cost(one)
    if each:
        yield ""
        for miss in found.misses:
            who = f"  {miss.judge}" if found.parts else ""
            yield f"{miss.submission}  {miss.sau}  {counted(miss.tokens, 'token')}  {miss.why}{who}"
    yield ""
    yield "Nothing was sent and nothing was written."


def _tokens(found: RunEstimate) -> Iterator[str]:
    low, high = found.input_range
    yield f"input      {low:,} to {high:,} tokens, {found.input_tokens // found.calls:,} a call"
    share = found.shared_tokens / max(found.input_tokens, 1)
    yield f"           {share:.0%} of them begin as an earlier question does, and may be cached"
    output = found.output
    low, high = found.output_range
    basis = (
        f"measured on {counted(output.answers, 'answer')}"
        if output.answers
        else "assumed: no answers of this judge are at hand; reasoning models take more"
    )
    if found.parts:
        yield f"output     {low:,} to {high:,} tokens"
        known = [part.output.answers for part in found.parts]
        yield "           " + (
            f"measured on {counted(sum(known), 'answer')}"
            if all(known)
            else "assumed where no answers of a member are at hand; reasoning models take more"
        )
        return
    cap = "no cap" if output.cap is None else f"cap {output.cap:,}"
    one = "an answer" if found.answers != found.calls else "a call"
    yield f"output     {low:,} to {high:,} tokens, {output.low:,} to {output.high:,} {one} ({cap})"
    yield f"           {basis}"


def _in_batch(one: Quote) -> Quote:
    """What the same costs by the vendor's batch API; unknown where there is none."""
    if one.batch_share is None or one.low is None or one.high is None:
        return replace(one, low=None, high=None)
    return replace(one, low=one.low * one.batch_share, high=one.high * one.batch_share)


def _cost(one: Quote) -> Iterator[str]:
    calls = max(one.calls, 1)
    name = f"{one.seller.provider}:{one.seller.model}"
    if one.low is None or one.high is None:
        what = how_to_price(provider=one.seller.provider, base_url=one.seller.base_url)
        yield f"price      {name}: unknown; {what}"
        return
    yield (
        f"price      {name}: {_range(one.low, one.high)}, "
        f"{_range(one.low / calls, one.high / calls)} a call"
    )
    if one.batch_share is not None:
        low, high = one.low * one.batch_share, one.high * one.batch_share
        yield f"  in batch {_range(low, high)}, {_range(low / calls, high / calls)} a call"
    if one.most is not None:
        yield f"  at most  {_money(one.most)}, were every answer as long as its cap"
    yield f"  source   {one.source}"


def _range(low: float, high: float) -> str:
    return f"{_money(low)} to {_money(high)}"


def _money(dollars: float) -> str:
    return f"${dollars:,.2f}" if dollars >= 1 or not dollars else f"${dollars:.3g}"
