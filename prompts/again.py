"""Asking a judge once more: what was wrong with its answer, or the lines that it lacked."""

from __future__ import annotations

from collections.abc import Sequence

from prompts.fencing import fence, spell_out
from prompts.render import VERSIONS, shown_evidence, template
from retrieval.values import Evidence

__all__ = ["further_evidence", "objection", "repair"]


def repair(code: str, problem: str, *, version: str = VERSIONS[-1]) -> str:
    """What to say to a judge whose answer cannot be read.

    Args:
        code: The error's code, as `judge.parsing` names it.
        problem: What was wrong, as one sentence without a full stop.
        version: Name of the prompt version.
    """
    shown = spell_out(" ".join(problem.split()).rstrip("."))[0]
    text = template(version, "again").render(kind="repair", code=code, problem=shown)
    return text.strip()


def objection(problems: Sequence[str], *, version: str = VERSIONS[-1]) -> str:
    """What to say to a judge whose answer can be read and cannot be believed.

    Args:
        problems: Each as a sentence.
        version: Name of the prompt version.
    """
    shown = [spell_out(" ".join(problem.split()))[0] for problem in problems]
    return template(version, "again").render(kind="objection", problems=shown).strip()


def further_evidence(evidence: Evidence, *, version: str = VERSIONS[-1]) -> tuple[str, bool]:
    """Show a judge what it said it lacks.

    Args:
        evidence: What was found for it.
        version: Name of the prompt version.

    Returns:
        The message, and whether hidden characters or look-alikes of a fence were spelt out in it.
    """
    passages, facts, searched, suspect = shown_evidence(evidence)
    text = template(version, "again").render(
        kind="found",
        fence=fence(*(passage["lines"] for passage in passages), *facts, *searched),
        passages=passages,
        facts=facts,
        searched=searched,
    )
    return text.strip(), suspect
