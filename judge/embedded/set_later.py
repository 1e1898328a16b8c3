"""Lines that give a setting another value once it is made: `cfg.lr = 0.5`, `replace(cfg, lr=0.5)`.

A literal that is given outright, whatever a run is asked for, takes the place of a default, as what
a constructor is given does. A line that stands under a condition, that is run by one of several
programs, or that comes when the setting was read already, only leaves a doubt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge.embedded.statements import indent_of
from judge.embedded.survey import Kept, Standing, Survey
from retrieval.numbers import canonical
from retrieval.values import Fact, FactSource
from retrieval.words import join, word_parts

__all__ = ["is_of_demonstration", "set_later", "sets_at_all"]

_OPTIONS = frozenset(
    {"args", "opt", "opts", "options", "cfg", "conf", "config", "hparams", "hp", "flags", "params",
     "settings"}
)  # fmt: skip
_MERGING = frozenset({"replace", "_replace", "merge", "update", "evolve"})
_NUMBER = r"[-+]?[\d.][\d._]*(?:[eE][-+]?\d+)?"
_HOLDER = r"([A-Za-z_][\w.]*(?:\[\d+\])?)"
_ATTRIBUTE = re.compile(rf"\s*{_HOLDER}\.(\w+)\s*(?::[^=]+)?=\s*({_NUMBER})\s*;?\s*\Z")
_ENTRY = re.compile(rf"\s*(?:vars\()?{_HOLDER}\)?\[['\"](\w+)['\"]\]\s*=\s*({_NUMBER})\s*;?\s*\Z")
_SETATTR = re.compile(
    rf"\s*(?:object\.__)?setattr(?:__)?\(\s*{_HOLDER}\s*,\s*['\"](\w+)['\"]\s*,\s*({_NUMBER})\s*,?\s*\)\s*\Z"
)
_GIVEN = re.compile(  # also what is no literal
    r"([A-Za-z_][\w.]*)(?:\[\d+\]|\))?(?:\.(\w+)|\[['\"](\w+)['\"]\])\s*(?:[*/+-]|//|\*\*)?=(?!=)"
    r"|setattr(?:__)?\(\s*([\w.]+)\s*,\s*['\"](\w+)['\"]"
)
_SEVERAL = re.compile(r"[\w\]](?:\.|\[['\"])(\w+)")  # `cfg.lr, cfg.epochs = 0.5, 3`
_HANDED = re.compile(r"\s*(?:(?:int|float)\()?[A-Za-z_][\w.]*(?:\.|\[['\"])(\w+)['\"\])]*\s*")
_RECEIVER = re.compile(
    r"([A-Za-z_][\w.]*)\.(?:update|_replace)\(|(?:replace|merge|evolve)\(\s*([A-Za-z_][\w.]*)"
)
_GROUPS = re.compile(r"\s*for\s+(\w+)\s+in\s+[\w.]+\.param_groups\s*:")
_OPTIMIZER = re.compile(
    r"\b(?:Adam\w*|SGD|RMSprop|Adagrad|Adadelta|Lion|LAMB|Muon)\(|\boptim\.\w+\("
)
_PARSED = re.compile(r"\bparse_(?:known_)?args\(")
_LOADED = re.compile(r"\b(?:safe_load|full_load|yaml\.load|OmegaConf\.load|json\.load)\(")
_SHOWN = re.compile(r"\b(?:print|log\w*|info|debug|setattr|replace|merge|asdict|vars)\b")
_OF_GROUPS = {"lr": "learning_rate", "wd": "weight_decay"}
_GROUP_KEYS = frozenset({"learning_rate", "weight_decay", "momentum"})
_HEAD = re.compile(r"\s*(?:async\s+)?(if|elif|else|case|except|def|class)\b(.{0,200})")
_DOUBTFUL = frozenset({"if", "elif", "else", "case", "except"})
_MOST_UP = 300  # lines above a place that are looked at for what it stands in
_TRIAL = frozenset(
    ("demo", "debug", "smoke", "test", "tests", "quick", "toy", "tiny", "fast", "dry", "sanity",
     "example", "examples", "ablation", "ablations", "sweep", "variant", "baseline", "baselines")
)  # fmt: skip
_PROGRAMS = frozenset({"main", "train", "run", "training", "trainer", "cli"})
_MOST_LINES = 400  # places of a name
_MOST_CALLS = 4  # calls up to the program
_MOST_CALLERS = 8  # of one function
_WIDEST = 240
_ABOVE = 4


@dataclass(frozen=True, slots=True)
class _Setting:
    """A line that gives a name of something a number: the fact, and of what."""

    fact: Fact
    holder: str
    groups: bool = False  # of an optimizer's parameters


# ---- what is asked -------------------------------------------------------------------------------


def set_later(survey: Survey, fact: Fact, wanted: set[str], claimed: frozenset[str]) -> Fact | None:
    """What gives a setting's name another number outright, once it has the value of a fact.

    Args:
        survey: The repository.
        fact: Where the setting has its value.
        wanted: The canonical forms of that value.
        claimed: Those of all values of the claim.
    """
    settings = _settings(survey, _key(fact.name))
    if not settings or fact.source in {FactSource.KEYWORD, FactSource.FLAG}:
        return None
    forms = [canonical(one.fact.value) for one in settings]
    if not wanted.isdisjoint(form for form in forms if form):
        return None
    sure = [
        one
        for one, form in zip(settings, forms, strict=True)
        if form not in claimed and _is_outright(survey, fact, one)
    ]
    values = {canonical(one.fact.value) for one in sure}
    return sure[0].fact if len(values) == 1 else None


def sets_at_all(survey: Survey, fact: Fact, wanted: set[str]) -> bool:
    """Whether any live line gives a setting's name what is not plainly the same number."""
    key = _key(fact.name)
    if any(canonical(one.fact.value) not in wanted for one in _settings(survey, key)):
        return True
    return any(
        place != (fact.path, fact.line) and form not in wanted
        for place, form in _given(survey, key)
    )


def is_of_demonstration(survey: Survey, other: Fact) -> bool:
    """Whether a call stands in the main block of a module that others import, for show.

    That is so where the same is made elsewhere too, and the module is not called as a program is.
    """
    if other.source is not FactSource.KEYWORD or other.path not in survey.index.graph.paths:
        return False
    if not any("__name__" in said for _, said in _heads(survey, other.path, other.line)):
        return False
    stem = other.path.rpartition("/")[2].partition(".")[0]
    if stem in _PROGRAMS or not _is_imported(survey, other.path, stem):
        return False
    made = other.name.rpartition(".")[0].rpartition(".")[2]
    return any(path != other.path for path, _, _ in _made(survey, made))


# ---- lines that set something --------------------------------------------------------------------


_SET: Kept[dict[str, tuple[_Setting, ...]]] = Kept()


def _key(name: str) -> str:
    own = re.split(r"[.\[]", name.rstrip("]'\" "))[-1].strip("'\"")
    return join(_OF_GROUPS.get(own, own))


def _lines(survey: Survey, key: str) -> Iterator[tuple[str, int, str]]:
    terms = [key, *(short for short, long in _OF_GROUPS.items() if join(long) == key)]
    for term in terms:
        live = survey.places(term).live
        for line in live[:_MOST_LINES].tolist():
            path, number = survey.place(line)
            if path in survey.index.graph.paths:
                yield path, number, survey.index.code_of(path, number)[:_WIDEST]


def _settings(survey: Survey, key: str) -> tuple[_Setting, ...]:
    known = _SET.setdefault(survey, {})
    if key not in known:
        known[key] = tuple(_find(survey, key))
    return known[key]


def _find(survey: Survey, key: str) -> Iterator[_Setting]:
    for path, number, code in _lines(survey, key):
        match = _ATTRIBUTE.match(code) or _ENTRY.match(code) or _SETATTR.match(code)
        if match is None or _key(match[2]) != key:
            continue
        holder = match[1].removesuffix(".__dict__")
        if holder.partition(".")[0] in {"self", "cls"} and not _is_options(holder):
            continue
        fact = Fact(f"{holder}.{match[2]}", match[3], path, number, FactSource.ASSIGNMENT)
        groups = ".param_groups[" in holder or _is_group(survey, path, number, holder)
        if canonical(match[3]) is not None and (not groups or key in map(join, _GROUP_KEYS)):
            yield _Setting(fact, holder, groups)
    for fact in survey.facts_named(key):
        parts = fact.name.split(".")
        if (
            fact.source in {FactSource.KEYWORD, FactSource.DICT}
            and len(parts) > 1
            and parts[-2] in _MERGING
            and canonical(fact.value) is not None
            and survey.acts(fact)
            and (holder := _receiver(survey, fact))
        ):
            yield _Setting(fact, holder)


_GIVEN_AT: Kept[dict[str, tuple[tuple[tuple[str, int], str], ...]]] = Kept()


def _given(survey: Survey, key: str) -> Sequence[tuple[tuple[str, int], str]]:
    """The places that give a name anything, each with the number's form; empty for no number.

    What is kept or handed on under its name (`self.lr = lr`, `cfg.lr = args.lr`) is no other value.
    """
    known = _GIVEN_AT.setdefault(survey, {})
    if key not in known:
        found: list[tuple[tuple[str, int], str]] = []
        for path, number, code in _lines(survey, key):
            if "=" not in code and "setattr" not in code:
                continue
            head = code.partition("=")[0]
            if "," in head and "(" not in head and key in map(_key, _SEVERAL.findall(head)):
                found.append(((path, number), ""))
            for match in _GIVEN.finditer(code):
                holder = (match[1] or match[4]).partition(".")[0]
                own = match[2] or match[3] or match[5]
                if _key(own) != key or holder in {"self", "cls"}:
                    continue
                handed = _HANDED.fullmatch(code, match.end())
                if handed is None or _key(handed[1]) != key:
                    whole = _ATTRIBUTE.match(code) or _ENTRY.match(code) or _SETATTR.match(code)
                    form = canonical(whole[3]) if whole is not None else None
                    found.append(((path, number), form or ""))
        known[key] = tuple(found)
    return known[key]


def _is_group(survey: Survey, path: str, number: int, holder: str) -> bool:
    codes = survey.statements(path).codes
    for code in codes[max(0, number - 1 - _ABOVE) : number - 1]:
        match = _GROUPS.match(code[:_WIDEST])
        if match is not None and match[1] == holder:
            return True
    return False


def _receiver(survey: Survey, fact: Fact) -> str:
    """What a call changes or takes over that merges settings; empty where that is not told."""
    if fact.path not in survey.index.graph.paths:
        return ""
    codes = survey.statements(fact.path).codes
    for row in range(fact.line - 1, max(-1, fact.line - 2 - _ABOVE), -1):
        code = " ".join(codes[row : fact.line])[:_WIDEST]
        if re.search(r"\sif\s", code):
            return ""
        match = _RECEIVER.search(code)
        if match is None:
            continue
        holder = (match[1] or match[2]).removesuffix(".__dict__")
        if match[1] and not match[0].endswith("_replace("):
            return holder
        # What is made of a setting anew takes its place only under its name.
        made = re.match(r"\s*([A-Za-z_][\w.]*)\s*(?::[^=]+)?=(?!=)", code)
        return holder if made is not None and made[1] == holder else ""
    return ""


# ---- whether a run always comes there, in time ---------------------------------------------------


def _is_options(holder: str) -> bool:
    return holder.rpartition(".")[2].lower() in _OPTIONS


def _is_outright(survey: Survey, fact: Fact, setting: _Setting) -> bool:
    own = setting.fact
    calls = _way(survey, own.path, own.line, _MOST_CALLS)
    if calls is None:
        return False
    if setting.groups:
        return len(_matching(survey, _OPTIMIZER)) == 1
    made = _origin(survey, fact)
    if made is None:
        return setting.holder == fact.name.rpartition(".")[0] and own.path == fact.path
    path, number, code = made
    bound = re.match(r"\s*([A-Za-z_][\w.]*)\s*(?::[^=]+)?=(?!=)", code)
    name = bound[1] if bound is not None else ""
    if not (setting.holder == name or _is_options(setting.holder)):
        return False
    here = survey.index.graph.symbol_at(path, number)
    for at_path, at in ((own.path, own.line), *calls):
        if at_path == path and survey.index.graph.symbol_at(at_path, at) == here:
            between = survey.statements(path).codes[number : at - 1]
            return number < at and not _is_read(between, fact, name)
    return False


def _is_read(codes: Sequence[str], fact: Fact, name: str) -> bool:
    """Whether a setting is read, or handed on whole, on some lines of a function."""
    if not name:
        return True
    own = re.escape(fact.name.rpartition(".")[2])
    held = re.escape(name)
    reads = re.compile(
        rf"\b{held}(?:\.{own}\b|\[['\"]{own}['\"]\])(?!\s*=[^=])|[(,=]\s*{held}\s*[,)]|\*\*{held}\b"
    )
    cut = [code[:_WIDEST] for code in codes]
    return any(reads.search(code) and not _SHOWN.search(code) for code in cut)


def _origin(survey: Survey, fact: Fact) -> tuple[str, int, str] | None:
    """The one line that makes what holds a setting; none where there are several."""
    if fact.source is FactSource.OPTION:
        found: Sequence[tuple[str, int, str]] = _matching(survey, _PARSED)
    elif fact.source is FactSource.CONFIG:
        found = _matching(survey, _LOADED)
    else:
        parts = [part for part in fact.name.split(".")[:-1] if part != "__init__"]
        found = _made(survey, parts[-1]) if parts else ()
    return found[0] if len(found) == 1 else None


def _made(survey: Survey, name: str) -> list[tuple[str, int, str]]:
    """The live lines that call something by its name."""
    call = re.compile(rf"\b{re.escape(name)}\(")
    return [
        (path, number, code)
        for path, number, code in _lines(survey, join(name))
        if call.search(code) and not re.match(r"\s*(?:class|def)\b", code)
    ]


def _matching(survey: Survey, pattern: re.Pattern[str]) -> list[tuple[str, int, str]]:
    found = [
        (*survey.place(line), code)
        for line, code in zip(survey.live.tolist(), survey.codes, strict=True)
        if "(" in code and pattern.search(code)
    ]
    return [one for one in found if one[0] in survey.index.graph.paths]


def _way(survey: Survey, path: str, line: int, most: int) -> list[tuple[str, int]] | None:
    """The calls by which a line is run, each outright; none where one is not, or by none."""
    if any(
        word in _DOUBTFUL and "__name__" not in said for word, said in _heads(survey, path, line)
    ):
        return None
    symbol = survey.index.graph.symbol_at(path, line)
    if symbol is None or not _TRIAL.isdisjoint(
        part for text in (path.rpartition("/")[2], symbol.name) for part in word_parts(text)
    ):
        return None
    if not symbol.name:
        return []
    found: list[tuple[str, int]] = []
    for caller in survey.index.graph.callers_of(symbol):
        for call in caller.calls:
            if call.target != symbol.key:
                continue
            if survey.standing[survey.index.line_number(caller.path, call.line)] != Standing.LIVE:
                continue
            if len(found) >= _MOST_CALLERS:
                return None
            way = _way(survey, caller.path, call.line, most - 1) if most else None
            if way is None:
                return None
            found += [(caller.path, call.line), *way]
    return found or None


def _heads(survey: Survey, path: str, line: int) -> Iterator[tuple[str, str]]:
    """The heads of the blocks around a line in its function, the inmost first."""
    codes = survey.statements(path).codes
    depth = indent_of(codes[line - 1])
    for above in range(line - 2, max(-1, line - 2 - _MOST_UP), -1):
        code = codes[above]
        if not code.strip() or (own := indent_of(code)) >= depth:
            continue
        depth = own
        head = _HEAD.match(code)
        if head is not None:
            if head[1] in {"def", "class"}:
                return
            yield head[1], head[2]


def _is_imported(survey: Survey, path: str, stem: str) -> bool:
    named = re.compile(
        rf"\s*(?:from\s+[\w.]*\b{re.escape(stem)}\s+import|import\s+.*\b{re.escape(stem)}\b)"
    )
    return any(
        other != path
        and any(named.match(code[:_WIDEST]) for code in survey.statements(other).codes)
        for other in survey.index.graph.paths
    )
