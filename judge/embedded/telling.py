"""Saying in words what was found, and quoting the lines that decide."""

from __future__ import annotations

from collections.abc import Iterator

from judge.embedded.contradictions import Contradiction, contradictions
from judge.embedded.giving import Conflict, binds
from judge.embedded.library import KnownCall
from judge.embedded.looking import Findings, WordFinding
from judge.embedded.rules import implied_by
from judge.embedded.survey import Standing, Survey
from judge.embedded.values import ValueFinding, ValueState
from judge.imports import is_import
from judge.sources import substantial
from retrieval.values import Fact

__all__ = ["citations", "expected", "found_text", "reasons", "where"]

_MAX_PARTS = 14
_MAX_CITED = 5
_MAX_LINE = 400
_MAX_SHOWN = 100
_MAX_AGAINST = 2

_STANDING = {
    Standing.NOWHERE: "nowhere",
    Standing.TEXT: "only in comments, strings or documents",
    Standing.STUB: "only in a placeholder",
    Standing.UNREAD: "only in settings that nothing reads",
    Standing.DEAD: "only in code that no run reaches",
    Standing.LIVE: "live",
}


def where(survey: Survey, line: int) -> str:
    """`path:line` of a line counted over all files."""
    path, number = survey.place(line)
    return f"{path}:{number}"


def expected(found: Findings) -> str:
    """The claim's parts, values and names first."""
    parts = [f"value {_named_value(v)}" for v in found.values]
    parts += [w.concept.text for w in _weightiest(found.words) if w.concept.named]
    parts += [name for name, _, _ in found.operators]
    parts += [w.concept.text for w in _weightiest(found.words) if not w.concept.named]
    if found.steps:
        parts.insert(0, f"{len(found.steps)} steps in order")
    return "; ".join(dict.fromkeys(parts[:_MAX_PARTS]))


def found_text(survey: Survey, found: Findings) -> str:
    """What became of each part, with places."""
    said = [_conflict_text(conflict) for conflict in found.conflicts]
    for value in _others(found):
        if (pair := implied_by(value, found.values)) is not None:
            said.append(f"{value.value.written.strip()}: not written, {pair[0]} by {pair[1]}")
        elif value.state is not ValueState.ABSENT or value.value.weight >= _OWN_VALUE:
            said.append(_value_text(survey, value))
    for step, number in zip(found.steps, range(1, 99), strict=False):
        place = f"best at {where(survey, step.line)}" if step.line >= 0 else "not found"
        said.append(f"step {number}: {place} ({step.cover:.0%} of its words)")
    words = _weightiest(found.words)
    said.extend(
        _word_text(survey, word)
        for word in [
            *(w for w in words if w.concept.named),
            *(w for w in words if not w.concept.named),
        ]
    )
    said += [
        f"{name}: {'near the best match' if here else 'elsewhere' if live else 'not found'}"
        for name, here, live in found.operators
    ]
    return "; ".join(said[:_MAX_PARTS])


def reasons(survey: Survey, found: Findings) -> list[str]:
    """The evidence in sentences, the weightiest first."""
    said = [
        f"`{_bound(one.other)}` at {one.other.path}:{one.other.line} against the claimed "
        f"{one.mention.written}"
        for one in found.conflicts
    ]
    said += [_against(survey, each) for each in contradictions(found.method)[:_MAX_AGAINST]]
    for value in _others(found):
        if value.state is ValueState.BESIDE:
            said.append(_beside_text(survey, value))
        elif value.state in {ValueState.OVERRIDDEN, ValueState.OTHER} and value.other:
            other = value.other
            said.append(
                f"`{_bound(other)}` at {other.path}:{other.line} against the "
                f"claimed {value.value.written.strip()}"
            )
        elif value.implied is not None:
            said.append(_implied_text(survey, value))
        elif value.state is ValueState.IDLE:
            said.append(
                f"{value.value.written.strip()} stands at {where(survey, value.line)}, where "
                "nothing makes it act"
            )
    said += _carried_text(survey, found)
    if found.focus:
        block = survey.blocks[found.focus[0]]
        share = found.live_score[found.focus[0]]
        name = block.name or "the module's own lines"
        said.append(f"{name} in {block.path} holds {share:.0%} of the claim's words by weight")
        if block.apology:
            said.append("a comment there says that it is not the real thing")
    if found.idle_focus >= 0:
        block = survey.blocks[found.idle_focus]
        share = float(found.idle_score[found.idle_focus])
        best = float(found.live_score[found.focus[0]]) if found.focus else 0.0
        if share > best or block.stub:
            kind = "is a placeholder" if block.stub else "is reached by no run"
            said.append(f"{block.name or 'a part'} in {block.path}, which matches, {kind}")
    if found.order is not None:
        kept = "keep" if found.order > 0 else "do not keep"
        said.append(f"the steps that were found {kept} the stated order")
    absent = [w.concept.text for w in _weightiest(found.words) if w.places.standing < Standing.STUB]
    if absent:
        said.append("not in code: " + ", ".join(dict.fromkeys(absent[:6])))
    return said


def citations(survey: Survey, found: Findings) -> list[dict[str, object]]:
    """Quotes of the deciding lines, live ones first; each copied exactly."""
    cited: list[dict[str, object]] = []
    seen: set[int] = set()
    for line in _deciding(survey, found):
        if line in seen or len(cited) >= _MAX_CITED:
            continue
        seen.add(line)
        path, number = survey.place(line)
        quote = survey.index.lines(path)[number - 1]
        if len(quote) > _MAX_LINE or not substantial(survey.index.code_of(path, number)):
            continue
        if is_import(survey.index.lines(path), number):
            continue
        cited.append({"path": path, "first": number, "last": number, "quote": quote})
    return cited


def _against(survey: Survey, contradiction: Contradiction) -> str:
    """What the claim says, what the code does instead, and where."""
    shown = " and ".join(
        _line_text(survey, int(survey.live[row])) for row in dict.fromkeys(contradiction.rows)
    )
    return f"the claim says {contradiction.said}: {contradiction.done}" + (
        f", see {shown}" if shown else ""
    )


def _deciding(survey: Survey, found: Findings) -> Iterator[int]:
    for contradiction in contradictions(found.method)[:_MAX_AGAINST]:
        yield from (int(survey.live[row]) for row in contradiction.rows)
    for conflict in found.conflicts[:2]:
        yield survey.index.line_number(conflict.other.path, conflict.other.line)
    for value in found.values:
        if value.line >= 0 and value.state in {ValueState.BESIDE, ValueState.OVERRIDDEN}:
            yield value.line
            break
    for value in found.values:
        if value.other is not None:
            yield survey.index.line_number(value.other.path, value.other.line)
            break
    if found.focus and found.stub_focus >= 0:
        # A placeholder whose subject is the claim's: its head and what stands in place of a body.
        yield from survey.blocks[found.stub_focus].lines[:2]
    steps = [step.line for step in found.steps if step.line >= 0]
    yield from steps[:3]
    hits = _focus_hits(survey, found)
    yield from sorted(hits, key=lambda line: (-hits[line], line))[:6]
    for word in _weightiest(found.words):
        yield from (int(line) for line in word.places.live[:1])
    for value in found.values:
        if value.line >= 0:
            yield value.line


def _focus_hits(survey: Survey, found: Findings) -> dict[int, float]:
    hits: dict[int, float] = {}
    if not found.focus:
        return hits
    for word in found.words:
        live = word.places.live
        for line in live[survey.block_of_line[live] == found.focus[0]].tolist():
            hits[line] = hits.get(line, 0.0) + word.weight * word.credit
    return hits


def _weightiest(words: list[WordFinding]) -> list[WordFinding]:
    return sorted(words, key=lambda word: -word.weight)


def _named_value(value: ValueFinding) -> str:
    near = value.value.near[:1]
    return value.value.written.strip() + (f" ({near[0]})" if near else "")


def _others(found: Findings) -> list[ValueFinding]:
    """The values without those that the code contradicts."""
    terms = {conflict.mention.term for conflict in found.conflicts}
    return [value for value in found.values if value.value.term not in terms]


def _bound(fact: Fact) -> str:
    return f"{fact.name} = {fact.value[:60]}"


def _conflict_text(conflict: Conflict) -> str:
    other = conflict.other
    return (
        f"{conflict.mention.written}: not found as {other.name.rpartition('.')[2]}, which is "
        f"{other.value[:40]} at {other.path}:{other.line}"
    )


def _beside_text(survey: Survey, value: ValueFinding) -> str:
    """That a line gives a name the value, or only holds it."""
    written = value.value.written.strip()
    path, number = survey.place(value.line)
    forms = frozenset(term[1:] for term in (value.value.term, *value.value.also))
    line = _line_text(survey, value.line)
    if value.value.weight < _OWN_VALUE or not binds(survey, path, number, forms, value.value.near):
        return f"{line} holds {written}"
    return f"{line} gives {written}{'; nothing overrides it' if value.settled else ''}"


def _implied_text(survey: Survey, value: ValueFinding) -> str:
    """That a library's call acts with a value that is not written."""
    written = value.value.written.strip()
    if value.implied is None:
        return written
    call, default = value.implied
    what = f"the default of {default.argument} of" if default.argument else "a known size of"
    return f"{written}: {what} `{call.shown}` at {where(survey, call.line)}"


def _carried_text(survey: Survey, found: Findings) -> list[str]:
    """What calls carry out that stands in no live code, the call that does most of it first."""
    by_call: dict[KnownCall, dict[str, None]] = {}
    for word in found.words:
        if word.only_carried and word.carried is not None:
            for call in word.carried.calls[:1]:
                by_call.setdefault(call, {})[word.carried.phrase] = None
    best = sorted(by_call.items(), key=lambda item: (-len(item[1]), item[0].line))
    shown: list[str] = []
    told: set[str] = set()
    for call, own in best:
        new = [phrase for phrase in own if phrase and phrase not in told]
        if new and len(shown) < _MOST_CALLS:
            told.update(new)
            place = where(survey, call.line)
            shown.append(f"`{call.shown}` at {place} carries out: {', '.join(new)}")
    return shown


_MOST_CALLS = 2
_OWN_VALUE = 0.4  # less of one: a number in words, a part of a name


def _value_text(survey: Survey, value: ValueFinding) -> str:
    text = value.value.written.strip()
    at = f" at {where(survey, value.line)}" if value.line >= 0 else ""
    match value.state:
        case ValueState.BESIDE:
            return f"{text}: beside its name{at}"
        case ValueState.OVERRIDDEN if value.other:
            over = f"{value.other.value[:40]} at {value.other.path}:{value.other.line}"
            return f"{text}:{at}, overridden by {over}"
        case ValueState.OTHER if value.other:
            return f"{text}: not found; {value.other.name} is {value.other.value[:40]}{at}"
        case ValueState.IMPLIED:
            return _implied_text(survey, value)
        case ValueState.ELSEWHERE:
            return f"{text}: away from its name{at}"
        case ValueState.IDLE:
            return f"{text}: without effect{at}"
        case _:
            return f"{text}: not found"


def _word_text(survey: Survey, word: WordFinding) -> str:
    places = word.places
    text = f"{word.concept.text}: {_STANDING[places.standing]}"
    if word.only_carried and word.carried is not None:
        call = word.carried.calls[0]
        return f"{word.concept.text}: carried out by `{call.shown}` at {where(survey, call.line)}"
    if len(places.live):
        return f"{text} at {where(survey, int(places.live[0]))}"
    if len(places.idle):
        return f"{text} at {where(survey, int(places.idle[0]))}"
    return text


def _line_text(survey: Survey, line: int) -> str:
    path, number = survey.place(line)
    text = " ".join(survey.index.code_of(path, number).split())
    if len(text) > _MAX_SHOWN:
        text = text[: _MAX_SHOWN - 1] + "…"
    return f"`{text}` at {path}:{number}"
