"""The features: each a number that a person understands, from what was found for a claim."""

from __future__ import annotations

from collections.abc import Mapping

from judge.embedded.background import Background, load_background
from judge.embedded.describing import DESCRIBED, measure_description
from judge.embedded.formulating import FORMULAS, measure_formula
from judge.embedded.looking import Findings
from judge.embedded.method import METHOD, measure_method
from judge.embedded.overview import CLAIM, WHOLE, measure_claim, measure_whole
from judge.embedded.parts import Claim
from judge.embedded.sequencing import ORDER, measure_order
from judge.embedded.soundness import SOUNDNESS, measure_soundness
from judge.embedded.surprise import SURPRISE, measure_surprise
from judge.embedded.survey import Survey
from judge.embedded.valuing import VALUES, measure_values
from judge.embedded.wording import WORDS, Wording, measure_words

__all__ = ["FEATURES", "MEASURES", "WEIGHED", "features_of"]

MEASURES: Mapping[str, tuple[int, str]] = {
    **DESCRIBED, **WORDS, **VALUES, **FORMULAS, **ORDER, **SOUNDNESS, **WHOLE, **CLAIM,
    **METHOD, **SURPRISE,
}  # fmt: skip
"""Every measure, by name: the sign that its weight may have (0 for either), and its meaning."""

# What stands only in comments, in documents or in code that does not act is worth nothing, so that
# nobody gains by it; it bounds the level and names the failure.
FEATURES: Mapping[str, tuple[int, str]] = {
    name: measure
    for name, measure in MEASURES.items()
    if name not in {"words_text", "words_idle", "values_idle"}
}
"""The measures that may pay: the features."""

WEIGHED: Mapping[str, tuple[int, str]] = {
    name: measure
    for name, measure in FEATURES.items()
    if name not in {"live_lines", "live_functions"}
}
"""The features that the trees may ask for.

How large a repository is tells much of generated ones, of which small ones are unfinished, and
nothing of a claim: whoever wrote a small and whole one would be wronged.
"""


def features_of(
    survey: Survey, claim: Claim, found: Findings, background: Background | None = None
) -> dict[str, float]:
    """Every measure, in the order of `MEASURES`; by the shipped background where none is given."""
    wording = Wording(survey, claim, found)
    numbers = {
        **measure_description(survey, claim, found),
        **measure_words(survey, claim, found, wording),
        **measure_values(survey, claim, found, wording),
        **measure_formula(survey, claim, found, wording),
        **measure_order(survey, claim, found, wording),
        **measure_soundness(survey, claim, found),
        **measure_whole(survey),
        **measure_claim(claim),
        **measure_method(found.method),
        **measure_surprise(survey, found, wording, background or load_background()),
    }
    return {name: numbers[name] for name in MEASURES}
