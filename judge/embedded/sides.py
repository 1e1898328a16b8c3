"""The two sides of an order in a sentence: `S is done before T`, `first S, then T`, `S follows T`.

Sides are words, cut where another clause begins. What leads a sentence up to its order (`in each
step,`) belongs to no side: it says where the order is to be looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from judge.embedded.between import between

__all__ = ["Sides", "sides_of"]


@dataclass(frozen=True, slots=True)
class Sides:
    """Two sides of an order.

    Attributes:
        first: The words of what comes first.
        second: The words of what comes second.
        around: Words of the sentence that belong to neither.
    """

    first: str
    second: str
    around: str = ""


_SENTENCE = re.compile(r"(?<=[.;])\s+(?=[A-Z(0-9])|\n+")
_LONGEST = 320  # characters of a sentence: what is longer names too much to be two steps
_LEAD = re.compile(
    r"\A\s*((?:in|within|during|for|at|inside|on)\s+(?:the|a|an|each|every|any)\b"
    r"(?:(?!\b(?:is|are|was|were)\b)[^,]){1,60}?),\s+|\A\s*((?:in|within|during)\s+(?:the|an?)\s+"
    r"(?:\w+\s+){0,2}?(?:step|block|iteration|epoch|update|round|layer|push))\s+(?=the\b)|\A\s*((?:in|within|during|for|at|inside)\s+"
    r"(?:each|every)\s+[\w-]+(?:\s+(?:step|block|iteration|epoch|update|round|layer))?)\s+",
    re.IGNORECASE,
)
_CUT = re.compile(
    r"[;:()]|,\s+(?:and|but|while|which|so|where|with|not|along|yet)\b|,\s+(?=then\b)"
)
_BETWEEN_TWO = re.compile(r"\bbetween\b", re.IGNORECASE)
# What comes first stands in front of these, and behind those.
_FORWARD = re.compile(
    r"\b(?:(?:right|just|directly|immediately|always|shortly)\s+)?(?:before|prior to|ahead of)\b"
    r"|\b(?:comes?|runs?|stands?|acts?|happens?)\s+(?:before|ahead of)\b"
    r"|\bprecedes?\b|\b(?:is|are)\s+(?:directly\s+|then\s+)?followed\s+by\b|,\s*followed\s+by\b"
    r"|(?:,\s*|\band\s+)(?:only\s+|is\s+|are\s+)?(?:then|afterwards|subsequently|finally)\b"
    r"|\band\s+only\s+then\b|(?:→|->|⇒|=>)(?!\s*\+)",
    re.IGNORECASE,
)
_BACKWARD = re.compile(
    r"\b(?:(?:right|just|directly|immediately|only|always|shortly)\s+)?"
    r"(?:after(?!wards|\s+(?:at most |at least |about |around |every |the first )?[\d(])"
    r"|once(?!,|\s+(?:per|a|an|for|every|each|from|at|in)\b))\b"
    r"|\b(?:comes?|runs?|stands?|acts?|happens?)\s+after\b|\bfollows?\b(?!\s*[,.]|\s*\Z)"
    r"|\b(?:is|are)\s+preceded\s+by\b",
    re.IGNORECASE,
)
_WHILE = re.compile(r"\bbeforehand\b(?P<rest>[^.;]*?)\b(?:while|when)\b", re.IGNORECASE)
_FIRST = re.compile(
    r"\A(?P<one>.*?)\bfirst(?:ly)?\b(?P<rest>.*?)"
    r"(?:,\s*(?:and\s+)?(?:then\s+)?|\band\s+(?:then\s+)?|;\s*)"
    r"(?P<two>.*?)(?:\b(?:second|afterwards?|next|later|then|thereafter|follows?)\b|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_ADVERB = re.compile(r"\s*(?:,|and\b|\Z|\w+ed\b)", re.IGNORECASE)
_THEN = re.compile(r"\b(?:then|afterwards?|next|thereafter)\b", re.IGNORECASE)
_THIRD = re.compile(r"\bsecond\b\s*(?:,|and)\s*(?:and\s+)?(?P<three>.*?)\bthird\b", re.IGNORECASE)
_FIRST_OF = re.compile(
    r"\b(?:the|a|an|its|their|at|from|of)\s+first\b|\bfirst\s+(?:rises?)", re.IGNORECASE
)
_AFTERWARDS = re.compile(
    r"\s+(?:afterwards?|next|later|thereafter|second)\s*\.?\s*\Z", re.IGNORECASE
)
# To follow these is to heed them.
_HEEDS = re.compile(
    r"\b(?:sampling|training|generation|evaluation|rates?|schedul\w+|levels?|setup|protocol|method"
    r"|architecture|distribution|implementation|design|noise|decay|updates?)\s+follows?\b",
    re.IGNORECASE,
)
_MOST = 6


@lru_cache(maxsize=4096)
def sides_of(text: str) -> tuple[Sides, ...]:
    """The orders that a claim states in sentences, in the order of the text."""
    found: list[Sides] = []
    start = 0
    for match in [*_SENTENCE.finditer(text), None]:
        end = match.start() if match else len(text)
        sentence = text[start:end].strip().rstrip(".;")
        start = match.end() if match else end
        if 0 < len(sentence) <= _LONGEST:
            found += _in_sentence(sentence)
    return tuple(each for each in dict.fromkeys(found) if each.first and each.second)[:_MOST]


def _in_sentence(sentence: str) -> Iterator[Sides]:
    around = ""
    if lead := _LEAD.match(sentence):
        around, sentence = lead[1] or lead[2] or lead[3], sentence[lead.end() :]
    if (split := _BETWEEN_TWO.search(sentence)) and " and " in sentence[split.end() :]:
        if _FORWARD.search(sentence) or _BACKWARD.search(sentence):
            return
        subject = sentence[: split.start()]
        one, _, other = sentence[split.end() :].partition(" and ")
        yield Sides(_head(one), subject.strip(), around)
        yield Sides(subject.strip(), _head(other), around)
        return
    both = between(sentence, 0, len(sentence))
    if both is not None:
        for early, late in both:
            yield Sides(_tail(sentence[slice(*early)]), _head(sentence[slice(*late)]), around)
        return
    if held := _WHILE.search(sentence):
        yield Sides(sentence[: held.start()].strip(), _head(sentence[held.end() :]), around)
        return
    ranked = _ranked(sentence, around)
    if ranked:
        yield from ranked
        return
    if _HEEDS.search(sentence):
        return
    cuts = sorted(
        [(match.span(), True) for match in _FORWARD.finditer(sentence)]
        + [(match.span(), False) for match in _BACKWARD.finditer(sentence)]
    )
    cuts = [cut for n, cut in enumerate(cuts) if not n or cut[0][0] >= cuts[n - 1][0][1]]
    if not cuts:
        return
    if not sentence[: cuts[0][0][0]].strip(" ,"):  # `Before A, B`
        head, comma, rest = sentence[cuts[0][0][1] :].partition(",")
        if comma and len(cuts) == 1:
            one, other = (rest, head) if cuts[0][1] else (head, rest)
            yield Sides(_tail(one), _head(other), around)
        return
    ends = [*(cut[0][0] for cut in cuts[1:]), len(sentence)]
    begins = [0, *(cut[0][1] for cut in cuts)]
    pieces = [sentence[a:b] for a, b in zip(begins, [cuts[0][0][0], *ends], strict=True)]
    if len(cuts) > 1 and len({forward for _, forward in cuts}) > 1:
        return
    joint = len(cuts) == 2 and pieces[1].rstrip(" ,").endswith(" and")
    if joint:  # `S after A and after B`
        pieces[1] = pieces[1].rstrip(" ,").removesuffix(" and")
    for number, (_, forward) in enumerate(cuts):
        near = _tail(pieces[0 if joint else number])
        far = _head(pieces[number + 1])
        yield Sides(near, far, around) if forward else Sides(far, near, around)


def _ranked(sentence: str, around: str) -> list[Sides]:
    """`A first, then B`; `first A, then B`; `A first, B second and C third`."""
    match = _FIRST.match(sentence)
    if match is None or _FIRST_OF.search(sentence):
        return []
    behind = sentence[match.start("rest") :]
    if match["one"].strip() and not _ADVERB.match(behind):
        return []
    if not match["one"].strip() and not _THEN.search(behind):
        return []  # `first moment and second moment`
    one = f"{match['one']} {match['rest']}".strip(" ,")
    two = _AFTERWARDS.sub("", match["two"]).strip(" ,")
    if not two and (_FORWARD.search(sentence) or _BACKWARD.search(sentence)):
        return []
    found = [Sides(_head(one), _head(two), around)]
    if third := _THIRD.search(sentence, match.end("two")):
        found.append(Sides(_head(two), third["three"].strip(" ,"), around))
    return found


def _head(text: str) -> str:
    """The first clause of a text."""
    return _CUT.split(text.strip(" ,"), maxsplit=1)[0].strip(" ,")


def _tail(text: str) -> str:
    """The last clause of a text that has words."""
    pieces = [piece for piece in _CUT.split(text) if piece.strip(" ,")]
    return pieces[-1].strip(" ,") if pieces else ""
