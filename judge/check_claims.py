"""The claims that one repository is checked against, in whatever form they are at hand.

- SA-Bench's own files and folders;
- JSON Lines, one claim a line, as `claims.jsonl` of a run directory has them;
- a short list in YAML or JSON, for one's own code against one's own specification:

```yaml
- The learning rate is 3e-4 with a cosine schedule over 100 epochs   # a text alone is a D2 claim
- {claim: Dropout is 0.1 in every layer, dimension: D1}
- {id: order, claim: Gradients are clipped before the optimiser's step, dimension: D4}
```

All but folders may come by standard input: what they are is then told by what they hold.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmark import Dimension, InputError, Paper, Sau, Where
from benchmark.documents import (
    Document,
    Step,
    kind_of,
    load_document,
    load_json_lines,
    nearest,
    one_of,
    shown,
)
from benchmark.readers.claims import load_benchmark
from benchmark.readers.fields import (
    MAX_CLAIM,
    MAX_SOURCE,
    check_id,
    dimension_of,
    refuse_unknown,
    same_name,
    sequence_at,
    short_text,
    text_at,
)

__all__ = ["STANDARD_INPUT", "load_claims"]

STANDARD_INPUT = Path("-")
_LINES = frozenset({".jsonl", ".ndjson"})
_ENDINGS = frozenset({".json", ".yaml", ".yml", *_LINES})

_KEYS = ("id", "claim_id", "claim", "text", "dimension", "type", "source", "paper")
_TOP = ("paper", "paper_id", "claims", *(dimension.value for dimension in Dimension))
_DEFAULT = Dimension.D2
_FORM = "See docs/check.md for the forms that claims can have"

Item = tuple[Document, tuple[Step, ...], Any, Dimension | None]


def load_claims(path: Path, paper: str | None = None) -> Paper:
    """Read the claims of one paper, or of one specification.

    Args:
        path: A file or folder in any of the forms above; `-` is standard input.
        paper: Which paper, where there are several; of a list without papers it is the name.

    Raises:
        InputError: The file is malformed or empty, or it is not clear which paper is meant.
    """
    path = Path(path)
    if path == STANDARD_INPUT:
        return _from_standard_input(paper)
    suffix = path.suffix.lower()
    if path.is_dir():
        return _chosen(load_benchmark(path).papers, paper, path)
    if suffix not in _ENDINGS and path.exists():
        raise InputError(
            "claims are read from files that end in .json, .jsonl, .yaml or .yml, and this one "
            f"ends in {suffix or 'none of them'}",
            where=Where(str(path)),
            remedy="Rename it to what it holds, or give it by standard input: --saus - < FILE",
        )
    if suffix in _LINES:
        items: list[Item] = [
            (document, (), document.value, None)
            for document in load_json_lines(path, what="claim file")
        ]
        return _chosen(_papers(path, items, paper), paper, path)
    kind = kind_of(path) if suffix in _ENDINGS else "yaml"  # there is none: that is said first
    document = load_document(path, kind=kind, what="claim file")
    value = document.value
    if suffix == ".json" and isinstance(value, dict) and "claims" not in value:
        return _chosen(load_benchmark(path).papers, paper, path)
    named = None
    if isinstance(value, dict):
        refuse_unknown(document, value, _TOP)
        named = text_at(document, value, ("paper", "paper_id"), required=False) or None
    return _chosen(_papers(path, list(_items(document)), named or paper), paper, path)


def _from_standard_input(paper: str | None) -> Paper:
    """Claims that are piped in, told apart by what they hold.

    They go through a file for a moment, so that whatever a file must keep to holds for them too.
    """
    data = sys.stdin.buffer.read()
    with tempfile.TemporaryDirectory(prefix="judge-claims-") as folder:
        file = Path(folder) / f"claims{_ending(data)}"
        file.write_bytes(data)
        try:
            return load_claims(file, paper)
        except InputError as error:
            where = replace(error.where, path="standard input")
            raise InputError(error.problem, where=where, remedy=error.remedy) from None


def _ending(data: bytes) -> str:
    """What a file of these bytes would end in."""
    text = data.decode("utf-8-sig", "replace").strip()
    if not text.startswith(("{", "[")):
        return ".yaml"
    whole, first = _json(text), _json(text.split("\n")[0])
    if isinstance(whole, dict) and not {"claim", "text"} & whole.keys():
        return ".json"
    if isinstance(whole, list):
        return ".json"
    if isinstance(first, dict):
        return ".jsonl"
    # `[a, b]` and `{claims: [a]}` are YAML; what is quoted as JSON is, was meant as JSON.
    return ".json" if text.lstrip("{[ \t\r\n").startswith('"') else ".yaml"


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _items(document: Document) -> Iterator[Item]:
    """Each claim with the way to it and the dimension of its section, if it stands in one."""
    value = document.value
    if not isinstance(value, dict):
        rows = sequence_at(document, value, what="a list of claims")
        yield from ((document, (place,), row, None) for place, row in enumerate(rows))
        return
    sections: dict[str, Dimension | None] = {"claims": None}
    sections |= {dimension.value: dimension for dimension in Dimension}
    for name, dimension in sections.items():
        if name in value:
            rows = sequence_at(document, value[name], name, what=name)
            for place, row in enumerate(rows):
                yield document, (name, place), row, dimension


def _papers(path: Path, items: list[Item], default: str | None) -> tuple[Paper, ...]:
    found: dict[str, list[Sau]] = {}
    counts: Counter[Dimension] = Counter()
    seen: dict[str, str] = {}
    for document, steps, value, section in items:
        row = {"claim": value} if isinstance(value, str) else value
        if not isinstance(row, dict):
            raise document.error(
                "a claim should be a text, or a mapping with the key claim", *steps, remedy=_FORM
            )
        _refuse_colon(document, row, steps)
        refuse_unknown(document, row, _KEYS, *steps)
        sau = _sau(
            document, row, steps, section=section, counts=counts, default=default or path.stem
        )
        if same_name(sau.id) in seen:
            raise document.error(
                f"the id {sau.id!r} is given twice",
                *steps,
                key=sau.id,
                remedy="Give each claim an id of its own",
            )
        seen[same_name(sau.id)] = sau.id
        found.setdefault(sau.paper, []).append(sau)
    return tuple(Paper(name, tuple(saus)) for name, saus in found.items())


def _refuse_colon(document: Document, row: dict[str, Any], steps: tuple[Step, ...]) -> None:
    """Refuse `- Weight decay: 0.05`, which YAML takes for a mapping, in words that help."""
    if len(row) != 1:
        return
    ((name, value),) = row.items()
    if name in _KEYS or nearest(name, _KEYS) or isinstance(value, dict | list):
        return
    text = name if value is None else f"{name}: {value}"
    raise document.error(
        f"the colon in {shown(text)} makes this a key and a value, and no text",
        *steps,
        remedy=f"Quote the claim: - {json.dumps(text[:200], ensure_ascii=False)}",
    )


def _sau(
    document: Document,
    row: dict[str, Any],
    steps: tuple[Step, ...],
    *,
    section: Dimension | None,
    counts: Counter[Dimension],
    default: str,
) -> Sau:
    word = text_at(document, row, ("dimension", "type"), *steps, required=False)
    dimension = dimension_of(document, word, *steps) if word else section or _DEFAULT
    if section is not None and dimension is not section:
        raise document.error(
            f"the claim stands under {section.value} and says {dimension.value}",
            *steps,
            remedy="Correct one of the two",
        )
    counts[dimension] += 1
    given = row.get("id", row.get("claim_id"))
    if given is None:
        sau_id = f"{dimension.value}-{counts[dimension]:03}"
    elif type(given) is int:
        sau_id = str(given)
    else:
        sau_id = check_id(document, text_at(document, row, ("id", "claim_id"), *steps), *steps)
    claim = text_at(document, row, ("claim", "text"), *steps)
    source = text_at(document, row, ("source",), *steps, required=False)
    return Sau(
        id=sau_id,
        paper=text_at(document, row, ("paper",), *steps, required=False) or default,
        dimension=dimension,
        claim=short_text(document, claim, MAX_CLAIM, *steps, what="claim"),
        source=short_text(document, source, MAX_SOURCE, *steps, what="source"),
    )


def _chosen(papers: tuple[Paper, ...], wanted: str | None, path: Path) -> Paper:
    where = Where(str(path))
    papers = tuple(paper for paper in papers if paper.saus)
    if not papers:
        raise InputError("the file holds no claims", where=where, remedy=_FORM)
    if wanted is None:
        if len(papers) == 1:
            return papers[0]
        raise InputError(
            f"there are claims of {len(papers)} papers",
            where=where,
            remedy=f"Name one with --paper: {one_of(sorted(paper.id for paper in papers))}",
        )
    for paper in papers:
        if paper.id == wanted:
            return paper
    names = sorted(paper.id for paper in papers)
    near = nearest(wanted, names)
    raise InputError(
        f"there are no claims of the paper {wanted!r}",
        where=where,
        remedy=f"Write {near}" if near else f"Use {one_of(names)}",
    )
