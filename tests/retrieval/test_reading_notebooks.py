"""Notebooks: a text of the cells' sources that parses and whose line numbers are told."""

from __future__ import annotations

import ast
import json

import pytest

from retrieval.notebook import MalformedNotebookError, render_notebook
from retrieval.reading import ReadLimits, read_repository


def cell(kind, source, **more):
    return {"cell_type": kind, "metadata": {}, "source": source, **more}


def book(*cells, language="python"):
    meta = {"kernelspec": {"language": language}}
    return json.dumps({"cells": list(cells), "metadata": meta, "nbformat": 4})


def render(*cells, **options):
    return render_notebook(book(*cells, **options))[0]


def code(source):
    """The rendered lines of one code cell."""
    return render(cell("code", source)).split("\n")[1:-1]


def read(root, text, **options):
    (root / "a.ipynb").write_bytes(text if isinstance(text, bytes) else text.encode())
    repository = read_repository(root, **options)
    return repository.files[0] if repository.files else repository.skipped[0]


def test_layout(tmp_path):
    file = read(
        tmp_path,
        book(
            cell("markdown", ["# Title\n", "\n", "words"]),
            cell("code", "lr = 1e-4\nwd = 0\n", outputs=[{"text": "SECRET"}], execution_count=3),
            cell("raw", "raw"),
            cell("code", []),
        ),
    )
    assert file.language == "notebook"
    assert file.notes == ()
    assert file.text.split("\n") == [
        "# %% cell 1 [markdown]", "# > # Title", "# >", "# > words", "",
        "# %% cell 2 [code]", "lr = 1e-4", "wd = 0", "",
        "# %% cell 3 [raw]", "# > raw", "",
        "# %% cell 4 [code]", "",
    ]  # fmt: skip


# source lines of a code cell, rendered lines
COMMANDS = [
    ("%matplotlib inline", "pass  # magic: %matplotlib inline"),
    ("!pip install x", "pass  # magic: !pip install x"),
    ("pip install x", "pass  # magic: pip install x"),
    ("  !ls", "  pass  # magic: !ls"),
    ("?print", "pass  # magic: ?print"),
    ("model.fit?", "pass  # magic: model.fit?"),
    ("files = !ls", "files = None  # magic: !ls"),
    ("t = %timeit f()", "t = None  # magic: %timeit f()"),
    ("%time model.fit(x)", "model.fit(x)"),
    ("x = 5 % 3", "x = 5 % 3"),
    ("x = a if b != c else d", "x = a if b != c else d"),
    ('s = "!ls"', 's = "!ls"'),
]


@pytest.mark.parametrize(("source", "rendered"), COMMANDS)
def test_commands_are_neutralised_where_they_stand(source, rendered):
    assert code(f"a = 1\n{source}\nb = 2") == ["a = 1", rendered, "b = 2"]


def test_a_command_may_go_on():
    assert code("!pip install \\\n  torch\nx = 1") == [
        "pass  # magic: !pip install \\", "# magic:   torch", "x = 1",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "source",
    [
        "x = (a\n  % b)",
        's = """\n%not magic\n!nor this\n"""',
        "y = a \\\n  % b",
        "print('it\\'s',\n  '%d' % 3)",
        "d = {  # a ' in a comment\n  'k': 1,\n}",
    ],
)
def test_what_only_looks_like_a_command_stays(source):
    assert code(source) == source.split("\n")


def test_an_indented_command_leaves_a_body():
    ast.parse(render(cell("code", "if x:\n    !ls\nfor i in y:\n    %cd ..")))


@pytest.mark.parametrize("magic", ["%%bash", "%%html", "%%writefile notes.txt", "%%"])
def test_cells_of_other_languages_become_comments(magic):
    assert code(f"{magic}\nfor f in *; do\n\ndone") == [
        f"# magic: {magic}", "# magic: for f in *; do", "# magic:", "# magic: done",
    ]  # fmt: skip


@pytest.mark.parametrize("magic", ["%%time", "%%capture out", "%%writefile train.py"])
def test_cells_of_python_stay_python(magic):
    assert code(f"{magic}\nlr = 1\n!ls") == [
        f"# magic: {magic}", "lr = 1", "pass  # magic: !ls",
    ]  # fmt: skip


def test_every_source_line_is_one_rendered_line():
    source = "a\r\nb\rc\x0cd\u2028e\n"
    assert code(source) == ["a", "b", "c\x0cd\u2028e"]


def test_old_format():
    sheet = {"cells": [{"cell_type": "code", "input": ["x = 1\n", "y = 2"]}]}
    assert "x = 1\ny = 2" in render_notebook(json.dumps({"worksheets": [sheet]}))[0]


def test_another_language_is_noted(tmp_path):
    file = read(tmp_path, book(cell("code", "x <- 5 %% 3\n%in%"), language="R"))
    assert "x <- 5 %% 3\n%in%" in file.text
    assert file.notes == ("notebook of another language: r",)


def test_odd_cells_cost_only_themselves():
    text = render(
        None, 3, [], {}, cell("code", None), cell("code", [1, "a = 1", None]),
        cell("code]\nx", "y"),
        cell(["code"], "z"), cell("code", "b = '\ud800'\0"),
    )  # fmt: skip
    assert text.count("# %% cell ") == 9
    assert "a = 1" in text
    assert "\n# %% cell 7 [other]\n# > y\n" in text
    assert "b = '\ufffd'\ufffd" in text


# Named by what is wrong
MALFORMED = {
    "cut": book(cell("code", "x = 1"))[:-9],
    "deep": "[" * 100_000,
    "deep but closed": "[" * 50_000 + "]" * 50_000,
    "a list": "[]",
    "a number": "3",
    "no cells": '{"metadata": {}}',
    "cells no list": '{"cells": {}}',
    "long number": '{"cells": ' + "9" * 10_000 + "}",
    "empty": "",
}


@pytest.mark.parametrize("text", MALFORMED.values(), ids=MALFORMED.keys())
def test_malformed_notebooks_are_read_as_text(tmp_path, text):
    with pytest.raises(MalformedNotebookError):
        render_notebook(text)
    (tmp_path / "z.py").write_text("z = 1\n", encoding="utf-8")
    file = read(tmp_path, text)
    assert file.language == "text"
    assert "read as text" in file.notes[0]
    assert len(read_repository(tmp_path).files) == 2


def test_big_outputs_do_not_keep_a_notebook_out(tmp_path):
    picture = [{"data": {"image/png": "A" * (3 << 20)}}]
    text = book(cell("code", "lr = 1e-4", outputs=picture))
    assert "lr = 1e-4" in read(tmp_path, text).text
    skipped = read(tmp_path, text, limits=ReadLimits(max_notebook_bytes=1 << 20))
    assert "too large" in skipped.reason
    assert "too large for text" in read(tmp_path, text[:-1]).reason
