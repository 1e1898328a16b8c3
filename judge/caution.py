"""What to beware of in a choice of judge: a name that moves, and a judge that grades its kin."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from benchmark import Submission

__all__ = [
    "GENERATOR",
    "OWN_FAMILY",
    "cautions",
    "families",
    "is_alias",
    "is_undated",
]

GENERATOR = "generator_model"
"""The key of a submission's metadata that names the model which wrote it."""

OWN_FAMILY = "own_family"
"""The flag of a verdict whose judge is of the family of the model that wrote the code."""

_FAMILIES: dict[str, str] = {
    "OpenAI": r"\bgpt|chatgpt|\bo[1345](?:\b|-)|codex|davinci|openai",
    "Anthropic": r"claude|anthropic|\b(?:opus|sonnet|haiku)\b",
    "Google": r"gemini|gemma|\bpalm",
    "DeepSeek": r"deepseek",
    "Qwen": r"qwen|\bqwq",
    "Llama": r"llama(?!\.cpp)",
    "Mistral": r"mistral|mixtral|ministral|codestral|magistral|devstral",
    "xAI": r"\bgrok",
    "GLM": r"\bglm|chatglm|zhipu",
    "Kimi": r"kimi|moonshot",
    "Phi": r"\bphi-?\d",
    "Cohere": r"\bcommand-|cohere|\baya\b",
    "MiniMax": r"minimax",
    "Nova": r"\bnova-(?:pro|lite|micro|premier)",
    "Nemotron": r"nemotron",
    "Granite": r"\bgranite",
    "SmolLM": r"smollm",
}
_PATTERNS = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _FAMILIES.items()}
_DATE = re.compile(r"(?<!\d)(?:20\d\d-?[01]\d-?[0-3]\d|[01]\d[0-3]\d)(?!\d)")
_MOVING = re.compile(r"(?:^|[-_:@/.])(?:latest|current|default|auto|stable|newest)(?:$|[-_:@/.])")


def is_alias(model: str) -> bool:
    """Whether a model's name says that it stands for another one, today this and tomorrow that."""
    return _MOVING.search(model.lower()) is not None


def families(*models: str | None) -> frozenset[str]:
    """The families that models belong to by their names: none, one, or several of a distillate."""
    return frozenset(
        name
        for name, pattern in _PATTERNS.items()
        if any(model and pattern.search(model.replace("_", "-")) for model in models)
    )


def is_undated(model: str) -> bool:
    """Whether a model's name has no date in it, where its vendor dates what stays the same."""
    return _DATE.search(model) is None


def cautions(
    model: str | None, submissions: Iterable[Submission], *, dated: bool = False
) -> tuple[str, ...]:
    """Say what to beware of, before anything is asked.

    Args:
        model: The judge's model as it will be requested; `None` where there is none.
        submissions: What will be judged.
        dated: Its vendor gives each version a name with a date.
    """
    if model is None:
        return ()
    said = []
    if is_alias(model) or (dated and is_undated(model)):
        said.append(
            f"judge.model {model!r} stands for whatever its provider puts behind it: a later run "
            "may be judged by another model. Name the version that you mean"
            + ("" if is_alias(model) else ", with its date")
        )
    own = families(model)
    kin = Counter(s.agent for s in submissions if own & families(s.meta.get(GENERATOR)))
    if kin:
        agents = ", ".join(sorted(kin))
        said.append(
            f"{model} judges code that models of its own family wrote ({agents}); such verdicts "
            f"are flagged {OWN_FAMILY}, and their agents do not compare with the others"
        )
    return tuple(said)
