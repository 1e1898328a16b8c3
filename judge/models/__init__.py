"""The judges, each behind the protocol of `judge/protocol.py`.

`make_judge` is the way in. Vendors' SDKs are loaded when the first question is asked.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import cast

from benchmark import InputError, Where
from judge.models import anthropic, openai, openai_responses
from judge.models.endpoint import Endpoint, Secret, normalise_base_url, read_key
from judge.models.exchange import ExchangeJudge
from judge.models.panel import Member, PanelJudge, majority
from judge.models.prompted import PromptedJudge, check_settings
from judge.models.retrying import Patience
from judge.models.scripted import Script, ScriptedJudge
from judge.models.settings import STRUCTURES, JudgeSettings
from judge.pricing import PriceTable
from judge.protocol import Judge, LocalJudge, canonical_json

__all__ = ["KINDS", "STRUCTURES", "JudgeSettings", "make_judge"]

KINDS = ("embedded", "openai", "anthropic", "exchange", "scripted", "panel")
"""The kinds of judges there are."""


def make_judge(
    settings: JudgeSettings, *, need_key: bool = True, patience: Patience | None = None
) -> Judge | LocalJudge:
    """Make the judge that the settings describe; nothing is sent.

    Args:
        settings: What the user set.
        need_key: Whether questions will be asked. Without, a missing key is no error, and the
            judge only makes requests.
        patience: How attempts are spaced, in place of what the settings say.

    Raises:
        InputError: A setting is missing or wrong, or the key's variable is not set.
    """
    match settings.kind:
        case "embedded":
            module = importlib.import_module("judge.models.embedded")
            return cast("LocalJudge", module.EmbeddedJudge(settings.foresee))
        case "openai":
            endpoint = _endpoint(settings, openai.DEFAULT_BASE_URL, openai.KEY_VARIABLE, need_key)
            responses = settings.api == "responses"
            spelling = openai_responses.ResponsesWire if responses else openai.OpenAIWire
            return PromptedJudge(
                settings,
                endpoint,
                spelling(endpoint, concurrency=settings.concurrency),
                reserved=openai_responses.RESERVED if responses else openai.RESERVED,
                prices=_prices(settings),
                patience=patience,
            )
        case "anthropic":
            if settings.max_output_tokens is None:
                raise InputError(
                    "this API wants a cap on every answer, and max_output_tokens is empty",
                    where=Where("config", key="judge.max_output_tokens"),
                    remedy="Give a number of tokens, reasoning included, e.g. 8192",
                )
            endpoint = _endpoint(
                settings, anthropic.DEFAULT_BASE_URL, anthropic.KEY_VARIABLE, need_key
            )
            return PromptedJudge(
                settings,
                endpoint,
                anthropic.AnthropicWire(endpoint, concurrency=settings.concurrency),
                reserved=anthropic.RESERVED,
                prices=_prices(settings),
                patience=patience,
            )
        case "exchange":
            if settings.exchange is None:
                raise InputError(
                    "no folder is named for the requests and answers",
                    where=Where("config", key="judge.exchange"),
                    remedy="Give a folder's path",
                )
            _require_model(settings)
            check_settings(settings, openai.OpenAIWire.ladder, openai.RESERVED)
            return ExchangeJudge(settings, Path(settings.exchange), prices=_prices(settings))
        case "scripted":
            if settings.script is None:
                raise InputError(
                    "a scripted judge answers from a script, and none is named",
                    where=Where("config", key="judge.script"),
                    remedy="Give the path of a YAML or JSON Lines file with rules",
                )
            return ScriptedJudge(Script.load(Path(settings.script)), model=settings.model)
        case "panel":
            return _panel(settings, need_key=need_key, patience=patience)
        case kind:
            raise InputError(
                f"there is no judge of the kind {kind!r}",
                where=Where("config", key="judge.kind"),
                remedy=f"Choose one of {', '.join(KINDS)}",
            )


def _panel(settings: JudgeSettings, *, need_key: bool, patience: Patience | None) -> PanelJudge:
    where = Where("config", key="judge.members")
    members = []
    for one in settings.members:
        made = make_judge(one, need_key=need_key, patience=patience)
        if isinstance(made, PanelJudge | LocalJudge):
            raise InputError(
                f"a judge of the kind {one.kind!r} cannot sit on a panel",
                where=where,
                remedy="Choose openai, anthropic, exchange or scripted for each member",
            )
        members.append(Member(made, one.repeats))
    quorum = majority(len(members)) if settings.quorum is None else settings.quorum
    if len(members) < 2 or not 1 <= quorum <= len(members):
        raise InputError(
            f"a panel of {len(members)} cannot have a quorum of {quorum}",
            where=where,
            remedy="Give two members or more, and a quorum that they can reach",
        )
    keys = [canonical_json([one.judge.provider, dict(one.judge.identity())]) for one in members]
    if len(set(keys)) < len(keys):
        raise InputError(
            "two members are the same judge, whose answers would be asked for once",
            where=where,
            remedy="Take one of them out, and ask the other more often by its repeats",
        )
    return PanelJudge(members, quorum=quorum)


def _endpoint(settings: JudgeSettings, default_url: str, usual: str, need_key: bool) -> Endpoint:
    model = _require_model(settings)
    if need_key:
        key, variable = read_key(settings.api_key_env, usual=usual)
    else:
        key, variable = Secret("none"), settings.api_key_env or usual
    # Always given, so that no variable of an SDK moves the questions elsewhere in silence.
    base_url = normalise_base_url(settings.base_url or default_url)
    return Endpoint(settings.kind, base_url, model, key, variable)


def _require_model(settings: JudgeSettings) -> str:
    if not settings.model:
        raise InputError(
            "no model is named, and there is no default: who judges is for you to choose",
            where=Where("config", key="judge.model"),
            remedy="Give the model's name as the provider spells it",
        )
    return settings.model


def _prices(settings: JudgeSettings) -> PriceTable | None:
    return None if settings.prices is None else PriceTable.load(Path(settings.prices))
