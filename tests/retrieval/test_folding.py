"""What excerpts leave out: blank lines, comments, docstrings. Nothing that acts."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark import Dimension, Sau
from prompts.render import shown_passage
from retrieval.evidence import RetrievalSettings, find_evidence
from retrieval.index import Index
from retrieval.notebook import render_notebook
from retrieval.values import Evidence, ParseState, Passage, Repository, Role, SourceFile
from tests.retrieval.handmade import build

LOSS = '''\
"""Losses of the paper.

We scale the contrastive loss by the temperature.
"""

import torch


# The contrastive loss of Section 3.
def contrastive(a, b, temperature=0.07):
    """The contrastive loss.

    Divided by a temperature.
    """
    # Equation 4.
    scores = a @ b.T / temperature  # (n, n)

    prompt = """
# not a comment: text that is sent
"""
    """Nothing is done with this."""; send(prompt)
    return loss(scores)
'''
FILLER = "".join(
    f"def other{n}(x):\n    y = x * {n}\n    return y + table[{n}]\n\n\n" for n in range(400)
)
CLAIM = Sau("x", "p", Dimension.D2, "The contrastive loss is divided by a temperature", "")


def ask(files: dict[str, str], tokens: int = 700) -> Evidence:
    return find_evidence(build(files), CLAIM, RetrievalSettings(budget_tokens=tokens))


def lines(evidence: Evidence) -> str:
    return "\n".join(shown_passage(passage)[0]["lines"] for passage in evidence.passages)


def test_excerpts_leave_out_what_does_nothing_and_keep_line_numbers() -> None:
    evidence = ask({"loss.py": LOSS, "filler.py": FILLER})
    told = lines(evidence)
    assert not evidence.complete
    assert "16|     scores = a @ b.T / temperature  # (n, n)" in told
    assert "10| def contrastive(a, b, temperature=0.07):" in told
    for idle in ("Losses of", "The contrastive loss", "Divided by", "Equation 4", "\n17|"):
        assert idle not in told
    assert "19| # not a comment: text that is sent" in told
    assert '21|     """Nothing is done with this."""; send(prompt)' in told


def test_a_repository_that_fits_is_shown_with_its_comments() -> None:
    evidence = ask({"loss.py": LOSS})
    assert evidence.complete
    assert "Equation 4" in lines(evidence)


def test_all_code_without_comments_is_all_code() -> None:
    wordy = LOSS + "".join(f"# {n} further words that tell of nothing at all\n" for n in range(200))
    evidence = ask({"loss.py": wordy})
    assert evidence.complete
    assert evidence.omitted == ()
    assert "return loss(scores)" in lines(evidence)
    assert "further words" not in lines(evidence)
    assert "Equation 4" not in lines(evidence)


@pytest.mark.parametrize(
    ("path", "text", "kept", "idle"),
    [
        ("run.sh", "#!/bin/sh\n#SBATCH --gpus 8\n# words\npython train.py\n", (1, 2, 4), (3,)),
        ("c.yaml", "# words\nlr: 1e-4 # rate\n\nloss: a\n", (2, 4), (1, 3)),
        ("README.md", "# Title\n\nwords\n", (1, 2, 3), ()),
        ("requirements.txt", "# words\ntorch\n", (1, 2), ()),
        ("a.py", "x = 1\n\n'''text'''  # words\n", (1,), (2, 3)),
        ("a.py", "x = (\n    'a'\n    'b'\n)\n", (1, 2, 3, 4), ()),
        ("a.py", "def f(): 'text'\n", (1,), ()),
        ("a.py", "def f():\n    f'''{launch()}\n    {x}'''\n    f'words'\n", (1, 2, 3), (4,)),
        (
            "a.json",
            '{\n "description": "Search",\n // words\n "note": [\n  1]}\n',
            (1, 2, 4, 5),
            (3,),
        ),
        ("a.toml", "# words\nnote = '''\na\n'''\n", (2, 3, 4), (1,)),
        ("a.py", "def f():\n    '''a\n\n    b'''\n    g('''a\n\n    b''')\n", (1, 5, 7), (2, 3, 4)),
    ],
)
def test_what_is_left_out(path: str, text: str, kept: Sequence[int], idle: Sequence[int]) -> None:
    folded = build({path: text}).folded(path)
    assert folded.isdisjoint(kept)
    assert folded >= set(idle)


def test_in_a_file_that_does_not_parse_strings_may_end_anywhere() -> None:
    text = 'def f(:\n    """a\n    lr = 3\n    """\n    # words\n    x = = 1\n'
    index = build({"a.py": text})
    assert index.parse_states["a.py"] is ParseState.BROKEN
    assert index.folded("a.py") == {7}
    prompt = "task: |\n  # Rules\n  Be brief.\n\nlr: {{ lr }}: [\n"
    index = build({"a.yaml": "# words\n" + prompt})
    assert index.parse_states["a.yaml"] is ParseState.BROKEN
    assert index.folded("a.yaml") == {5, 7}


def test_files_of_a_docstring_alone_are_not_left_out() -> None:
    wordy = "".join(f"# {n} further words that tell of nothing at all\n" for n in range(200))
    evidence = ask({"loss.py": LOSS + wordy, "__init__.py": '"""The package."""\n'})
    assert evidence.complete
    assert evidence.omitted == ()
    some = ask({"loss.py": LOSS, "filler.py": FILLER, "__init__.py": '"""The package."""\n'}, 300)
    assert not some.complete
    assert "__init__.py" not in some.omitted


def test_commands_in_notebooks_stay() -> None:
    source = "%%bash\\npython train.py --lr 1e-4"
    cells = (
        '{"cell_type": "markdown", "source": ["words of a paper"]},'
        f'{{"cell_type": "code", "source": "{source}"}}'
    )
    text, _ = render_notebook(f'{{"cells": [{cells}], "metadata": {{}}}}')
    file = SourceFile("a.ipynb", "notebook", Role.CODE, text, "0" * 64)
    index = Index.build(Repository((file,), (), "d"))
    told = index.lines("a.ipynb")
    shown = [line for n, line in enumerate(told, 1) if n not in index.folded("a.ipynb")]
    assert [line for line in shown if "train.py" in line]
    assert not [line for line in shown if "words of" in line]


@given(st.lists(st.sampled_from(["x = 1", "# a", '"""b"""', "", 'y = """', '"""', "f(x)"])))
def test_code_is_never_left_out(rows: list[str]) -> None:
    index: Index = build({"a.py": "\n".join(rows)})
    for number in index.folded("a.py"):
        assert index.line_kind("a.py", number) != "code"


@given(st.integers(1, 30), st.integers(0, 20), st.data())
def test_a_part_of_a_passage_shows_what_the_whole_shows(
    first: int, more: int, data: st.DataObject
) -> None:
    numbers = range(first, first + more + 1)
    folded = tuple(n for n in numbers[1:-1] if data.draw(st.booleans()))
    text = "\n".join("" if n in folded else f"line {n}" for n in numbers)
    whole = Passage("a.py", first, numbers[-1], text, folded=folded)
    start = data.draw(st.sampled_from(numbers))
    end = data.draw(st.integers(start, numbers[-1]))
    (part,) = whole.parts([(start, end)])
    for number in range(first - 1, numbers[-1] + 2):
        shown = number in numbers and number not in folded
        assert whole.shows("a.py", number) is shown
        assert part.shows("a.py", number) is (shown and start <= number <= end)
        assert not whole.shows("b.py", number)
    told = shown_passage(part)[0]["lines"].split("\n")
    kept = [f"line {n}" for n in range(start, end + 1) if n not in folded]
    assert [line.partition("| ")[2] for line in told if line] == kept


def test_a_passage_may_leave_out_very_many_lines() -> None:
    """What is left out costs no budget, so that a hostile file may hold any number of it."""
    count = 100_000
    folded = tuple(range(2, count + 2))
    passage = Passage("a.py", 1, count + 2, "x = 1" + "\n" * (count + 1) + "y = 2", folded=folded)
    assert shown_passage(passage)[0]["lines"] == "     1| x = 1\n100002| y = 2"
    assert sum(passage.shows("a.py", line) for line in range(count + 10)) == 2
