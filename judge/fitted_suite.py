"""Which submissions of the built-in suite the embedded judge was fitted on, and which it never saw.

Its figures on the first are better than it deserves.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from benchmark import Sau
from judge.config_sections import SUITE_FOLDER
from judge.figures import Summary

__all__ = ["AgentMeans", "agent_means", "fitted_papers", "fitted_sentence", "suite_papers"]

_WEIGHTS = Path(__file__).parent / "embedded" / "weights.json"
_JUDGE = "embedded"


@dataclass(frozen=True, slots=True)
class AgentMeans:
    """An agent's mean score over the papers of either kind; `None` where it has none there."""

    agent: str
    fitted: float | None
    never_seen: float | None


def fitted_papers(
    judges: Iterable[str], saus: Mapping[str, Sau], submissions: Iterable[str]
) -> list[str]:
    """The papers of a run on whose submissions its judge was fitted.

    Args:
        judges: The names of all who judged.
        saus: The run's claims by id.
        submissions: Ids of its submissions.

    Returns:
        Sorted; empty where the embedded judge did not judge alone, or claims or submissions are not
        the built-in suite's.
    """
    papers = {sau.paper for sau in saus.values()}
    if set(judges) != {_JUDGE} or not papers or not papers <= _papers():
        return []
    own = {f"{agent}/{paper}" for agent in _agents() for paper in papers}
    if not own.issuperset(submissions):
        return []
    if any(_claims(sau.paper).get(sau.id) != sau.claim for sau in saus.values()):
        return []
    return sorted(papers & _fitted())


def suite_papers() -> tuple[list[str], list[str]]:
    """The suite's papers on whose submissions the judge was fitted, and the others."""
    fitted = _fitted()
    return sorted(fitted), sorted(_papers() - fitted)


def agent_means(summary: Summary) -> list[AgentMeans]:
    """Each agent's means over the papers that were fitted and over the others, best first.

    Args:
        summary: Of a run over one submission for each agent and paper.
    """
    scores: dict[str, tuple[list[float], list[float]]] = {
        one.agent: ([], []) for one in summary.agents
    }
    for one in summary.submissions:
        if (value := one.all.mean_of_dimension_means.value) is not None:
            scores[one.agent][one.paper not in summary.fitted_papers].append(value)
    return [AgentMeans(agent, *map(_mean, sides)) for agent, sides in scores.items()]


def fitted_sentence(summary: Summary) -> str:
    """What the judge was fitted on and what it never saw, without a stop."""
    others = [one.paper for one in summary.papers if one.paper not in summary.fitted_papers]
    seen = f"; those of {_listed(others)} it never saw" if others else ""
    return (
        f"the embedded judge was fitted on submissions of {_listed(summary.fitted_papers)} "
        f"in this suite{seen}"
    )


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


@lru_cache(maxsize=1)
def _fitted() -> frozenset[str]:
    """As the weights say it themselves."""
    record = json.loads(_WEIGHTS.read_text(encoding="utf-8"))
    return frozenset(record["fitted_on"].get("suite_papers", ()))


def _papers() -> frozenset[str]:
    return _names(SUITE_FOLDER / "papers")


def _agents() -> frozenset[str]:
    return _names(SUITE_FOLDER / "submissions")


def _names(folder: Path) -> frozenset[str]:
    return frozenset(path.name for path in folder.iterdir() if path.is_dir())


@lru_cache(maxsize=32)
def _claims(paper: str) -> Mapping[str, str]:
    text = (SUITE_FOLDER / "papers" / paper / "sau.json").read_text(encoding="utf-8")
    record = json.loads(text)
    return {
        one["id"]: one["claim"]
        for entries in record.values()
        if isinstance(entries, list)
        for one in entries
    }
