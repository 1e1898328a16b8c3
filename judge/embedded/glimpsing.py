"""Which lines SA-Bench's published scorer picks for a claim.

It looks for numbers, phrases, long words and pairs of words of the claim in every file, so many
lines for each at most; takes eight lines about each line found, and about the definitions of what
they call; ranks them by what of the claim they hold and by how they were found; and shows its
model the first two of code or configuration. The most for each makes its choice hang on the order
in which the file system lists files. In the published runs that order was one and the same in
all folders, as of a hash of the name, but its key is not known; here files come sorted by name.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

import numpy as np
import numpy.typing as npt

from benchmark import Dimension, Sau
from judge.embedded.survey import Survey

__all__ = ["MATHEMATICS", "Page", "Pages", "Picked", "lower", "numbers_of", "pick", "words_of"]

Rows = npt.NDArray[np.int64]

_SIZE = 8
_BEFORE = 2  # of the eight lines so many stand before the one that was found
_KEPT = 8  # windows that stay
_CODE = (".py", ".js", ".ts", ".tsx", ".jsx", ".cpp", ".cc", ".c", ".h", ".hpp", ".cu", ".jl")
_CONFIG = (".yaml", ".yml", ".toml", ".ini", ".cfg")
_PROSE = (".md", ".rst", ".txt")
_SETTINGS = (*_CONFIG, ".json")
_SETTING_NAMES = ("config", "arg", "param", "hyper", "train", "setting")
_LEFT_OUT = frozenset(
    (".git", ".hg", ".svn", ".mypy_cache", ".pytest_cache", "__pycache__", "node_modules", ".venv",
     "venv", "dist", "build", "result", "results", "outputs")
)  # fmt: skip
_SIGNS = str.maketrans({
    "β": "beta", "α": "alpha", "σ": "sigma", "λ": "lambda", "ε": "epsilon", "η": "eta",
    "θ": "theta", "∇": "grad", "×": "x", "−": "-", "²": "2",
})  # fmt: skip
# What it looks for is written a little otherwise than what it ranks by.
_ASKED_SIGNS = str.maketrans({
    "β": "beta", "α": "alpha", "σ": "sigma", "λ": "lambda", "ε": "epsilon", "θ": "theta",
    "∇": "grad", "×": "x", "−": "-", "–": "-", "—": "-", "²": "2",
})  # fmt: skip
# Words of grammar, and of papers, that it does not rank by; and those that it does not look for.
_COMMON = frozenset(
    ("across", "against", "and", "between", "during", "for", "from", "into", "that", "the", "this",
     "through", "where", "which", "with", "appendix", "claim", "figure", "method", "model",
     "section", "table", "used", "uses", "using")
)  # fmt: skip
_UNASKED = _COMMON | {"must", "step"}
_NUMBER = re.compile(r"(?<![A-Za-z])\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![A-Za-z])", re.IGNORECASE)
_PHRASE = re.compile(r"[A-Z][A-Za-z0-9]*(?:[- ][A-Z0-9][A-Za-z0-9]*){1,4}")
_RESOLUTION = re.compile(r"\b(\d{2,5})\s*[x×]\s*(\d{2,5})\b", re.IGNORECASE)
_ASKED = re.compile(r"[A-Za-z][A-Za-z0-9_+-]{2,}")
_WORD = re.compile(r"[a-z][a-z0-9_+-]{2,}")
_DEFINES = re.compile(r"\b(?:def|class)\s+[A-Za-z_]")
_DEFINED = re.compile(r"(?:def|class)[^\S\n]+(\w+)")
_CALLED = re.compile(r"\b([A-Za-z_][A-Za-z0-9_]*)\s*\(")
_UNCALLED = frozenset({"range", "print", "super"})
_UNFINISHED = ("pass", "placeholder", "todo")
_SYMBOLS = ("sigma", "alpha", "beta", "epsilon", "lambda", "score", "norm", "grad")
MATHEMATICS = (
    "sqrt", "sigma", "alpha", "beta", "eta", "epsilon", "lambda", "grad", "norm", "loss", "mse",
    "drift", "control", "velocity", "adjoint", "schedule", "memoryless", "reward", "guidance",
    "forward",
)  # fmt: skip
_HINTS: Mapping[Dimension, Sequence[str]] = {
    Dimension.D1: ("lr", "learning_rate", "batch", "epoch", "weight_decay", "beta", "config"),
    Dimension.D2: ("loss", "forward", "norm", "score", "sigma", "drift", "gradient"),
    Dimension.D3: ("dataset", "dataloader", "train", "eval", "metric", "epoch", "augmentation"),
    Dimension.D4: ("pipeline", "phase", "trainer", "runner", "forward", "step", "schedule"),
}
_SUBJECTS: Mapping[Dimension, str] = {
    Dimension.D1: r"lr|learning[_-]?rate|batch[_-]?size|weight[_-]?decay|epoch|seed",
    Dimension.D2: r"loss|norm|sigma|alpha|beta|score|gradient|drift|control",
    Dimension.D3: r"dataset|dataloader|metric|evaluate|ablation|augmentation|epoch",
    Dimension.D4: r"pipeline|phase|trainer|runner|workflow|schedule|step",
}
_LAST_RESORTS: Mapping[Dimension, Sequence[str]] = {
    Dimension.D1: (r"\d", "config|args|param|hyper"),
    Dimension.D2: ("loss|forward|sigma|alpha|beta|norm|grad", r"(?:torch|numpy|jax)\."),
    Dimension.D3: ("train|eval|dataset|metric|epoch", "dataloader|trainer|evaluate"),
    Dimension.D4: ("pipeline|phase|runner|trainer|workflow", r"(?:class|def)[^\S\n]+\w"),
}
# How a line was found, the weakest first, and the points that it gives.
_WEAK, _BESIDE, _ALIKE, _SET, _DIRECT = range(1, 6)
_OF_FINDING = {_WEAK: 0, _BESIDE: 4, _ALIKE: 8, _SET: 12, _DIRECT: 16}


@dataclass(frozen=True, slots=True)
class Page:
    """A file.

    Attributes:
        path: As it is written.
        kind: `code`, `config`, `other`, or "" for what is never shown.
        first: Its first row among all lines.
        count: Its lines.
        settings: It is looked through for settings.
    """

    path: str
    kind: str
    first: int
    count: int
    settings: bool


@dataclass(frozen=True, slots=True)
class Picked:
    """Eight lines.

    Attributes:
        page: Of which file.
        row: The line that was found, among all lines.
        points: How well they match.
        strength: How the line was found, 1 to 5.
    """

    page: Page
    row: int
    points: int
    strength: int

    @property
    def first(self) -> int:
        """The first of the lines, counted in the file from 1."""
        return max(1, self.row - self.page.first + 1 - _BEFORE)

    @property
    def last(self) -> int:
        """The last of them, which may lie behind the file's end."""
        return self.row - self.page.first - _BEFORE + _SIZE

    @property
    def shown(self) -> bool:
        """The scorer's model may see it."""
        return self.page.kind in {"code", "config"}


class Pages:
    """The lines of all files in a row."""

    def __init__(self, survey: Survey) -> None:
        files = [
            file
            for file in survey.index.repository.files
            if _LEFT_OUT.isdisjoint(file.path.split("/")[:-1])
        ]
        files.sort(key=lambda file: _listed(file.path))
        self.pages: list[Page] = []
        self.lines: list[str] = []
        for file in files:
            lines = survey.index.lines(file.path)
            name = file.path.rpartition("/")[2].lower()
            settings = name.endswith(_SETTINGS) or (
                name.endswith(".py") and any(hint in name for hint in _SETTING_NAMES)
            )
            kind = _kind(file.path.lower(), name)
            self.pages.append(Page(file.path, kind, len(self.lines), len(lines), settings))
            self.lines += lines
        self._firsts = [page.first for page in self.pages]
        self.lowered = [line.lower() for line in self.lines]
        self.text = "\n".join(self.lowered)
        lengths = np.array([len(line) + 1 for line in self.lowered], np.int64)
        self.starts: Rows = np.cumsum(lengths) - lengths
        self.settings = np.zeros(len(self.lines), np.bool_)
        self.shown = np.zeros(len(self.lines), np.bool_)
        for page in self.pages:
            rows = slice(page.first, page.first + page.count)
            self.settings[rows] = page.settings
            self.shown[rows] = page.kind in {"code", "config"}
        self._rows: dict[str, Rows] = {}
        self._like: dict[str, Rows] = {}
        self._windows: dict[int, tuple[str, int]] = {}
        self._calls: dict[int, frozenset[str]] = {}
        self._defined: dict[str, list[int]] | None = None

    def page(self, row: int) -> Page:
        """The file that a line is of."""
        return self.pages[bisect_right(self._firsts, row) - 1]

    def rows(self, term: str) -> Rows:
        """The lines that hold a term, as letters in a row."""
        known = self._rows.get(term)
        if known is None:
            found: list[int] = []
            at = self.text.find(term) if term else -1
            while at >= 0:
                found.append(at)
                at = self.text.find(term, at + len(term))
            known = self._rows[term] = self._at(found)
        return known

    def like(self, pattern: str) -> Rows:
        """The lines that match a pattern of small letters."""
        known = self._like.get(pattern)
        if known is None:
            found = [match.start() for match in re.finditer(pattern, self.text)]
            known = self._like[pattern] = self._at(found)
        return known

    def pairs(self, one: str, other: str) -> Rows:
        """The lines that hold a term and behind it another."""
        both = np.intersect1d(self.rows(one), self.rows(other), assume_unique=True)
        kept = [
            row
            for row in both.tolist()
            if other in (line := self.lowered[row])[line.find(one) + len(one) :]
        ]
        return np.array(kept, np.int64)

    def definitions(self, name: str) -> Sequence[int]:
        """The lines that define a function or class of this name, in whatever case."""
        if self._defined is None:
            self._defined = {}
            for match in _DEFINED.finditer(self.text):
                row = int(self._at([match.start()])[0])
                self._defined.setdefault(match[1], []).append(row)
        return self._defined.get(name.lower(), ())

    def calls(self, row: int) -> frozenset[str]:
        """What is called in the lines about one."""
        known = self._calls.get(row)
        if known is None:
            names = _CALLED.findall("\n".join(self.about(row, self.lines)))
            known = frozenset(x for x in names if len(x) >= 4 and x not in _UNCALLED)
            self._calls[row] = known
        return known

    def about(self, row: int, lines: Sequence[str]) -> Sequence[str]:
        """The eight lines about one, of a list as long as all lines."""
        page = self.page(row)
        end = min(page.first + page.count, row - _BEFORE + _SIZE)
        return lines[max(page.first, row - _BEFORE) : end]

    def window(self, row: int) -> tuple[str, int]:
        """What the scorer ranks these lines by, and the points that they have of themselves."""
        known = self._windows.get(row)
        if known is None:
            page = self.page(row)
            raw = "\n".join(self.about(row, self.lines))
            text = f"{page.path}\n{raw}".translate(_SIGNS).lower()
            points = {"code": 20, "config": 16}.get(page.kind, 0)
            points += 8 if _DEFINES.search(raw) else 0
            points -= 12 if any(word in text for word in _UNFINISHED) else 0
            known = self._windows[row] = (text, points)
        return known

    def _at(self, positions: Sequence[int]) -> Rows:
        return np.unique(np.searchsorted(self.starts, positions, side="right") - 1).astype(np.int64)


def _listed(path: str) -> list[tuple[bool, str]]:
    """Sorts a folder's files before the folders in it."""
    *folders, name = path.split("/")
    return [*((True, folder) for folder in folders), (False, name)]


def _kind(path: str, name: str) -> str:
    # As the scorer tells tests; a folder `tests` at the root is code to it.
    if name.startswith("test") or "/tests/" in path or path.endswith(("_test.py", ".test.py")):
        return ""
    if path.endswith(_CODE):
        return "code"
    if path.endswith(_CONFIG) or "config" in name or "args" in name:
        return "config"
    return "" if path.endswith(_PROSE) or "readme" in name or "docs" in path else "other"


def lower(text: str) -> str:
    """A text in small letters, its Greek letters and signs written out."""
    return text.translate(_SIGNS).lower()


def words_of(claim: str) -> list[str]:
    """The words that windows are ranked by, parts of joined words among them."""
    text = claim.translate(_SIGNS).lower()
    words = {word for word in _WORD.findall(text) if word not in _COMMON}
    parts = {part for word in words for part in re.split(r"[_+-]+", word) if len(part) >= 3}
    return sorted(words | parts)


def numbers_of(claim: str) -> list[str]:
    """The numbers that windows are ranked by, each as often as it stands there."""
    return [number.lower() for number in _NUMBER.findall(claim)]


def _tokens(text: str) -> list[str]:
    """The words that are looked for, those that tell most first."""
    told: list[tuple[int, str]] = []
    for token in _ASKED.findall(text):
        word = token.lower().strip("_")
        if word not in _UNASKED and len(word) >= 3:
            written = any(letter.isupper() for letter in token)
            joined = "_" in token or "-" in token
            told.append((len(word) + 4 * written + 3 * joined, word))
    return [word for _, word in sorted(told, reverse=True)]


def _asked(sau: Sau) -> tuple[list[str], list[str]]:
    """What is looked for as it is written, and the words, the first of which are paired."""
    text = sau.claim.translate(_ASKED_SIGNS)
    asked: list[str] = []
    for width, height in _RESOLUTION.findall(sau.claim):
        asked += (f"{width}x{height}", f"{width}×{height}", width, height)
    for number in _long_numbers(text):
        asked.append(number)
        if "e-" in number.lower():
            asked.append(str(float(number)))
    asked += (phrase for phrase in _PHRASE.findall(text) if len(phrase) <= 80)
    tokens = _tokens(text)
    asked += tokens[:10]
    if sau.dimension is Dimension.D2:
        asked += (symbol for symbol in _SYMBOLS if symbol in text.lower())
    asked += _HINTS[sau.dimension]
    once: dict[str, str] = {}
    for query in asked:
        once.setdefault(query.strip().lower(), query.strip())
    once.pop("", None)
    return list(islice(once.values(), 12)), tokens


def _long_numbers(text: str) -> list[str]:
    return [number for number in _NUMBER.findall(text) if len(number) > 1]


def _found(pages: Pages, sau: Sau) -> dict[int, int]:
    """The lines that are found for a claim, with how: the strongest way counts."""
    found: dict[int, int] = {}

    def add(rows: Iterable[int], strength: int) -> None:
        for row in rows:
            if pages.page(row).kind and found.get(row, 0) < strength:
                found[row] = strength

    asked, tokens = _asked(sau)
    for query in asked[:5]:
        telling = bool(re.search(r"\d", query)) or " " in query
        add(pages.rows(query.lower())[:30].tolist(), _DIRECT if telling else _BESIDE)
    for query in asked[:4]:
        parts = [part for part in re.split(r"[^A-Za-z0-9]+", query.lower()) if len(part) >= 2]
        held = np.unique(np.concatenate([pages.rows(part) for part in parts or [query.lower()]]))
        add(held[pages.settings[held]][:20].tolist(), _SET)
    alike = dict.fromkeys(
        [*_RESOLUTION.findall(sau.claim), *pairwise(tokens[:5]), *_long_numbers(sau.claim), ""]
    )
    for sought in islice(alike, 8):
        if isinstance(sought, tuple):
            rows = pages.pairs(*sought)
        else:
            rows = pages.rows(sought.lower()) if sought else pages.like(_SUBJECTS[sau.dimension])
        add(rows[:30].tolist(), _ALIKE)
    for query in asked[5:10]:
        add(pages.rows(query.lower())[:20].tolist(), _BESIDE)
    for pattern in _LAST_RESORTS[sau.dimension]:
        if not found:
            add(pages.like(pattern)[:25].tolist(), _WEAK)
    called = {name for row in found for name in pages.calls(row)}
    for name in sorted(called)[:6]:
        add(pages.definitions(name)[:10], _DIRECT)
    return found


def pick(pages: Pages, sau: Sau) -> tuple[list[Picked], int]:
    """The windows that stay, best first, and how many lines were found."""
    words, numbers = words_of(sau.claim), numbers_of(sau.claim)
    claimed = sau.claim.translate(_SIGNS).lower()
    math = [term for term in MATHEMATICS if term in claimed]
    titled: dict[str, int] = {}
    found = _found(pages, sau)
    ranked: list[Picked] = []
    for row, strength in found.items():
        page = pages.page(row)
        text, points = pages.window(row)
        title = titled.get(page.path)
        if title is None:
            stem = page.path.rpartition("/")[2].rpartition(".")[0].lower().replace("_", " ")
            title = titled[page.path] = min(20, 5 * sum(word in stem for word in words))
        points += title + _OF_FINDING[strength]
        points += min(40, 4 * len([word for word in words if word in text]))
        points += min(24, 6 * len([number for number in numbers if number in text]))
        points += min(30, 5 * len([term for term in math if term in text]))
        ranked.append(Picked(page, row, points, strength))
    ranked.sort(key=lambda one: (-one.points, one.page.path, f"{one.first}-{one.last}"))
    kept: list[Picked] = []
    for one in ranked:
        if not any(
            one.page is other.page and one.first <= other.last and other.first <= one.last
            for other in kept
        ):
            kept.append(one)
            if len(kept) == _KEPT:
                break
    return kept, len(found)
