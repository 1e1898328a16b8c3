"""The table of docs/check.md: what `judge check` gives submissions of known kinds.

Run: python -m tests.benchmarks.check_scores

Only papers of the built-in suite that the embedded judge was never fitted on, as its weights say.
Prints the table in Markdown, scores with two digits, as the page holds it.
"""

from __future__ import annotations

from statistics import mean

from judge.check import check_repository
from judge.check_claims import load_claims
from judge.config_sections import SUITE_FOLDER
from judge.fitted_suite import suite_papers

KINDS = ("faithful", "drifted", "stubbed", "unused")


def scores_of(kind: str, papers: list[str]) -> list[float]:
    """The scores of one kind of submissions, one for each paper."""
    found = []
    for paper in papers:
        repository = SUITE_FOLDER / "submissions" / kind / paper / "repo"
        score = check_repository(repository, load_claims(SUITE_FOLDER / "papers", paper)).score
        assert score is not None, f"{kind}/{paper} has no score"
        found.append(score)
    return found


def main() -> None:
    """Print the table."""
    fitted, never_seen = suite_papers()
    print(f"fitted on: {', '.join(fitted)}; never: {', '.join(never_seen)}\n")
    print("| submissions | score, least to most | mean |\n|---|---|---|")
    for kind in KINDS:
        scores = scores_of(kind, never_seen)
        print(f"| {kind} | {min(scores):.2f} to {max(scores):.2f} | {mean(scores):.2f} |")


if __name__ == "__main__":
    main()
