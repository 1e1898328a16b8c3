"""Saying in words what was found, and why it makes a level."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from benchmark import Level
from judge.embedded.contradictions import contradictions
from judge.embedded.defaults import defaults_of
from judge.embedded.looking import Findings, WordFinding
from judge.embedded.missing import absent_words, is_told
from judge.embedded.naming import is_small
from judge.embedded.parts import Claim
from judge.embedded.phrasing import capitalised, listed, phrases, shortened, untold, value_label
from judge.embedded.points import Kind, Point, is_against, operations_near, uncontradicted, where
from judge.embedded.rules import implied_by
from judge.embedded.senses import is_fragment
from judge.embedded.standing import OWN_VALUE, is_named_at, stands_by_name, stands_on, word_stands
from judge.embedded.survey import Standing, Survey
from judge.embedded.unplaced import unplaced
from judge.embedded.values import SOMEWHERE, ValueFinding, ValueState
from retrieval.numbers import canonical

__all__ = ["expected", "found_text", "reasons"]

_MOST_EXPECTED = 8
_MOST_NAMED = 6
_MOST_PLACED = 5
_MOST_ALIKE = 3
_MOST_SENTENCES = 5  # the closing one is the sixth
_STEP_FOUND = 0.4
_STANDING = {
    Standing.TEXT: "only in comments, strings or documents",
    Standing.STUB: "only in a placeholder",
    Standing.UNREAD: "only in settings that nothing reads",
    Standing.DEAD: "only in code that no run reaches",
}

# ---- what the claim asks for ---------------------------------------------------------------------


def expected(claim: Claim, found: Findings, words: Sequence[WordFinding]) -> str:
    """The claim's parts in its own words: values, names, then the words that say most."""
    parts = [f"{len(found.steps)} steps in order"] if len(found.steps) > 1 else []
    values = [value for value in found.values if value.value.weight >= OWN_VALUE]
    parts += [value_label(claim, value) for value in values[:_MOST_NAMED]]
    room = max(2, _MOST_EXPECTED - len(parts))
    parts += phrases(claim.text, [word.concept.text for word in untold(words, parts)[:room]])
    told = " ".join(parts).casefold()
    parts += [name for name, _, _ in found.operators if name.casefold() not in told]
    if not parts:
        parts = [word.concept.text for word in found.words]
    return "; ".join(dict.fromkeys(parts[:_MOST_EXPECTED]))


# ---- what became of it ---------------------------------------------------------------------------


def found_text(
    survey: Survey,
    claim: Claim,
    found: Findings,
    words: Sequence[WordFinding],
    missing: Sequence[str],
) -> str:
    """What became of each part, what is amiss first."""
    parts = [
        *_wrong(survey, claim, found),
        *(f"{each.said}: {each.done}" for each in contradictions(found.method)[:2]),
    ]
    if missing:
        parts.append("not found: " + listed(missing, _MOST_NAMED))
    for standing, title in _STANDING.items():
        own = [
            word
            for word in words
            if word.places.standing is standing and is_told(claim, found, word)
        ]
        if standing is Standing.TEXT:
            own = absent_words(claim, found, own)
        if own and standing is Standing.TEXT:
            texts = phrases(claim.text, [word.concept.text for word in own])
            parts.append(f"{title}: {listed(texts, _MOST_NAMED)}")
        elif own:
            texts = [_placed(survey, w.concept.text, w.places.idle[:1].tolist()) for w in own]
            parts.append(f"{title}: {listed(texts, _MOST_PLACED)}")
    parts.extend(
        f"{value_label(claim, value)}: without effect at {where(survey, value.line)}"
        for value in uncontradicted(found)
        if value.state is ValueState.IDLE and value.value.weight >= OWN_VALUE
    )
    parts += unplaced(survey, claim, found)
    parts += _steps(survey, found)
    parts += _standing(survey, claim, found, words)
    return "; ".join(parts) or "no word of its own that code could hold"


def _wrong(survey: Survey, claim: Claim, found: Findings) -> Iterator[str]:
    for conflict in found.conflicts:
        other = conflict.other
        gone = _gone(survey, conflict.mention.forms)
        if (implied := defaults_of(survey).of(other)) is not None:
            yield (
                f"{conflict.mention.written.strip()}: {gone}{implied.name} is "
                f"{other.value} by the library's default of `{implied.call.shown}` at "
                f"{other.path}:{other.line}"
            )
            continue
        yield (
            f"{conflict.mention.written.strip()}: {gone}"
            f"{other.name.rpartition('.')[2]} is {shortened(other.value, 40)} at "
            f"{other.path}:{other.line}"
        )
    for value in uncontradicted(found):
        if not is_against(claim, value) or value.other is None:
            continue
        other, label = value.other, value_label(claim, value)
        shown = f"{shortened(other.value, 40)} at {other.path}:{other.line}"
        if value.state is ValueState.OVERRIDDEN:
            yield f"{label} at {where(survey, value.line)}: overridden by {shown}"
        else:
            forms = [term[1:] for term in (value.value.term, *value.value.also)]
            yield f"{label}: {_gone(survey, forms)}{other.name.rpartition('.')[2]} is {shown}"


def _gone(survey: Survey, forms: Iterable[str]) -> str:
    """`not found, ` where a number stands in no live code; what stands elsewhere was found."""
    return "" if any(len(survey.places("#" + form).live) for form in forms) else "not found, "


def _steps(survey: Survey, found: Findings) -> Iterator[str]:
    if len(found.steps) < 2:
        return
    placed = [(n, step) for n, step in enumerate(found.steps, 1) if step.cover >= _STEP_FOUND]
    lost = [str(n) for n, step in enumerate(found.steps, 1) if step.cover < _STEP_FOUND]
    if not placed:
        yield f"none of {len(found.steps)} steps found"
    elif lost:
        steps = "step" if len(lost) == 1 else "steps"
        yield f"{steps} {listed(lost, 10)}: hardly a word found"
    if placed:
        shown = ", ".join(f"{n} at {where(survey, step.line)}" for n, step in placed)
        yield f"steps found best: {shown}"


def _standing(
    survey: Survey, claim: Claim, found: Findings, words: Sequence[WordFinding]
) -> Iterator[str]:
    stands: list[str] = []
    apart: list[str] = []
    for value in uncontradicted(found):
        if (pair := implied_by(value, found.values)) is not None:
            stands.append(f"{value.value.written.strip()} (not written, {pair[0]} by {pair[1]})")
        elif value.implied is not None:
            call = value.implied[0]
            stands.append(
                f"{value_label(claim, value)} (by `{call.shown}` at {where(survey, call.line)})"
            )
        elif value.value.weight < OWN_VALUE:
            continue
        elif stands_by_name(survey, claim, value):
            named = is_named_at(survey, claim, value)
            label = value_label(claim, value) if named else _as_given(survey, value)
            stands.append(_placed(survey, label, [value.line]))
        elif value.state in SOMEWHERE and not is_small(value.value.term[1:]):
            apart.append(_placed(survey, _as_given(survey, value), [value.line]))
    live = [w for w in untold(words, stands) if w.places.standing is Standing.LIVE]
    room = max(2, _MOST_PLACED - len(stands))
    own = [
        word
        for word in live
        if word_stands(word) and not is_fragment(word.concept.text, claim.text)
    ]
    placed = ((word, _best_line(survey, claim, found, word)) for word in own)
    stands += [
        _placed(survey, word.concept.text, [line])
        for word, line in islice((one for one in placed if one[1] >= 0), room)
    ]
    if stands:
        yield f"stands: {listed(stands, _MOST_PLACED + 2)}"
    carried = [word for word in live if word.only_carried and word.carried is not None]
    if here := operations_near(survey, found):
        yield f"operations near the best match: {listed(here, _MOST_PLACED)}"
    if carried:
        calls = [_placed(survey, w.concept.text, w.places.live[:1].tolist()) for w in carried]
        yield f"carried out by a library's call: {listed(calls, _MOST_PLACED)}"
    if apart:
        yield f"the number alone: {listed(apart, _MOST_ALIKE)}"


def _as_given(survey: Survey, value: ValueFinding) -> str:
    """A value with the name that its line gives it, where that is not the claim's."""
    written = value.value.written.strip()
    wanted = {term[1:] for term in (value.value.term, *value.value.also)}
    for fact in survey.facts_at(*survey.place(value.line)):
        if canonical(fact.value) in wanted:
            return f"{written} as `{fact.name.rpartition('.')[2]}`"
    return written


_MOST_LOOKED_AT = 40


def _best_line(survey: Survey, claim: Claim, found: Findings, word: WordFinding) -> int:
    """Where a word stands in the claim's sense: in the best block for the claim; -1 for nowhere."""
    live = word.places.live
    for number in found.focus:
        for line in live[survey.block_of_line[live] == number][:_MOST_LOOKED_AT].tolist():
            if stands_on(survey, claim, word, line):
                return int(line)
    lines = live[:_MOST_LOOKED_AT].tolist()
    return next((line for line in lines if stands_on(survey, claim, word, line)), -1)


def _placed(survey: Survey, text: str, lines: Sequence[int]) -> str:
    return f"{text} ({where(survey, lines[0])})" if len(lines) else text


# ---- why -----------------------------------------------------------------------------------------


def reasons(
    claim: Claim,
    found: Findings,
    words: Sequence[WordFinding],
    points: Sequence[Point],
    *,
    missing: Sequence[str],
    level: Level,
) -> list[str]:
    """The evidence in sentences, what decided first."""
    by_kind = {kind: [p.text for p in points if p.kind is kind] for kind in Kind}
    against, idle = by_kind[Kind.AGAINST], by_kind[Kind.IDLE]
    stands, notes = by_kind[Kind.STANDS], by_kind[Kind.NOTE]
    lacking = _lacking(claim, found, words, missing, level)
    if level is not Level.FAITHFUL and not (against or idle or lacking):
        said = stands
    elif level < Level.MINOR:
        said = [*against, *idle, *lacking, *stands]
    else:
        amiss = [*against, *idle]
        stands = stands[: max(1, _MOST_SENTENCES - len(amiss) - len(lacking))]
        said = [*amiss, *stands, *lacking]
    return [capitalised(text) for text in [*said[:_MOST_SENTENCES], *notes]]


def _lacking(
    claim: Claim,
    found: Findings,
    words: Sequence[WordFinding],
    missing: Sequence[str],
    level: Level,
) -> list[str]:
    """What no code holds; little of it where the claim is as good as met."""
    most = 3 if level >= Level.MINOR else _MOST_NAMED
    text = [
        word.concept.text
        for word in absent_words(claim, found, words)
        if word.places.standing is Standing.TEXT and is_told(claim, found, word)
    ]
    said: list[str] = []
    if missing:
        head = "Looked for and found nowhere" if level is Level.ABSENT else "Not found"
        said.append(f"{head}: {listed(missing, most)}")
    if text:
        said.append(
            f"Only in comments, strings or documents: {listed(phrases(claim.text, text), most)}"
        )
    return said
