"""From a config to the claims and submissions it names, all checked before any work is done."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pathspec

from benchmark import Benchmark, Dimension, InputError, Sau, Submission, Where, claims_version
from benchmark.documents import Step, dotted, one_of
from benchmark.readers.claims import load_benchmark, select
from benchmark.readers.submissions import load_submissions
from judge.budget import capped
from judge.cascade_making import cascade_of
from judge.caution import is_alias, is_undated
from judge.config import JudgeSection, RunConfig
from judge.counting import counted
from judge.models import make_judge
from judge.models.anthropic import KEY_VARIABLE as ANTHROPIC_KEY
from judge.models.endpoint import NO_KEY
from judge.models.openai import DEFAULT_BASE_URL as OPENAI_URL
from judge.models.openai import KEY_VARIABLE as OPENAI_KEY
from judge.places import check_apart, check_writable
from judge.protocol import LocalJudge

__all__ = ["Inputs", "ValidationReport", "load_inputs", "validate"]


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a run is about.

    Attributes:
        benchmark: The claims that are graded.
        submissions: What was handed in, sorted by id.
        versions: Of each paper, the version of all its claims, also of those that the choice of
            dimensions leaves out.
        among: Of a paper of which single claims were taken, all those that they are asked among:
            a question is the one that it would be were all of them asked.
    """

    benchmark: Benchmark
    submissions: tuple[Submission, ...]
    versions: Mapping[str, str] = field(default_factory=dict)
    among: Mapping[str, tuple[Sau, ...]] = field(default_factory=dict)

    @property
    def pairs(self) -> int:
        """Questions: one for each claim of each submission."""
        claims = {paper.id: len(paper.saus) for paper in self.benchmark.papers}
        return sum(claims[submission.paper] for submission in self.submissions)


def load_inputs(config: RunConfig) -> Inputs:
    """Read and check the claims and the submissions that a config names.

    Raises:
        InputError: The first thing that is wrong with either, or a folder that the run writes to
            lies in a submission.
    """
    try:
        whole = _benchmark(config)
        submissions = _submissions(config, whole)
    except OSError as error:
        raise InputError(
            f"this cannot be read ({error.strerror or error})",
            where=Where(str(error.filename or config.file)),
            remedy="Correct the path, or mend its permissions",
        ) from None
    check_apart(config, submissions)
    benchmark = select(
        whole,
        dimensions=config.benchmark.dimensions,
        where=config.where("benchmark", "dimensions"),
    )
    return Inputs(benchmark, submissions, {paper.id: paper.version for paper in whole.papers})


def _benchmark(config: RunConfig) -> Benchmark:
    section = config.benchmark
    _require(config, section.path, "benchmark", "path")
    try:
        return load_benchmark(
            section.path,
            format=section.format,
            papers=section.papers,
            name=section.name or ("suite" if section.is_suite else None),
        )
    except InputError as error:
        raise _moved(error, config, section.papers, "benchmark", "papers") from None


def _submissions(config: RunConfig, benchmark: Benchmark) -> tuple[Submission, ...]:
    section = config.submissions
    path = config.submissions_path
    if path is None:
        raise InputError(
            "submissions has neither path nor manifest",
            where=config.where("submissions"),
            remedy="Add one of the two",
        )
    key = "manifest" if section.manifest is not None else "path"
    _require(config, path, "submissions", key)
    try:
        return load_submissions(
            path,
            benchmark=benchmark,
            format="manifest" if section.manifest is not None else section.format,
            agents=section.agents,
            papers=section.papers or config.benchmark.papers,
            agent_name=section.agent_name,
            exclude=section.exclude,
            allow_outside=section.allow_outside,
            skip_unknown_papers=section.skip_unknown_papers,
        )
    except InputError as error:
        error = _moved(error, config, section.papers, "submissions", "papers")
        raise _moved(error, config, section.agents, "submissions", "agents") from None


def _require(config: RunConfig, path: Path, *keys: Step) -> None:
    if not path.exists():
        raise InputError(
            f"there is no folder or file {path}",
            where=config.where(*keys),
            remedy="Correct the path; it is relative to the config file",
        )


def _moved(
    error: InputError, config: RunConfig, names: tuple[str, ...] | None, *keys: str
) -> InputError:
    """The error with the config's line, where it is about a name that stands in the config."""
    if error.where.key not in (names or ()):
        return error
    return InputError(error.problem, where=config.where(*keys), remedy=error.remedy)


@dataclass(frozen=True, slots=True)
class ValidationReport:
    """What a run would be about.

    Attributes:
        inputs: The claims and submissions.
        lines: The report.
        warnings: What deserves a look and stops nothing.
    """

    inputs: Inputs
    lines: tuple[str, ...]
    warnings: tuple[str, ...]

    def __str__(self) -> str:
        """The report as text, warnings last."""
        warnings = [f"warning: {warning}" for warning in self.warnings]
        return "\n".join([*self.lines, *([""] if warnings else []), *warnings])


def validate(config: RunConfig, *, environ: Mapping[str, str] | None = None) -> ValidationReport:
    """Read all that a run needs, send nothing, leave nothing behind, and say what was found.

    Args:
        config: The config.
        environ: In place of `os.environ`; only whether the key's variable is set is looked at.

    Raises:
        InputError: A run would stop at once.
    """
    inputs = load_inputs(config)
    _check_judge(config)
    check_writable(config)
    warnings = [
        *_judge_warnings(config, os.environ if environ is None else environ),
        *_gaps(inputs),
        *_unread(inputs),
    ]
    return ValidationReport(inputs, tuple(_report(config, inputs)), tuple(warnings))


def _check_judge(config: RunConfig) -> None:
    """Make the judge without its key, so that its own checks are heard now."""
    if config.judge.kind == "embedded":
        return
    for at, one in _askers(config):
        for key in ("script", "prices"):
            path = getattr(one, key)
            if path is not None:
                _require(config, path, *at, key)
    try:
        judge = make_judge(config.judge.settings(), need_key=False)
        if not isinstance(judge, LocalJudge):
            capped(judge, config.max_cost)
        cascade_of(config)
    except InputError as error:
        if error.where.path != "config":
            raise
        keys = (error.where.key or "judge").split(".")
        raise InputError(error.problem, where=config.where(*keys), remedy=error.remedy) from None


def _judge_warnings(config: RunConfig, environ: Mapping[str, str]) -> Iterator[str]:
    for at, judge in _askers(config):
        usual = {"openai": OPENAI_KEY, "anthropic": ANTHROPIC_KEY}.get(judge.kind)
        name = judge.api_key_env or usual
        if name and name != NO_KEY and not environ.get(name):
            yield (
                f"the environment variable {name} is not set: without it `judge run` asks "
                f"nothing and exits with 2. Set it, or write {dotted(at)}.api_key_env: none for a "
                "server that wants no key"
            )
        dated = judge.kind == "openai" and judge.base_url in {None, OPENAI_URL}
        if judge.model and (is_alias(judge.model) or (dated and is_undated(judge.model))):
            yield f"the model {judge.model} is an alias that may change: name a dated one"


def _askers(config: RunConfig) -> Iterator[tuple[tuple[Step, ...], JudgeSection]]:
    """Whoever is asked, with the keys that lead there: the judge, or the members of a panel."""
    asked = config.judge.asked
    at: tuple[Step, ...] = ("judge",) if asked is config.judge else ("judge", "then")
    if asked.members is None:
        yield at, asked
        return
    for number, member in enumerate(asked.members):
        yield (*at, "members", number), member


def _gaps(inputs: Inputs) -> Iterator[str]:
    """Papers without submissions, and agents that lack a paper which others have."""
    by_agent: dict[str, set[str]] = {}
    for submission in inputs.submissions:
        by_agent.setdefault(submission.agent, set()).add(submission.paper)
    handed_in = set().union(*by_agent.values())
    for paper in inputs.benchmark.papers:
        if paper.id not in handed_in:
            yield f"no submission for the paper {paper.id}"
        elif not paper.saus:
            yield f"no claim of the chosen dimensions for the paper {paper.id}"
    for agent in sorted(by_agent):
        missing = sorted(handed_in - by_agent[agent])
        if missing:
            yield (
                f"{agent} has no submission for {one_of(missing)}: its means are over fewer papers"
            )


def _unread(inputs: Inputs) -> Iterator[str]:
    """Submissions that cannot be read, and those in which there is nothing."""
    for submission in inputs.submissions:
        try:
            with os.scandir(submission.root) as entries:
                any(entries)
        except OSError as error:
            yield (
                f"{submission.id} cannot be read ({error.strerror}): its claims will be errors; "
                f"check the permissions of {submission.root}"
            )
            continue
        if not _has_file(submission):
            yield f"{submission.id} is empty: nothing to read in {submission.root}"


def _has_file(submission: Submission) -> bool:
    """Whether a file of any length is there, excluded ones apart; links are not followed."""
    spec = pathspec.GitIgnoreSpec.from_lines(submission.exclude)
    for folder, folders, files in os.walk(submission.root):
        folders.sort()
        base = Path(folder).relative_to(submission.root)
        for name in files:
            try:
                length = (Path(folder) / name).lstat().st_size
            except OSError:
                length = 1  # it is there, whatever it is
            if length and not spec.match_file((base / name).as_posix()):
                return True
    return False


def _report(config: RunConfig, inputs: Inputs) -> Iterator[str]:
    benchmark = inputs.benchmark
    axes = Counter(sau.dimension for sau in benchmark.saus)
    agents = Counter(submission.agent for submission in inputs.submissions)
    claims = {paper.id: len(paper.saus) for paper in benchmark.papers}
    per_paper = Counter(submission.paper for submission in inputs.submissions)
    yield (
        f"benchmark    {benchmark.name}: {counted(len(benchmark.papers), 'paper')}, "
        f"{counted(len(benchmark.saus), 'claim')} "
        f"({', '.join(f'{axis.value} {axes[axis]:,}' for axis in Dimension)}), "
        f"version {claims_version(benchmark.saus)}"
    )
    yield (
        f"submissions  {len(inputs.submissions):,} by {counted(len(agents), 'agent')}, "
        f"{counted(inputs.pairs, 'question')}"
    )
    asked = config.judge.asked
    models = [one.model or one.kind for one in asked.members or ()] or [asked.model or ""]
    model = f" of {', '.join(models)}" if asked.members else f" {models[0]}".rstrip()
    first = "" if asked is config.judge else "cascade: embedded, then "
    yield f"judge        {first}{asked.kind}{model}"
    yield f"output       {config.output.path}"
    yield ""
    rows: list[tuple[str, ...]] = [("agent", "submissions", "questions")]
    for agent in sorted(agents):
        mine = [claims[s.paper] for s in inputs.submissions if s.agent == agent]
        rows.append((agent, f"{agents[agent]:,}", f"{sum(mine):,}"))
    yield from _table(rows)
    yield ""
    head = ("paper", "submissions", "claims", *(axis.value for axis in Dimension), "version")
    body = []
    for paper in benchmark.papers:
        own = Counter(sau.dimension for sau in paper.saus)
        body.append(
            (
                paper.id,
                f"{per_paper[paper.id]:,}",
                f"{len(paper.saus):,}",
                *(f"{own[axis]:,}" for axis in Dimension),
                inputs.versions[paper.id],
            )
        )
    yield from _table([head, *body])


def _table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    """Rows in columns: the first to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        yield "  ".join(cells).rstrip()
