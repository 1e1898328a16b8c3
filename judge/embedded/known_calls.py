"""The live calls that lead to public libraries, and the values that they are left to act with."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from judge.embedded.library_entries import Default, Entry, library_tables, loaded_entry
from judge.embedded.statements import Statements, arguments_of
from judge.embedded.survey import Standing, Survey
from retrieval.graph import Call, Symbol
from retrieval.words import join

__all__ = ["KnownCall", "known_calls"]


@dataclass(frozen=True, slots=True)
class KnownCall:
    """A live call whose result is used.

    Attributes:
        entry: What it carries out.
        shown: How it is written: `nn.LSTM`, or the name of what it loads.
        line: Its line, counted over all files from 0.
        block: The block that the line stands in.
        defaults: The values that it acts with, those left out that it is given another way.
    """

    entry: Entry
    shown: str
    line: int
    block: int
    defaults: tuple[Default, ...]


def known_calls(survey: Survey) -> Iterator[KnownCall]:
    """The known calls of a repository, by file."""
    tables = library_tables()
    wanted = tables.calls.keys() | tables.loaders.keys()
    by_path: defaultdict[str, list[tuple[Symbol, Call]]] = defaultdict(list)
    for symbol in survey.index.graph.symbols:
        for call in symbol.calls:
            if call.name.rpartition(".")[2] in wanted:
                by_path[symbol.path].append((symbol, call))
    for path, found in by_path.items():
        base = survey.index.line_number(path, 1) - 1
        live = [call for _, call in found if survey.standing[base + call.line] == Standing.LIVE]
        if not live:
            continue
        statements = survey.statements(path)
        for call in dict.fromkeys(live):
            whole = statements.resolve(call.name)
            if whole:
                yield from _known(survey, statements, call, whole, base + call.line)


# What measures has done its work where its result is told.
_MEASURES = re.compile(
    r"(?:sklearn\.metrics|scipy\.stats|torchmetrics\.functional|skimage\.metrics|sacrebleu"
    r"|nltk\.translate|rouge_score|seqeval|editdistance|jiwer|pycocoevalcap|bert_score|lpips)\."
)


def _known(
    survey: Survey, statements: Statements, call: Call, whole: str, line: int
) -> Iterator[KnownCall]:
    """What a call that leads to `whole` carries out, by its name and by what it loads."""
    tables = library_tables()
    root, last = whole.partition(".")[0], whole.rpartition(".")[2]
    block = int(survey.block_of_line[line])
    for roots, entry in tables.calls.get(last, ()):
        used = entry.acts or statements.is_used(call)
        if root in roots and (used or (_MEASURES.match(whole) and statements.is_told(call))):
            given = arguments_of(statements.text_from(call)) if entry.defaults else None
            kept = () if given is None else _kept(entry.defaults, *given)
            if kept and ".optim." in whole and given is not None:
                kept = _ungrouped(survey, kept, *given[:2])
            yield KnownCall(entry, call.name, line, block, kept)
    for loader in tables.loaders.get(last, ()):
        if root not in loader.roots or _PARTS.search(whole) or not statements.is_used(call):
            continue
        name = last
        if loader.position >= 0:
            given = arguments_of(statements.text_from(call))
            if given is None:
                continue
            places, keywords, _ = given
            argument = keywords.get(loader.keyword) or (
                places[loader.position] if loader.position < len(places) else ""
            )
            name = _text(survey, argument)
        loaded = loaded_entry(loader.kind, name)
        if loaded is not None:
            shown = call.name if name == last else f"{call.name}({name!r})"
            yield KnownCall(loaded, shown, line, block, loaded.defaults)


def _kept(
    defaults: Sequence[Default], places: Sequence[str], keywords: Mapping[str, str], more: bool
) -> tuple[Default, ...]:
    """The defaults that the arguments of a call leave as they are."""
    return tuple(
        default
        for default in defaults
        if not default.argument
        or not (more or default.argument in keywords or 0 <= default.position < len(places))
    )


def _ungrouped(
    survey: Survey, kept: tuple[Default, ...], places: Sequence[str], keywords: Mapping[str, str]
) -> tuple[Default, ...]:
    """The defaults of an optimiser without those that groups of parameters may set themselves."""
    parameters = places[0] if places else keywords.get("params", "")
    if "parameters(" in parameters and "{" not in parameters:
        return kept
    return tuple(one for one in kept if not len(survey.places(join(one.argument)).live))


# What is loaded by a model's name and is not the model.
_PARTS = re.compile(r"Tokenizer|Processor|FeatureExtractor|Scheduler")
_QUOTED = re.compile(r"[rRbBuU]?(['\"])([^'\"\n]{1,120})\1\Z")
_NAME = re.compile(r"[\w.]+\Z")


def _text(survey: Survey, argument: str) -> str:
    """The text that an argument is, or that the one live text of its name gives it."""
    if match := _QUOTED.match(argument):
        return match[2]
    if not _NAME.match(argument):
        return ""
    texts = {
        match[2]
        for fact in survey.facts_named(join(argument.rpartition(".")[2]))
        if survey.acts(fact) and (match := _QUOTED.match(fact.value))
    }
    return texts.pop() if len(texts) == 1 else ""
