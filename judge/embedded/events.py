"""Steps of training that are called by one name everywhere: in words, and in code."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from judge.embedded.hints import Hinted, lowered
from judge.embedded.survey import Kept, Survey

__all__ = ["EVENTS", "Event", "event_rows", "events_in"]


@dataclass(frozen=True, slots=True)
class Event:
    """A step.

    Attributes:
        words: What it is, for people.
        said: What a claim says.
        terms: Terms of which a line of it holds one.
        code: What such a line holds.
    """

    words: str
    said: Hinted
    terms: tuple[str, ...]
    code: re.Pattern[str]


def _event(words: str, said: str, terms: str, code: str) -> Event:
    return Event(words, Hinted.of(said), tuple(terms.split()), re.compile(code))


EVENTS: Mapping[str, Event] = {
    "zero": _event(
        "erasing the gradients",
        r"zero(?:s|es|ed|ing)?[ _-](?:out )?(?:the |all |its )?grad|zero_grad"
        r"|gradients? (?:are |is )?(?:set to zero|zeroed|cleared|erased|reset)"
        r"|(?:clear|reset|eras)\w* (?:the |all )?(?:old )?gradients?",
        "zerograd",
        r"\.zero_grad\(",
    ),
    "backward": _event(
        "the backward pass",
        r"\bbackward\b|back-?propagat|backprop\b"
        r"|gradients? (?:of .{1,30} )?(?:are|is) computed|comput\w+ (?:the )?gradients?\b",
        "backward",
        r"\.backward\(",
    ),
    "clip": _event(
        "clipping the gradients",
        r"clip\w* (?:the |all |of (?:the )?)?(?:global )?(?:norm of (?:the )?)?gradient"
        r"|gradients? (?:norms? )?(?:are |is )?clipp|gradient[- ](?:norm[- ])?clipp|clip_grad",
        "clipgradnorm clipgradvalue",
        r"clip_grad_(?:norm|value)_?\(",
    ),
    "step": _event(
        "the optimiser's step",
        r"optimi[sz]er(?:'s)?(?: takes? (?:a|its))?[ .](?:update |parameter )?step"
        r"|step(?:s|ping)? (?:of )?(?:the )?optimi[sz]er"
        r"|(?:parameter|weight|optimi[sz]er) updates?\b|(?:parameters|weights) are updated"
        r"|updat\w+ (?:the )?(?:model )?(?:parameters|weights)\b",
        "step",
        r"\b(?!\w*sched)\w*opt\w*(?:\[[^\]]*\])?\.step\(|\bscaler\.step\(",
    ),
    "schedule": _event(
        "the step of the learning rate's schedule",
        r"schedul\w+(?:'s)?[ .]step|step\w* (?:of )?(?:the )?(?:learning[- ]rate )?schedul"
        r"|learning[- ]rate (?:schedule )?(?:is |are )?(?:updated|advanced|decayed)",
        "step",
        r"\b\w*sched\w*\.step\(",
    ),
    "average": _event(
        "the update of the moving average",
        r"(?:\bEMA\b|moving average|target network|target parameters|teacher)\b.{0,40}\bupdat"
        r"|\bupdat\w*.{0,40}(?:\bEMA\b|moving average|target network|target parameters|teacher)"
        r"|polyak|soft[- ]update",
        "ema polyak softupdate updateema emaupdate updatetarget lerp targetupdate",
        r"\bema\w*\.(?:update|step)\w*\(|update_(?:ema|target|teacher|average)\w*\(|soft_update\w*\("
        r"|polyak\w*\(|ema_update\w*\(|target_update\w*\(|\.lerp_\(",
    ),
    "split": _event(
        "splitting the data",
        r"\bsplit(?:s|ting)?\b.{0,30}(?:train|test|data|hold|held)|train[-/ ]test split"
        r"|(?:data|dataset)s? (?:is|are) split",
        "traintestsplit randomsplit",
        r"\b(?:train_test_split|random_split)\(",
    ),
    "fit": _event(
        "fitting the normalisation",
        r"(?:normali[sz]|standardi[sz]|scaler)\w*",
        "fittransform fit",
        r"\.fit_transform\(|[sS]caler\w*\.fit\(",
    ),
}
"""By name."""


@lru_cache(maxsize=8192)
def events_in(text: str) -> tuple[str, ...]:
    """The steps that a text speaks of, by where it first does."""
    low = lowered(text)
    found = [
        (match.start(), name)
        for name, event in EVENTS.items()
        if (match := event.said.search(text, low)) is not None
    ]
    return tuple(name for _, name in sorted(found))


_ROWS: Kept[dict[str, Sequence[int]]] = Kept()


def event_rows(survey: Survey, name: str) -> Sequence[int]:
    """The live rows where a step is called, rising."""
    known = _ROWS.setdefault(survey, {})
    rows = known.get(name)
    if rows is None:
        event = EVENTS[name]
        here = {
            row for term in event.terms for row in survey.rows(survey.places(term).live).tolist()
        }
        rows = known[name] = [row for row in sorted(here) if event.code.search(survey.codes[row])]
    return rows
