"""A distribution over levels from log probabilities: right, or named as not to be known."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.level_odds import MOST_UNKNOWN, LevelOdds, LevelTokens, level_odds
from judge.models.adapting import forget
from judge.models.logprobs import level_tokens
from judge.protocol import Answer
from prompts.schema import CANNOT_TELL, LEVEL_WORDS
from tests.judge.asking import judge_at, question
from tests.judge.toys import answer_text
from tests.servers.fake_logprobs import entries
from tests.servers.fake_provider import FakeProvider

WORDS = [*LEVEL_WORDS, CANNOT_TELL]


@pytest.fixture(autouse=True)
def _nothing_learnt() -> Iterator[None]:
    forget()
    yield
    forget()


def odds_of(level: str, odds: dict[str, float], **changes: Any) -> LevelOdds:
    found = level_tokens(entries(answer_text(level=level), odds, **changes))
    assert found is not None
    return level_odds(found)


def test_the_whole_distribution_is_known_where_a_fraction_was_answered() -> None:
    got = odds_of("0.5", {"0": 0.1, "0.25": 0.2, "0.5": 0.4, "0.75": 0.2, "1": 0.1})
    assert got.reason == ""
    assert got.probabilities == pytest.approx((0.1, 0.2, 0.4, 0.2, 0.1))
    assert got.expected_level == pytest.approx(2.0)
    assert got.cannot_tell == 0
    assert got.unknown == pytest.approx(0)


def test_what_no_level_begins_with_is_left_out_and_the_rest_made_one() -> None:
    got = odds_of("0.5", {"0.5": 0.75, "1": 0.25}, elsewhere=0.6)
    assert got.probabilities == pytest.approx((0, 0, 0.75, 0, 0.25))
    assert got.expected_level == pytest.approx(2.5)


def test_that_it_cannot_tell_is_told_apart_from_the_levels() -> None:
    got = odds_of("0.5", {"0.5": 0.6, "1": 0.2, CANNOT_TELL: 0.2})
    assert got.cannot_tell == pytest.approx(0.2)
    assert got.probabilities == pytest.approx((0, 0, 0.75, 0, 0.25))


@pytest.mark.parametrize(
    ("level", "odds", "changes", "reason"),
    [
        # Behind the token 0 stand four levels, and only the path that was taken is known.
        ("1", {"0": 0.1, "0.5": 0.1, "1": 0.8}, {}, "split: 20% "),
        ("0", {"0": 0.5, "0.25": 0.3, "0.5": 0.2}, {}, "split: 50% "),
        ("0.5", {"0.5": 0.5, "1": 0.5}, {"top": 1}, "unlisted: 50% "),
        ("0.5", {"0.5": 1.0}, {"elsewhere": 0.95}, "off_menu: 95% "),
        (CANNOT_TELL, {CANNOT_TELL: 0.99, "1": 0.01}, {}, "cannot_tell"),
    ],
)
def test_what_cannot_be_known_has_a_reason_and_no_number(
    level: str, odds: dict[str, float], changes: dict[str, Any], reason: str
) -> None:
    got = odds_of(level, odds, **changes)
    assert got.reason.startswith(reason)
    assert got.probabilities is None
    assert got.expected_level is None


@pytest.mark.parametrize(
    "cut",
    [
        ['"level', '": "', "0", ".", "5", '"', "}"],
        ['"level": ', '"0', '.5"}'],
        ['{"level":"0.5"}'],
        list('"level": "0.5"}'),
    ],
)
def test_tokens_may_be_cut_anywhere(cut: list[str]) -> None:
    given = [{"token": token, "logprob": 0.0, "top_logprobs": []} for token in cut]
    found = level_tokens(given)
    assert found is not None
    got = level_odds(found)
    assert got.probabilities == pytest.approx((0, 0, 1, 0, 0))


def test_rivals_of_a_token_that_begins_before_the_word() -> None:
    tokens = LevelTokens(
        lead='"',
        tokens=(
            ('"1', (('"1', math.log(0.5)), (' "1', math.log(0.25)), ('"cannot', math.log(0.25)))),
            ('"', (('"', 0.0),)),
        ),
    )
    got = level_odds(tokens)
    assert got.probabilities == pytest.approx((0, 0, 0, 0, 1))
    assert got.cannot_tell == pytest.approx(0.25)
    bare = LevelTokens(lead='"', tokens=(('"1', (('"1', math.log(0.5)), ('"', math.log(0.5)))),))
    assert level_odds(bare).reason.startswith("split: 50%")


def test_the_level_of_the_object_that_ends_the_answer_is_meant() -> None:
    text = '{"level": "1"} no: ' + answer_text(level="0.5", found='"level": "1"')
    found = level_tokens(entries(text, {"0.5": 1.0}))
    assert found is not None
    assert level_odds(found).expected_level == 2


@given(
    st.sampled_from(WORDS),
    st.lists(st.floats(0, 1), min_size=6, max_size=6),
    st.floats(0, 0.95),
    st.integers(1, 8),
)
@settings(max_examples=300, deadline=None)
def test_a_distribution_is_the_true_one_or_there_is_none(
    level: str, weights: list[float], elsewhere: float, top: int
) -> None:
    weights[WORDS.index(level)] += 0.05
    total = sum(weights)
    odds = {word: weight / total for word, weight in zip(WORDS, weights, strict=True)}
    got = odds_of(level, odds, elsewhere=elsewhere, top=top)
    if got.probabilities is None:
        assert got.reason
        assert got.expected_level is None
        return
    assert sum(got.probabilities) == pytest.approx(1)
    graded = 1 - odds[CANNOT_TELL]
    for word, mass in zip(LEVEL_WORDS, got.probabilities, strict=True):
        # What is unknown may belong to any level, of those that were given one.
        assert mass == pytest.approx(odds[word] / graded, abs=2 * MOST_UNKNOWN / graded)


@given(
    st.recursive(
        st.none() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(st.sampled_from(["token", "bytes", "logprob", "top_logprobs"]), inner)
        ),
    )
)
@settings(max_examples=200, deadline=None)
def test_whatever_a_server_gives_is_read_or_left(given_: Any) -> None:
    found = level_tokens(given_)
    assert found is None or isinstance(level_odds(found), LevelOdds)


# ---- over the wire -------------------------------------------------------------------------------


def ask(kind: str, server: FakeProvider, **changes: Any) -> Answer:
    async def run() -> Answer:
        judge = judge_at(kind, server.url, **changes)
        try:
            return await judge.judge(judge.request(question()))
        finally:
            await judge.close()

    return asyncio.run(run())


HALF = {"answers": [{"answer": {"level": "0.5"}}], "odds": {"0.5": 0.75, "1": 0.25}}


@pytest.mark.parametrize("kind", ["openai", "responses"])
def test_they_are_asked_for_where_they_are_wanted_and_kept_small(kind: str) -> None:
    with FakeProvider(HALF) as server:
        off = ask(kind, server)
        got = ask(kind, server, logprobs="auto")
        bare, full = (asked.body for asked in server.asked)
    assert off.level_tokens is None
    assert not {"logprobs", "top_logprobs", "include"} & bare.keys()
    assert full["top_logprobs"] == 8
    assert got.parameters["top_logprobs"] == 8
    assert got.level_tokens is not None
    assert level_odds(got.level_tokens).expected_level == pytest.approx(2.5)
    assert len(got.level_tokens.model_dump_json()) < 1000


@pytest.mark.parametrize("kind", ["openai", "responses"])
@pytest.mark.parametrize(
    "refusal",
    [
        {"status": 403, "message": "You are not allowed to request logprobs from this model"},
        {"status": 400, "message": "top_logprobs must be at most 5", "param": "top_logprobs"},
        {"status": 400, "message": "Unsupported parameter: 'logprobs'"},
    ],
)
def test_where_they_are_refused_they_are_left_out_and_that_is_remembered(
    kind: str, refusal: dict[str, Any]
) -> None:
    with FakeProvider({**HALF, "weather": [{"kind": "status", **refusal}]}) as server:
        first = ask(kind, server, logprobs="auto")
        second = ask(kind, server, logprobs="auto")
        last = server.asked[-1].body
    assert (first.attempts, second.attempts) == (2, 1)
    assert not {"logprobs", "top_logprobs", "include"} & last.keys()
    assert first.level_tokens is None
    assert json.loads(second.text)["level"] == "0.5"
