"""A hint that claims and repository may not belong together: next to nothing of them meets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmark import Paper
from judge.counting import counted
from judge.verdict import Verdict
from retrieval.common_words import PAPER_WORDS, STOP_WORDS
from retrieval.reading import read_repository
from retrieval.values import Role
from retrieval.words import TOKEN, stem, word_parts

__all__ = ["other_paper_hint"]

_FEW_MET = 0.15  # of the claims
_FEW_WORDS = 1 / 3  # of the claims' telling words
_LEAST_CLAIMS = 8
_LEAST_WORDS = 10
_TELLING = 2.0  # bits: the code of at most a quarter of repositories holds the word
_SHORTEST = 3


def other_paper_hint(
    repository: Path,
    paper: Paper,
    verdicts: Sequence[Verdict],
    *,
    exclude: Sequence[str] = (),
) -> str:
    """What to say where hardly any claim is met and hardly any of their words stand in the code.

    Args:
        repository: The folder.
        paper: The claims.
        verdicts: What was said of them.
        exclude: What is not the repository's code.

    Returns:
        A sentence; empty where claims are met, words are found, or there are too few of either.
    """
    graded = [one.level for one in verdicts if one.level is not None]
    claims, met = len(graded), graded.count(4)
    if claims < _LEAST_CLAIMS or met > _FEW_MET * claims:
        return ""
    words = _telling(sau.claim for sau in paper.saus)
    if len(words) < _LEAST_WORDS:
        return ""
    missing = set(words)
    for file in read_repository(repository, exclude=exclude).files:
        if file.role is not Role.DOC:  # a document may say what the code does not do
            missing -= _stems(file.text)
    there = len(words) - len(missing)
    if there >= _FEW_WORDS * len(words):
        return ""
    return (
        f"{met} of {counted(claims, 'claim')} met, and of the {len(words)} words that tell them "
        f"from others' {there} stand in the code: are these the claims of this repository's paper, "
        "or is next to nothing of it here?"
    )


def _telling(claims: Iterable[str]) -> set[str]:
    """The stems of claims that the code of most repositories does not hold."""
    # The numbers are a file's, which a check that finds something never reads for this.
    from judge.embedded.background import load_background  # noqa: PLC0415

    background = load_background()
    common = PAPER_WORDS | STOP_WORDS
    return {
        word
        for word in _stems(" ".join(claims)) - common
        if background.in_repository((word,)) >= _TELLING
    }


def _stems(text: str) -> set[str]:
    return {
        stem(part)
        for token in set(TOKEN.findall(text))
        if not token[0].isdigit()
        for part in word_parts(token)
        if len(part) >= _SHORTEST and not part.isdigit()
    }
