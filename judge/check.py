"""`judge check`: one repository against its claims, as a linter: findings with their lines.

Nothing is written into the repository. The embedded judge works in this process and leaves nothing
behind; any other judge is asked by a run of its own in a folder that is gone afterwards, its
answers kept in the cache that its configuration names.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmark import Dimension, InputError, Paper, Sau, Submission, Where
from judge.check_other_paper import other_paper_hint
from judge.check_sight import ALL_READ, Sight, look
from judge.figures import Summary
from judge.models import JudgeSettings, make_judge
from judge.preparing import Asked, Context, Job, prepare
from judge.progress import Reporter
from judge.protocol import LocalJudge
from judge.records import SubmissionNote
from judge.summary import summarise
from judge.tally import judge_name
from judge.verdict import Citation, QuoteState, Status, Verdict
from judge.versions import code_hash
from prompts.render import VERSIONS
from retrieval.evidence import RetrievalSettings
from retrieval.reading import ReadLimits

__all__ = [
    "AGENT",
    "BELOW",
    "NO_VERDICT",
    "Finding",
    "Place",
    "Report",
    "check_repository",
    "refuse_inside",
    "report_of",
]

AGENT = "checked"
BELOW, NO_VERDICT = 1, 3
"""Exit codes: the mean is below what was asked for; some claim has no verdict, none has a level, or
code was not read."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a finding is shown.

    Attributes:
        path: The file, relative to the repository; `.` where the repository has none.
        first: Its first line, from 1.
        last: Its last line.
        quote: The lines; empty where they are not cited.
        cited: The judge's verdict stands on these lines; else they are only the nearest ones.
    """

    path: str
    first: int
    last: int
    quote: str = ""
    cited: bool = True


@dataclass(frozen=True, slots=True)
class Finding:
    """One claim and where to look: of a report's `findings`, one that is not fully met.

    Attributes:
        sau: The claim.
        verdict: What the judge said.
        place: Where to look.
        others: Further lines that the verdict cites.
    """

    sau: Sau
    verdict: Verdict
    place: Place
    others: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What came of a check.

    Attributes:
        repository: The folder as the user named it.
        paper: The claims.
        judge: Who judged, as tables show it.
        provider: As in a verdict's provenance.
        verdicts: One a claim, in the claims' order.
        findings: The claims that are not fully met or could not be decided, worst first, then by
            place.
        met: The claims that are met, by place.
        summary: Counts and means.
        note: How the repository was read.
        sight: Which code and configuration could not be read, or not whole.
        stopped: Why a judge was not asked to the end; empty where it was.
        stop_code: The exit code that goes with it.
        cost_usd: What was spent; `None` where a price is not known.
        remarks: What the judge has to say at the end, as what waits for an answer and where.
    """

    repository: Path
    paper: Paper
    judge: str
    provider: str
    verdicts: tuple[Verdict, ...]
    findings: tuple[Finding, ...]
    summary: Summary
    note: SubmissionNote | None
    sight: Sight = ALL_READ
    stopped: str = ""
    stop_code: int = 0
    cost_usd: float | None = 0.0
    remarks: tuple[str, ...] = ()
    met: tuple[Finding, ...] = ()

    @property
    def score(self) -> float | None:
        """The mean of the dimensions' means; `None` where nothing is graded."""
        return self.summary.all.mean_of_dimension_means.value

    def exit_code(self, fail_under: float | None) -> int:
        """How a check ends; a claim without a verdict, or code unread, is never taken for a pass.

        Args:
            fail_under: The least score that is accepted; `None`: whatever comes is reported.
        """
        if self.stop_code:
            return self.stop_code
        counts = self.summary.all.counts
        if counts.error or counts.missing or self.score is None or self.sight.unread:
            return NO_VERDICT
        # A hair's breadth for sums of quarters: .75 is not below .75.
        return BELOW if fail_under is not None and self.score < fail_under - 1e-9 else 0


def check_repository(
    repository: Path,
    paper: Paper,
    *,
    config: Path | None = None,
    exclude: Sequence[str] = (),
    reporter: Reporter | None = None,
) -> Report:
    """Check a repository against claims.

    Args:
        repository: Its folder.
        paper: The claims.
        config: A run's configuration, for its judge and what goes into its questions; `None` is
            the embedded judge.
        exclude: What is not the repository's code, in `.gitignore` style.
        reporter: Who is told how it goes where a judge is asked over a wire.

    Raises:
        InputError: There is no such folder, no code in it, or the configuration is wrong.
    """
    if not repository.is_dir():
        is_file = repository.is_file()
        raise InputError(
            "this is a file, and a folder is wanted" if is_file else "there is no such folder",
            where=Where(str(repository)),
            remedy="Give the folder that holds the repository" if is_file else "Correct the path",
        )
    name = repository.resolve().name or "repository"
    submission = Submission(name, AGENT, paper.id, repository, exclude=tuple(exclude))
    if config is None:
        report = _here(repository, paper, submission)
    else:
        # What a run over a wire needs is loaded where it is wanted: a linter is to be quick.
        from judge.check_asking import asked  # noqa: PLC0415

        report = asked(repository, paper, submission, config, reporter)
    hint = other_paper_hint(repository, paper, report.verdicts, exclude=exclude)
    return replace(report, remarks=(*report.remarks, hint)) if hint else report


def _here(repository: Path, paper: Paper, submission: Submission) -> Report:
    limits = ReadLimits()
    sight = look(repository, submission.exclude, limits)
    judge = make_judge(JudgeSettings("embedded"))
    assert isinstance(judge, LocalJudge)
    context = Context(
        asked=Asked(judge.name, judge.provider, judge.model, dict(judge.identity())),
        local=judge,
        retrieval=RetrievalSettings(),
        limits=limits,
        prompt_version=VERSIONS[-1],
        code=code_hash(),
    )
    prepared = prepare(context, Job(submission, paper.saus, {}))
    verdicts = [Verdict.model_validate_json(line) for _, line in prepared.verdicts]
    return report_of(repository, paper, submission, verdicts, prepared.note, sight=sight)


def refuse_inside(path: Path, repository: Path, where: Where) -> None:
    """Refuse to write into the repository: it would be graded as its code the next time.

    Raises:
        InputError: The path lies in it.
    """
    real = Path(os.path.realpath(path))
    if Path(os.path.realpath(repository)) in (real, *real.parents):
        raise InputError(
            f"{path} lies inside of a graded repository, and would be read as its code",
            where=where,
            remedy=f"Choose a place outside of {repository}",
        )


def report_of(
    repository: Path,
    paper: Paper,
    submission: Submission,
    verdicts: Sequence[Verdict],
    note: SubmissionNote | None,
    *,
    sight: Sight = ALL_READ,
) -> Report:
    """Put a report together.

    Args:
        repository: The folder as the user named it.
        paper: The claims.
        submission: What the verdicts are about.
        verdicts: The verdicts, in any order.
        note: How the repository was read, where that is known.
        sight: Which code could not be read.
    """
    saus = {sau.id: sau for sau in paper.saus}
    by_claim = {verdict.sau: verdict for verdict in verdicts}
    ordered = tuple(by_claim[sau.id] for sau in paper.saus if sau.id in by_claim)
    judges = sorted({judge_name(one) for one in ordered if one.status is not Status.ERROR})
    judges = judges or sorted({one.provenance.judge for one in ordered})
    providers = {one.provenance.provider for one in ordered}
    told = sorted((_finding(saus[one.sau], one) for one in ordered), key=_rank)
    return Report(
        repository=repository,
        paper=paper,
        judge=", ".join(judges) or "none",
        provider=providers.pop() if len(providers) == 1 else "",
        verdicts=ordered,
        findings=tuple(one for one in told if one.verdict.level != 4),
        met=tuple(one for one in told if one.verdict.level == 4),
        summary=summarise(ordered, saus, (submission,)),
        note=note,
        sight=sight,
    )


def _finding(sau: Sau, verdict: Verdict) -> Finding:
    cited = [one for one in verdict.citations if one.state is not QuoteState.NOT_FOUND]
    places = [_place(one) for one in cited]
    if not places and verdict.evidence is not None:
        places = [
            Place(path, first, first, cited=False)
            for path, first, _ in verdict.evidence.passages[:1]
        ]
    first = places[0] if places else Place(".", 1, 1, cited=False)
    return Finding(sau, verdict, first, tuple(places[1:]))


def _place(citation: Citation) -> Place:
    return Place(citation.path, citation.first, citation.last, citation.quote)


def _rank(finding: Finding) -> tuple[object, ...]:
    """Worst first; what could not be decided after all that could."""
    verdict = finding.verdict
    order = {Status.GRADED: 0, Status.ABSTAINED: 1, Status.ERROR: 2}[verdict.status]
    place, dimensions = finding.place, list(Dimension)
    return (
        order,
        -1 if verdict.level is None else verdict.level,
        place.path,
        place.first,
        dimensions.index(finding.sau.dimension),
        finding.sau.id,
    )
