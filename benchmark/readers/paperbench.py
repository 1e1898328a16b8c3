"""PaperBench's graded rubric trees (`expected_result.json`): leaves become claims and labels.

Inner nodes are weighted means of their leaves and carry no reading of their own. By default only
the leaves of the category `Code Development` are taken: the others ask what a run printed, which
nobody can read from code.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark.documents import Document, Step, load_document, shown
from benchmark.errors import InputError, Where
from benchmark.nouns import Dimension, Label, Sau
from benchmark.readers.fields import check_id, sequence_at, table_at, text_at
from benchmark.readers.labels import unique

__all__ = ["CODE", "FILE", "PaperBenchLeaf", "load_paperbench"]

FILE = "expected_result.json"
CODE = "Code Development"

_PROTOCOL = {
    "Dataset and Model Acquisition",
    "Data Processing & Preparation",
    "Experimental Setup",
    "Evaluation, Metrics & Benchmarking",
}


@dataclass(frozen=True, slots=True)
class PaperBenchLeaf:
    """A leaf of a graded rubric.

    Attributes:
        sau: The requirement as a claim. The dimension is a guess from the finer category (set-up,
            data and evaluation are protocol, the rest methodological): PaperBench has none.
        category: `Code Development`, `Code Execution` or `Result Analysis`.
        finer: The finer category; may be empty.
        parents: The requirements above it, from the root down.
        label: Whether it was found to be met.
    """

    sau: Sau
    category: str
    finer: str
    parents: tuple[str, ...]
    label: Label


def load_paperbench(
    path: Path,
    *,
    annotator: str = "paperbench",
    kind: str = "person",
    categories: tuple[str, ...] | None = (CODE,),
) -> tuple[PaperBenchLeaf, ...]:
    """Read one graded tree, or every `expected_result.json` below a folder.

    A file lies at `<paper>/<attempt>/.../expected_result.json`: the folder above it (`grading`,
    where it is called so, does not count) is the agent, the one above that the paper. A lone file
    without such folders is paper `paper` by agent `attempt`.

    Args:
        path: The file or folder.
        annotator: Whose reading it is.
        kind: What that annotator is.
        categories: The categories to take; `None` takes all.

    Raises:
        InputError: There is no such file, or a node is malformed; a leaf without a score of 0 or 1
            is an error too, and so is one that is marked as not validly scored.
    """
    path = Path(path)
    files = sorted(path.rglob(FILE)) if path.is_dir() else [path]
    if not files:
        raise InputError(
            f"there is no {FILE} here",
            where=Where(str(path)),
            remedy="Name the file, or the folder of judge evaluations",
        )
    leaves: list[tuple[Document, PaperBenchLeaf]] = []
    for file in files:
        document = load_document(file, kind="json", what="graded rubric")
        names = [part for part in file.absolute().parts[:-1] if part != "grading"]
        agent, paper = names[-1] if names else "attempt", names[-2] if len(names) > 1 else "paper"
        for steps, parents, node in _leaves(document):
            leaf = _leaf(document, steps, parents, node, paper=paper, agent=agent,
                         annotator=annotator, kind=kind)  # fmt: skip
            if categories is None or leaf.category in categories:
                leaves.append((document, leaf))
    unique((document, leaf.label) for document, leaf in leaves)
    return tuple(leaf for _, leaf in leaves)


def _leaves(
    document: Document,
) -> Iterator[tuple[tuple[Step, ...], tuple[str, ...], dict[str, Any]]]:
    """Walk without recursion, in the order of the file."""
    value = document.value
    start: tuple[Step, ...] = ()
    if isinstance(value, dict) and "graded_task_tree" in value and "id" not in value:
        value, start = value["graded_task_tree"], ("graded_task_tree",)
    stack: list[tuple[tuple[Step, ...], tuple[str, ...], Any]] = [(start, (), value)]
    while stack:
        steps, parents, raw = stack.pop()
        node = dict(table_at(document, raw, *steps, what="a node"))
        below = sequence_at(document, node.get("sub_tasks", []), *steps, "sub_tasks",
                            what="sub_tasks")  # fmt: skip
        if not below:
            yield steps, parents, node
            continue
        text = text_at(document, node, ("requirements",), *steps, required=False)
        stack.extend(
            ((*steps, "sub_tasks", index), (*parents, text), below[index])
            for index in range(len(below) - 1, -1, -1)
        )


def _leaf(
    document: Document,
    steps: tuple[Step, ...],
    parents: tuple[str, ...],
    node: dict[str, Any],
    *,
    paper: str,
    agent: str,
    annotator: str,
    kind: str,
) -> PaperBenchLeaf:
    id_ = check_id(document, text_at(document, node, ("id",), *steps), *steps, "id")
    category = text_at(document, node, ("task_category",), *steps)
    finer = text_at(document, node, ("finegrained_task_category",), *steps, required=False)
    score = node.get("score")
    valid = node.get("valid_score", True)
    if valid is not True or type(score) not in {int, float} or score not in {0, 1}:
        raise document.error(
            "the leaf is marked as not validly scored"
            if valid is not True
            else f"the leaf's score is {shown(score)}, not 0 or 1",
            *steps,
            "score",
            remedy="Remove the leaf or complete its grading: an error is never a 0",
        )
    return PaperBenchLeaf(
        sau=Sau(
            id=id_,
            paper=paper,
            dimension=Dimension.D3 if finer in _PROTOCOL else Dimension.D2,
            claim=text_at(document, node, ("requirements",), *steps),
        ),
        category=category,
        finer=finer,
        parents=parents,
        label=Label(
            submission=f"{agent}/{paper}",
            sau=id_,
            annotator=annotator,
            kind=kind,
            level=None,
            drift=None,
            failure=None,
            note=text_at(document, node, ("explanation",), *steps, required=False),
            passed=score == 1,
        ),
    )
