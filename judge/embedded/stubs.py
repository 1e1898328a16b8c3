"""Signs that a function does nothing of what its name says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.embedded.wordy import told_part, unquoted
from retrieval.words import word_parts

__all__ = ["CONFIGURES", "is_interface", "is_stub"]

_IDLE = re.compile(
    r"\s*(?:pass|\.\.\.|continue|raise\s+NotImplementedError\b.*|raise\s+NotImplemented\b.*"
    r"|(?:print|logger?\.\w+|logging\.\w+|self\.logger?\.\w+|warnings\.warn)\(.*"
    r"|super\(\).*|del\s+.*|_\s*=.*|global\s+.*|return\s+NotImplemented)\s*\Z"
)
# Possessive, so that no line of graded code can make the search go back and forth.
_CONSTANT = re.compile(
    r"\s*return(?:\s+(?:None|True|False|-?[\d.][\w.+-]*+|'[^']*'|\"[^\"]*\"|dict\(\)|list\(\)"
    r"|[\[(][-+\d.eE,\s]*+[\])]|\d[-+\d.eE,\s]*+"
    r"|\{(?:['\"][\w@ /-]*+['\"]\s*+:\s*+[-\d.e]++\s*+,?\s*+)*\}))?\s*\Z"
)
_RANDOM = re.compile(
    r"\s*return\s+(?:float\(|int\()?\s*(?:(?:np|numpy|torch|random|jnp|rng|self\.rng)\.)+"
    r"(?:random\.)?(?:rand|randn|random|uniform|randint|normal|zeros|ones|zeros_like|ones_like|tensor"
    r"|choice|rand_like|randn_like)\w*\(.*"
)
# Chance is no placeholder where it is weighed, or drawn evenly from what is given by a function
# for drawing whose name and arguments tell of nothing that it would have to be weighed by.
_WEIGHED = re.compile(r"\bchoices?\(.{0,300}[(,\s](?:weights|cum_weights|p|probs?)\s?=")
_WEIGHED_BY_PLACE = re.compile(
    r"\bchoices\((?:[^(),]|\([^()]{0,60}\)){1,100},\s{0,4}(?!\s|k\s?=|\d)"
)
_DRAWN_FROM = re.compile(r"\b(?:choices?|sample|randint)\w{0,40}\(\s{0,8}(?![\s\[({'\"\d)])")
_FOR_DRAWING = frozenset(
    {"sample", "sampler", "samples", "sampling", "draw", "pick", "choose", "select", "random"}
    | {"resample", "bootstrap"}
)
_EVENLY = frozenset({"random", "uniform", "uniformly", "bootstrap"})
_BY_WEIGHT = re.compile(
    r"distribution|logit|prob|weight|polic|prior|softmax|model|token|score|action|importance|top_?[kp]",
    re.IGNORECASE,
)
_FOR_NOISE = frozenset(
    {"noise", "prior", "latent", "latents", "eps", "epsilon", "init", "initialize", "initial"}
)
_WIDEST = 400  # characters of a line that are read
_GIVEN_BACK = re.compile(r"\s*return\s+(\w+)\s*\Z")
_TEST_HEAD = re.compile(r"\s*(?:if|else|elif|try|except|finally|with)\b.*:\s*\Z")


_GIVEN = re.compile(
    r"\s*([A-Za-z_]\w*)\s*(?::[^=]*)?=\s*(?:None|True|False|-?[\d.][\w.+-]*+|'[^']*'|\"[^\"]*\""
    r"|[\[(][-+\d.eE,\s]*+[\])])\s*\Z"
)
_NAME = re.compile(r"[A-Za-z_]\w*")
# Functions that give settings, and those whose names themselves are settings, as Sacred has them.
_OF_SETTINGS = re.compile(
    r"(?:\w+_)?(?:config|cfg|conf|defaults?|settings|hparams|hyper_?param(?:eter)?s|params|options"
    r"|opts|args|kwargs)\Z"
)
_TABLE = re.compile(r"\s*return\s*\{\s*['\"]")
CONFIGURES = re.compile(r"@\s*\w+\.(?:named_)?config\b")
"""A decorator that takes the names of a function for settings."""
_SAID = re.compile(r"\s*(?:print|logger?\.\w+|logging\.\w+|self\.logger?\.\w+|warnings\.warn)\(")


def _is_idle(line: str) -> bool:
    """Whether a line does nothing, or tells what it does not work out."""
    if not _IDLE.match(line):
        return False
    said = _SAID.match(line)
    if said is None or "(" not in line[said.end() :]:
        return True
    return not told_part(unquoted(line[said.end() :]), inside=True)[1]


def _is_chance(line: str, name: str) -> bool:
    """Whether a line gives back chance in place of what the function is called by."""
    if not _RANDOM.match(line):
        return False
    if not _FOR_NOISE.isdisjoint(name[:_WIDEST].split("_")):
        return False
    line = line[:_WIDEST]
    words = frozenset(word_parts(name[:_WIDEST]))
    for_drawing = not _FOR_DRAWING.isdisjoint(words)
    drawn_from = _DRAWN_FROM.search(line) is not None
    if _WEIGHED.search(line) or _WEIGHED_BY_PLACE.search(line):
        return not (for_drawing or drawn_from)
    even = not _EVENLY.isdisjoint(words) or _BY_WEIGHT.search(f"{name[:_WIDEST]} {line}") is None
    return not (for_drawing and drawn_from and even)


def _without_unread(lines: Sequence[str]) -> list[str]:
    """The lines without those that give a constant to a name that no other line reads."""
    given = [match[1] if (match := _GIVEN.match(line)) else "" for line in lines]
    read = {
        name
        for line, own in zip(lines, given, strict=True)
        if not own
        for name in _NAME.findall(line)
    }
    if not read.isdisjoint({"locals", "vars"}):
        return list(lines)
    return [line for line, own in zip(lines, given, strict=True) if not own or own in read]


_PROTOCOL = re.compile(r"class\s+\w+[^(]*\([^)]*\bProtocol\b")


def is_interface(header: str) -> bool:
    """Whether a class's head says that it only gives types: its methods are no placeholders."""
    return _PROTOCOL.match(header) is not None


def is_stub(code: Sequence[str]) -> bool:
    """Whether a function's lines, comments and docstrings left out, are a placeholder.

    Constructors that only store their arguments are none, nor are properties that give a value.
    """
    head_over = False
    depth = 0
    body: list[str] = []
    decorated = ""
    name = ""
    head = ""
    for line in code:
        if not head_over:
            head += line
            if depth == 0 and line.lstrip().startswith("@"):
                decorated += line
                continue
            if depth == 0 and (match := re.match(r"\s*(?:async\s+)?def\s+(\w+)", line)):
                name = match[1]
            depth += line.count("(") + line.count("[") - line.count(")") - line.count("]")
            if depth <= 0:
                head_over = True
                one_line = re.search(r"\)\s*(?:->[^:]+)?:\s*(\S.*)\Z", line)
                if one_line:
                    body.append(one_line[1])
            continue
        body.append(line)
    if "property" in decorated or "abstract" in decorated or "overload" in decorated:
        return False
    if CONFIGURES.search(decorated):
        return False
    if name.startswith("__") and name != "__call__":
        return False
    acts = [line for line in body if line.strip() and not _is_idle(line)]
    acts = _without_unread(acts)
    if not acts:
        return True
    rest = [line for line in acts if not _TEST_HEAD.match(line)]
    if len(rest) == 1 and _OF_SETTINGS.match(name) and _TABLE.match(rest[0]):
        return False
    if len(rest) <= 2 and all(_CONSTANT.match(line) or _is_chance(line, name) for line in rest):
        return True
    # A function that gives its argument back unchanged.
    given = _GIVEN_BACK.match(rest[0]) if len(rest) == 1 else None
    if given is None or given[1] == "self":
        return False
    return re.search(rf"[(,]\s*{given[1]}\b", head) is not None
