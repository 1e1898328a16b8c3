"""Print how often intervals hold the truth on made data in the shape of SA-Bench; no test.

python -m tests.benchmarks.coverage [--worlds 1000] [--only PART]

PART is agreement, passes, scores, fixed, sampled, promises or agents.

Nominal is .95; a line is marked where it falls outside .93 to .97. Each figure's own sampling
error is about .007 at 1,000 worlds. `refused` is the share of worlds in which the estimator said
that it cannot, or gave a number without an interval: an honest answer, and not counted as a miss.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from benchmark import Dimension, InputError, Label, Level
from calibration.conformal import (
    LOSSES,
    answers,
    conformal_limit,
    fit_rule,
    needed_mass,
    prediction_sets,
    risks,
)
from calibration.correction import ppi_mean, raw_mean
from calibration.crosstabs import Floats, cluster_tables
from calibration.estimates import Estimate
from calibration.figures import Figure
from calibration.fixed import fixed_difference, fixed_ppi_mean
from calibration.joining import Judged
from calibration.matching import ordinal_figures, rates_at, split_at
from calibration.measures import BINARY, ORDINAL, PASSING
from calibration.ordinal import fit_ordinal
from calibration.passes import rogan_gladen
from calibration.resampling import Setting, figure_of
from calibration.samples import Sample, sample_of
from calibration.sampling import draw_sample
from calibration.scores import score_agents
from judge.verdict import Status
from tests.benchmarks.drawing import SHARES, World

SHAPES = ((30, 50), (8, 13))
"""Papers and labelled claims a paper for agreement: SA-Bench's, and about a hundred labels."""

SCORED = ((30, 50, 300), (30, 50, 100), (8, 50, 100))
"""Papers, claims a paper, labels for scores."""

WORLDS = (World(), World(shared=0.5, skill=0.85))


def tables_of(
    truth: npt.NDArray[np.int64], judge: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    papers, claims = truth.shape
    clusters = np.repeat(np.arange(papers), claims)
    return cluster_tables(judge.ravel(), truth.ravel(), clusters, shape=(5, 5), count=papers)


def line(what: str, held: list[bool], refused: int, widths: list[float]) -> None:
    share = float(np.mean(held)) if held else float("nan")
    total = len(held) + refused
    mark = "" if not held or 0.93 <= share <= 0.97 else "  <- outside .93 to .97"
    width = float(np.mean(widths)) if widths else float("nan")
    print(f"  {what:38s} {share:.3f}  half-width {width:.3f}  refused {refused / total:.2f}{mark}")


def agreement(worlds: int) -> None:
    for world in WORLDS:
        big = tables_of(*world.draw(np.random.default_rng(7), 60_000, 25)).sum(0)
        truth = {one.name: float(one.function(big)) for one in ORDINAL}
        for papers, claims in SHAPES:
            print(f"agreement, {papers} papers x {claims} claims, {world}")
            for method, draws in (("jackknife", 0), ("bootstrap", 500), ("naive", 500)):
                setting = Setting(method=method, draws=draws)
                generator = np.random.default_rng(11)
                held: dict[str, list[bool]] = {name: [] for name in truth}
                widths: dict[str, list[float]] = {name: [] for name in truth}
                refused = dict.fromkeys(truth, 0)
                for _ in range(worlds if method == "jackknife" else min(worlds, 400)):
                    figures = ordinal_figures(
                        tables_of(*world.draw(generator, papers, claims)), setting
                    )
                    for name, figure in figures.items():
                        if not isinstance(figure, Figure) or figure.low is None:
                            refused[name] += 1
                            continue
                        held[name].append(figure.low <= truth[name] <= (figure.high or 0.0))
                        widths[name].append(figure.half_width or 0.0)
                for name in truth:
                    line(f"{method} {name}", held[name], refused[name], widths[name])


def passes(worlds: int) -> None:
    """A judge of levels against labels of pass or fail: AUC, and what is measured at a cut."""
    measures = [*PASSING, *BINARY]

    def tables(truth: npt.NDArray[np.int64], judge: npt.NDArray[np.int64]) -> dict[str, Floats]:
        papers, claims = truth.shape
        clusters = np.repeat(np.arange(papers), claims)
        passed = (truth.ravel() >= 2).astype(np.int64)
        whole = cluster_tables(judge.ravel(), passed, clusters, shape=(5, 2), count=papers)
        at_cut = split_at(whole, 2)
        return {one.name: whole if one in PASSING else at_cut for one in measures}

    for world in WORLDS:
        big = tables(*world.draw(np.random.default_rng(7), 60_000, 25))
        truth = {one.name: float(one.function(big[one.name].sum(0))) for one in measures}
        for name, figure in rates_at(big["auc"], 2, 1, Setting(), 60_000 * 25).items():
            assert isinstance(figure, Figure)
            truth[name] = figure.value
        for papers, claims in SHAPES:
            print(f"pass or fail, {papers} papers x {claims} claims, {world}")
            generator = np.random.default_rng(31)
            held: dict[str, list[bool]] = {name: [] for name in truth}
            widths: dict[str, list[float]] = {name: [] for name in truth}
            refused = dict.fromkeys(truth, 0)
            for _ in range(worlds):
                found = tables(*world.draw(generator, papers, claims))
                figures = {
                    one.name: figure_of(one, found[one.name], Setting()) for one in measures
                } | rates_at(found["auc"], 2, 1, Setting(), papers * claims)
                for name, figure in figures.items():
                    if not isinstance(figure, Figure) or figure.low is None:
                        refused[name] += 1
                        continue
                    held[name].append(figure.low <= truth[name] <= (figure.high or 0.0))
                    widths[name].append(figure.half_width or 0.0)
            for name in truth:
                line(f"jackknife {name}", held[name], refused[name], widths[name])


def scores(worlds: int) -> None:
    for world in WORLDS:
        levels = world.draw(np.random.default_rng(7), 60_000, 25)[0]
        for papers, claims, labels in SCORED:
            print(f"scores, {papers} papers x {claims} claims, {labels} labels, {world}")
            for cut, method, name in (
                (0, raw_mean, "the judge's mean, uncorrected"),
                (0, lambda one: ppi_mean(one, weight=0.0), "mean of the labels alone"),
                (0, ppi_mean, "ppi++"),
                (2, ppi_mean, "ppi++, share at level 2 or above"),
                (2, rogan_gladen, "rogan-gladen, level 2 or above"),
            ):
                target = float((levels >= cut).mean() if cut else levels.mean() / 4)
                shape = papers, claims, labels
                found = trial(worlds, world, shape, cut=cut, target=target, method=method)
                line(name, *found)


def trial(
    worlds: int,
    world: World,
    shape: tuple[int, int, int],
    *,
    cut: int,
    target: float,
    method: Callable[[Sample], Estimate],
) -> tuple[list[bool], int, list[float]]:
    generator = np.random.default_rng(13)
    held: list[bool] = []
    widths: list[float] = []
    refused = 0
    for _ in range(worlds):
        sample, _truth = drawn(generator, world, shape, cut)
        try:
            figure = method(sample).figure
        except InputError:
            refused += 1
            continue
        assert figure.low is not None
        assert figure.high is not None
        held.append(figure.low <= target <= figure.high)
        widths.append(figure.half_width or 0.0)
    return held, refused, widths


FIXED = ((30, 50, 300), (30, 50, 100), (8, 50, 100), (30, 50, 50))
"""Papers, claims a paper, labels for scores of these papers alone."""


def fixed(worlds: int) -> None:
    """Means over a world's own papers: the target is what these claims really have."""
    for world in WORLDS:
        for papers, claims, labels in FIXED:
            print(f"papers fixed, {papers} papers x {claims} claims, {labels} labels, {world}")
            for cut, weight, name in (
                (0, 0.0, "mean of the labels alone"),
                (0, None, "ppi++"),
                (2, None, "ppi++, share at level 2 or above"),
            ):
                generator = np.random.default_rng(13)
                held: list[bool] = []
                widths: list[float] = []
                refused = 0
                for _ in range(worlds):
                    one, truth = drawn(generator, world, (papers, claims, labels), cut)
                    try:
                        figure = fixed_ppi_mean(one, weight=weight).figure
                    except InputError:
                        refused += 1
                        continue
                    assert figure.low is not None
                    assert figure.high is not None
                    held.append(figure.low - 1e-9 <= truth.mean() <= figure.high + 1e-9)
                    widths.append(figure.half_width or 0.0)
                line(name, held, refused, widths)
        for together in (False, True):
            found = fixed_differences(worlds, world, together=together)
            how = "the same claims labelled" if together else "each with claims of its own"
            line(f"difference of two agents, {how}", *found)


def fixed_differences(
    worlds: int, world: World, *, together: bool
) -> tuple[list[bool], int, list[float]]:
    """Two agents whose truth and errors go together by claim, 150 labels of 1,500 each."""
    generator = np.random.default_rng(19)
    held: list[bool] = []
    widths: list[float] = []
    refused = 0
    for _ in range(worlds):
        one, first = drawn(generator, world, (30, 50, 150), 0)
        alike = generator.random(first.size) < 0.6  # claims on which the second does the same
        other, second = drawn(generator, world, (30, 50, 150), 0)
        labelled = one.labelled if together else other.labelled
        second = np.where(alike, first, second)
        word = np.where(alike, one.predicted, other.predicted)
        two = replace(one, predicted=word, truth=np.where(labelled, second, 0.0), labelled=labelled)
        try:
            figure = fixed_difference(fixed_ppi_mean(one), fixed_ppi_mean(two), 0.95).difference
        except InputError:
            refused += 1
            continue
        assert isinstance(figure, Figure)
        assert figure.low is not None
        assert figure.high is not None
        held.append(figure.low <= first.mean() - second.mean() <= figure.high)
        widths.append(figure.half_width or 0.0)
    return held, refused, widths


def drawn(
    generator: np.random.Generator, world: World, shape: tuple[int, int, int], cut: int
) -> tuple[Sample, npt.NDArray[np.float64]]:
    """A world as a sample with labels drawn claim by claim, and the truth of every claim."""
    papers, claims, labels = shape
    truth, judge = (one.ravel() for one in world.draw(generator, papers, claims))
    labelled = np.zeros(truth.size, dtype=bool)
    labelled[generator.choice(truth.size, labels, replace=False)] = True
    true = (truth >= cut).astype(float) if cut else truth / 4
    word = (judge >= cut).astype(float) if cut else judge / 4
    clusters = np.repeat(np.arange(papers), claims)
    names = tuple(map(str, range(papers)))
    sample = Sample(
        word, np.where(labelled, true, 0.0), labelled, np.ones(truth.size), clusters, names,
        tuple((names[paper], str(place)) for place, paper in enumerate(clusters)),
    )  # fmt: skip
    return sample, true


def sampled(worlds: int) -> None:
    """Labels drawn as `judge labels sample` draws them, with its weights."""
    dimensions, levels = list(Dimension), list(Level)
    for world in WORLDS:
        general = float(world.draw(np.random.default_rng(7), 60_000, 25)[0].mean() / 4)
        for papers, claims, labels in SCORED:
            print(f"drawn by labels sample, {papers} papers x {claims} claims, {labels} labels, "
                  f"{world}")  # fmt: skip
            generator = np.random.default_rng(3)
            held: dict[str, list[bool]] = {"sample": [], "fixed": []}
            widths: dict[str, list[float]] = {"sample": [], "fixed": []}
            refused = dict.fromkeys(held, 0)
            for seed in range(worlds):
                truth, judge = world.draw(generator, papers, claims)
                sure = generator.uniform(0.3, 0.95, truth.shape)
                verdicts = [
                    Judged(
                        f"a/p{paper}", f"p{paper}-{claim}", "a", f"p{paper}", dimensions[claim % 4],
                        "made", Status.GRADED, int(judge[paper, claim]),
                        confidence=float(sure[paper, claim]),
                    )
                    for paper in range(papers)
                    for claim in range(claims)
                ]  # fmt: skip
                read = []
                for one in draw_sample(verdicts, labels, seed=seed):
                    place = tuple(int(part) for part in one.verdict.sau[1:].split("-"))
                    read.append(
                        Label(*one.verdict.key, "ann", "person", levels[truth[place]], None, None,
                              weight=one.weight)
                    )  # fmt: skip
                sample = sample_of(verdicts, read)
                for name, method, target in (
                    ("sample", ppi_mean, general),
                    ("fixed", fixed_ppi_mean, float(truth.mean() / 4)),
                ):
                    try:
                        figure = method(sample).figure
                    except InputError:
                        refused[name] += 1
                        continue
                    assert figure.low is not None
                    assert figure.high is not None
                    held[name].append(figure.low <= target <= figure.high)
                    widths[name].append(figure.half_width or 0.0)
            for name, each in held.items():
                line(f"ppi++, papers {name}", each, refused[name], widths[name])


def agents(worlds: int) -> None:
    """Six agents that are equally good: how often any difference is said to hold."""
    for papers, claims, labels in ((30, 20, 60), (8, 25, 60)):
        print(f"6 equal agents, {papers} papers x {claims} claims, {labels} labels each")
        for correction in ("none", "ppi", "pooled"):
            generator = np.random.default_rng(17)
            wrong = refused = 0
            held: list[bool] = []
            widths: list[float] = []
            for _ in range(worlds):
                verdicts, read = made(generator, papers, claims, labels)
                report = score_agents(verdicts, read, correction=correction)
                wrong += any((one.adjusted_p or 1.0) < 0.05 for one in report.differences)
                for one in report.agents:
                    if isinstance(one.corrected, Estimate) and one.corrected.figure.low is not None:
                        figure = one.corrected.figure
                        held.append(figure.low <= MEAN <= (figure.high or 0.0))
                        widths.append(figure.half_width or 0.0)
                    else:
                        refused += 1
            print(f"  {correction}: some difference said to hold in {wrong / worlds:.3f}")
            if correction != "none":
                line(f"{correction}, each agent's mean", held, refused, widths)


MEAN = float(np.dot(SHARES, np.arange(5)) / 4)


def made(
    generator: np.random.Generator, papers: int, claims: int, labels: int
) -> tuple[list[Judged], list[Label]]:
    """Six agents on the same claims; a paper is as hard for all of them."""
    truth, judge = World().draw(generator, papers, claims * 6)
    verdicts, read = [], []
    for agent in range(6):
        chosen = set(generator.choice(papers * claims, labels, replace=False).tolist())
        for place in range(papers * claims):
            paper, claim = divmod(place, claims)
            where = f"a{agent}/p{paper}", f"p{paper}-{claim}"
            column = agent * claims + claim
            level = int(judge[paper, column])
            verdicts.append(
                Judged(*where, f"a{agent}", f"p{paper}", Dimension.D1, "made", Status.GRADED, level)
            )
            if place in chosen:
                true = Level(int(truth[paper, column]))
                read.append(Label(*where, "ann", "person", true, None, None))
    return verdicts, read


def promises(worlds: int) -> None:
    """What calibration promises: sets that hold the level, answers that keep to a risk."""
    for world in WORLDS:
        generator = np.random.default_rng(29)

        def seen(
            papers: int,
            claims: int,
            world: World = world,
            generator: np.random.Generator = generator,
        ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
            """True levels, and level and confidence of a judge that is surer where it is right."""
            truth, judge = (one.ravel() for one in world.draw(generator, papers, claims))
            sure = 1 - np.abs(truth - judge) * 0.2 + generator.normal(0, 0.25, truth.size)
            return truth, np.stack([(judge - 2) / 2, np.clip(sure, 0, 1) - 0.5], axis=1)

        truth, features = seen(20_000, 20)
        model = fit_ordinal(features[:20_000], truth[:20_000], np.ones(20_000))
        stated = model.distribution(features)
        apart = np.abs(truth - answers(stated))
        for papers, claims in ((8, 13), (30, 20)):
            clusters = np.repeat(np.arange(papers), claims)
            print(f"promises, {papers} papers x {claims} claims, {world}")
            inside = []
            limits: dict[tuple[str, float], list[float | None]] = {}
            for _ in range(worlds):
                levels, view = seen(papers, claims)
                own = model.distribution(view)
                needed = needed_mass(own)[np.arange(levels.size), levels]
                low, high = np.array(
                    prediction_sets(stated[:20_000], conformal_limit(needed, clusters, 0.8))
                ).T
                inside.append(float(((low <= truth[:20_000]) & (truth[:20_000] <= high)).mean()))
                for loss in LOSSES:
                    for accepted in (0.05, 0.1, 0.3):
                        rule = fit_rule(
                            own,
                            levels,
                            clusters,
                            np.ones(levels.size),
                            accepted=accepted,
                            loss=loss,
                        )
                        limits.setdefault((loss, accepted), []).append(rule.limit)
            print(f"  sets of 0.8 hold the level of new papers' claims in {np.mean(inside):.3f}")
            for (loss, accepted), found in limits.items():
                risk, lost = risks(stated, loss), apart >= (2 if loss == "off_by_two" else 1)
                order = np.argsort(risk)
                upto = np.cumsum(lost[order]) / np.arange(1, risk.size + 1)
                ends = [
                    int(np.searchsorted(risk[order], limit, "right")) - 1
                    for limit in found
                    if limit is not None
                ]
                broken = sum(upto[end] > accepted for end in ends) / worlds
                share = float(np.mean([(end + 1) / risk.size for end in ends])) if ends else 0.0
                print(
                    f"  risk {accepted} of {loss}: a rule in {len(ends) / worlds:.2f}, answers "
                    f"{share:.2f}, its true risk is above in {broken:.3f} (.05 is allowed)"
                )


MOST = {"agents": 300, "sampled": 600, "promises": 300}
"""Worlds at most, where each costs much."""


def main() -> None:
    """Read the command line, simulate and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--worlds", type=int, default=1000)
    parser.add_argument(
        "--only",
        choices=["agreement", "passes", "scores", "fixed", "sampled", "promises", "agents"],
    )
    options = parser.parse_args()
    for name, part in (
        ("agreement", agreement),
        ("passes", passes),
        ("scores", scores),
        ("fixed", fixed),
        ("sampled", sampled),
        ("promises", promises),
        ("agents", agents),
    ):
        if options.only in {None, name}:
            part(min(options.worlds, MOST.get(name, options.worlds)))


if __name__ == "__main__":
    main()
