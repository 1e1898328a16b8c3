"""From a claim and its evidence to the question that a judge model is asked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import BaseLoader, Environment, StrictUndefined, Template, TemplateNotFound

from benchmark import Dimension, Sau
from prompts.fencing import fence, number_lines, spell_out
from prompts.rubric import BORDERS, FAILURES, LEVELS, SHOWN
from prompts.schema import ANSWER_SCHEMA, CANNOT_TELL
from prompts.values import Prompt
from retrieval.tokens import OMITTED_TOKENS, named_within
from retrieval.values import Evidence, Fact, FactSource, Passage, Role

__all__ = [
    "VERSIONS",
    "Shared",
    "prompt_hash",
    "render",
    "render_shared",
    "shown_evidence",
    "template",
    "template_source",
]

VERSIONS: tuple[str, ...] = ("v1",)
"""The prompt versions that ship, oldest first."""

_TEMPLATES = ("system", "shared", "question", "batch", "again", "d1", "d2", "d3", "d4")


class _Templates(BaseLoader):
    """Templates from the package's own folders and from nowhere else."""

    def get_source(
        self,
        environment: Environment,  # noqa: ARG002
        template: str,
    ) -> tuple[str, None, None]:
        """The text of `<version>/<name>`."""
        version, _, name = template.partition("/")
        if version not in VERSIONS or name not in _TEMPLATES:
            raise TemplateNotFound(template)
        return template_source(version, name), None, None


@cache
def template_source(version: str, name: str) -> str:
    """The text of one template of a version."""
    return (Path(__file__).parent / version / f"{name}.jinja").read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    # Graded text only ever enters as a value, never as a template; there is no HTML to escape.
    return Environment(
        loader=_Templates(),
        autoescape=False,  # noqa: S701
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )


def template(version: str, name: str) -> Template:
    """One template of a version.

    Raises:
        TemplateNotFound: There is no such version or template.
    """
    return _environment().get_template(f"{version}/{name}")


@cache
def prompt_hash(version: str = VERSIONS[-1]) -> str:
    """SHA-256 over a version's templates, the rubric and the answer's schema, in hexadecimal.

    Raises:
        ValueError: There is no such version.
    """
    if version not in VERSIONS:
        raise ValueError(f"no prompt version {version!r}; there is {', '.join(VERSIONS)}")
    parts = [template_source(version, name) for name in _TEMPLATES]
    parts.append(json.dumps([LEVELS, BORDERS, FAILURES, SHOWN, ANSWER_SCHEMA]))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@cache
def _system(version: str, dimension_name: str) -> str:
    dimension = Dimension(dimension_name)
    words = [word for word, _, _ in reversed(LEVELS)] + [CANNOT_TELL]
    return template(version, "system").render(
        levels=LEVELS,
        borders=BORDERS,
        failures=FAILURES,
        shown=SHOWN,
        dimension=dimension,
        guidance=template_source(version, dimension.value.lower()),
        level_words=", ".join(f'"{word}"' for word in words),
    )


def shown_passage(passage: Passage) -> tuple[dict[str, str], bool]:
    """A passage's head and numbered lines, and whether anything in it had to be spelt out."""
    lines, suspect = number_lines(passage.text, passage.first, passage.folded)
    path, odd_path = spell_out(passage.path)
    header, odd_header = spell_out(passage.header)
    notes = []
    if passage.role is not Role.CODE:
        notes.append(passage.role.value)
    if passage.reached is False:
        notes.append("not reached from any entry point")
    head = f"{path} lines {passage.first}-{passage.last}"
    if header:
        notes.insert(0, f"in {header}")
    head = " · ".join([head, *notes]).replace("\n", "⏎")
    return {"head": head, "lines": lines}, suspect or odd_path or odd_header


def shown_fact(fact: Fact) -> tuple[str, bool]:
    """A fact as one line, and whether anything in it had to be spelt out."""
    text = f"{fact.path}:{fact.line}| {fact.name} = {fact.value} ({fact.source.value})"
    if fact.reached is False:
        # What is known of a value in code is whether the code runs, and not who reads the value.
        in_file = fact.source is FactSource.CONFIG
        text += " · no code seen to read it" if in_file else " · its code is not reached"
    places = [f"{path}:{line}" for path, line, shown in fact.readers if not shown]
    if places:
        text += f" · read at {', '.join(places)}"
    rows = [
        text,
        *(f"  read at {path}:{line}| {code}" for path, line, code in fact.readers if code),
    ]
    shown = [spell_out(row.replace("\n", "⏎")) for row in rows]
    return "\n".join(row for row, _ in shown), any(odd for _, odd in shown)


@dataclass(frozen=True, slots=True)
class Shared:
    """The part of a prompt that all claims of a submission have in common.

    Attributes:
        text: The part.
        whole: Whether it holds all code and configuration, and not the map alone.
        suspect: Whether hidden characters or look-alikes of a fence were spelt out in it.
    """

    text: str
    whole: bool
    suspect: bool


def render_shared(
    repository_map: str, passages: Sequence[Passage] = (), *, version: str = VERSIONS[-1]
) -> Shared:
    """Render what all claims of a submission have in common.

    Args:
        repository_map: The map.
        passages: All code and configuration where it is shown whole; else nothing.
        version: Name of the prompt version.
    """
    shown_map, suspect = spell_out(repository_map)
    shown = []
    for passage in passages:
        each, odd = shown_passage(passage)
        shown.append(each)
        suspect = suspect or odd
    token = fence(shown_map, *(part for each in shown for part in (each["head"], each["lines"])))
    text = template(version, "shared").render(map=shown_map, fence=token, passages=shown)
    return Shared(text, bool(passages), suspect)


def shown_evidence(evidence: Evidence) -> tuple[list[dict[str, str]], list[str], list[str], bool]:
    """The passages, facts and searched terms of some evidence, as templates take them.

    Args:
        evidence: What was found.

    Returns:
        The three, and whether a passage or fact held hidden characters or look-alikes of a fence.
    """
    passages = [shown_passage(passage) for passage in evidence.passages]
    facts = [shown_fact(fact) for fact in evidence.facts]
    searched = [
        f"{spell_out(row.term)[0]}: {row.code_lines} / {row.prose_lines}"
        for row in evidence.searched
    ]
    suspect = any(odd for _, odd in passages) or any(odd for _, odd in facts)
    return [shown for shown, _ in passages], [row for row, _ in facts], searched, suspect


def render(
    sau: Sau,
    evidence: Evidence,
    *,
    version: str = VERSIONS[-1],
    paper_text: str | None = None,
    shared: Shared | None = None,
) -> Prompt:
    """Render the question for one claim.

    Args:
        sau: The claim.
        evidence: What was found for it. Where the repository is shown whole, its passages are only
            named, as places to begin at.
        version: Name of the prompt version.
        paper_text: The passage of the paper that the claim's source names, where it is at hand.
        shared: The part that the submission's claims have in common, rendered once for all of
            them; without it the evidence's own map.

    Returns:
        The prompt. Equal arguments give equal bytes.

    Raises:
        ValueError: There is no such version.
    """
    digest = prompt_hash(version)
    if shared is None:
        shared = render_shared(evidence.repository_map, version=version)
    passages, facts, searched, odd = shown_evidence(evidence)
    suspect = shared.suspect or odd
    calls = [spell_out(call.replace("\n", "⏎"))[0] for call in evidence.calls]
    omitted = spell_out(named_within(evidence.omitted, OMITTED_TOKENS))[0]
    token = fence(
        *(part for passage in passages for part in (passage["head"], passage["lines"])),
        *(*facts, *calls, *searched, omitted, sau.claim, sau.source, paper_text or ""),
    )
    question = template(version, "question").render(
        fence=token,
        whole=shared.whole,
        passages=passages,
        facts=facts,
        calls=calls,
        searched=searched,
        complete=evidence.complete,
        omitted=omitted,
        claim=spell_out(sau.claim)[0],
        source=spell_out(sau.source)[0],
        paper_text=None if paper_text is None else spell_out(paper_text)[0],
    )
    return Prompt(
        system=_system(version, sau.dimension.value),
        shared=shared.text,
        question=question,
        schema=ANSWER_SCHEMA,
        version=version,
        hash=digest,
        flags=("odd_characters",) if suspect else (),
    )
