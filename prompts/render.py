"""From a claim and its evidence to the question that a judge model is asked."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path

from jinja2 import BaseLoader, Environment, StrictUndefined, TemplateNotFound

from benchmark import Dimension, Sau
from prompts.fencing import fence, number_lines, spell_out
from prompts.rubric import BORDERS, FAILURES, LEVELS, SHOWN
from prompts.schema import ANSWER_SCHEMA, CANNOT_TELL
from prompts.values import Prompt
from retrieval.values import Evidence, Fact, Passage, Role

__all__ = ["VERSIONS", "prompt_hash", "render"]

VERSIONS: tuple[str, ...] = ("v1",)
"""The prompt versions that ship, oldest first."""

_TEMPLATES = ("system", "shared", "question", "d1", "d2", "d3", "d4")
_MAX_OMITTED = 40


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
        return _source(version, name), None, None


@cache
def _source(version: str, name: str) -> str:
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


@cache
def prompt_hash(version: str = VERSIONS[-1]) -> str:
    """SHA-256 over a version's templates, the rubric and the answer's schema, in hexadecimal.

    Raises:
        ValueError: There is no such version.
    """
    if version not in VERSIONS:
        raise ValueError(f"no prompt version {version!r}; there is {', '.join(VERSIONS)}")
    parts = [_source(version, name) for name in _TEMPLATES]
    parts.append(json.dumps([LEVELS, BORDERS, FAILURES, SHOWN, ANSWER_SCHEMA]))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@cache
def _system(version: str, dimension_name: str) -> str:
    dimension = Dimension(dimension_name)
    words = [word for word, _, _ in reversed(LEVELS)] + [CANNOT_TELL]
    return (
        _environment()
        .get_template(f"{version}/system")
        .render(
            levels=LEVELS,
            borders=BORDERS,
            failures=FAILURES,
            shown=SHOWN,
            dimension=dimension,
            guidance=_source(version, dimension.value.lower()),
            level_words=", ".join(f'"{word}"' for word in words),
        )
    )


def _passage(passage: Passage) -> tuple[dict[str, str], bool]:
    lines, suspect = number_lines(passage.text, passage.first)
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


def _fact(fact: Fact) -> tuple[str, bool]:
    text = f"{fact.path}:{fact.line}| {fact.name} = {fact.value} ({fact.source.value})"
    if fact.reached is False:
        text += " · nothing reads it"
    shown, suspect = spell_out(text.replace("\n", "⏎"))
    return shown, suspect


def render(
    sau: Sau,
    evidence: Evidence,
    *,
    version: str = VERSIONS[-1],
    paper_text: str | None = None,
) -> Prompt:
    """Render the question for one claim.

    Args:
        sau: The claim.
        evidence: What was found for it.
        version: Name of the prompt version.
        paper_text: The passage of the paper that the claim's source names, where it is at hand.

    Returns:
        The prompt. Equal arguments give equal bytes.

    Raises:
        ValueError: There is no such version.
    """
    digest = prompt_hash(version)
    environment = _environment()
    suspect = False

    shown_map, odd = spell_out(evidence.repository_map)
    suspect = suspect or odd
    shared = environment.get_template(f"{version}/shared").render(
        map=shown_map, fence=fence(shown_map)
    )

    passages = []
    for passage in evidence.passages:
        shown, odd = _passage(passage)
        passages.append(shown)
        suspect = suspect or odd
    facts = []
    for fact in evidence.facts:
        row, odd = _fact(fact)
        facts.append(row)
        suspect = suspect or odd
    calls = [spell_out(call)[0] for call in evidence.calls]
    searched = [
        f"{spell_out(row.term)[0]}: {row.code_lines} / {row.prose_lines}"
        for row in evidence.searched
    ]
    omitted = ", ".join(spell_out(path)[0] for path in evidence.omitted[:_MAX_OMITTED])
    if len(evidence.omitted) > _MAX_OMITTED:
        omitted += f" and {len(evidence.omitted) - _MAX_OMITTED} more"
    token = fence(
        *(passage["lines"] for passage in passages), *facts, *calls, sau.claim, sau.source
    )
    question = environment.get_template(f"{version}/question").render(
        fence=token,
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
        shared=shared,
        question=question,
        schema=ANSWER_SCHEMA,
        version=version,
        hash=digest,
        flags=("suspect_instruction",) if suspect else (),
    )
