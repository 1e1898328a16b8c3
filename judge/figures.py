"""What a summary holds: means that say their n, counts that add up, and who judged.

The words are the same in `summary.json`, in reports and in the terminal.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from benchmark import Dimension
from judge.cascade_figures import CascadeFigures
from judge.intervals import LEVEL

__all__ = [
    "AgentSummary",
    "Counts",
    "Group",
    "JudgeUse",
    "Levels",
    "Mean",
    "MemberFigures",
    "Method",
    "PanelFigures",
    "PaperSummary",
    "Repeats",
    "Spread",
    "SubmissionSummary",
    "Summary",
]

Levels = tuple[int, int, int, int, int]
"""How many graded verdicts there are at level 0, 1, 2, 3 and 4."""


class _Figures(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Mean(_Figures):
    """A mean and how far other papers might move it.

    Attributes:
        value: Between 0 and 1; `None` where nothing is graded.
        n: Graded verdicts in it.
        papers: Papers in it.
        low: Lower end of the interval, `None` where there is none.
        high: Upper end.
        no_interval: Why there is no interval; empty where there is one.
    """

    value: float | None
    n: int
    papers: int
    low: float | None = None
    high: float | None = None
    no_interval: str = ""


class Counts(_Figures):
    """What became of the questions: expected = graded + abstained + error + missing."""

    expected: int = 0
    graded: int = 0
    abstained: int = 0
    error: int = 0
    missing: int = 0

    @property
    def coverage(self) -> float | None:
        """Graded share of what was expected; `None` where nothing was."""
        return self.graded / self.expected if self.expected else None


class Group(_Figures):
    """The figures of any set of verdicts.

    Attributes:
        counts: What became of the questions.
        coverage: Graded share of what was expected.
        mean_of_dimension_means: See the module. For one dimension alone: the mean of papers' means.
        mean_over_saus: See the module.
        levels: Graded verdicts at level 0, 1, 2, 3 and 4.
        failures: Graded verdicts by failure; foreign ones without are under `not_given`.
        drifts: The same by drift.
        judges: Verdicts by judge, as `Summary.judges` names them.
    """

    counts: Counts
    coverage: float | None
    mean_of_dimension_means: Mean
    mean_over_saus: Mean
    levels: Levels
    failures: dict[str, int]
    drifts: dict[str, int]
    judges: dict[str, int]


class AgentSummary(_Figures):
    """One agent.

    Attributes:
        agent: Its name.
        rank: By `mean_of_dimension_means`, from 1; equals share the better one. `None` where
            nothing is graded.
        rank_low: Best rank over the bootstrap's draws (95 %); `None` where the agents were not
            all graded on the same papers, or on fewer than an interval takes.
        rank_high: Worst rank over the draws.
        all: All its verdicts.
        dimensions: By dimension.
    """

    agent: str
    rank: int | None
    rank_low: int | None = None
    rank_high: int | None = None
    all: Group
    dimensions: dict[Dimension, Group]


class PaperSummary(_Figures):
    """One paper over all agents."""

    paper: str
    saus: int
    all: Group
    dimensions: dict[Dimension, Mean]


class SubmissionSummary(_Figures):
    """One (agent, paper) repository."""

    submission: str
    agent: str
    paper: str
    all: Group
    dimensions: dict[Dimension, Mean]


class Spread(_Figures):
    """How the submissions' `mean_of_dimension_means` are spread."""

    n: int
    mean: float | None = None
    median: float | None = None
    low: float | None = None
    high: float | None = None


class JudgeUse(_Figures):
    """One judge in the table, and how it used the scale.

    Attributes:
        name: The judge, with the model that really answered where that is another name.
        judge: The judge's name.
        provider: As in the verdicts' provenance.
        model_returned: The model as the provider named it.
        verdicts: Graded and abstained verdicts by it.
        submissions: Submissions with at least one.
        agents: How many submissions it judged of each agent.
        levels: Its graded verdicts by level.
    """

    name: str
    judge: str
    provider: str
    model_returned: str | None
    verdicts: int
    submissions: int
    agents: dict[str, int]
    levels: Levels


class Repeats(_Figures):
    """How answers to the same question differ, where questions were asked more than once.

    Attributes:
        pairs: Verdicts that stand on more than one answer.
        flipped: Those among them whose answers do not all say the same.
        flip_rate: Their share; `None` where there are none.
        mean_range: Mean distance of the highest from the lowest level, in levels of 0 to 4, over
            the verdicts with two levels or more; `None` where there are none.
    """

    pairs: int = 0
    flipped: int = 0
    flip_rate: float | None = None
    mean_range: float | None = None


class MemberFigures(_Figures):
    """One member of a panel.

    Attributes:
        name: The judge's name.
        graded: Questions that it gave a level to.
        abstained: Questions that it gave none to.
        errors: Questions that it has no answer to.
        agreement: Share of its levels that are the panel's; `None` where there are none.
        mean_difference: Mean of its level less the panel's, in levels; `None` where there are none.
    """

    name: str
    graded: int
    abstained: int
    errors: int
    agreement: float | None = None
    mean_difference: float | None = None


class PanelFigures(_Figures):
    """How the members of panels differ.

    Attributes:
        verdicts: Verdicts of panels.
        split: Those among them whose members do not all say the same.
        disagreement_rate: Their share; `None` where there are none.
        mean_range: Mean distance of the highest from the lowest level, over the verdicts with two
            levels or more; `None` where there are none.
        members: Each member.
    """

    verdicts: int = 0
    split: int = 0
    disagreement_rate: float | None = None
    mean_range: float | None = None
    members: list[MemberFigures] = []


class Method(_Figures):
    """How the intervals were made."""

    interval: str
    level: float = LEVEL
    draws: int
    seed: int


class Summary(_Figures):
    """All figures of a run, as `summary.json` holds them.

    Attributes:
        incomplete: There are errors or missing verdicts: figures may move when they are filled.
        incomplete_because: The reasons, as sentences.
        mixed_judges: More than one judge is in the table: its rows do not compare as they stand.
        mixed_because: Who was judged by whom, as sentences; empty where one judge did it all.
        remarks: What else to know of the levels, as that they are foreseen; a sentence each.
        fitted_papers: Of the built-in suite, the papers on whose submissions the embedded judge was
            fitted; empty for anything else.
        judges: Every judge and its use of the scale.
        all: Everything.
        dimensions: By dimension.
        agents: Best first.
        papers: By id.
        submissions: By agent and paper.
        spread: Over submissions.
        drift_by_dimension: Graded verdicts by claim's dimension and drift found.
        failure_by_dimension: The same by failure.
        reasons: Errors and abstentions by status and short code (`error: timeout`).
        flags: Verdicts by flag.
        quotes: Citations by state.
        repeats: How answers of one judge to the same question differ.
        panel: How the members of panels differ.
        cascade: Who answered in a cascade, and whether its bound held; `None` without one.
        method: How the intervals were made.
    """

    format: Literal[1] = 1
    incomplete: bool
    incomplete_because: list[str]
    mixed_judges: bool
    mixed_because: list[str]
    remarks: list[str] = []
    fitted_papers: list[str] = []
    judges: list[JudgeUse]
    all: Group
    dimensions: dict[Dimension, Group]
    agents: list[AgentSummary]
    papers: list[PaperSummary]
    submissions: list[SubmissionSummary]
    spread: Spread
    drift_by_dimension: dict[Dimension, dict[str, int]]
    failure_by_dimension: dict[Dimension, dict[str, int]]
    reasons: dict[str, int]
    flags: dict[str, int]
    quotes: dict[str, int]
    repeats: Repeats = Repeats()
    panel: PanelFigures = PanelFigures()
    cascade: CascadeFigures | None = None
    method: Method
