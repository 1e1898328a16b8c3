"""The section of `run.yaml` that says who judges."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, JsonValue, model_validator

from benchmark import InputError
from judge.config_errors import fault
from judge.config_values import ConfigPath, Count, Seconds, Section, Words
from judge.models.endpoint import NO_KEY, normalise_base_url
from judge.models.settings import JudgeSettings
from judge.question_settings import QuestionSettings

__all__ = ["JudgeSection"]

_QUESTION = QuestionSettings()
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]{0,127}\Z")
_SECRET = re.compile(
    r"api[-_]?key|authori[sz]ation|secret|password|passwd|bearer|credential|headers"
    r"|(?:access|auth|api|bearer|id)[-_]?token",
    re.IGNORECASE,
)


def _variable(name: str) -> str:
    # The value is never shown: what stands here by mistake may be the key itself.
    if name.lower() == NO_KEY:
        return NO_KEY
    if not _VARIABLE.match(name):
        raise fault(
            "should be the NAME of an environment variable (capitals, digits, underscores)",
            "Put the key into a variable and write its name, e.g. OPENAI_API_KEY; "
            "if this is the key itself, remove it from the file",
        )
    return name


def _base_url(url: str) -> str:
    if "@" in url:  # before anything might show it
        raise fault(
            "holds a user or a password, and would be written into every record",
            "Leave scheme, host and path, and name the key's variable in judge.api_key_env",
        )
    try:
        return normalise_base_url(url)
    except InputError as error:
        raise fault(f"does not fit: {error.problem}", error.remedy) from None


def _no_secrets(parameters: dict[str, JsonValue]) -> dict[str, JsonValue]:
    waiting: list[JsonValue] = [parameters]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            for name in value:
                if _SECRET.search(name):
                    raise fault(
                        f"holds {name!r}, which looks like a secret and would be written into "
                        "every record",
                        "Remove it, and name the key's variable in judge.api_key_env",
                        name,
                    )
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    return parameters


class JudgeSection(Section):
    """Who judges; see `JudgeSettings` for the meaning of each key.

    `repeats` is how often each question is asked; the verdict takes the median level.
    """

    kind: Literal["embedded", "openai", "anthropic", "exchange", "scripted", "panel", "cascade"] = (
        "embedded"
    )
    model: Words | None = None
    base_url: Annotated[str, AfterValidator(_base_url)] | None = None
    api_key_env: Annotated[str, AfterValidator(_variable)] | None = None
    parameters: Annotated[dict[str, JsonValue], AfterValidator(_no_secrets)] = Field(
        default_factory=dict
    )
    foresee: Literal["gpt-5.5", "deepseek-v4-pro"] | None = None
    api: Literal["auto", "chat", "responses"] = "auto"
    max_output_tokens: Count | None = 8192
    reasoning_tokens: Annotated[int, Field(ge=0, le=2_000_000)] = 0
    logprobs: Literal["off", "auto"] = "off"
    repeats: Annotated[int, Field(ge=1, le=25)] = _QUESTION.repeats
    concurrency: Annotated[int, Field(ge=1, le=4096)] = 8
    requests_per_minute: Count | None = None
    tokens_per_minute: Count | None = None
    timeout_seconds: Seconds = 300.0
    deadline_seconds: Seconds = 900.0
    structure: Literal["auto", "json_schema", "tool", "json_object", "text"] = "auto"
    script: ConfigPath | None = None
    exchange: ConfigPath | None = None
    prices: ConfigPath | None = None
    members: Annotated[tuple[JudgeSection, ...], Field(min_length=2, max_length=25)] | None = None
    quorum: Count | None = None
    first: JudgeSection | None = None
    then: JudgeSection | None = None
    rule: ConfigPath | None = None
    risk: Annotated[float, Field(gt=0, lt=1)] = 0.05
    bound: Literal["conformal", "upper"] = "conformal"
    audit: Annotated[float, Field(ge=0, le=1)] = 0.05
    seed: int = 0

    @model_validator(mode="after")
    def _fits_cascade(self) -> JudgeSection:
        if self.kind != "cascade":
            return self
        for name, what in (
            ("then", "the judge of what the first one may not answer"),
            ("rule", "the file of judge calibrate --cascade"),
        ):
            if getattr(self, name) is None:
                raise fault(f"has no {name}, {what}", f"Add judge.{name}", "kind")
        if self.first is not None and self.first.kind != "embedded":
            raise fault(
                f"has a first judge of kind {self.first.kind}, and only one that computes here "
                "can come first",
                "Write first: {kind: embedded}, or leave it out",
                *("first", "kind"),
            )
        if self.first is not None and self.first.foresee is not None:
            raise fault(
                "lets its first judge foresee published verdicts, which are not the rubric's",
                "Remove foresee from judge.first",
                *("first", "foresee"),
            )
        if self.then is not None and self.then.kind in {"embedded", "cascade"}:
            raise fault(
                f"has a second judge of kind {self.then.kind}",
                "Choose openai, anthropic, exchange, scripted or panel for judge.then",
                *("then", "kind"),
            )
        return self

    @model_validator(mode="after")
    def _fits_panel(self) -> JudgeSection:
        if self.kind != "panel":
            return self
        if self.members is None:
            raise fault(
                "has no members, the judges of the panel",
                "Add judge.members, a list of sections like this one, each with kind and model",
                "kind",
            )
        for number, member in enumerate(self.members):
            if member.kind in {"embedded", "panel", "cascade"}:
                raise fault(
                    f"has a member of kind {member.kind}, which cannot sit on a panel",
                    "Choose openai, anthropic, exchange or scripted for each member",
                    *("members", number, "kind"),
                )
            if member in self.members[:number]:
                raise fault(
                    "has the same member twice, whose answers would be asked for once",
                    "Take one of them out, and set repeats for the other",
                    *("members", number),
                )
            folders = [one.exchange for one in self.members[:number] if one.exchange is not None]
            if member.exchange in folders:
                raise fault(
                    "has two members with one folder of exchange, whose questions would take "
                    "each other's place",
                    "Give each a folder of its own",
                    *("members", number, "exchange"),
                )
        if self.quorum is not None and self.quorum > len(self.members):
            raise fault(
                f"wants {self.quorum} members to agree and has {len(self.members)}",
                "Lower quorum, or add members",
                "quorum",
            )
        return self

    @model_validator(mode="after")
    def _fits_kind(self) -> JudgeSection:
        if self.kind in {"openai", "anthropic", "exchange"} and self.model is None:
            raise fault(
                f"has no model, and there is no default: kind {self.kind} judges by the one you "
                "choose",
                "Add judge.model, as the provider spells it",
                "kind",
            )
        if self.kind == "scripted" and self.script is None:
            raise fault(
                "has no script, which a scripted judge answers from",
                "Add judge.script, the path of a YAML or JSON Lines file",
                "kind",
            )
        if self.kind == "exchange" and self.exchange is None:
            raise fault(
                "has no exchange, the folder where requests are written and answers are found",
                "Add judge.exchange, a folder's path",
                "kind",
            )
        rates = ("requests_per_minute", "tokens_per_minute")
        wire = ("base_url", "api_key_env", "parameters", "structure", *rates)
        models = ("reasoning_tokens", "logprobs")
        panel = ("members", "quorum")
        cascade = ("first", "then", "rule", "risk", "bound", "audit", "seed")
        unused = {
            "embedded": ("model", *wire, *models, "api", "script", "exchange", "repeats", *panel),
            "scripted": (*wire, *models, "api", "exchange", *panel),
            "exchange": ("base_url", "api_key_env", "api", "script", *rates, *panel),
            "anthropic": ("api", "logprobs", "script", "exchange", *panel),
            # What a panel's questions are asked with is set for each member.
            "panel": tuple(type(self).model_fields.keys() - {"kind", *panel, *cascade}),
            "cascade": tuple(type(self).model_fields.keys() - {"kind", *cascade}),
        }.get(self.kind, ("script", "exchange", *panel))
        if self.kind != "cascade":
            unused += cascade
        if self.kind != "embedded":
            unused += ("foresee",)
        for name in unused:
            if getattr(self, name) != type(self).model_fields[name].get_default(
                call_default_factory=True
            ):
                raise fault(
                    f"gives {name}, which kind {self.kind} does not use",
                    f"Remove {name}, or set judge.kind to the judge that you mean",
                    name,
                )
        if self.reasoning_tokens and self.max_output_tokens is None:
            raise fault(
                "gives reasoning_tokens, which is room on top of max_output_tokens, and not that",
                "Give max_output_tokens too, or neither",
                "reasoning_tokens",
            )
        thinking = self.parameters.get("thinking")
        budget = thinking.get("budget_tokens") if isinstance(thinking, dict) else None
        if isinstance(budget, int) and budget > self.reasoning_tokens:
            raise fault(
                f"lets the model think for {budget} tokens, and has room for "
                f"{self.reasoning_tokens}: thoughts would eat the room for the answer",
                f"Write reasoning_tokens: {budget}, or lower parameters.thinking.budget_tokens",
                "reasoning_tokens" if self.reasoning_tokens else "parameters",
            )
        if self.timeout_seconds > self.deadline_seconds:
            raise fault(
                "gives one attempt more time (timeout_seconds) than all of them (deadline_seconds)",
                "Lower timeout_seconds, or raise deadline_seconds",
                "timeout_seconds",
            )
        return self

    def settings(self) -> JudgeSettings:
        """Whoever is asked, as `make_judge` takes it; of a cascade that is the second judge."""
        if self.asked is not self:
            return self.asked.settings()
        return JudgeSettings(
            kind=self.kind,
            model=self.model,
            base_url=self.base_url,
            api_key_env=self.api_key_env,
            parameters=self.parameters,
            api=self.api,
            max_output_tokens=self.max_output_tokens,
            reasoning_tokens=self.reasoning_tokens,
            logprobs=self.logprobs,
            concurrency=self.concurrency,
            requests_per_minute=self.requests_per_minute,
            tokens_per_minute=self.tokens_per_minute,
            timeout_seconds=self.timeout_seconds,
            deadline_seconds=self.deadline_seconds,
            structure=self.structure,
            script=None if self.script is None else str(self.script),
            exchange=None if self.exchange is None else str(self.exchange),
            prices=None if self.prices is None else str(self.prices),
            foresee=self.foresee,
            repeats=self.repeats,
            members=tuple(member.settings() for member in self.members or ()),
            quorum=self.quorum,
        )

    @property
    def asked(self) -> JudgeSection:
        """Who is asked: the second judge of a cascade, else the judge itself."""
        return self if self.kind != "cascade" or self.then is None else self.then

    @property
    def at_a_time(self) -> int:
        """Questions on the wire at most; of a panel, those of all members together."""
        if self.asked is not self:
            return self.asked.at_a_time
        return sum(member.concurrency for member in self.members or ()) or self.concurrency
