"""Scores of agents: as the judge says, corrected by labels, and which differences hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np

from benchmark import InputError, Label, Level, Where
from benchmark.counting import counted
from calibration.correction import pooled_mean, ppi_mean, raw_mean
from calibration.estimates import FEWEST_LABELS, Estimate, standard_error
from calibration.figures import Figure, Undefined
from calibration.fixed import fixed_difference, fixed_ppi_mean, fixed_raw_mean
from calibration.joining import Account, Judged, join_labels
from calibration.passes import rogan_gladen
from calibration.resampling import FEWEST_CLUSTERS, LEVEL, Comparison
from calibration.samples import Papers, Sample, one_judge, sample_of
from calibration.student import student_quantile, student_two_sided

__all__ = ["AgentScore", "Difference", "ScoreReport", "holm", "labels_of_run", "score_agents"]

Correction = Literal["none", "ppi", "pooled", "rogan-gladen"]


@dataclass(frozen=True, slots=True)
class AgentScore:
    """An agent's mean.

    Attributes:
        agent: Who.
        claims: Verdicts with a level.
        raw: What the judge says.
        corrected: With its error taken out, or why that cannot be had.
        ranks: Best and worst rank, from 1, that the differences leave open at once for all agents;
            `None` where there is no interval.
    """

    agent: str
    claims: int
    raw: Estimate
    corrected: Estimate | Undefined
    ranks: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Difference:
    """Two agents on the same claims.

    Attributes:
        first: The one with the higher mean.
        second: The other.
        claims: Claims that both have a verdict for; the difference is of means over these.
        comparison: First less second, its interval and p.
        adjusted_p: The p after Holm's adjustment over all pairs of agents.
    """

    first: str
    second: str
    claims: int
    comparison: Comparison
    adjusted_p: float | None

    def as_json(self) -> dict[str, Any]:
        """The difference for a JSON file."""
        return {
            "first": self.first,
            "second": self.second,
            "claims": self.claims,
            **self.comparison.as_json(),
            "adjusted_p": self.adjusted_p,
        }


@dataclass(frozen=True, slots=True)
class ScoreReport:
    """Scores of all agents by one judge.

    Attributes:
        judge: Who judged.
        correction: How its error was taken out.
        cut: From which level on a claim passes, where the score is a share of passes.
        papers: What the means are meant for: `sample` papers like these, `fixed` these alone.
        account: What became of the labels.
        agents: Best first, by the corrected mean where every agent has one, else by the raw one.
        differences: Of every two agents, of that same mean.
        ranked_by: `corrected` or `raw`.
        notes: What a reader should know.
    """

    judge: str
    correction: Correction
    cut: int | None
    papers: Papers
    account: Account
    agents: tuple[AgentScore, ...]
    differences: tuple[Difference, ...]
    ranked_by: str
    notes: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The report for a JSON file."""
        return {
            "format": 1,
            "judge": self.judge,
            "correction": self.correction,
            "cut": self.cut,
            "papers": self.papers,
            "ranked_by": self.ranked_by,
            "notes": list(self.notes),
            "labels": self.account.as_json(),
            "agents": [
                {
                    "agent": one.agent,
                    "claims": one.claims,
                    "raw": one.raw.as_json(),
                    "corrected": one.corrected.as_json(),
                    "ranks": None if one.ranks is None else list(one.ranks),
                }
                for one in self.agents
            ],
            "differences": [one.as_json() for one in self.differences],
        }


def score_agents(
    verdicts: Sequence[Judged],
    labels: Sequence[Label],
    *,
    correction: Correction = "ppi",
    cut: int | None = None,
    papers: Papers = "sample",
    level: float = LEVEL,
) -> ScoreReport:
    """Score every agent, correct by labels, compare every two.

    Args:
        verdicts: Of one judge.
        labels: Readings held for true.
        correction: `none`; `ppi`, from each agent's own labels; `pooled`, from the labels of all
            agents, which assumes that the judge errs alike for each and refuses where it does not;
            `rogan-gladen`, for a cut.
        cut: Score the share of claims at this level or above instead of the mean.
        papers: What the means are meant for: papers like these (`sample`), or these papers' claims
            alone (`fixed`), of which labels are a draw. Two questions with two answers.
        level: Coverage that intervals aim at.

    Raises:
        InputError: Judges are mixed, nothing is graded, or the correction does not go with `cut` or
            with `papers`.
    """
    judge = one_judge(verdicts)
    if papers == "fixed" and correction not in {"none", "ppi"}:
        raise InputError(
            f"{correction} needs papers that are a sample",
            where=Where("--papers", key=papers),
            remedy="Use --correction ppi, or leave --papers at sample",
        )
    if correction == "rogan-gladen" and cut is None:
        raise InputError(
            "rogan-gladen corrects a share of passes",
            where=Where("--correction"),
            remedy="Give the level that passes with --cut",
        )
    if cut is None and labels and all(one.level is None for one in labels):
        raise InputError(
            "the labels say pass or fail and no level, which corrects no mean of levels",
            where=Where("--cut"),
            remedy="Give the level that passes with --cut",
        )
    account = join_labels(verdicts, labels).account
    names = sorted({one.paper for one in verdicts})
    by_agent: dict[str, list[Judged]] = {}
    for one in verdicts:
        if one.level is not None:
            by_agent.setdefault(one.agent, []).append(one)
    samples = {
        agent: sample_of(by_agent[agent], labels, papers=names, cut=cut)
        for agent in sorted(by_agent)
    }
    everything = sample_of(verdicts, labels, papers=names, cut=cut)
    estimate = _corrector(correction, everything, list(samples.values()), level, papers)

    def as_judged(sample: Sample) -> Estimate:
        return raw_mean(sample, level=level) if papers == "sample" else fixed_raw_mean(sample)

    raw = {agent: as_judged(sample) for agent, sample in samples.items()}
    corrected = {agent: estimate(sample) for agent, sample in samples.items()}
    whole = all(isinstance(one, Estimate) for one in corrected.values())
    used: dict[str, Estimate] = {
        agent: one if whole and isinstance(one, Estimate) else raw[agent]
        for agent, one in corrected.items()
    }
    differences = _differences(samples, used, estimate if whole else as_judged, level)
    ranks = _ranks(used, differences, level)
    order = sorted(used, key=lambda agent: (-used[agent].figure.value, agent))
    return ScoreReport(
        judge=judge,
        correction=correction,
        cut=cut,
        papers=papers,
        account=account,
        agents=tuple(
            AgentScore(agent, len(by_agent[agent]), raw[agent], corrected[agent], ranks.get(agent))
            for agent in order
        ),
        differences=differences,
        ranked_by="corrected" if whole else "raw",
        notes=_notes(labels, corrected, samples, correction=correction),
    )


def _corrector(
    correction: Correction,
    everything: Sample,
    samples: list[Sample],
    level: float,
    papers: Papers,
) -> Callable[[Sample], Estimate | Undefined]:
    """The correction as a function of one agent's sample; a refusal becomes a reason."""

    def corrected(sample: Sample) -> Estimate | Undefined:
        try:
            match correction:
                case "ppi" if papers == "fixed":
                    return fixed_ppi_mean(sample, level=level)
                case "ppi":
                    return ppi_mean(sample, level=level)
                case "pooled":
                    return pooled_mean(sample, everything, samples, level=level)
                case "rogan-gladen":
                    return rogan_gladen(sample, level=level)
                case _:
                    return Undefined("no correction was asked for")
        except InputError as error:
            return Undefined(f"{error.problem}. {error.remedy}")

    return corrected


def _notes(
    labels: Sequence[Label],
    corrected: dict[str, Estimate | Undefined],
    samples: dict[str, Sample],
    *,
    correction: Correction,
) -> tuple[str, ...]:
    notes = []
    missing = [agent for agent, one in corrected.items() if isinstance(one, Undefined)]
    if correction != "none" and missing:
        more = sum(max(0, FEWEST_LABELS - samples[agent].labels) for agent in missing)
        wanted = (
            f"; it takes {counted(more, 'more label')} to give each {FEWEST_LABELS}" if more else ""
        )
        notes.append(
            f"{len(missing):,} of {counted(len(corrected), 'agent')} "
            f"{'has' if len(missing) == 1 else 'have'} no corrected score, so agents are "
            f"ranked and compared by what the judge says, its errors included{wanted}"
        )
    if labels and not any(one.kind == "person" for one in labels):
        notes.append("no label is a person's: scores are corrected towards another reader's")
    return tuple(notes)


def _differences(
    samples: dict[str, Sample],
    used: dict[str, Estimate],
    estimate: Callable[[Sample], Estimate | Undefined],
    level: float,
) -> tuple[Difference, ...]:
    found: list[Difference] = []
    for one, two in combinations(sorted(used), 2):
        shared = set(samples[one].keys) & set(samples[two].keys)
        first, second = used[one], used[two]
        if shared and not len(shared) == len(samples[one].keys) == len(samples[two].keys):
            # Compared where both were judged; corrections need their labels there again.
            parts = [_only(samples[agent], shared) for agent in (one, two)]
            again = [estimate(part) for part in parts]
            if isinstance(again[0], Estimate) and isinstance(again[1], Estimate):
                first, second = again[0], again[1]
            else:
                shared = set()
        comparison = _difference(first, second, level) if shared else _NOT_COMPARED
        value = comparison.difference
        if isinstance(value, Figure) and value.value < 0:
            one, two = two, one  # noqa: PLW2901 - the better one is named first
            comparison = _turned(comparison)
        found.append(Difference(one, two, len(shared), comparison, None))
    adjusted = holm([each.comparison.p for each in found])
    return tuple(
        Difference(each.first, each.second, each.claims, each.comparison, p)
        for each, p in zip(found, adjusted, strict=True)
    )


_NOT_COMPARED = Comparison(Undefined("the two have no claims, or too few labels, in common"), None)


def _only(sample: Sample, keys: set[tuple[str, str]]) -> Sample:
    mask = np.array([key in keys for key in sample.keys])
    return Sample(
        sample.predicted[mask],
        sample.truth[mask],
        sample.labelled[mask],
        sample.weights[mask],
        sample.clusters[mask],
        sample.papers,
        tuple(key for key in sample.keys if key in keys),
    )


def _difference(first: Estimate, second: Estimate, level: float) -> Comparison:
    """By leaving the same paper out of both: what the two share by paper cancels."""
    if first.fixed:
        return fixed_difference(first, second, level)
    value = first.figure.value - second.figure.value
    papers, df = max(first.papers, second.papers), min(first.df, second.df)
    if first.method == second.method == "pooled":
        df = papers - 1  # one correction for both, which cancels
    if papers < FEWEST_CLUSTERS:
        reason = f"{counted(papers, 'paper')}: fewer than {FEWEST_CLUSTERS}"
        return Comparison(Figure(value, why_no_interval=reason), None)
    error = standard_error(value, first.left_out - second.left_out, papers)
    if error < 1e-12:
        p = 1.0 if abs(value) < 1e-12 else None
        return Comparison(Figure(value, why_no_interval="the same without any paper"), p)
    reach = student_quantile((1 + level) / 2, df) * error
    return Comparison(
        Figure(value, value - reach, value + reach), student_two_sided(value / error, df)
    )


def _turned(comparison: Comparison) -> Comparison:
    figure = comparison.difference
    if not isinstance(figure, Figure):
        return comparison
    if figure.low is None or figure.high is None:
        return Comparison(
            Figure(-figure.value, why_no_interval=figure.why_no_interval), comparison.p
        )
    return Comparison(Figure(-figure.value, -figure.high, -figure.low), comparison.p)


def holm(ps: Iterable[float | None]) -> list[float | None]:
    """Adjust for looking at many differences at once (S. Holm, 1979); `None` stays `None`."""
    listed = list(ps)
    known = sorted((p, place) for place, p in enumerate(listed) if p is not None)
    adjusted: list[float | None] = [None] * len(listed)
    largest = 0.0
    for rank, (p, place) in enumerate(known):
        largest = max(largest, min(1.0, p * (len(known) - rank)))
        adjusted[place] = largest
    return adjusted


def _ranks(
    used: dict[str, Estimate], differences: Sequence[Difference], level: float
) -> dict[str, tuple[int, int]]:
    """For each agent the ranks left open by the differences that hold after adjustment.

    A difference that cannot be tested stays open.

    With the stated chance all of these hold at once (M. Mogstad, J. Romano, A. Shaikh,
    D. Wilhelm 2024: ranks from simultaneous tests of all differences).
    """
    if not any(one.adjusted_p is not None for one in differences):
        return {}
    above = dict.fromkeys(used, 0)
    below = dict.fromkeys(used, 0)
    for one in differences:
        if one.adjusted_p is not None and one.adjusted_p < 1 - level + 1e-15:
            above[one.second] += 1
            below[one.first] += 1
    return {agent: (1 + above[agent], len(used) - below[agent]) for agent in used}


def labels_of_run(verdicts: Iterable[Judged]) -> tuple[Label, ...]:
    """Verdicts of a better judge as readings: a sample by an expensive judge corrects a cheap one.

    They are of kind `model` and bear the judge's name.
    """
    return tuple(
        Label(
            submission=one.submission,
            sau=one.sau,
            annotator=one.judge,
            kind="model",
            level=Level(one.level),
            drift=one.drift,
            failure=one.failure,
        )
        for one in verdicts
        if one.level is not None
    )
