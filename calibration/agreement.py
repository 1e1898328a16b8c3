"""How well readers agree: a judge with people, people with each other, a judge with a judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

from benchmark import Label
from benchmark.counting import counted
from calibration.agreement_report import AgreementReport, Contrast, Match
from calibration.crosstabs import Floats, coincidences
from calibration.figures import Figure, Undefined
from calibration.joining import (
    Account,
    Judged,
    Pair,
    conflicts,
    copies,
    join_labels,
    references,
)
from calibration.matching import CUTS, match_levels, match_passes, split_at, word_figures
from calibration.measures import (
    BINARY,
    ORDINAL,
    PASSING,
    Measure,
    alpha_of_coincidences,
)
from calibration.ratings import LEVELS, ClusterBy, pair_table
from calibration.resampling import Comparison, Setting, compare_paired, figure_of

__all__ = ["REFERENCE", "agreement"]

REFERENCE = "all annotators"


def agreement(
    verdicts: Iterable[Judged],
    labels: Sequence[Label],
    *,
    setting: Setting | None = None,
    cluster: ClusterBy = "paper",
    groups: bool = True,
) -> AgreementReport:
    """Compare every judge with the labels, the annotators with each other, judge with judge.

    Args:
        verdicts: Of one run or several; each judge's verdicts are kept apart by their name.
        labels: Of any annotators.
        setting: How intervals are made.
        cluster: What varies together.
        groups: Also by dimension, paper and agent.
    """
    setting = setting or Setting()
    setting = Setting(setting.method, cluster, setting.level, setting.draws, setting.seed)
    by_judge: dict[str, dict[tuple[str, str], Judged]] = {}
    for one in verdicts:
        by_judge.setdefault(one.judge, {})[one.key] = one
    about = {key: one for judge in sorted(by_judge) for key, one in by_judge[judge].items()}
    accounts: dict[str, Account] = {}
    matches: list[Match] = []
    joined: dict[str, list[tuple[Pair, float]]] = {}
    for judge in sorted(by_judge):
        result = join_labels(by_judge[judge].values(), labels)
        accounts[judge] = result.account
        verdict_of = {pair.verdict.key: pair.verdict for pair in result.pairs}
        joined[judge] = [
            (Pair(verdict_of[label.submission, label.sau], label), weight * label.weight)
            for label, weight in references([pair.label for pair in result.pairs])
        ]
        matches += _against(judge, REFERENCE, joined[judge], setting, cluster, groups=groups)
        names = sorted({pair.label.annotator for pair in result.pairs})
        for name in names if len(names) > 1 else ():
            alone = [
                (pair, pair.label.weight) for pair in result.pairs if pair.label.annotator == name
            ]
            matches += _against(judge, name, alone, setting, cluster, groups=False)
    annotators, together = _annotators(labels, about, setting, cluster)
    return AgreementReport(
        setting=setting,
        accounts=accounts,
        judges=tuple(matches),
        annotators=annotators,
        together=together,
        between=_between(by_judge, setting, cluster),
        contrasts=_contrasts(joined, setting, cluster),
        conflicts=tuple(
            (*key, tuple((one.annotator, _said(one)) for one in group))
            for key, group in conflicts(labels).items()
        ),
        notes=_notes(labels, by_judge, cluster),
    )


def _said(label: Label) -> str:
    if label.level is not None:
        return str(int(label.level))
    return "pass" if label.passed else "fail"


def _notes(
    labels: Sequence[Label],
    by_judge: dict[str, dict[tuple[str, str], Judged]],
    cluster: ClusterBy,
) -> tuple[str, ...]:
    kinds = Counter(one.kind for one in labels)
    notes = [
        "labels by kind of annotator: "
        + ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))
    ]
    if labels and not kinds["person"]:
        notes.append("no label is a person's: agreement with people is not known from these")
    if cluster == "claim":
        notes.append(
            "intervals by claim are about these papers alone, and hold as far as their claims are "
            "judged independently of each other"
        )
    if len(by_judge) > 1:
        notes.append(
            f"{len(by_judge)} judges are compared; no figure mixes them: "
            + ", ".join(sorted(by_judge))
        )
    notes += [
        f"{first} and {second} agree in every level, word, line and note of "
        f"{counted(count, 'item')}: "
        "these look like copies, and their agreement says nothing"
        for first, second, count in copies(labels)
    ]
    return tuple(notes)


def _against(
    judge: str,
    other: str,
    pairs: Sequence[tuple[Pair, float]],
    setting: Setting,
    cluster: ClusterBy,
    *,
    groups: bool,
) -> list[Match]:
    levels = [(pair, weight) for pair, weight in pairs if pair.label.level is not None]
    passes = [(pair, weight) for pair, weight in pairs if pair.label.passed is not None]
    found = []
    if levels:
        table = pair_table(
            [pair.verdict.level or 0 for pair, _ in levels],
            [int(pair.label.level or 0) for pair, _ in levels],
            [pair.verdict for pair, _ in levels],
            weights=[weight for _, weight in levels],
        )
        words = {
            name: word_figures(levels, name, setting, cluster, groups=groups)
            for name in ("drift", "failure")
        }
        found.append(
            match_levels(judge, other, table, setting, cluster, groups=groups, words=words)
        )
    if passes:
        table = pair_table(
            [pair.verdict.level or 0 for pair, _ in passes],
            [int(pair.label.passed or False) for pair, _ in passes],
            [pair.verdict for pair, _ in passes],
            classes=(LEVELS, 2),
            weights=[weight for _, weight in passes],
        )
        found.append(match_passes(judge, other, table, setting, cluster, groups=groups))
    return found


def _annotators(
    labels: Sequence[Label],
    about: dict[tuple[str, str], Judged],
    setting: Setting,
    cluster: ClusterBy,
) -> tuple[tuple[Match, ...], Figure | Undefined]:
    """Annotators against each other, on items that a verdict is about (which names the paper)."""
    readings: dict[str, dict[tuple[str, str], int]] = {}
    for one in labels:
        key = one.submission, one.sau
        if one.level is not None and key in about and not one.adjudicated:
            readings.setdefault(one.annotator, {})[key] = int(one.level)
    matches = []
    for first, second in combinations(sorted(readings), 2):
        shared = sorted(readings[first].keys() & readings[second].keys())
        if shared:
            table = pair_table(
                [readings[first][key] for key in shared],
                [readings[second][key] for key in shared],
                [about[key] for key in shared],
            )
            matches.append(match_levels(first, second, table, setting, cluster))
    if len(readings) < 2:
        return tuple(matches), Undefined(
            "no annotator of levels" if not readings else "one annotator of levels"
        )
    keys = sorted({key for each in readings.values() for key in each})
    number = {key: place for place, key in enumerate(keys)}
    items = [number[key] for each in readings.values() for key in each]
    values = [value for each in readings.values() for value in each.values()]
    place = pair_table([0] * len(keys), [0] * len(keys), [about[key] for key in keys])
    clusters = place.groups[cluster][np.asarray(items, dtype=np.int64)]
    tables = coincidences(
        np.asarray(items, dtype=np.int64),
        np.asarray(values, dtype=np.int64),
        clusters,
        classes=LEVELS,
        count=len(place.names[cluster]),
    )
    reason = "no item has two readings, or every reading is the same level"
    measure = Measure("alpha", "alpha", alpha_of_coincidences, reason, (-1, 1))
    return tuple(matches), figure_of(measure, tables, setting)


def _between(
    by_judge: dict[str, dict[tuple[str, str], Judged]], setting: Setting, cluster: ClusterBy
) -> tuple[Match, ...]:
    matches = []
    for first, second in combinations(sorted(by_judge), 2):
        one, two = by_judge[first], by_judge[second]
        shared = [
            key
            for key in sorted(one.keys() & two.keys())
            if one[key].level is not None and two[key].level is not None
        ]
        if shared:
            table = pair_table(
                [one[key].level or 0 for key in shared],
                [two[key].level or 0 for key in shared],
                [one[key] for key in shared],
            )
            matches.append(match_levels(first, second, table, setting, cluster))
    return tuple(matches)


def _contrasts(
    joined: dict[str, list[tuple[Pair, float]]], setting: Setting, cluster: ClusterBy
) -> tuple[Contrast, ...]:
    """Paired tests: both judges' tables of the labels that both have a verdict for."""
    contrasts = []
    for scale in ("levels", "pass"):
        rows: dict[str, dict[tuple[str, str, str], tuple[Pair, float]]] = {
            judge: {
                (pair.label.submission, pair.label.sau, pair.label.annotator): (pair, weight)
                for pair, weight in pairs
                if (pair.label.level is not None) == (scale == "levels")
            }
            for judge, pairs in joined.items()
        }
        for first, second in combinations(sorted(rows), 2):
            shared = sorted(rows[first].keys() & rows[second].keys())
            if not shared:
                continue
            one, two = (
                pair_table(
                    [rows[judge][key][0].verdict.level or 0 for key in shared],
                    [_class_of(rows[judge][key][0].label) for key in shared],
                    [rows[judge][key][0].verdict for key in shared],
                    classes=(LEVELS, LEVELS if scale == "levels" else 2),
                    weights=[rows[judge][key][1] for key in shared],
                ).tables(cluster)
                for judge in (first, second)
            )
            differ = _levels_differ if scale == "levels" else _passes_differ
            contrasts.append(Contrast(first, second, scale, len(shared), differ(one, two, setting)))
    return tuple(contrasts)


def _class_of(label: Label) -> int:
    return int(bool(label.passed)) if label.level is None else int(label.level)


def _levels_differ(one: Floats, two: Floats, setting: Setting) -> dict[str, Comparison]:
    return {
        measure.name: compare_paired(measure.function, one, two, setting) for measure in ORDINAL
    }


def _passes_differ(first: Floats, second: Floats, setting: Setting) -> dict[str, Comparison]:
    uncut = {one.name: compare_paired(one.function, first, second, setting) for one in PASSING}
    return uncut | {
        f"{measure.name}_at_{cut}": compare_paired(
            measure.function, split_at(first, cut), split_at(second, cut), setting
        )
        for cut in CUTS
        for measure in BINARY
    }
