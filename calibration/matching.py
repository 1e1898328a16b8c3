"""Two readers on the same items: every figure of their match."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from benchmark.counting import counted
from calibration.agreement_report import Figures, Groups, Match
from calibration.crosstabs import Floats
from calibration.figures import Figure
from calibration.joining import Pair
from calibration.measures import (
    BINARY,
    ORDINAL,
    PASSING,
    Measure,
    f1_of,
    true_negative_rate,
    true_positive_rate,
)
from calibration.ratings import BY, ClusterBy, PairTable, words_of
from calibration.resampling import Setting, figure_of

__all__ = [
    "CUTS",
    "match_levels",
    "match_passes",
    "ordinal_figures",
    "rates_at",
    "split_at",
    "word_figures",
]

CUTS = (1, 2, 3, 4)
FEWEST_IN_CLASS = 5
"""Clusters that a class must be seen in for a figure that hangs on it to get an interval."""
FEWEST_FOR_MACRO = 10
"""The same for macro F1, which jumps as a rare class comes and goes: with fewer its 95 % intervals
hold in 90 %."""
FEWEST_FOR_NEAR = 300
"""Readings that the share within one level and rates at a cut need, where clusters are few: with
fewer they hang on a handful of misses, and their 95 % intervals hold in 98 %, wider than they
should be."""
MANY_CLUSTERS = 30
"""From how many clusters on that does not count."""


def match_levels(
    first: str,
    second: str,
    table: PairTable,
    setting: Setting,
    cluster: ClusterBy,
    *,
    groups: bool = False,
    words: dict[str, tuple[Figures, Groups]] | None = None,
) -> Match:
    """Two readers of levels.

    Args:
        first: The one whose levels are `table.first`.
        second: The other.
        table: Their readings.
        setting: How intervals are made.
        cluster: What varies together.
        groups: Also by dimension, paper and agent.
        words: F1 of each drift and failure, and the same by group, where they were compared.
    """
    tables = table.tables(cluster)
    words = words or {}
    return Match(
        first=first,
        second=second,
        scale="levels",
        pairs=len(table),
        clusters=table.count(cluster),
        figures=ordinal_figures(tables, setting, readings=len(table)),
        confusion=tables.sum(0).tolist(),
        cuts={str(cut): rates_at(tables, cut, cut, setting, len(table)) for cut in CUTS},
        drift=words["drift"][0] if words else {},
        failure=words["failure"][0] if words else {},
        constant=_best_constants(tables.sum(0)),
        groups=_by_group(table, setting, cluster) if groups else {},
        group_tables=_tables_by_group(table, cluster) if groups else {},
        group_words={name: by for name, (_, by) in words.items()},
    )


def match_passes(
    judge: str, other: str, table: PairTable, setting: Setting, cluster: ClusterBy, *, groups: bool
) -> Match:
    """A judge of levels against pass and fail: without a cut, and a table for each cut."""
    tables = table.tables(cluster)
    cuts = {str(cut): _pass_figures(tables, cut, setting, len(table)) for cut in CUTS}
    whole = tables.sum((0, 1))
    best = int(whole.argmax())
    return Match(
        first=judge,
        second=other,
        scale="pass",
        pairs=len(table),
        clusters=table.count(cluster),
        figures={one.name: figure_of(one, tables, setting) for one in PASSING},
        confusion=tables.sum(0).tolist(),
        cuts=cuts,
        constant={"exact": (best, float(whole[best] / whole.sum()))},
        groups=_pass_groups(table, setting, cluster) if groups else {},
        group_tables=_tables_by_group(table, cluster) if groups else {},
    )


def split_at(tables: Floats, cut: int) -> Floats:
    """Tables of levels (down) as tables of below and at or above a cut; shape (..., 2, l)."""
    split: Floats = np.stack([tables[:, :cut].sum(1), tables[:, cut:].sum(1)], axis=1)
    return split


def _pass_figures(tables: Floats, cut: int, setting: Setting, readings: int) -> Figures:
    split = split_at(tables, cut)
    figures: Figures = {one.name: figure_of(one, split, setting) for one in BINARY}
    return figures | rates_at(tables, cut, 1, setting, readings)


def _pass_groups(
    table: PairTable, setting: Setting, cluster: ClusterBy
) -> dict[str, dict[str, tuple[int, Figures]]]:
    """By group, the figures at every cut under names such as `kappa_at_2`."""
    found: dict[str, dict[str, tuple[int, Figures]]] = {}
    for by in BY:
        counts = np.bincount(table.groups[by], minlength=len(table.names[by]))
        each = zip(table.names[by], counts, table.tables_by(by, cluster), strict=True)
        found[by] = {
            name: (
                int(count),
                {one.name: figure_of(one, tables, setting) for one in PASSING}
                | {
                    f"{key}_at_{cut}": figure
                    for cut in CUTS
                    for key, figure in _pass_figures(tables, cut, setting, int(count)).items()
                },
            )
            for name, count, tables in each
        }
    return found


def ordinal_figures(tables: Floats, setting: Setting, *, readings: int | None = None) -> Figures:
    """Every measure of levels, of tables by cluster; no interval where it would not hold.

    Args:
        tables: Cross tables by cluster.
        setting: How intervals are made.
        readings: Pairs in the tables; where not given each counts 1 in them.
    """
    readings = round(float(tables.sum())) if readings is None else readings
    figures: Figures = {}
    for measure in ORDINAL:
        figure = figure_of(measure, tables, setting)
        if isinstance(figure, Figure) and figure.low is not None:
            refusal = ""
            if measure.name == "macro_f1" and (rare := _rarest(tables)) < FEWEST_FOR_MACRO:
                refusal = (
                    f"a level is in {counted(rare, setting.cluster)} only: fewer than "
                    f"{FEWEST_FOR_MACRO} do not carry one"
                )
            if measure.name == "within_one":
                refusal = _few(readings, tables)
            if refusal:
                figure = Figure(figure.value, why_no_interval=refusal)
        figures[measure.name] = figure
    return figures


def _few(readings: int, tables: Floats) -> str:
    """Why readings are too few for a figure that hangs on few of them; empty where they are not."""
    if readings >= FEWEST_FOR_NEAR or int((tables.sum((1, 2)) > 0).sum()) >= MANY_CLUSTERS:
        return ""
    return f"{counted(readings, 'reading')}: fewer than {FEWEST_FOR_NEAR} hold too few misses"


def _rarest(tables: Floats) -> int:
    """In how many clusters the class is seen that is seen in fewest."""
    margins = tables.sum(1) + tables.sum(2)
    counts = (margins > 0).sum(0)
    return int(counts[counts > 0].min()) if counts.any() else 0


def rates_at(tables: Floats, cut: int, other: int, setting: Setting, readings: int) -> Figures:
    """True positive and true negative rate at a cut.

    Args:
        tables: Cross tables by cluster.
        cut: From which level on the first reader's is positive.
        other: The same of the second reader's classes.
        setting: How intervals are made.
        readings: Pairs in the tables.
    """
    few = _few(readings, tables)
    figures: Figures = {}
    for name, rate, part, missing in (
        ("true_positive_rate", true_positive_rate, tables[:, :, other:], "no true positive"),
        ("true_negative_rate", true_negative_rate, tables[:, :, :other], "no true negative"),
    ):
        measure = Measure(name, name, partial(rate, cut=cut, other=other), missing, (0, 1))
        figure = figure_of(measure, tables, setting)
        seen = int((part.sum((1, 2)) > 0).sum())
        if isinstance(figure, Figure) and figure.low is not None:
            reason = few
            if seen < FEWEST_IN_CLASS:
                reason = f"such items are in {counted(seen, setting.cluster)} only"
            if reason:
                figure = Figure(figure.value, why_no_interval=reason)
        figures[name] = figure
    return figures


def word_figures(
    pairs: Sequence[tuple[Pair, float]],
    name: str,
    setting: Setting,
    cluster: ClusterBy,
    *,
    groups: bool = False,
) -> tuple[Figures, Groups]:
    """F1 of each word of `drift` or `failure` that either reader used.

    Args:
        pairs: Verdicts with readings, and what each counts.
        name: `drift` or `failure`.
        setting: How intervals are made.
        cluster: What varies together.
        groups: Also by dimension, paper and agent.

    Returns:
        The figures of all pairs, and those by group.
    """
    table, words = words_of(pairs, name)
    if not len(table):
        return {}, {}
    found: Groups = {}
    for by in BY if groups else ():
        each = zip(table.names[by], table.tables_by(by, cluster), strict=True)
        found[by] = {one: _words_in(tables, words, setting) for one, tables in each}
    return _words_in(table.tables(cluster), words, setting), found


def _words_in(tables: Floats, words: Sequence[str], setting: Setting) -> Figures:
    used = ((tables.sum(1) + tables.sum(2)) > 0).sum(0)
    figures: Figures = {}
    for place, word in enumerate(words):
        if not used[place]:
            continue
        measure = Measure(word, word, partial(f1_of, place=place), "never used", (0, 1))
        figure = figure_of(measure, tables, setting)
        if isinstance(figure, Figure) and figure.low is not None and used[place] < FEWEST_IN_CLASS:
            reason = f"the word is used in {counted(used[place], setting.cluster)} only"
            figure = Figure(figure.value, why_no_interval=reason)
        figures[word] = figure
    return figures


def _best_constants(whole: Floats) -> dict[str, tuple[int, float]]:
    """For exact and near agreement: the level that does best if always answered."""
    truth = whole.sum(0)
    steps = np.arange(len(truth))
    best = {}
    for name, reach in (("exact", 0), ("within_one", 1)):
        shares = [float(truth[np.abs(steps - level) <= reach].sum()) for level in steps]
        place = int(np.argmax(shares))
        best[name] = (place, shares[place] / float(truth.sum()))
    return best


def _tables_by_group(
    table: PairTable, cluster: ClusterBy
) -> dict[str, dict[str, list[list[float]]]]:
    """The table of both readers in each group."""
    return {
        by: {
            name: tables.sum(0).tolist()
            for name, tables in zip(table.names[by], table.tables_by(by, cluster), strict=True)
        }
        for by in BY
    }


def _by_group(
    table: PairTable, setting: Setting, cluster: ClusterBy
) -> dict[str, dict[str, tuple[int, Figures]]]:
    """By group, every measure of levels, and rates at each cut under names such as `..._at_2`."""
    found: dict[str, dict[str, tuple[int, Figures]]] = {}
    for by in BY:
        found[by] = {}
        counts = np.bincount(table.groups[by], minlength=len(table.names[by]))
        each = zip(table.names[by], counts, table.tables_by(by, cluster), strict=True)
        for name, count, tables in each:
            figures = ordinal_figures(tables, setting, readings=int(count))
            figures |= {
                f"{key}_at_{cut}": figure
                for cut in CUTS
                for key, figure in rates_at(tables, cut, cut, setting, int(count)).items()
            }
            found[by][name] = int(count), figures
    return found
