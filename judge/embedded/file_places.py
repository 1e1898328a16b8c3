"""Files as places that a claim names: `td3.py` for TD3, `main_linprobe.py` for linear probing.

A repository with several scripts, phases or algorithms gives one name a value in each of them.
Where the claim has a word that stands in the path of some of its files, the value there is meant,
and the same value in a file that has nothing to do with these does not stand for it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from judge.embedded.mentions import mentions_of
from judge.embedded.place_names import is_place
from judge.embedded.survey import Kept, Standing, Survey
from retrieval.values import Fact
from retrieval.words import stem

__all__ = ["Homes", "facts_in", "homes_of", "is_shared"]

_TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_CHUNK = re.compile(r"[A-Za-z]+\d*")
_HUMPS = re.compile(r"[A-Z]?[a-z]+\d*|[A-Z]+(?![a-z])\d*")
_CAPITAL = re.compile(r"[A-Z](?=[a-z])")
_LEAST = 3  # letters and digits of a word that names a file
_INITIALS = 2  # letters of `hc`, for HalfCheetah
_PREFIX = 3  # letters of the first word of two in one: `linprobe`
_IMPORT = re.compile(r"\s*(?:from\b|import\b|.*\b(?:importlib|__import__)\b)")
_WORD = re.compile(r"\w+")
_FEW = 3
_MOST_FILES = 400
_MOST_HOMES = 24


class Homes:
    """The files that a claim names, and what has to do with them.

    Attributes:
        paths: The files; empty where the claim names none.
    """

    __slots__ = ("_survey", "paths")

    def __init__(self, survey: Survey, paths: frozenset[str]) -> None:
        self.paths = paths
        self._survey = survey

    def is_strange(self, path: str, home: str) -> bool:
        """Whether a file of Python has nothing to do with one of them: neither imports the other.

        What imports any of them itself may well say how it is run.
        """
        if path in self.paths or is_shared(path) or path not in self._survey.index.graph.paths:
            return False
        return (
            self.paths.isdisjoint(_edges(self._survey, path))
            and home not in _closure(self._survey, path)
            and path not in _closure(self._survey, home)
        )


def is_shared(path: str) -> bool:
    """Whether a file holds the settings of all others."""
    return _SHARED.match(path.rpartition("/")[2].lower()) is not None


_SHARED = re.compile(
    r"(?:config|configuration|settings|hparams|hyperparam|defaults|constants|const)"
)
_KNOWN: Kept[dict[str, Homes]] = Kept()
_PATHS: Kept[Mapping[str, frozenset[str]]] = Kept()
_CLOSURES: Kept[dict[str, frozenset[str]]] = Kept()
_EDGES: Kept[dict[str, frozenset[str]]] = Kept()
_BY_STEM: Kept[Mapping[str, frozenset[str]]] = Kept()


def homes_of(survey: Survey, text: str) -> Homes:
    """The live files of Python whose paths hold most words of a claim, and not all files."""
    known = _KNOWN.setdefault(survey, {})
    found = known.get(text)
    if found is None:
        found = known[text] = Homes(survey, _homes(survey, text))
    return found


def _homes(survey: Survey, text: str) -> frozenset[str]:
    if len(mentions_of(text)) > _FEW:
        return frozenset()  # of many numbers each may be of another place
    paths_of = _PATHS.get(survey)
    if paths_of is None:
        paths_of = _PATHS[survey] = _by_term(survey)
    said = _called(text) & paths_of.keys()
    if not said:
        return frozenset()
    marks = Counter(path for term in said for path in paths_of[term])
    most = max(marks.values())
    homes = frozenset(path for path, count in marks.items() if count == most)
    return homes if len(homes) <= _MOST_HOMES else frozenset()


def _by_term(survey: Survey) -> Mapping[str, frozenset[str]]:
    """The live files of Python by the words of their paths that not all of them have."""
    live = dict.fromkeys(
        block.path for block in survey.blocks if block.lines and block.standing is Standing.LIVE
    )
    paths = [path for path in live if path in survey.index.graph.paths][:_MOST_FILES]
    found: defaultdict[str, set[str]] = defaultdict(set)
    for path in paths:
        for term in _terms(path):
            found[term].add(path)
    return {term: frozenset(own) for term, own in found.items() if len(own) < len(paths)}


@lru_cache(maxsize=4096)
def _terms(path: str) -> frozenset[str]:
    found: set[str] = set()
    for chunk in _CHUNK.findall(path.rpartition(".")[0]):
        found.add(_key(chunk) or (chunk.lower() if len(chunk) == _INITIALS else ""))
        found.update(_key(part) for part in _HUMPS.findall(chunk))
    return frozenset(found - {""})


def _key(word: str) -> str:
    """The stem of a word that may name a file; empty for one that names none."""
    lower = word.lower()
    if len(lower) < _LEAST or lower in _NONE or stem(lower) in _NONE_STEMS or not is_place(lower):
        return ""
    return stem(lower)


# Words of paths that say of no value whose it is.
_NONE = frozenset(
    """
    agent agents algo algorithm algorithms analysis analyze arch args attention base baselines
    batch benchmark buffer code common core crop dataloader datasets decay embed embedding
    engine env environment environments envs eval evaluate evaluation evaluator example examples
    exp experiments full generate generation generator gradient half helper helpers inference
    init joint layers learner learning lib loader loss losses lr main mask math memory metrics
    misc models module modules multi net nets network networks nn noise ops optim optimizer
    options paper parallel patch pipeline plot plots policies policy post pre preprocess project
    python pytorch rate replay repo research reward run runner runs sample sampler sampling
    sched schedule scheduler script scripts self settings setup simulate simulation single size
    software source src stats test tests tokenizer tools torch train trainer trainers training
    transformer types util utils value values visualize weight weights wrappers
    """.split()  # noqa: SIM905
)
_NONE_STEMS = frozenset(map(stem, _NONE))


@lru_cache(maxsize=4096)
def _called(text: str) -> frozenset[str]:
    """What a claim may call a file: the stems of its words, and of two in one.

    `fine-tuning` is `finetune`, and `linear probing` is `linprobe`.
    """
    tokens = _TOKEN.findall(text)
    words = {_key(token) for token in tokens}
    for token in tokens:
        humps = _CAPITAL.findall(token) if token[1:].lower() != token[1:] else []
        if len(humps) == _INITIALS and any(map(str.islower, token)):
            words.add("".join(humps).lower())
    for one, two in pairwise(token.lower() for token in tokens):
        words.add(_key(one + two))
        end = stem(two)
        if len(end) >= _PREFIX:
            words.update(one[:size] + end for size in range(_PREFIX, len(one)))
    return frozenset(words - {""})


_FACTS: Kept[Mapping[str, Sequence[Fact]]] = Kept()


def facts_in(survey: Survey, path: str) -> Sequence[Fact]:
    """The named values of a file."""
    known = _FACTS.get(survey)
    if known is None:
        found: defaultdict[str, list[Fact]] = defaultdict(list)
        for fact in survey.index.facts:
            found[fact.path].append(fact)
        known = _FACTS[survey] = found
    return known.get(path, ())


# ---- what imports what ---------------------------------------------------------------------------


def _closure(survey: Survey, path: str) -> frozenset[str]:
    """The files that a file imports, and these; rather too many than too few."""
    known = _CLOSURES.setdefault(survey, {})
    found = known.get(path)
    if found is None:
        seen = {path}
        todo = [path]
        while todo:
            for other in _edges(survey, todo.pop()):
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        found = known[path] = frozenset(seen)
    return found


def _edges(survey: Survey, path: str) -> frozenset[str]:
    known = _EDGES.setdefault(survey, {})
    found = known.get(path)
    if found is None:
        by_stem = _BY_STEM.get(survey)
        if by_stem is None:
            by_stem = _BY_STEM[survey] = _by_stem(survey)
        named: set[str] = set()
        for line in survey.index.lines(path):
            if "import" in line and _IMPORT.match(line[:_WIDEST]):
                for word in _WORD.findall(line[:_WIDEST]):
                    named |= by_stem.get(word, frozenset())
        found = known[path] = frozenset(named)
    return found


_WIDEST = 300


def _by_stem(survey: Survey) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for path in survey.index.graph.paths:
        folder, _, name = path.rpartition("/")
        own = name.rpartition(".")[0]
        found.setdefault(folder.rpartition("/")[2] if own == "__init__" else own, set()).add(path)
    return {own: frozenset(paths) for own, paths in found.items()}
