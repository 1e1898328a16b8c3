"""What a judge sees that is shown two windows of eight lines, as the published scorer shows them.

SA-Bench's own scorer takes the lines of code and configuration that hold a word or a number of the
claim, eight lines about each, and shows the two that hold most; comments and docstrings count like
code. What is measured here serves to foresee its verdicts, and nothing else: it says little of what
a repository does.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from benchmark import Sau
from judge.embedded.glimpsing import (
    MATHEMATICS,
    Page,
    Pages,
    Picked,
    lower,
    numbers_of,
    pick,
    words_of,
)
from judge.embedded.survey import Survey

__all__ = ["GLIMPSE", "measure_glimpse"]

GLIMPSE: Mapping[str, str] = {
    "glimpse_points": "how well the best eight lines match, in points",
    "glimpse_words": "share of the claim's words in them, comments included",
    "glimpse_values": "share of the claim's numbers in them",
    "glimpse_rare": "share of the words, by rarity among the lines",
    "glimpse_code_words": "share of the words in their code",
    "glimpse_code_values": "share of the numbers in their code",
    "glimpse_code_rare": "share of the words in their code, by rarity",
    "glimpse_text_words": "share of the words in their comments",
    "glimpse_code_lines": "how many of them are code",
    "glimpse_defines": "a function or class begins in them",
    "glimpse_unfinished": "they speak of a placeholder",
    "glimpse_path": "share of the words in the file's path",
    "glimpse_configures": "the file is configuration",
    "second_points": "how well the next best eight lines match",
    "second_words": "share of the words in them",
    "second_values": "share of the numbers in them",
    "second_same_file": "they are of the same file",
    "both_words": "share of the words in the sixteen lines",
    "both_values": "share of the numbers in them",
    "both_rare": "share of the words, by rarity",
    "both_code_words": "share of the words in their code",
    "both_code_values": "share of the numbers in their code",
    "both_code_rare": "share of the words in their code, by rarity",
    "five_words": "share of the words, mean over the five best eight lines",
    "five_code_words": "share of the words in their code, the same mean",
    "five_values": "share of the numbers, the same mean",
    "glimpse_found": "how the first eight lines were found: 5 for a number or phrase, 1 weakest",
    "glimpse_hollow": "they are taken for a placeholder: a word that says so, or hardly any code",
    "second_found": "how the next were found",
    "second_hollow": "they are taken for a placeholder",
    "second_code_words": "share of the words in their code",
    "second_code_lines": "how many of them are code",
    "second_configures": "their file is configuration",
    "both_pairs": "share of the claim's neighbouring words that stand in one line of the sixteen",
    "both_long": "share of its words of seven letters or more in them",
    "both_mathematics": "share of its terms of mathematics in them",
    "windows": "how many such windows of code and configuration stay, at most eight",
    "windows_solid": "how many of them were found well and are taken for no placeholder",
    "lines_hit": "logarithm of how many lines hold a word or a number",
    "claim_terms": "how many words are looked for",
    "claim_numbers": "how many numbers are looked for",
}
"""The measures, by name, with their meaning. Not a number where there is nothing to look for."""

_DEFINES = re.compile(r"\b(?:def|class)\s+\w")
_UNFINISHED = ("pass", "placeholder", "todo")
_TOLD = re.compile(r"[a-z][a-z0-9_+-]{2,}")
_HOLLOW = (
    "placeholder", "stub", "todo", "to do", "replace with", "not implemented", "skeleton", "dummy",
    "pass #", "zeros_like", "return 0", "return none",
)  # fmt: skip
_ACTS = re.compile(r"\b(?:def|class|for|while|return|if)\b")
_LOOKED_AT = 5


def measure_glimpse(survey: Survey, sau: Sau) -> dict[str, float]:
    """The measures of `GLIMPSE` for a claim."""
    pages = survey.kept.get(_Lines)
    if pages is None:
        pages = survey.kept[_Lines] = _Lines(survey)
    return _Looked(pages, sau).measures()


@dataclass(frozen=True, slots=True)
class _Shown:
    """Eight lines: how well they match, of which file, and what they say."""

    points: float = math.nan
    page: Page | None = None
    text: str = ""
    code: str = ""
    strength: float = math.nan
    hollow: bool = False


class _Lines:
    """The lines as the scorer sees them, and what of them is code."""

    def __init__(self, survey: Survey) -> None:
        self.pages = Pages(survey)
        self._survey = survey
        self._codes: dict[str, list[str]] = {}
        self._shares: dict[str, float] = {}

    def share(self, word: str) -> float:
        """The share of the lines of code and configuration that hold a word, and a little more."""
        known = self._shares.get(word)
        if known is None:
            shown = self.pages.shown
            held = np.count_nonzero(shown[self.pages.rows(word)])
            known = self._shares[word] = (held + 1.0) / (np.count_nonzero(shown) + 2.0)
        return known

    def show(self, one: Picked) -> _Shown:
        """What a window says."""
        page = one.page
        codes = self._codes.get(page.path)
        if codes is None:
            written = self._survey.index.file(page.path)
            read = written is not None and written.language != "markdown"
            found = self._survey.statements(page.path).codes if read else [""] * page.count
            codes = self._codes[page.path] = [lower(code) for code in found]
        text = lower("\n".join(self.pages.about(one.row, self.pages.lines)))
        code = "\n".join(codes[one.first - 1 : one.last])
        return _Shown(float(one.points), page, text, code, float(one.strength), _hollow(text))


class _Looked:
    """What is found of one claim."""

    def __init__(self, lines: _Lines, sau: Sau) -> None:
        self.words = words_of(sau.claim)
        self.numbers = sorted(set(numbers_of(sau.claim)))
        self.rarity = [-math.log(lines.share(word)) for word in self.words]
        picked, self.hit = pick(lines.pages, sau)
        self.kept = [lines.show(one) for one in picked if one.shown]
        self.shown = self.kept[:_LOOKED_AT]
        claim = lower(sau.claim)
        self.mathematics = [term for term in MATHEMATICS if term in claim]
        told = [word for word in _TOLD.findall(claim) if word in self.words]
        self.neighbours = [*pairwise(told)]

    def measures(self) -> dict[str, float]:
        """By name, in the order of `GLIMPSE`."""
        one, two = (*self.shown, _Shown(), _Shown())[:2]
        text, code = f"{one.text}\n{two.text}", f"{one.code}\n{two.code}"
        seen = bool(self.shown)
        found = {
            "glimpse_points": one.points,
            "glimpse_words": self._words(one.text),
            "glimpse_values": self._values(one.text),
            "glimpse_rare": self._rare(one.text),
            "glimpse_code_words": self._words(one.code),
            "glimpse_code_values": self._values(one.code),
            "glimpse_code_rare": self._rare(one.code),
            "glimpse_text_words": self._words(one.text) - self._words(one.code),
            "glimpse_code_lines": float(sum(bool(x.strip()) for x in one.code.split("\n"))),
            "glimpse_defines": float(bool(_DEFINES.search(one.code))),
            "glimpse_unfinished": float(any(word in one.text for word in _UNFINISHED)),
            "glimpse_path": self._words(one.page.path.lower()) if one.page else math.nan,
            "glimpse_configures": float(one.page.kind == "config") if one.page else math.nan,
            "second_points": two.points,
            "second_words": self._words(two.text),
            "second_values": self._values(two.text),
            "second_same_file": float(two.page is not None and two.page is one.page),
            "both_words": self._words(text),
            "both_values": self._values(text),
            "both_rare": self._rare(text),
            "both_code_words": self._words(code),
            "both_code_values": self._values(code),
            "both_code_rare": self._rare(code),
            "five_words": _mean([self._words(each.text) for each in self.shown]),
            "five_code_words": _mean([self._words(each.code) for each in self.shown]),
            "five_values": _mean([self._values(each.text) for each in self.shown]),
            "glimpse_found": one.strength,
            "glimpse_hollow": float(one.hollow),
            "second_found": two.strength,
            "second_hollow": float(two.hollow) if two.page else math.nan,
            "second_code_words": self._words(two.code),
            "second_code_lines": float(sum(bool(x.strip()) for x in two.code.split("\n"))),
            "second_configures": float(two.page.kind == "config") if two.page else math.nan,
            "both_pairs": self._pairs(text),
            "both_long": _share([word in text for word in self.words if len(word) >= 7]),
            "both_mathematics": _share([term in text for term in self.mathematics]),
            "windows": float(len(self.kept)),
            "windows_solid": float(sum(x.strength > 2 and not x.hollow for x in self.kept)),
            "lines_hit": math.log(1.0 + self.hit),
            "claim_terms": float(len(self.words)),
            "claim_numbers": float(len(self.numbers)),
        }
        nothing = math.nan
        return {
            name: found[name] if seen or name.startswith("claim") else nothing for name in GLIMPSE
        }

    def _words(self, text: str) -> float:
        return _share([word in text for word in self.words])

    def _values(self, text: str) -> float:
        return _share([number in text for number in self.numbers])

    def _pairs(self, text: str) -> float:
        lines = text.split("\n")
        return _share([any(a in x and b in x for x in lines) for a, b in self.neighbours])

    def _rare(self, text: str) -> float:
        held = sum(r for word, r in zip(self.words, self.rarity, strict=True) if word in text)
        return held / (sum(self.rarity) or math.nan)


def _hollow(text: str) -> bool:
    """The scorer takes such lines for a placeholder, and not for an implementation."""
    if any(sign in text for sign in _HOLLOW):
        return True
    lines = [x for x in map(str.strip, text.split("\n")) if x and x[0] not in "#\"'"]
    return len(lines) <= 3 and sum(bool(_ACTS.search(line)) for line in lines) <= 1


def _mean(shares: Sequence[float]) -> float:
    return sum(shares) / len(shares) if shares else math.nan


def _share(found: Sequence[bool]) -> float:
    return sum(found) / len(found) if found else math.nan
