"""What follows from the features without any weights: bounds on the level, drift and failure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmark import Dimension, Drift, Failure, Level
from judge.embedded.contradictions import contradictions
from judge.embedded.looking import Findings
from judge.embedded.parts import Claim
from judge.embedded.standing import OWN_VALUE
from judge.embedded.values import WRONG, ValueFinding, ValueState

__all__ = ["ceiling", "drift_and_failure", "floor", "implied_by"]

_AXIS = {
    Dimension.D1: Drift.NUMERICAL,
    Dimension.D2: Drift.METHODOLOGICAL,
    Dimension.D3: Drift.PROTOCOL,
    Dimension.D4: Drift.ORDERING,
}


def ceiling(claim: Claim, features: Mapping[str, float], found: Findings, *, proof: bool) -> Level:
    """The highest level that the rubric allows.

    Nothing live is 0; a placeholder at most 1; what cannot act, what hardly a word of stands in
    live code, and what states an operation that no live line carries out, a step or a name that
    none holds, at most 2; a short claim that names no step but such ones 1; for a numerical claim a
    wrong value 3, 2 or 1 by how far it is off, and 2 where none of its values stands anywhere. A
    value that is contradicted or not found at all leaves no claim faithful.
    """
    if not proof or not features["words_live"] > 0:
        return Level.ABSENT
    highest = Level.FAITHFUL
    acting = features["match_live"] + features["match_stub"]
    # What nothing reaches must not thin out the placeholders.
    if features["match_stub"] > _STUBS * acting:
        highest = Level.FRAGMENT
    elif _hardly_acts(features) and not (claim.dimension is Dimension.D1 and _all_stand(found)):
        highest = Level.PARTIAL
    if claim.dimension is Dimension.D1:
        highest = min(highest, _value_ceiling(found), _name_ceiling(claim, found))
        if found.values and all(map(_is_nowhere, found.values)):
            highest = min(highest, Level.PARTIAL)
    if found.conflicts or any(
        _is_amiss(value) and implied_by(value, found.values) is None for value in found.values
    ):
        highest = min(highest, Level.MINOR)
    lacks = any(name in _DECISIVE and not live for name, _, live in found.operators)
    if lacks or found.absent or found.unknown:
        highest = min(highest, Level.PARTIAL)
    if any(step.whole for step in found.method.missed):
        highest = min(highest, Level.FRAGMENT)
    return min(highest, _method_ceiling(found))


def floor(found: Findings) -> Level:
    """The lowest level that the rubric allows: a core replaced by its like is no absent one.

    All 14 readings of short claims that name nothing but a part in whose place another of its kind
    stands are of level 1.
    """
    replaced = any(step.whole and step.rival for step in found.method.missed)
    return Level.FRAGMENT if replaced else Level.ABSENT


def _hardly_acts(features: Mapping[str, float]) -> bool:
    """Whether what matches is a placeholder or reached by no run, or next to nothing matches."""
    if features["claim_words"] < _TERSE:
        # Few words match some dead function or placeholder by chance, and code has others for them.
        return features["idle_better"] > _IDLE_TERSE or features["match_live"] < _LIVE_TERSE
    return (
        features["stub_match"] > 0
        or features["idle_better"] > _IDLE
        or features["match_live"] < _LIVE
        or features["words_live"] < _SOME_WORDS
    )


# Operations that hardly go by another name: of 524 readings of claims that state one of which no
# live line holds a sign, 2 % were of level 3 or 4. A sum or a mean is often written out.
_DECISIVE = frozenset(
    ("Fourier", "Gaussian", "argmax", "clipping", "cosine", "freezing", "minimum",
     "moving average", "norm", "sort or top-k", "square root", "stop gradient", "uniform")
)  # fmt: skip


def _method_ceiling(found: Findings) -> Level:
    """What contradictions of method allow that are plain enough to be certain."""
    highest = Level.FAITHFUL
    for contradiction in contradictions(found.method):
        highest = min(highest, contradiction.highest)
    return highest


def _is_amiss(value: ValueFinding) -> bool:
    """Whether a value is contradicted or stands nowhere; numbers in words are often no values."""
    if value.state in WRONG:
        return value.ratio != 1
    return _is_nowhere(value)


def _is_nowhere(value: ValueFinding) -> bool:
    """Whether a number of the claim's own stands nowhere.

    Of numerical claims of which no number stands 74 were read as level 2 or less, 5 as more.
    """
    return value.state is ValueState.ABSENT and value.value.weight >= OWN_VALUE


def _all_stand(found: Findings) -> bool:
    """Whether every number of the claim's own stands live beside its name.

    Then it matters no more that a dead helper holds its words: of 17 such numerical claims 7 were
    read as level 4.
    """
    own = [value for value in found.values if value.value.weight >= OWN_VALUE]
    return bool(own) and not found.conflicts and all(value.state in _STANDS for value in own)


def implied_by(value: ValueFinding, values: Sequence[ValueFinding]) -> tuple[str, str] | None:
    """Two other values of the claim, as written, that stand in code and whose quotient it is."""
    if value.state is not ValueState.ABSENT:
        return None
    beside = [
        (one.value.written.strip(), float(one.value.term[1:]))
        for one in values
        if one.state is ValueState.BESIDE
    ]
    wanted = float(value.value.term[1:])
    if not wanted.is_integer():
        return None  # a rate or an exponent is no share of a dimension
    for over, above in beside:
        for under, below in beside:
            if below > 1 and above > wanted > 1 and above == wanted * below:
                return over, under
    return None


# Of 738 claims of which less stands in live code 97 % were read as half done at most.
_SOME_WORDS = 0.12
_STUBS = 0.4
_SOME_STUBS = 0.1
_IDLE = 0.05
_LIVE = 0.4
# Of 2,000 short claims a fifth to a half of those that the bounds above would have lowered were
# met; a seventh by these. Logarithm of one more than the words.
_TERSE, _IDLE_TERSE, _LIVE_TERSE = 2.6, 0.15, 0.2


def _value_ceiling(found: Findings) -> Level:
    # The right value where it does not act takes nothing back.
    wrong = [
        v for v in found.values if v.ratio > 1 and (v.state in WRONG or v.state is ValueState.IDLE)
    ]
    if not wrong or len(wrong) <= _FEW * len(found.values):
        return Level.FAITHFUL
    off = min(value.ratio for value in wrong)
    if off < 3:
        return Level.MINOR
    if off < 10 or len(wrong) < len(found.values):
        return Level.PARTIAL
    return Level.FRAGMENT


def _name_ceiling(claim: Claim, found: Findings) -> Level:
    """What the names of the claim allow that the code gives other values, and a lone value."""
    stated, wrong = len(claim.mentions), found.conflicts
    if not wrong:
        return Level.MINOR if found.stray and stated <= 1 else Level.FAITHFUL
    if stated == 1:
        return Level.PARTIAL if wrong[0].ratio < _MAGNITUDE else Level.FRAGMENT
    off = [conflict.ratio for conflict in wrong]
    if len(wrong) >= stated:
        return Level.PARTIAL if min(off) < _MAGNITUDE else Level.FRAGMENT
    return Level.MINOR if max(off) < _SECONDARY and 2 * len(wrong) < stated else Level.PARTIAL


_MAGNITUDE = 10
_SECONDARY = 3
_STANDS = frozenset({ValueState.BESIDE, ValueState.IMPLIED})
_FEW = 0.2


def drift_and_failure(
    level: Level, claim: Claim, features: Mapping[str, float], found: Findings
) -> tuple[Drift, Failure]:
    """The kind of divergence and its reason; none of either exactly at level 4."""
    if level is Level.FAITHFUL:
        return Drift.NONE, Failure.NONE
    wrong_value = bool(found.conflicts) or any(v.state in WRONG for v in found.values)
    drift = Drift.NUMERICAL if wrong_value else _AXIS[claim.dimension]
    against = contradictions(found.method)
    if found.order is not None and found.order < 0:
        drift = Drift.ORDERING
    if against and not wrong_value:
        drift = against[0].drift or _AXIS[claim.dimension]
    wrong = wrong_value or any(each.failure is Failure.MISMATCH for each in against)
    return drift, _failure(level, claim, features, wrong_value=wrong)


def _failure(
    level: Level, claim: Claim, features: Mapping[str, float], *, wrong_value: bool
) -> Failure:
    if level >= Level.MINOR:
        return Failure.MISMATCH if wrong_value else Failure.INCOMPLETE
    if features["stub_match"] > 0 or features["match_stub"] > _SOME_STUBS:
        # Half a claim with a placeholder in it is not a stub.
        return Failure.STUB if level in Failure.STUB.levels else Failure.INCOMPLETE
    if (
        features["idle_better"] > _IDLE
        or features["match_live"] < _LIVE
        or features["values_idle"] > 0.4
    ):
        return Failure.UNREACHABLE
    if claim.dimension is Dimension.D3 and features["made_up_data"] > 0:
        return Failure.EXTERNAL
    if wrong_value:
        return Failure.MISMATCH
    if level is Level.ABSENT:
        more_text = features["words_text"] > max(0.3, features["words_live"])
        return Failure.MENTION_ONLY if more_text else Failure.MISSING
    if features["names_live"] < 0.6 or features["words_live"] < 0.35:
        return Failure.INCOMPLETE
    return Failure.MISMATCH
