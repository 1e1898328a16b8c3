"""What decides a claim, point by point, each in a sentence and with the lines that show it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from benchmark import Dimension, Failure, Level
from judge.embedded.contradictions import Contradiction, contradictions
from judge.embedded.defaults import defaults_of
from judge.embedded.known_calls import KnownCall
from judge.embedded.looking import Findings, StepFinding, WordFinding
from judge.embedded.mentions import name_words
from judge.embedded.operations import are_called
from judge.embedded.parts import Claim
from judge.embedded.phrasing import listed, shortened, value_label
from judge.embedded.standing import (
    OWN_VALUE,
    is_given,
    is_held_at,
    is_named_at,
    is_near,
    is_of_another,
    stands_on,
    word_stands,
)
from judge.embedded.survey import Block, Standing, Survey
from judge.embedded.values import WRONG, ValueFinding, ValueState
from judge.embedded.words import APOLOGY, GENERIC, OPERATORS, VERBS
from judge.sources import substantial
from retrieval.values import Fact
from retrieval.words import TOKEN

__all__ = [
    "Kind",
    "Point",
    "is_against",
    "line_text",
    "operations_near",
    "points_of",
    "uncontradicted",
    "where",
]

_MOST_AGAINST = 3
_MOST_VALUES = 4
_MOST_CALLS = 2
_MOST_LINES = 3
_MAX_SHOWN = 100
_STEP_FOUND = 0.4
_MUCH = 0.25
_MOST_WORDS = 24


class Kind(Enum):
    """What a point says of a claim."""

    AGAINST = "against"
    IDLE = "idle"  # it stands where it does not act
    STANDS = "stands"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Point:
    """A sentence without its full stop, and the lines that it speaks of.

    Attributes:
        kind: What it says of the claim.
        text: The sentence.
        lines: Counted over all files from 0, the most telling first.
    """

    kind: Kind
    text: str
    lines: tuple[int, ...]


def points_of(
    survey: Survey,
    claim: Claim,
    found: Findings,
    words: list[WordFinding],
    *,
    level: Level,
    failure: Failure,
) -> list[Point]:
    """What decides, the weightiest first: what is against the claim, does not act, stands.

    Args:
        survey: The repository.
        claim: The claim.
        found: What was found.
        words: The words that say something, those that say most first.
        level: How far the claim is met; where not at all, single values and calls prove nothing.
        failure: Why it is not met.
    """
    points = [
        *_against(survey, claim, found),
        *_idle_values(survey, claim, found),
        *_idle_code(survey, found, failure),
    ]
    focus = [*_focus(survey, claim, found, words)]
    if claim.dimension is Dimension.D2:
        points += focus  # a method is decided where it is done, and not by its settings
        focus = []
    if level is not Level.ABSENT:
        points += [
            *_values(survey, claim, found),
            *_order(survey, found, level),
            *_carried(survey, found),
        ]
    return [*points, *focus]


def where(survey: Survey, line: int) -> str:
    """`path:line` of a line counted over all files."""
    path, number = survey.place(line)
    return f"{path}:{number}"


def line_text(survey: Survey, line: int) -> str:
    """A line of code, and where it is."""
    path, number = survey.place(line)
    return f"`{shortened(survey.index.code_of(path, number), _MAX_SHOWN)}` at {path}:{number}"


def uncontradicted(found: Findings) -> list[ValueFinding]:
    """The values whose names are given no other ones."""
    terms = {conflict.mention.term for conflict in found.conflicts}
    return [value for value in found.values if value.value.term not in terms]


def is_against(claim: Claim, value: ValueFinding) -> bool:
    """Whether the code plainly gives another value to what the claim calls a value.

    Names that share a word of every program, and nulls that something is counted up from, do not.
    """
    if value.state not in WRONG or value.other is None or value.ratio == 1:
        return False
    if value.state is ValueState.OVERRIDDEN or value.away:
        return True
    named = {
        word for token in TOKEN.findall(value_label(claim, value)) for word in name_words(token)
    }
    own = name_words(value.other.name.rpartition(".")[2])
    shared = own & named
    return value.ratio < _FAR and (bool(shared - GENERIC) or (len(own) > 1 and own <= named))


_FAR = 1e3


# ---- against -------------------------------------------------------------------------------------


def _against(survey: Survey, claim: Claim, found: Findings) -> Iterator[Point]:
    for each in contradictions(found.method)[:_MOST_AGAINST]:
        yield _contradicted(survey, each)
    labels = {value.value.term: value_label(claim, value) for value in found.values}
    values = [
        (one.other, labels.get(one.mention.term, one.mention.written), -1)
        for one in found.conflicts
    ]
    for value in uncontradicted(found):
        if value.other is not None and is_against(claim, value):
            line = value.line if value.state is ValueState.OVERRIDDEN else -1
            values.append((value.other, labels[value.value.term], line))
    by_fact: dict[Fact, tuple[list[str], list[int]]] = {}
    for fact, written, line in values:
        names, lines = by_fact.setdefault(fact, ([], []))
        if written.strip() not in names:
            names.append(written.strip())
        if line >= 0:
            lines.append(line)
    for fact, (names, lines) in list(by_fact.items())[:_MOST_AGAINST]:
        own = survey.index.line_number(fact.path, fact.line)
        if (implied := defaults_of(survey).of(fact)) is not None:
            text = (
                f"the library's default {implied.name} of `{implied.call.shown}` is {fact.value}, "
                f"at {fact.path}:{fact.line}; the claim says {listed(names, 4)}"
            )
            yield Point(Kind.AGAINST, text, (own,))
            continue
        over = f", which overrides {where(survey, lines[0])}" if lines else ""
        yield Point(
            Kind.AGAINST,
            f"`{fact.name} = {shortened(fact.value, 60)}` at {fact.path}:{fact.line}"
            f"{over}, against the claimed {listed(names, 4)}",
            (own, *lines[:1]),
        )


def _contradicted(survey: Survey, contradiction: Contradiction) -> Point:
    """What the claim says, what the code does instead, and where."""
    lines = tuple(int(survey.live[row]) for row in dict.fromkeys(contradiction.rows))
    shown = " and ".join(line_text(survey, line) for line in lines)
    text = f"The claim says {contradiction.said}: {contradiction.done}"
    return Point(Kind.AGAINST, f"{text}, see {shown}" if shown else text, lines)


# ---- does not act --------------------------------------------------------------------------------


def _idle_values(survey: Survey, claim: Claim, found: Findings) -> Iterator[Point]:
    idle = [
        value
        for value in uncontradicted(found)
        if value.state is ValueState.IDLE
        and value.value.weight >= OWN_VALUE
        and (is_given(survey, value) or is_held_at(survey, claim, value))
    ]
    by_reason: dict[str, dict[int, list[str]]] = {}
    for line, names in _by_line(idle).items():
        why = _WHY_IDLE.get(Standing(int(survey.standing[line])), "nothing there acts")
        by_reason.setdefault(why, {})[line] = names
    for why, lines in by_reason.items():
        shown = [f"{listed(names, 4)} at {where(survey, line)}" for line, names in lines.items()]
        many = len(shown) > 1 or len(next(iter(lines.values()))) > 1
        text = f"{listed(shown, _MOST_AGAINST)} {'are' if many else 'is'} without effect: {why}"
        yield Point(Kind.IDLE, text, tuple(lines)[:_MOST_AGAINST])


_WHY_IDLE = {
    Standing.STUB: "in a placeholder",
    Standing.UNREAD: "read by nothing",
    Standing.DEAD: "no run comes there",
}


def _idle_code(survey: Survey, found: Findings, failure: Failure) -> Iterator[Point]:
    """The function that matches best of those that do not act, where that weighed."""
    best = float(found.live_score[found.focus[0]]) if found.focus else 0.0
    told: set[int] = set()
    for number, weighs in (
        (found.stub_focus, failure is Failure.STUB),
        (found.idle_focus, failure is Failure.UNREACHABLE),
    ):
        if number < 0 or number in told:
            continue
        block = survey.blocks[number]
        why = "is a placeholder" if block.stub else _IDLE.get(block.standing, "")
        if why and (weighs or float(found.idle_score[number]) > best):
            told.add(number)
            head = _head(survey, block)
            name = f"`{block.name}` at" if block.name else "What stands at"
            text = f"{name} {where(survey, head)}, which matches, {why}"
            own = [line for line in block.lines if line > head][: 1 if block.stub else 0]
            yield Point(Kind.IDLE, text, (head, *own))


_IDLE = {
    Standing.STUB: "is a placeholder",
    Standing.UNREAD: "is read by nothing",
    Standing.DEAD: "is reached by no run",
}
_MOST_DECORATORS = 6


def _head(survey: Survey, block: Block) -> int:
    """A block's first line that is no decorator."""
    for line in block.lines[:_MOST_DECORATORS]:
        if not survey.index.code_of(*survey.place(line)).lstrip().startswith("@"):
            return line
    return block.lines[0]


# ---- stands --------------------------------------------------------------------------------------


def _values(survey: Survey, claim: Claim, found: Findings) -> Iterator[Point]:
    """The values that stand by their names: those that are given to them, then those beside."""
    given: dict[tuple[int, bool], list[str]] = {}
    held: list[ValueFinding] = []
    values = [
        value
        for value in uncontradicted(found)
        if value.implied is not None or value.state is ValueState.BESIDE
    ]
    values = [value for value in values if not is_of_another(survey, claim, value, found.values)]
    if len(values) > 1:
        values.sort(key=lambda value: not is_named_at(survey, claim, value))
    for value in values:
        if value.implied is not None:
            call, default = value.implied
            what = (
                f"the library's default of {default.argument} of"
                if default.argument
                else "a known size of"
            )
            text = f"{value.value.written.strip()} is {what} `{call.shown}` at "
            yield Point(Kind.STANDS, text + where(survey, call.line), (call.line,))
        elif value.state is ValueState.BESIDE:
            if is_given(survey, value):
                names = given.setdefault((value.line, value.settled), [])
                names.append(value.value.written.strip())
            elif is_near(survey, value) and is_held_at(survey, claim, value):
                held.append(value)
    for (line, settled), names in list(given.items())[:_MOST_VALUES]:
        text = f"{line_text(survey, line)} gives {listed(names, 4)}"
        yield Point(Kind.STANDS, text + ("; nothing overrides it" if settled else ""), (line,))
    for line, names in list(_by_line(held).items())[: max(0, _MOST_VALUES - len(given))]:
        yield Point(Kind.STANDS, f"{line_text(survey, line)} holds {listed(names, 4)}", (line,))


def _by_line(values: Iterable[ValueFinding]) -> dict[int, list[str]]:
    """The values, as written, by their lines."""
    lines: dict[int, list[str]] = {}
    for value in values:
        lines.setdefault(value.line, []).append(value.value.written.strip())
    return lines


def _order(survey: Survey, found: Findings, level: Level) -> Iterator[Point]:
    if found.order is None:
        return
    steps = [step for step in found.steps if _is_placed(step)]
    places = ", ".join(where(survey, step.line) for step in steps)
    kept = "keep the stated order"
    if found.order < 0:
        kept = "do not keep the stated order"
    elif found.order < 1:
        kept = "keep the stated order only in part"
    told = found.order == 1 or level is not Level.FAITHFUL
    if not told:  # the lines that match best are no proof of an order, and did not decide
        kept = "their lines alone do not show the order"
    text = f"{len(steps)} of {len(found.steps)} steps were found, and {kept}: {places}"
    kind = Kind.STANDS if found.order == 1 or not told else Kind.AGAINST
    yield Point(kind, text, tuple(step.line for step in steps[:_MOST_LINES]))


def _is_placed(step: StepFinding) -> bool:
    return step.line >= 0 and step.time is not None and step.cover >= _STEP_FOUND


def _carried(survey: Survey, found: Findings) -> Iterator[Point]:
    """What calls carry out that stands in no live code, the call that does most of it first."""
    by_call: dict[KnownCall, dict[str, None]] = {}
    for word in found.words:
        if word.only_carried and word.carried is not None:
            for call in word.carried.calls[:1]:
                by_call.setdefault(call, {})[word.carried.phrase] = None
    shown = 0
    told: set[str] = set()
    for call, own in sorted(by_call.items(), key=lambda item: (-len(item[1]), item[0].line)):
        new = [phrase for phrase in own if phrase and phrase not in told]
        if new and shown < _MOST_CALLS:
            told.update(new)
            shown += 1
            text = f"`{call.shown}` at {where(survey, call.line)} carries out: {', '.join(new)}"
            yield Point(Kind.STANDS, text, (call.line,))


def _focus(
    survey: Survey, claim: Claim, found: Findings, words: list[WordFinding]
) -> Iterator[Point]:
    """The block that holds most of the claim, and on which lines."""
    if not found.focus:
        return
    number = found.focus[0]
    own: dict[int, list[WordFinding]] = {}
    for word in words[:_MOST_WORDS]:
        if not word_stands(word):
            continue
        live = word.places.live
        for line in live[survey.block_of_line[live] == number].tolist():
            if stands_on(survey, claim, word, line):
                own.setdefault(line, []).append(word)
    weight = {word.concept.text: word.weight * word.credit for word in words}
    shown: list[str] = []
    lines: list[int] = []
    told: set[str] = set()
    while len(lines) < _MOST_LINES and own:
        new = {
            line: [w.concept.text for w in here if w.concept.text not in told]
            for line, here in own.items()
        }
        best = max(new, key=lambda line: (sum(weight[text] for text in new[line]), -line))
        if not new[best]:
            break
        told.update(new[best])
        shown.append(f"{listed(new[best], 4)} on line {survey.place(best)[1]}")
        lines.append(best)
    if not lines and (best_line := _best_of(survey, found, number)) >= 0:
        shown.append(f"best on line {survey.place(best_line)[1]}")
        lines.append(best_line)
    block = survey.blocks[number]
    share = float(found.live_score[number])
    name = _block_name(block)
    text = f"{name} holds" if share >= _MUCH else f"The nearest is {name}, with"
    text += f" {share:.0%} of the claim's words by weight"
    text += f": {', '.join(shown)}" if shown else ""
    operations = [name for name in operations_near(survey, found) if name not in told]
    if operations and len(lines) < _MOST_LINES:
        text += f"; there or near by: {listed(operations, _MOST_LINES)}"
    yield Point(Kind.STANDS, text, tuple(lines))
    if block.apology:
        name = _block_name(block)
        at = f"at line {said} of {name}" if (said := _apology_line(survey, block)) else f"in {name}"
        text = f"A comment {at} speaks of a placeholder or a simplification"
        yield Point(Kind.NOTE, text, ())


def _apology_line(survey: Survey, block: Block) -> int:
    """The line of a block whose comment says that it is not the real thing; 0 for none."""
    path, first = survey.place(block.lines[0])
    last = survey.place(block.lines[-1])[1]
    lines = survey.index.lines(path)
    for number in range(max(1, first - 1), min(len(lines), last + 1) + 1):
        code = survey.index.code_of(path, number)
        if APOLOGY.search(lines[number - 1]) and not APOLOGY.search(code):
            return number
    return 0


def operations_near(survey: Survey, found: Findings) -> list[str]:
    """The claim's operations that are carried out in the best functions or near by."""
    here = [
        name
        for name, near, _ in found.operators
        if near and not any(OPERATORS[name][0].search(absent) for absent in found.absent)
    ]
    blocks = {*found.focus, *(near for n in found.focus for near in survey.neighbours(n))}
    by_calls = {near for carried in found.carrying.operators.values() for near in carried.blocks}
    return are_called(survey, here, blocks) if here and not by_calls & blocks else here


def _best_of(survey: Survey, found: Findings, number: int) -> int:
    """The line of a block with most of all words of a claim, letters of formulas too; or -1."""
    hits: dict[int, float] = {}
    for word in found.words:
        if word.concept.text.lower() in VERBS:
            continue
        live = word.places.live
        for line in live[survey.block_of_line[live] == number].tolist():
            hits[line] = hits.get(line, 0.0) + word.weight * word.credit
    quoted = (
        line
        for line in sorted(hits, key=lambda line: (-hits[line], line))
        if substantial(survey.index.code_of(*survey.place(line)))
    )
    return next(quoted, -1)


def _block_name(block: Block) -> str:
    return f"`{block.name}` in {block.path}" if block.name else f"`{block.path}`"
