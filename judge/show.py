"""One verdict explained in the terminal: claim, level, code, what the judge saw, asked and said."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from benchmark import Failure, InputError, Level, Sau, Where
from judge.asked_again import because
from judge.cascade_figures import words_of
from judge.code_shown import code_shown
from judge.counting import counted
from judge.protocol import Question
from judge.records import ASKED_AGAIN, SubmissionNote
from judge.report.text import plain
from judge.report.words import FAILURES, LEVEL_NAMES, LEVEL_SCORES, QUOTES, WORDS
from judge.store import Attempt, LoadedRun, iter_attempts
from judge.tally import judge_name, word
from judge.verdict import Citation, EvidenceNote, Provenance, QuoteState, Verdict
from judge.voices import voices_of
from retrieval.values import Evidence

__all__ = ["attempts_of", "find_verdict", "show_verdict"]

_LEVEL_STYLES = ("bold red", "bold dark_orange", "bold yellow", "bold cyan", "bold green")
_QUOTE_STYLES = {
    QuoteState.VERIFIED: "green",
    QuoteState.RELOCATED: "yellow",
    QuoteState.NOT_FOUND: "bold red",
}
LONGEST = 4000
"""Characters of a prompt's part or of a raw answer that are shown unless all is asked for."""


def find_verdict(run: LoadedRun, submission: str, sau: str) -> tuple[Verdict, SubmissionNote, Sau]:
    """Look a pair up.

    Raises:
        InputError: The run has no such submission, claim or verdict; the nearest names are given.
    """
    where = Where(str(run.path))
    notes = {note.id: note for note in run.submissions}
    if submission not in notes:
        raise _unknown("submission", submission, notes, where)
    note = notes[submission]
    claims = {name for name, one in run.saus.items() if one.paper == note.paper}
    if sau not in claims:
        if sau in run.saus:
            raise InputError(
                f"the claim {sau} is about the paper {run.saus[sau].paper}, and {submission} "
                f"reproduces {note.paper}",
                where=where,
                remedy=f"Name a claim of {note.paper}, e.g. {min(claims, default='none')}",
            )
        raise _unknown("claim", sau, claims, where)
    for verdict in run.verdicts:
        if verdict.submission == submission and verdict.sau == sau:
            return verdict, note, run.saus[sau]
    raise _none_yet(run, submission, sau)


def attempts_of(run: LoadedRun, verdict: Verdict) -> list[Attempt]:
    """The ledger's rows that belong to a verdict, in the order they were paid for.

    Raises:
        InputError: The ledger is damaged.
    """
    key = verdict.provenance.request_key
    return [
        attempt
        for attempt in iter_attempts(run.path)
        if (key and attempt.request_key == key)
        or (attempt.submission == verdict.submission and attempt.sau == verdict.sau)
    ]


def show_verdict(
    run: LoadedRun,
    submission: str,
    sau: str,
    *,
    console: Console,
    question: Question | None = None,
    whole: bool = False,
) -> None:
    """Print everything that is known of one verdict.

    Args:
        run: The run.
        submission: The submission's id.
        sau: The claim's id.
        console: Where to print.
        question: The question as it is built from the repository, where it is at hand: shows
            the evidence and the prompt themselves and not only the note of them.
        whole: Print long prompts, evidence and answers to their end.

    Raises:
        InputError: There is no such verdict, or the run's ledger is damaged.
    """
    verdict, note, claim = find_verdict(run, submission, sau)
    most = None if whole else LONGEST
    console.print(_head(verdict, claim))
    console.print(_words(verdict))
    for place, citation in enumerate(verdict.citations, start=1):
        console.print(_citation(place, citation))
    if not verdict.citations and verdict.level is not None:
        console.print(Text("No lines are cited.", style="dim"))
    if verdict.evidence is not None:
        console.print(Rule(Text("What the judge saw"), align="left", style="dim"))
        console.print(_evidence_note(verdict.evidence))
    if question is not None:
        console.print(_evidence(question.evidence, most))
        if question.prompt is not None:
            console.print(Rule(Text("What it was asked"), align="left", style="dim"))
            for name in ("system", "shared", "question"):
                console.print(_part(name, str(getattr(question.prompt, name)), most))
    attempts = attempts_of(run, verdict)
    if attempts:
        console.print(Rule(Text("What it answered"), align="left", style="dim"))
        for attempt in attempts:
            console.print(_attempt(attempt, most))
    console.print(Rule(Text("Where this comes from"), align="left", style="dim"))
    console.print(_provenance(verdict.provenance, note, judge_name(verdict)))
    if voices := list(voices_of(verdict)):
        console.print(Rule(Text("Who said what"), align="left", style="dim"))
        console.print(_facts(voices))
    if verdict.cascade is not None:
        console.print(_facts([("cascade", words_of(verdict.cascade))]))


def _none_yet(run: LoadedRun, submission: str, sau: str) -> InputError:
    """What is known of a pair without a verdict: whether it waits, and why once more."""
    problem = f"there is no verdict on {sau} for {submission} yet"
    waiting: dict[str, str] = {}
    for attempt in iter_attempts(run.path):
        if (attempt.submission, attempt.sau) != (submission, sau):
            continue
        if attempt.outcome == ASKED_AGAIN:
            waiting[attempt.request_key] = because(attempt.message)
        else:
            waiting.pop(attempt.request_key, None)
    if waiting:
        problem += ": it is asked again because " + plain("; and because ".join(waiting.values()))
    again = "run the same command again: it judges what is missing and nothing twice"
    folders = list(dict.fromkeys(_exchanges(run.meta.config.get("judge"))))
    if folders:
        what = "Its question waits" if waiting else "Where it was asked, its question waits"
        remedy = (
            f"{what} in requests*.jsonl of {plain(', '.join(folders))} (judge.exchange, from the "
            f"config's folder on): put the answer there, and {again}"
        )
    elif waiting:
        remedy = f"Its question waits for the next batch (judge batch submit), or {again}"
    else:
        remedy = again.capitalize()
    return InputError(problem, where=Where(str(run.path)), remedy=remedy)


def _exchanges(judge: object) -> Iterator[str]:
    """The folders of exchange that a recorded judge names, those of a panel or cascade too."""
    if not isinstance(judge, dict):
        return
    if folder := judge.get("exchange"):
        yield str(folder)
    for inner in (judge.get("then"), *(judge.get("members") or ())):
        yield from _exchanges(inner)


def _unknown(what: str, name: str, known: Iterable[str], where: Where) -> InputError:
    names = sorted(known)
    folded: dict[str, str] = {}
    for one in names:
        folded.setdefault(one.casefold(), one)
    near = difflib.get_close_matches(name.casefold(), folded, n=3, cutoff=0.5)
    near += [one for one in folded if name.casefold() in one and one not in near][: 3 - len(near)]
    if near:
        remedy = "Nearest: " + ", ".join(plain(folded[one]) for one in near)
    elif names:
        remedy = f"Name one of its {len(names):,}, e.g. {names[0]}"
    else:
        remedy = "The run has none"
    return InputError(f"the run has no {what} {plain(name)!r}", where=where, remedy=remedy)


def _text(text: str, style: str = "") -> Text:
    """Text of others: no markup is read in it, and no escape of it reaches the terminal."""
    return Text(plain(text), style=style)


def _cut(text: str, most: int | None) -> tuple[str, str]:
    """As much of a text as is shown, cut at a line's end, and a notice of the rest.

    Only a first line that is longer than all that is shown is cut within.
    """
    if most is None or len(text) <= most:
        return text, ""
    end = text.rfind("\n", 0, most + 1)
    # What the break itself takes is neither shown nor missing.
    shown, rest = (text[:end], text[end + 1 :]) if end > 0 else (text[:most], text[most:])
    return shown, f"… {counted(len(rest), 'more character')}" if rest else ""


def _facts(rows: Sequence[tuple[str, str | Text | None]]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in rows:
        if value:
            table.add_row(name, value if isinstance(value, Text) else _text(value))
    return table


def _head(verdict: Verdict, claim: Sau) -> RenderableType:
    title = Text()
    if verdict.level is not None:
        title.append(
            f"{LEVEL_SCORES[verdict.level]} {LEVEL_NAMES[Level(verdict.level)]}",
            _LEVEL_STYLES[verdict.level],
        )
    else:
        title.append(f"{verdict.status.value}: no level", "bold magenta")
    title.append(f"  {plain(verdict.submission)}  {plain(verdict.sau)}", "bold")
    return Group(
        Rule(title, align="left"),
        _text(claim.claim, "bold"),
        _text(f"{claim.dimension.value} {claim.dimension.axis}. {claim.source}", "dim"),
        Text(),
    )


def _words(verdict: Verdict) -> RenderableType:
    failure = drift = None
    if verdict.level is not None:
        failure = WORDS[word(verdict, verdict.failure)]
        if verdict.failure not in {None, Failure.NONE}:
            failure += f": {FAILURES[verdict.failure.value]}"
        drift = WORDS[word(verdict, verdict.drift)]
    confidence = None if verdict.confidence is None else f"{verdict.confidence:.2f}, uncalibrated"
    return _facts(
        [
            ("reason", verdict.reason),
            ("failure", failure),
            ("drift", drift),
            ("expected", verdict.expected),
            ("found", verdict.found),
            ("why", verdict.rationale),
            ("confidence", confidence),
            ("flags", ", ".join(verdict.flags)),
        ]
    )


def _citation(place: int, citation: Citation) -> RenderableType:
    head = Text()
    head.append(f"\n[{place}] ", "dim")
    head.append(f"{plain(citation.path)}:{citation.first}-{citation.last}  ", "bold")
    head.append(QUOTES[citation.state], _QUOTE_STYLES[citation.state])
    numbered = citation.state is not QuoteState.NOT_FOUND
    return Group(
        head, code_shown(citation.path, citation.quote, citation.first if numbered else None)
    )


def _evidence_note(evidence: EvidenceNote) -> RenderableType:
    passages = ", ".join(f"{path}:{first}-{last}" for path, first, last in evidence.passages)
    return _facts(
        [
            (
                "code",
                "all of it was at hand; below is what matches best"
                if evidence.complete
                else "a part of it",
            ),
            ("size", f"about {counted(evidence.tokens, 'token')}"),
            ("passages", passages or "none"),
            (
                "left out",
                counted(evidence.omitted_files, "file") if evidence.omitted_files else None,
            ),
            ("not found", ", ".join(evidence.searched_not_found)),
        ]
    )


def _evidence(evidence: Evidence, most: int | None) -> RenderableType:
    parts: list[RenderableType] = []
    room = most
    for passage in evidence.passages:
        first = min(len(passage.text.partition("\n")[0]), LONGEST)
        if room is not None and room < max(first, 1):
            parts.append(Text("… more passages", style="dim"))
            break
        why = f"  ({', '.join(passage.why)})" if passage.why else ""
        parts.append(_text(f"{passage.path}:{passage.first}-{passage.last}{why}", "dim"))
        text, rest = _cut(passage.text, room)
        parts.append(code_shown(passage.path, text, passage.first, passage.folded))
        if rest:
            parts.append(_rest(rest))
        if room is not None:
            room -= len(passage.text)
    if evidence.facts:
        facts = [f"{fact.name} = {fact.value}  {fact.path}:{fact.line}" for fact in evidence.facts]
        parts.append(_part("facts", "\n".join(facts), most))
    if evidence.calls:
        parts.append(_part("calls", "\n".join(evidence.calls), most))
    if evidence.searched:
        searched = [
            f"{one.term}: {counted(one.code_lines, 'line')} of code, {one.prose_lines:,} of prose"
            for one in evidence.searched
        ]
        parts.append(_part("searched", "\n".join(searched), most))
    return Group(*parts)


def _part(name: str, text: str, most: int | None) -> RenderableType:
    shown, rest = _cut(text, most)
    parts: list[RenderableType] = [Text(name, style="dim bold")]
    parts.append(Padding(_text(shown), (0, 0, 0, 2)))
    if rest:
        parts.append(_rest(rest))
    return Group(*parts)


def _rest(notice: str) -> RenderableType:
    return Padding(Text(notice, style="dim"), (0, 0, 0, 2))


def _attempt(attempt: Attempt, most: int | None) -> RenderableType:
    if attempt.outcome == ASKED_AGAIN:
        return _part(f"asked again at {attempt.time}", f"because {because(attempt.message)}", most)
    head = f"{attempt.outcome} at {attempt.time or 'an unknown time'}"
    if attempt.answer is not None:
        head += f", {attempt.answer.model or 'model not named'}, finish {attempt.answer.finish}"
    if attempt.message:
        head += f": {attempt.message}"
    text = attempt.answer.text if attempt.answer else ""
    return _part(plain(head), text or "(no text)", most)


def _provenance(provenance: Provenance, note: SubmissionNote, judge: str) -> RenderableType:
    usage = provenance.usage
    parameters = ", ".join(f"{name}={value}" for name, value in provenance.parameters.items())
    spent = [
        f"{value:,} {name}"
        for value, name in (
            (usage.input_tokens, "tokens in"),
            (usage.output_tokens, "tokens out"),
            (usage.cost_usd, "USD"),
            (usage.seconds, "seconds"),
        )
        if value is not None
    ]
    return _facts(
        [
            ("judge", judge),
            ("provider", provenance.provider),
            ("model", provenance.model),
            ("answered by", provenance.model_returned),
            ("parameters", parameters),
            ("asked for as", provenance.rung),
            ("prompt", provenance.prompt_hash),
            ("input key", provenance.input_key),
            ("request key", provenance.request_key),
            ("answer's id", provenance.request_id),
            ("from cache", "yes" if provenance.cached else "no"),
            ("attempts", str(provenance.attempts)),
            ("usage", ", ".join(spent)),
            ("time", provenance.time),
            ("repository", note.root),
            ("digest", note.digest),
        ]
    )
