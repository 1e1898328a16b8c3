"""The passage of a paper that a claim's source names, within a bound.

A source is what people write: `Section 3.2, Eq. 5`, `Appendix A.1 (Table 6)`, `Sec4.1`, `D.2`. What
is named most exactly (an equation, a table, an algorithm) goes first; of a section those paragraphs
are kept that have most in common with the claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from retrieval.tokens import estimate_tokens

__all__ = ["PaperText", "paper_passage", "read_paper"]

MAX_CHARACTERS = 4_000_000
_GAP = "[...]"
_HEADING = re.compile(r"#{1,6}\s*(?P<title>\S.*)")
_NUMBERED = re.compile(
    r"(?:\*\*)?(?:(?:section|appendix)\s+)?(?P<number>(?:[A-Z]|\d{1,2})(?:\.\d{1,2})*)[.:)]?(?:\s|$)",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"(?:references|bibliography|acknowledge?ments?|broader impact|contents)\b", re.IGNORECASE
)
_SECTION = re.compile(
    r"(?:\b(?:section|sect?|appendix|app)s?\b\.?|\bsec(?=[\dA-Z](?:\.|\b|\d))|§)\s*"
    r"(?P<number>(?:[A-Z]|\d{1,2})(?:\.\d{1,2})*)\b(?!\()",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?<![\w.])(?P<number>[A-Z](?:\.\d{1,2})+|\d{1,2}(?:\.\d{1,2})+)(?![\w.]*\d)")
_ALONE = re.compile(r"(?:[A-Z]|\d{1,2})(?:\.\d{1,2})*\Z")
_EQUATION = re.compile(
    r"\beq(?:uation|n)?s?\b\.?\s*\(?(?P<number>[A-Z]?\.?\d{1,3}[a-z]?)\)?"
    r"(?:\s*(?:-|–|to|and|,|&)\s*\(?(?P<last>\d{1,3})\)?(?![\w.]))?|\beq(?P<tight>\d{1,3})\b",
    re.IGNORECASE,
)
_OBJECT = re.compile(
    r"\b(?P<kind>table|tab|algorithm|alg|figure|fig|theorem|lemma|proposition|definition|example)"
    r"s?\b\.?\s*(?P<number>[A-Z]?\.?\d{1,3})",
    re.IGNORECASE,
)
_KINDS = {"tab": "table", "alg": "algorithm", "fig": "figure"}
_WORD = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]{3,}")


@dataclass(frozen=True, slots=True)
class _Section:
    number: str
    title: str
    first: int
    last: int  # one past its last paragraph, the sections inside it included


@dataclass(frozen=True, slots=True)
class PaperText:
    """A paper, taken apart.

    Attributes:
        paragraphs: Its paragraphs in order; a heading is one of its own.
        sections: Its numbered and titled sections, as ranges of paragraphs.
    """

    paragraphs: tuple[str, ...]
    sections: tuple[_Section, ...]


@lru_cache(maxsize=4)
def read_paper(text: str) -> PaperText:
    """Take a paper in Markdown apart."""
    paragraphs: list[str] = []
    open_ones: list[str] = []
    fenced = False
    for line in text[:MAX_CHARACTERS].splitlines():
        stripped = line.strip()
        if stripped.startswith(("```", "$$")) and stripped.count("$$") != 2:
            fenced = not fenced
        if (not stripped and not fenced) or (_HEADING.match(stripped) and not fenced):
            if open_ones:
                paragraphs.append("\n".join(open_ones))
            open_ones = []
            if stripped:
                paragraphs.append(stripped)
        else:
            open_ones.append(line.rstrip())
    if open_ones:
        paragraphs.append("\n".join(open_ones))
    return PaperText(tuple(paragraphs), tuple(_sections(paragraphs)))


def _sections(paragraphs: list[str]) -> list[_Section]:
    heads: list[tuple[int, str, str, int]] = []
    for place, paragraph in enumerate(paragraphs):
        heading = _HEADING.fullmatch(paragraph)
        if heading is None:
            continue
        title = heading.group("title").strip()
        depth = len(paragraph) - len(paragraph.lstrip("#"))
        numbered = _NUMBERED.match(title)
        number = numbered.group("number").upper() if numbered else ""
        bare = title[numbered.end() :].strip() if numbered else title
        heads.append((place, number, bare.strip("* "), depth))
    return [
        _Section(number, title, place, _end(heads, at, len(paragraphs)))
        for at, (place, number, title, _) in enumerate(heads)
    ]


def _end(heads: list[tuple[int, str, str, int]], at: int, count: int) -> int:
    """Where a section ends: converters flatten headings, so that numbers tell before depths do."""
    _, number, _, depth = heads[at]
    for place, other, title, other_depth in heads[at + 1 :]:
        if _ENDS.match(title):
            return place
        if number and other:
            if not other.startswith(f"{number}."):
                return place
        elif not number and (other or other_depth <= depth):
            return place
    return count


def paper_passage(paper: PaperText, source: str, claim: str, *, tokens: int) -> str | None:
    """The passage that a source names.

    Args:
        paper: The paper.
        source: Where a claim is from, in people's words.
        claim: The claim, to choose by where there is too much.
        tokens: How much may be returned, as an estimate.

    Returns:
        Paragraphs in their order, `[...]` where some are left out; `None` where nothing that the
        source names is found.
    """
    if tokens <= 0 or not source.strip():
        return None
    exact = list(dict.fromkeys(_exact(paper, source)))
    around: dict[int, None] = {}
    for section in _named(paper, source):
        around.update(dict.fromkeys(range(section.first, section.last)))
    words = set(_WORD.findall(claim.lower()))
    ranked = sorted(
        (place for place in around if place not in exact),
        key=lambda place: (-_in_common(paper.paragraphs[place], words), place),
    )
    kept: dict[int, str] = {}
    left = tokens
    for place in (*exact, *ranked):
        text = paper.paragraphs[place]
        cost = estimate_tokens(text)
        if cost <= left:
            kept[place] = text
            left -= cost
        elif not kept:
            kept[place] = _cut(text, left)
            left = 0
    return _joined(kept) or None


def _exact(paper: PaperText, source: str) -> Iterable[int]:
    """Yield the paragraphs of the equations, tables and the like that a source names."""
    for match in _EQUATION.finditer(source):
        first = match.group("number") or match.group("tight")
        numbers = [first]
        if (last := match.group("last")) and first.isdigit() and int(first) < int(last):
            numbers = [str(n) for n in range(int(first), min(int(last), int(first) + 5) + 1)]
        for number in numbers:
            yield from _equation(paper, number)
    for match in _OBJECT.finditer(source):
        kind = match.group("kind").lower()
        yield from _object(paper, _KINDS.get(kind, kind), match.group("number"))


def _equation(paper: PaperText, number: str) -> Iterable[int]:
    sign = re.compile(
        rf"\\tag\*?\s*\{{\s*\(?{re.escape(number)}\)?\s*\}}|[\s$.,}}]\({re.escape(number)}\)\s*\$*\s*$",
        re.MULTILINE,
    )
    for place, text in enumerate(paper.paragraphs):
        if sign.search(text):
            yield place
            # What its symbols stand for is said just before it or just after it.
            for near in (place - 1, place + 1):
                if 0 <= near < len(paper.paragraphs):
                    yield near
            return


def _object(paper: PaperText, kind: str, number: str) -> Iterable[int]:
    short = {"table": "tab", "algorithm": "alg", "figure": "fig"}.get(kind, kind)
    caption = re.compile(
        rf"[#*_\s<>a-z/]*(?:{kind}|{short})\.?\s*{re.escape(number)}(?![\w]|\.\d)", re.IGNORECASE
    )
    for place, text in enumerate(paper.paragraphs):
        if caption.match(text):
            yield place
            # The body stands below its caption, or above it.
            for near in (place + 1, place - 1):
                if 0 <= near < len(paper.paragraphs) and (
                    kind == "algorithm" or paper.paragraphs[near].lstrip().startswith(("|", "<t"))
                ):
                    yield near
                    break
            return


def _named(paper: PaperText, source: str) -> list[_Section]:
    """Return the sections that a source names, by number or else by title."""
    numbers = [match.group("number").upper() for match in _SECTION.finditer(source)]
    numbers += [match.group("number").upper() for match in _BARE.finditer(source)]
    alone = [part.strip() for part in re.split(r"[,;]", source)]
    numbers += [part for part in alone if _ALONE.match(part)]
    found: list[_Section] = []
    for number in dict.fromkeys(numbers):
        having = [section for section in paper.sections if section.number == number]
        while not having and "." in number:
            number = number.rpartition(".")[0]  # noqa: PLW2901 - the section around it
            having = [section for section in paper.sections if section.number == number]
        if having:
            # A heading that only begins like a number ("A new method") comes before the real one.
            found.append(having[-1] if number[0].isalpha() else having[0])
    if not found:
        said = source.casefold()
        found = [
            section
            for section in paper.sections
            if len(section.title) >= 4
            and re.search(rf"\b{re.escape(section.title.casefold())}\b", said)
        ][:2]
    # The narrower of two that are named together is what is meant.
    return [
        section
        for section in found
        if not any(
            other is not section and section.first <= other.first and other.last <= section.last
            for other in found
        )
    ]


def _in_common(text: str, words: set[str]) -> int:
    found = set(_WORD.findall(text.lower()))
    return sum(3 if word[0].isdigit() else 1 for word in words & found)


def _cut(text: str, tokens: int) -> str:
    share = tokens / max(1, estimate_tokens(text))
    return f"{text[: int(len(text) * share * 0.9)]} {_GAP}"


def _joined(kept: dict[int, str]) -> str:
    parts: list[str] = []
    before: int | None = None
    for place in sorted(kept):
        if before is not None and place != before + 1:
            parts.append(_GAP)
        parts.append(kept[place])
        before = place
    return "\n\n".join(parts)
