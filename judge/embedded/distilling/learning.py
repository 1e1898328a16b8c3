"""From measured labels to trees, and from their score to levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmark import InputError, Where
from calibration.ordinal import Ordinal, fit_ordinal
from judge.embedded.distilling.labelled import OWN_SCALE, Row
from judge.embedded.features import MEASURES, WEIGHED
from judge.embedded.model import SCORE, WORDS, share_of_long

__all__ = [
    "SCALE_INPUTS",
    "WEIGHTS",
    "Scale",
    "fit_scale",
    "fit_trees",
    "forest_of",
    "predict",
    "record_of",
    "told",
]

Float = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

WEIGHTS: Mapping[str, float] = {
    "reading": 5.0,
    "wide": 2.5,
    "short": 0.0,
    "suite": 12.0,
    "mutant": 1.2,
}
"""What a label counts for the trees; a verdict of a reference judge counts 1."""

TERSE_WEIGHTS: Mapping[str, float] = {**WEIGHTS, "short": 8.0}
"""The same for the trees of terse claims."""

SCALE_WEIGHTS: Mapping[str, float] = {"reading": 1.0, "wide": 1.0, "suite": 1.0}
"""What a label counts for the scale; mutants and short claims are no sample, and have no part."""

SCALE_INPUTS = (SCORE, "is_D1", "is_D2", "is_D3")
_SPREADS = np.array([2.0, 0.3, 0.3, 0.3])
JUDGES: Mapping[str, tuple[float, float]] = {
    "gpt-5.5": (0.44, 0.85),
    "deepseek-v4-pro": (1.0, 0.6),
}
"""How the levels of a reference judge are read: how many levels too low they are on the average,
and how far they spread on the readings' scale (1.3 levels), the less the judge agrees with them.
Constants, from the comparison of each judge with careful readings (.11 and .36 of the scale too
low, the second drawn in; weighted kappa .53 and .25), so that no fold moves them."""

_UNKNOWN_JUDGE = (0.6, 0.6)
_USED = [list(MEASURES).index(name) for name in WEIGHED]
_SIGNS = [sign for sign, _ in WEIGHED.values()]
_HALF = 1.5  # from which a label counts as level 2 or more
SETTINGS: Mapping[str, Any] = {
    "objective": "l2",
    "learning_rate": 0.04,
    "num_leaves": 12,
    "min_data_in_leaf": 60,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "path_smooth": 20.0,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
    "verbose": -1,
}
ROUNDS = 250
SEEDS = (1, 2)
# Trees of the level alone put the middle of the scale, where most is decided, less well in order
# than trees of whether it is 2 or more do; with that share of their log odds both help.
_HALF_ROUNDS, _HALF_SHARE, _HALF_SEEDS = 200, 0.4, (1,)


def _lightgbm() -> Any:  # noqa: ANN401 - a module without types
    try:
        import lightgbm  # noqa: PLC0415 - only for the fit, and not of the product
    except ModuleNotFoundError as error:
        raise InputError(
            "fitting trees needs LightGBM, which is not installed",
            where=Where("lightgbm"),
            remedy="Install the extra in the project's folder: pip install '.[distill]'",
        ) from error
    return lightgbm


def targets(rows: Sequence[Row]) -> Float:
    """The level that each label stands for on the readings' scale.

    Of a reference judge's levels the order is kept, and their mean and spread set by `JUDGES`.
    """
    level = np.array([row.level for row in rows], np.float64)
    source = np.array([row.source for row in rows])
    found = level.copy()
    for judge in sorted(set(source) - OWN_SCALE):
        mine = source == judge
        root = np.sqrt(level[mine])  # its two lowest levels are further apart than the others
        low, spread = JUDGES.get(judge, _UNKNOWN_JUDGE)
        unit = (root - root.mean()) / (root.std() or 1.0)
        found[mine] = level[mine].mean() + low + spread * unit
    return found


def fit_trees(rows: Sequence[Row], features: Float, chosen: Mask) -> dict[str, Any]:
    """Trees from the chosen rows, as the JSON that is shipped.

    Args:
        rows: The labels.
        features: Shape (n, measures).
        chosen: Which rows to fit on.
    """
    return {
        "features": list(WEIGHED),
        **_both(rows, features, chosen, WEIGHTS),
        "terse": _both(rows, features, chosen, TERSE_WEIGHTS),
    }


def _both(
    rows: Sequence[Row], features: Float, chosen: Mask, weighed: Mapping[str, float]
) -> dict[str, Any]:
    """Trees of the level and of its being 2 or more."""
    weights = np.array([weighed.get(row.source, 1.0) for row in rows])
    chosen = chosen & (weights > 0)
    table, wanted = features[chosen][:, _USED], targets(rows)[chosen]
    signs = {"monotone_constraints": _SIGNS}
    level = forest_of(table, wanted, {**signs, "rounds": ROUNDS}, weights[chosen])
    half = forest_of(
        table,
        (wanted >= _HALF).astype(np.float64),
        {**signs, "objective": "binary", "rounds": _HALF_ROUNDS},
        weights[chosen],
        share=_HALF_SHARE,
        seeds=_HALF_SEEDS,
    )
    return {"base": 0.0, "trees": [*level["trees"], *half["trees"]]}


def forest_of(
    table: Float,
    wanted: Float,
    settings: Mapping[str, Any],
    weights: Float | None = None,
    *,
    share: float = 1.0,
    seeds: Sequence[int] = SEEDS,
) -> dict[str, Any]:
    """Trees for some numbers, the mean over seeds, as the JSON that is shipped.

    Args:
        table: Shape (n, features).
        wanted: Shape (n,); 0 or 1 where the objective is `binary`, whose score is in log odds.
        settings: What differs from `SETTINGS`, and `rounds`.
        weights: Of each row.
        share: By which the score is multiplied.
        seeds: Of the fits of which it is the mean.
    """
    lightgbm = _lightgbm()
    rounds = int(settings["rounds"])
    own = {name: value for name, value in settings.items() if name != "rounds"}
    data = lightgbm.Dataset(table, wanted, weight=weights, free_raw_data=False)
    trees: list[dict[str, Any]] = []
    for seed in seeds:
        dump = lightgbm.train({**SETTINGS, **own, "seed": seed}, data, rounds).dump_model()
        trees += [_tree(item["tree_structure"], share / len(seeds)) for item in dump["tree_info"]]
    return {"base": 0.0, "trees": trees}


def _tree(root: Mapping[str, Any], share: float) -> dict[str, Any]:
    """A tree of LightGBM as rows of numbers, children behind parents, values times a share."""
    nodes: list[Mapping[str, Any]] = [root]
    tree: dict[str, list[Any]] = {
        "feature": [], "threshold": [], "missing_left": [], "left": [], "value": []
    }  # fmt: skip
    place = 0
    while place < len(nodes):
        node = nodes[place]
        if "left_child" in node:
            tree["feature"].append(int(node["split_feature"]))
            tree["threshold"].append(float(f"{node['threshold']:.9g}"))
            # Where no value was missing in the fit, a missing one is taken for 0.
            lacking = node["missing_type"] == "None"
            left = float(node["threshold"]) >= 0.0 if lacking else bool(node["default_left"])
            tree["missing_left"].append(int(left))
            tree["left"].append(len(nodes))
            nodes += [node["left_child"], node["right_child"]]
            tree["value"].append(round(share * float(node["internal_value"]), 5))
        else:
            tree["feature"].append(-1)
            tree["threshold"].append(0.0)
            tree["missing_left"].append(0)
            tree["left"].append(0)
            tree["value"].append(round(share * float(node["leaf_value"]), 5))
        place += 1
    return tree


def predict(trees: Mapping[str, Any], features: Float) -> Float:
    """The score of each row of measures; shape (n,)."""
    table, words = features[:, _USED], features[:, list(MEASURES).index(WORDS)]
    share = np.array([share_of_long(each) for each in words.tolist()])
    return share * told(trees, table) + (1.0 - share) * told(trees["terse"], table)


def told(trees: Mapping[str, Any], table: Float) -> Float:
    """The score of each row of the features that trees ask for; shape (n,)."""
    score = np.full(len(table), float(trees["base"]))
    rows = np.arange(len(table))
    for item in trees["trees"]:
        asked, threshold = np.array(item["feature"]), np.array(item["threshold"])
        missing, left = np.array(item["missing_left"], np.bool_), np.array(item["left"])
        node = np.zeros(len(table), np.int64)
        while True:
            feature = asked[node]
            inner = feature >= 0
            if not inner.any():
                break
            seen = table[rows, np.maximum(feature, 0)]
            goes = np.where(np.isnan(seen), missing[node], seen <= threshold[node])
            node = np.where(inner, left[node] + ~goes, node)
        score += np.array(item["value"])[node]
    return score


@dataclass(frozen=True, slots=True)
class Scale:
    """How a score is read: inputs about 0 and of size 1, an ordinal model, and cuts.

    Attributes:
        neutral: Of each input.
        spread: Of each input.
        ordinal: Fitted on them.
        cuts: Expected levels from which the level is 1, 2, 3 and 4.
        held: For each ceiling, how often a label is not above it.
    """

    neutral: Float
    spread: Float
    ordinal: Ordinal
    cuts: tuple[float, ...]
    held: tuple[float, ...] = (1.0,) * 5

    def inputs(self, score: Float, features: Float) -> Float:
        """Shape (n, inputs)."""
        return (_inputs(score, features) - self.neutral) / self.spread

    def expected(self, score: Float, features: Float, highest: npt.NDArray[np.int64]) -> Float:
        """The expected level under each row's ceiling."""
        return np.asarray(self.chances(score, features, highest) @ np.arange(5))

    def chances(self, score: Float, features: Float, highest: npt.NDArray[np.int64]) -> Float:
        """The chance of each level, as `Model.outcome` has it. Shape (n, 5)."""
        shares = self.ordinal.distribution(self.inputs(score, features)).copy()
        for row, top in enumerate(highest):
            held = self.held[top]
            shares[row, top] += held * shares[row, top + 1 :].sum()
            shares[row, top + 1 :] *= 1.0 - held
        return shares

    def levels(self, expected: Float, highest: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The level of each expected one."""
        found = np.searchsorted(np.array(self.cuts), expected, side="right")
        return np.minimum(found, highest)


def _inputs(score: Float, features: Float) -> Float:
    names = list(MEASURES)
    columns = [features[:, names.index(name)] for name in SCALE_INPUTS[1:]]
    return np.column_stack([score, *columns])


def fit_scale(
    rows: Sequence[Row],
    score: Float,
    features: Float,
    highest: npt.NDArray[np.int64],
    chosen: Mask,
) -> Scale:
    """The scale from scores of rows that the trees have not seen."""
    own = np.flatnonzero(chosen & np.array([row.source in SCALE_WEIGHTS for row in rows]))
    inputs = _inputs(score[own], features[own])
    neutral, spread = inputs.mean(axis=0), inputs.std(axis=0) + 1e-9
    level = np.array([rows[n].level for n in own.tolist()])
    mass = np.array([SCALE_WEIGHTS[rows[n].source] for n in own.tolist()])
    ordinal = fit_ordinal((inputs - neutral) / spread, level, mass, spread=_SPREADS)
    held = _held(highest[own], level, mass)
    scale = Scale(neutral, spread, ordinal, (0.5, 1.5, 2.5, 3.5), held)
    expected = scale.expected(score[own], features[own], highest[own])
    return Scale(neutral, spread, ordinal, _cuts(expected, level, mass), held)


def _held(
    highest: npt.NDArray[np.int64], level: npt.NDArray[np.int64], mass: Float
) -> tuple[float, ...]:
    """How often labels keep to each ceiling, as if `_DOUBT` of a label had been seen before."""
    shares: list[float] = []
    for ceiling in range(5):
        here = highest == ceiling
        kept = float(mass[here & (level <= ceiling)].sum())
        shares.append((kept + _KEPT * _DOUBT) / (float(mass[here].sum()) + _DOUBT))
    return tuple(round(share, 3) for share in shares)


_KEPT, _DOUBT = 0.9, 5.0


def _cuts(expected: Float, level: npt.NDArray[np.int64], mass: Float) -> tuple[float, ...]:
    """Expected levels that give each level the share that it has among the labels."""
    order = np.argsort(expected, kind="stable")
    below = np.cumsum(mass[order]) / mass.sum()
    cuts: list[float] = []
    for wanted in range(1, 5):
        share = float(mass[level < wanted].sum() / mass.sum())
        at = min(int(np.searchsorted(below, share)), len(order) - 1)
        cuts.append(round(float(expected[order][at]), 3))
    return tuple(cuts)


def record_of(trees: Mapping[str, Any], scale: Scale, version: str) -> dict[str, Any]:
    """The model as it is shipped."""
    return {
        "version": version,
        "slopes": {
            name: {
                "slope": round(slope, 5),
                "neutral": round(float(n), 5),
                "spread": round(float(s), 5),
            }
            for name, slope, n, s in zip(
                SCALE_INPUTS, scale.ordinal.slopes, scale.neutral, scale.spread, strict=True
            )
        },
        "thresholds": [round(each, 5) for each in scale.ordinal.thresholds],
        "cuts": list(scale.cuts),
        "held": list(scale.held),
        **trees,
    }
