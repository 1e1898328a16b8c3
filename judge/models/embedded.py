"""The embedded judge: deterministic, without a key, a network or a language model.

It looks for a claim's parts in the whole repository, turns what it found into a hundred named
features, and small fitted trees turn those into a level. What a repository says in words, to
people or to judges, is text to it like any other.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from benchmark import Level, Sau
from judge.embedded.background import load_background
from judge.embedded.citing import citations, has_proof
from judge.embedded.closing import closing
from judge.embedded.features import features_of
from judge.embedded.foreseen import level_of, load_foreseen
from judge.embedded.glimpse import measure_glimpse
from judge.embedded.looking import Findings, look
from judge.embedded.missing import missing_parts
from judge.embedded.model import Outcome, load_model
from judge.embedded.parts import Claim, claim_of
from judge.embedded.phrasing import telling_words
from judge.embedded.points import points_of
from judge.embedded.rules import ceiling, drift_and_failure, floor
from judge.embedded.survey import Survey, survey_of
from judge.embedded.telling import expected, found_text, reasons
from judge.foreseeing import foreseeing
from judge.level_odds import LevelOdds
from judge.protocol import Answer, AnswerError, Question
from judge.verdict import Usage
from prompts.schema import CANNOT_TELL, LEVEL_WORDS

__all__ = ["EmbeddedJudge"]

_FORESEEN = "The level is {judge}'s in SA-Bench's published scorer as foreseen, not the rubric's"
_WORDS = {level: word for word, level in LEVEL_WORDS.items()}


class EmbeddedJudge:
    """A `LocalJudge` that reads the index of a repository.

    Attributes:
        name: `embedded`; where it foresees another's verdicts, with that one's name.
        provider: `embedded`.
        model: The version of the shipped weights.
    """

    provider = "embedded"

    def __init__(self, foresee: str | None = None) -> None:
        """Load the weights.

        Args:
            foresee: One of `foreseen.JUDGES`: levels are those that it would most likely have
                given as SA-Bench's published judge, and none by the rubric.
        """
        self._model = load_model()
        self._foresee = foresee
        self.name = "embedded" if foresee is None else foreseeing(foresee)
        self.model: str | None = self._model.version

    def identity(self) -> Mapping[str, Any]:
        """The version and the fingerprints of the weights."""
        own = {
            "provider": self.provider,
            "model": self.model,
            "weights": self._model.digest,
            "commonness": load_background().digest,
        }
        if self._foresee is None:
            return own
        return {**own, "foresees": self._foresee, "foreseen": load_foreseen().digest}

    def judge_here(self, question: Question) -> Answer:
        """Judge a claim.

        Raises:
            AnswerError: The question carries no index.
        """
        if question.index is None:
            raise AnswerError("no_index", "the embedded judge reads the whole repository's index")
        survey = survey_of(question.index)
        claim = claim_of(question.sau)
        odds = None
        if not (claim.concepts or claim.values or claim.operators):
            record = _no_answer()
        else:
            record, odds = self._record(survey, claim, look(survey, claim), question.sau)
        return Answer(
            text=json.dumps(record, ensure_ascii=True),
            model=self.model,
            rung="text",
            usage=Usage(cost_usd=0.0),
            odds=odds,
        )

    def _record(
        self, survey: Survey, claim: Claim, found: Findings, sau: Sau
    ) -> tuple[dict[str, Any], LevelOdds | None]:
        features = features_of(survey, claim, found)
        if self._foresee is None:
            highest = ceiling(claim, features, found, proof=has_proof(survey, found))
            outcome = self._model.outcome(features, highest)
            level = max(Level(self._model.level(outcome, highest)), floor(found))
        else:
            seen = {**features, **measure_glimpse(survey, sau)}
            outcome = load_foreseen().outcome(seen, self._foresee)
            level = Level(level_of(outcome))
        unseen = survey.index.unseen
        if unseen and level is Level.ABSENT:
            # What was not read may hold what was not found.
            words = telling_words(claim, found)
            told = found_text(survey, claim, found, words, missing_parts(claim, found, words))
            return _unread(unseen, told), None
        drift, failure = drift_and_failure(level, claim, features, found)
        words = telling_words(claim, found)
        points = points_of(survey, claim, found, words, level=level, failure=failure)
        missing = missing_parts(claim, found, words)
        said = reasons(claim, found, words, points, missing=missing, level=level)
        if self._foresee is not None:
            said = [_FORESEEN.format(judge=self._foresee), *said]
        quotes = citations(survey, found, points, said)
        if self._foresee is None and (
            last := closing(
                survey,
                claim,
                found,
                points,
                cited=quotes,
                lacking=bool(missing),
                level=level,
            )
        ):
            said = [*said, last]
        record = {
            "expected": expected(claim, found, words),
            "found": found_text(survey, claim, found, words, missing),
            "citations": quotes if level else quotes[:2],
            "rationale": ". ".join(said) + ".",
            "level": _WORDS[level],
            "drift": drift.value,
            "failure": failure.value,
            "confidence": round(outcome.chances[level], 3),
            "lacking": [],
        }
        return record, _odds(outcome)


def _odds(outcome: Outcome) -> LevelOdds:
    one, two, three, four = (round(chance, 4) for chance in outcome.chances[1:])
    rest = round(max(0.0, 1.0 - one - two - three - four), 4)  # they add up to 1 as written
    return LevelOdds(
        expected_level=round(one + 2 * two + 3 * three + 4 * four, 4),
        probabilities=(rest, one, two, three, four),
    )


_MAX_UNREAD = 8


def _unread(unseen: Sequence[str], found: str) -> dict[str, Any]:
    named = list(unseen[:_MAX_UNREAD])
    more = f" and {len(unseen) - len(named)} more" if len(unseen) > len(named) else ""
    return _no_answer() | {
        "expected": "code or configuration that could be read",
        "found": found,
        "rationale": (
            "Not found in what was read, and not all that could decide was read: "
            f"{', '.join(named)}{more}."
        ),
        "lacking": named,
    }


def _no_answer() -> dict[str, Any]:
    return {
        "expected": "no part that can be searched for",
        "found": "",
        "citations": [],
        "rationale": "The claim has no word, name or value that code could hold.",
        "level": CANNOT_TELL,
        "drift": "none",
        "failure": "none",
        "confidence": 0.0,
        "lacking": ["a claim with a word, name or value to look for"],
    }
