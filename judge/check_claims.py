"""The claims that one repository is checked against, in whatever form they are at hand.

- SA-Bench's own files and folders;
- JSON Lines, one claim a line, as `claims.jsonl` of a run directory has them;
- a short list in YAML or JSON, for one's own code against one's own specification:

```yaml
- The learning rate is 3e-4 with a cosine schedule over 100 epochs   # a text alone is a D2 claim
- {claim: Dropout is 0.1 in every layer, dimension: D1}
- {id: order, claim: Gradients are clipped before the optimiser's step, dimension: D4}
```
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
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

__all__ = ["load_claims"]

_KEYS = ("id", "claim_id", "claim", "text", "dimension", "type", "source", "paper")
_TOP = ("paper", "paper_id", "claims", *(dimension.value for dimension in Dimension))
_DEFAULT = Dimension.D2
_FORM = "See docs/check.md for the forms that claims can have"

Item = tuple[Document, tuple[Step, ...], Any, Dimension | None]


def load_claims(path: Path, paper: str | None = None) -> Paper:
    """Read the claims of one paper, or of one specification.

    Args:
        path: A file or folder in any of the forms above.
        paper: Which paper, where there are several; of a list without papers it is the name.

    Raises:
        InputError: The file is malformed or empty, or it is not clear which paper is meant.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if path.is_dir():
        return _chosen(load_benchmark(path).papers, paper, path)
    if suffix in {".jsonl", ".ndjson"}:
        items: list[Item] = [
            (document, (), document.value, None)
            for document in load_json_lines(path, what="claim file")
        ]
        return _chosen(_papers(path, items, paper), paper, path)
    document = load_document(path, kind=kind_of(path), what="claim file")
    value = document.value
    if suffix == ".json" and isinstance(value, dict) and "claims" not in value:
        return _chosen(load_benchmark(path).papers, paper, path)
    named = None
    if isinstance(value, dict):
        refuse_unknown(document, value, _TOP)
        named = text_at(document, value, ("paper", "paper_id"), required=False) or None
    return _chosen(_papers(path, list(_items(document)), named or paper), paper, path)


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
