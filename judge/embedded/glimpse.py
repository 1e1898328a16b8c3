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

import numpy as np
import numpy.typing as npt

from benchmark import Sau
from judge.embedded.survey import Survey
from judge.embedded.windows import cover

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
    "lines_hit": "logarithm of how many lines hold a word or a number",
    "claim_terms": "how many words are looked for",
    "claim_numbers": "how many numbers are looked for",
}
"""The measures, by name, with their meaning. Not a number where there is nothing to look for."""

_SIZE = 8
_BEFORE = 2  # of the eight lines so many stand before the one that matches
_CODE = (".py", ".js", ".ts", ".tsx", ".jsx", ".cpp", ".cc", ".c", ".h", ".hpp", ".cu", ".jl")
_CONFIG = (".yaml", ".yml", ".toml", ".ini", ".cfg")
_WORD = re.compile(r"[a-z][a-z0-9_+-]{2,}")
_NUMBER = re.compile(r"(?<![a-z])\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![a-z])")
_DEFINES = re.compile(r"\b(?:def|class)\s+\w")
_UNFINISHED = ("pass", "placeholder", "todo")
# Words of grammar, and of papers, that the scorer does not look for.
_COMMON = frozenset(
    ("across", "against", "and", "between", "during", "for", "from", "into", "that", "the", "this",
     "through", "where", "which", "with", "appendix", "claim", "figure", "method", "model",
     "section", "table", "used", "uses", "using")
)  # fmt: skip
_SIGNS = str.maketrans({
    "β": "beta", "α": "alpha", "σ": "sigma", "λ": "lambda", "ε": "epsilon", "η": "eta",
    "θ": "theta", "∇": "grad", "×": "x", "−": "-", "²": "2",
})  # fmt: skip
# Points: of a word and a number, the most that each kind gives, and of what else speaks for lines.
_OF_WORD, _OF_NUMBER, _MOST_WORDS, _MOST_NUMBERS = 4.0, 6.0, 40.0, 24.0
_OF_CODE, _OF_CONFIG, _OF_DEFINING, _OF_NUMBERED, _UNFINISHED_COST = 20.0, 16.0, 8.0, 12.0, 12.0
_OF_TITLE, _MOST_TITLE = 5.0, 20.0
_LOOKED_AT = 5  # which two are shown hangs on the order of files, too


def measure_glimpse(survey: Survey, sau: Sau) -> dict[str, float]:
    """The measures of `GLIMPSE` for a claim."""
    pages = survey.kept.get(_Pages)
    if pages is None:
        pages = survey.kept[_Pages] = _Pages(survey)
    return _Looked(pages, sau.claim).measures()


@dataclass(frozen=True, slots=True)
class _File:
    path: str
    title: str
    first: int
    count: int
    config: bool


@dataclass(frozen=True, slots=True)
class _Shown:
    """Eight lines: how well they match, of which file, and what they say."""

    points: float = math.nan
    file: _File | None = None
    text: str = ""
    code: str = ""


class _Pages:
    """The lines of code and configuration in a row, lower-cased, a gap between any two files."""

    def __init__(self, survey: Survey) -> None:
        self.lines: list[str] = []
        self.codes: list[str] = []
        self.files: list[_File] = []
        for file in survey.index.repository.files:
            path = file.path.lower()
            name = path.rpartition("/")[2]
            # As the scorer tells tests; a folder `tests` at the root is code to it.
            if name.startswith("test") or "/tests/" in path or path.endswith("_test.py"):
                continue
            config = not path.endswith(_CODE)
            if config and not (path.endswith(_CONFIG) or "config" in name or "args" in name):
                continue
            lines = survey.index.lines(file.path)
            if not lines or file.language == "markdown":
                continue
            title = name.rpartition(".")[0].replace("_", " ")
            self.files.append(_File(path, title, len(self.lines), len(lines), config))
            self.lines += [line.lower().translate(_SIGNS) for line in lines]
            codes = survey.statements(file.path).codes
            self.codes += [code.lower().translate(_SIGNS) for code in codes]
            gap = [""] * _SIZE
            self.lines += gap
            self.codes += gap
        self.text = "\n".join(self.lines)
        lengths = np.array([len(line) + 1 for line in self.lines], np.int64)
        self.starts: npt.NDArray[np.int64] = np.cumsum(lengths) - lengths
        count = len(self.lines)
        kind = np.zeros(count)
        for each in self.files:
            rows = slice(each.first, each.first + each.count)
            kind[rows] = _OF_CONFIG if each.config else _OF_CODE
        begins = np.array([n for n, x in enumerate(self.lines) if _DEFINES.search(x)], np.int64)
        kind += np.minimum(self.over([begins]) * _OF_DEFINING, _OF_DEFINING)
        weak = [self.rows(word) for word in _UNFINISHED]
        kind -= np.minimum(self.over(weak), 1.0) * _UNFINISHED_COST
        self.kind = kind
        self._rows: dict[str, npt.NDArray[np.int64]] = {}

    def over(self, items: Sequence[npt.NDArray[np.int64]]) -> npt.NDArray[np.float64]:
        """How many of the items stand in the eight lines about each line."""
        count = len(self.lines)
        first = cover([(rows, 1.0) for rows in items], _SIZE, count)
        about = np.concatenate([np.repeat(first[:1], _BEFORE), first])[:count]
        return np.asarray(about, np.float64)

    def rows(self, term: str) -> npt.NDArray[np.int64]:
        """The lines that hold a term, as letters in a row."""
        found: list[int] = []
        at = self.text.find(term)
        while at >= 0:
            found.append(at)
            at = self.text.find(term, at + len(term))
        return np.unique(np.searchsorted(self.starts, found, side="right") - 1).astype(np.int64)

    def kept(self, term: str) -> npt.NDArray[np.int64]:
        """The same, looked up once."""
        known = self._rows.get(term)
        if known is None:
            known = self._rows[term] = self.rows(term)
        return known


class _Looked:
    """What is found of one claim."""

    def __init__(self, pages: _Pages, claim: str) -> None:
        text = claim.translate(_SIGNS).lower()
        words = {word for word in _WORD.findall(text) if word not in _COMMON}
        parts = {part for word in words for part in re.split(r"[_+-]+", word) if len(part) >= 3}
        self.pages = pages
        self.words = sorted(words | parts)
        self.numbers = sorted(set(_NUMBER.findall(text)))
        total = len(pages.lines) + 2.0
        self.rarity = [math.log(total / (len(pages.kept(w)) + 1.0)) for w in self.words]
        self.hit = 0
        self.shown = self._choose()

    def _choose(self) -> list[_Shown]:
        pages = self.pages
        if not pages.lines or not (self.words or self.numbers):
            return []
        words = [pages.kept(word) for word in self.words]
        numbers = [pages.kept(number) for number in self.numbers]
        hit = np.unique(np.concatenate([*words, *numbers]))
        if not len(hit):
            return []
        titled = np.zeros(len(pages.lines))
        for file in pages.files:
            rows = np.arange(file.first, file.first + file.count)
            named = [n for n, word in enumerate(self.words) if word in file.path]
            for n in named:  # a word of the path stands beside each of its lines
                words[n] = np.union1d(words[n], rows)
            of_title = sum(word in file.title for word in self.words)
            titled[rows] = min(_OF_TITLE * of_title, _MOST_TITLE)
        valued = pages.over(numbers)
        points = (
            pages.kind
            + titled
            + np.minimum(_OF_WORD * pages.over(words), _MOST_WORDS)
            + np.minimum(_OF_NUMBER * valued, _MOST_NUMBERS)
            + _OF_NUMBERED * (valued > 0)
        )
        left = np.full(len(points), -np.inf)
        left[hit] = points[hit]
        shown: list[_Shown] = []
        self.hit = len(hit)
        for _ in range(_LOOKED_AT):
            best = int(np.argmax(left))
            if left[best] == -np.inf:
                break
            shown.append(self._show(best, float(left[best])))
            left[max(0, best - _SIZE + 1) : best + _SIZE] = -np.inf
        return shown

    def _show(self, row: int, points: float) -> _Shown:
        pages = self.pages
        file = next(f for f in pages.files if f.first <= row < f.first + f.count)
        first = max(file.first, row - _BEFORE)
        end = min(file.first + file.count, row - _BEFORE + _SIZE)
        text, code = "\n".join(pages.lines[first:end]), "\n".join(pages.codes[first:end])
        return _Shown(points, file, text, code)

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
            "glimpse_path": self._words(one.file.path) if one.file else math.nan,
            "glimpse_configures": float(one.file.config) if one.file else math.nan,
            "second_points": two.points,
            "second_words": self._words(two.text),
            "second_values": self._values(two.text),
            "second_same_file": float(two.file is not None and two.file == one.file),
            "both_words": self._words(text),
            "both_values": self._values(text),
            "both_rare": self._rare(text),
            "both_code_words": self._words(code),
            "both_code_values": self._values(code),
            "both_code_rare": self._rare(code),
            "five_words": _mean([self._words(each.text) for each in self.shown]),
            "five_code_words": _mean([self._words(each.code) for each in self.shown]),
            "five_values": _mean([self._values(each.text) for each in self.shown]),
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

    def _rare(self, text: str) -> float:
        held = sum(r for word, r in zip(self.words, self.rarity, strict=True) if word in text)
        return held / (sum(self.rarity) or math.nan)


def _mean(shares: Sequence[float]) -> float:
    return sum(shares) / len(shares) if shares else math.nan


def _share(found: Sequence[bool]) -> float:
    return sum(found) / len(found) if found else math.nan
