"""What the agreement study found, as values and as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from calibration.figures import Figure, Undefined
from calibration.joining import Account
from calibration.resampling import Comparison, Setting

__all__ = ["AgreementReport", "Contrast", "Figures", "Groups", "Match"]

Figures = dict[str, Figure | Undefined]
Groups = dict[str, dict[str, Figures]]
"""Figures by what groups are of, and by group."""


@dataclass(frozen=True, slots=True)
class Match:
    """Two readers on the items that both read.

    Attributes:
        first: The reader whose classes are down: the judge, where one is a judge.
        second: The other.
        scale: `levels`, or `pass` where the second said only pass or fail.
        pairs: Readings compared.
        clusters: Clusters that they are in.
        figures: The measures by name.
        confusion: The table of both, first down; weights where readings have them.
        cuts: At each level c, what the judge's `level >= c` does to what is truly so.
        drift: F1 of each word of drift that either used.
        failure: The same of failure.
        constant: What answering one level always would score: the best of them, and which.
        groups: Readings and figures by dimension, paper and agent.
        group_tables: `confusion` of each group.
        group_words: `drift` and `failure` of each group, by these names.
    """

    first: str
    second: str
    scale: str
    pairs: int
    clusters: int
    figures: Figures
    confusion: list[list[float]]
    cuts: dict[str, Figures] = field(default_factory=dict)
    drift: Figures = field(default_factory=dict)
    failure: Figures = field(default_factory=dict)
    constant: dict[str, tuple[int, float]] = field(default_factory=dict)
    groups: dict[str, dict[str, tuple[int, Figures]]] = field(default_factory=dict)
    group_tables: dict[str, dict[str, list[list[float]]]] = field(default_factory=dict)
    group_words: dict[str, Groups] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The match for a JSON file."""
        return {
            "first": self.first,
            "second": self.second,
            "scale": self.scale,
            "pairs": self.pairs,
            "clusters": self.clusters,
            "figures": _json(self.figures),
            "confusion": self.confusion,
            "cuts": {cut: _json(figures) for cut, figures in self.cuts.items()},
            "drift_f1": _json(self.drift),
            "failure_f1": _json(self.failure),
            "best_constant": {
                name: {"level": level, "value": value}
                for name, (level, value) in self.constant.items()
            },
            "groups": {
                by: {
                    name: {
                        "pairs": count,
                        "figures": _json(figures),
                        "confusion": self.group_tables.get(by, {}).get(name, []),
                        **{
                            f"{word}_f1": _json(found.get(by, {}).get(name, {}))
                            for word, found in self.group_words.items()
                        },
                    }
                    for name, (count, figures) in groups.items()
                }
                for by, groups in self.groups.items()
            },
        }


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two judges against the same labels of the same items.

    Attributes:
        first: One judge.
        second: The other.
        scale: `levels`, or `pass` where labels say only pass or fail.
        pairs: Readings compared.
        differences: By measure; for passes at each cut, as `kappa_at_2`.
    """

    first: str
    second: str
    scale: str
    pairs: int
    differences: dict[str, Comparison]

    def as_json(self) -> dict[str, Any]:
        """The contrast for a JSON file."""
        differences = {name: one.as_json() for name, one in self.differences.items()}
        return {
            "first": self.first,
            "second": self.second,
            "scale": self.scale,
            "pairs": self.pairs,
            "differences": differences,
        }


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """The whole of it.

    Attributes:
        setting: How intervals were made.
        accounts: What became of the labels, by judge.
        judges: Each judge against all annotators together and against each alone.
        annotators: Annotators against each other: what people reach.
        together: Krippendorff's alpha of all annotators of levels together.
        between: Judges against each other.
        contrasts: Paired tests between judges.
        conflicts: Pairs that annotators read differently, unsettled: submission, SAU, readings.
        notes: What a reader should know before believing any of it.
    """

    setting: Setting
    accounts: dict[str, Account]
    judges: tuple[Match, ...]
    annotators: tuple[Match, ...]
    together: Figure | Undefined
    between: tuple[Match, ...]
    contrasts: tuple[Contrast, ...]
    conflicts: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...]
    notes: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The report for a JSON file: every number, no NaN."""
        return {
            "format": 1,
            "intervals": {
                "method": self.setting.method,
                "cluster": self.setting.cluster,
                "level": self.setting.level,
            },
            "notes": list(self.notes),
            "accounts": {name: one.as_json() for name, one in self.accounts.items()},
            "judges": [one.as_json() for one in self.judges],
            "annotators": [one.as_json() for one in self.annotators],
            "annotators_together_alpha": self.together.as_json(),
            "between_judges": [one.as_json() for one in self.between],
            "contrasts": [one.as_json() for one in self.contrasts],
            "conflicts": [
                {"submission": submission, "sau": sau, "readings": dict(readings)}
                for submission, sau, readings in self.conflicts
            ],
        }


def _json(figures: Figures) -> dict[str, Any]:
    return {name: figure.as_json() for name, figure in figures.items()}
