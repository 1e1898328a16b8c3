"""Python out of Markdown fences and cut-off ends: it parses, and no line moves."""

from __future__ import annotations

import ast
import textwrap

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from retrieval.decoding import split_lines
from retrieval.fences import recover_python
from retrieval.lexing import LineLexer

BODY = "import torch\n\n\ndef step(lr=1e-4):\n    return lr\n"


def recovered(text):
    found = recover_python(text)
    assert found is not None
    assert found.count("\n") == text.count("\n")
    ast.parse(found)
    return found


def code_lines(text):
    return [line for line in text.split("\n") if line.strip()]


WRAPPED = {
    "whole": f"```python\n{BODY}```\n",
    "never closed": f"```python\n{BODY}",
    "heading before": f"## Code: train.py\n\n```python\n{BODY}",
    "prose around": f"Here is the file:\n\n```py\n{BODY}```\n\nThis code trains the model.\n",
    "no language": f"Here is the file:\n```\n{BODY}```\nDone with it.\n",
    "tildes": f"~~~python\n{BODY}~~~\n",
    "four backticks": f"````python\n{BODY}````\n",
    "indented fence": f"  ```python\n{BODY}  ```\n",
    "only the end": f"{BODY}```\n\nThis code trains the model, it does not evaluate.\n",
    "shell block too": f"Run it:\n```bash\npip install torch && x\n```\n```python\n{BODY}```\n",
}


@pytest.mark.parametrize("text", WRAPPED.values(), ids=WRAPPED.keys())
def test_fenced_code_stays_on_its_lines(text):
    found = recovered(text).split("\n")
    original = text.split("\n")
    start = original.index("import torch")
    assert found[start : start + 5] == original[start : start + 5]
    assert code_lines("\n".join(found)) == code_lines(BODY)


def test_several_blocks():
    text = f"First part of it:\n```python\n{BODY}```\nand then\n```python\nx = step()\n```\n"
    assert code_lines(recovered(text)) == [*code_lines(BODY), "x = step()"]


def test_code_before_the_first_fence_is_kept():
    text = f"{BODY}```python\nx = step()\n```\n"
    assert code_lines(recovered(text)) == [*code_lines(BODY), "x = step()"]


def test_a_broken_program_with_fences_in_its_strings_keeps_its_code():
    text = 'x = 1\nP = """\n```json\n{}\n```\n"""\nQ = """\n```\n"""\ny = f(\n'
    assert recovered(text) == text.replace("y = f(", "")


def test_a_fence_in_a_string_is_the_programs():
    code = 'PROMPT = """Answer so:\n```python\nx\n```\n"""\nlr = 1\n'
    assert code_lines(recovered(f"```python\n{code}```\nThat is all there is.\n")) == code_lines(
        code
    )


def test_a_string_that_never_ends_does_not_swallow_the_closing_fence():
    text = '```python\nx = 1\ns = """cut here\n```\nThat is all there is.\n'
    assert code_lines(recovered(text)) == ["x = 1"]


# cut-off end, what it becomes
CUT = {
    "in a word": ("x = 1\nif fraction", "x = 1\n"),
    "in an expression": ("x = 1\ny = x +", "x = 1\n"),
    "after an attribute's dot": ("x = 1\nreturn_value = 0.5 * self.", "x = 1\n"),
    "in brackets": ("x = 1\ny = f(\n    a,\n    b", "x = 1\n\n\n"),
    "in a string": ("x = 1\ny = 'abc", "x = 1\n"),
    "in a docstring": (
        'def f():\n    """Do it\n    so and', 'def f(): ...\n\n'
    ),
    "in a signature": ("x = 1\ndef f(a, b", "x = 1\n"),
    "before a body": ("def f(a):", "def f(a): ..."),
    "before a body, with a comment": (
        "if a[1:2]:  # why: so", "if a[1:2]: ...  # why: so"
    ),
    "comment for a body": ("for x in y:\n    # now", "for x in y: ...\n    # now"),
    "in a try": ("try:\n    f()\n    g(", "if 1:\n    f()\n"),
    "nested tries": (
        "try:\n    try:\n        f()\n    finally:\n        g()\n    h(",
        "if 1:\n    try:\n        f()\n    finally:\n        g()\n",
    ),
    "in a handler's head": ("try:\n    f()\nexcept Val", "if 1:\n    f()\n"),
    "before a handler's body": ("try:\n    f()\nexcept A:", "try:\n    f()\nexcept A: ..."),
    "after a decorator": ("x = 1\n@property", "x = 1\n"),
    "else": ("if a:\n    b\nelse:", "if a:\n    b\nelse: ..."),
    "in an import": ("import a\nfrom b import", "import a\n"),
    "two levels": ("class A:\n    def f(self):\n        x = (", "class A:\n    def f(self): ...\n"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), CUT.values(), ids=CUT.keys())
def test_cut_ends(text, wanted):
    with pytest.raises(SyntaxError):
        ast.parse(text)
    assert recovered(text) == wanted
    assert recovered(f"```python\n{text}") == f"\n{wanted}"


def test_strings_broken_by_a_line_end():
    text = 'print(f"\nEpoch {epoch}: it\'s {loss}")\nx = 1\n'
    assert recovered(text) == 'print(f"""\nEpoch {epoch}: it\'s {loss}""")\nx = 1\n'


@pytest.mark.parametrize(
    "text",
    [
        "",
        BODY,
        "x = = 1\ny = 2\n",
        "this is prose\nand nothing more\n",
        "from x import *",
        "def f(): ...",
        "x: int",
        'PROMPT = """\n```python\nx\n```\n"""\n',
        "try:\n    f()\nexcept E:\n    pass",
    ],
)
def test_nothing_to_change(text):
    assert recover_python(text) is None


def test_a_long_unclosed_statement_is_not_thrown_away():
    text = "a = 1\nx = (\n" + "y = 1\n" * 200
    assert recover_python(text) is None


def test_a_bracket_too_many_is_forgotten():
    lexer = LineLexer()
    lexer.feed("x = 1) + f(")
    assert lexer.inside


def test_a_statement_ends_a_bracket_that_was_never_closed():
    lexer = LineLexer()
    lexer.feed("x = f(")
    assert not lexer.starts("  a, b")
    assert lexer.starts("def g():")
    lexer.feed("def g():")
    assert not lexer.inside


@pytest.mark.parametrize(
    "text",
    [
        "```" * 50_000,
        "```python\n" * 20_000,
        "(" * 100_000,
        '"' * 100_001,
        "\\" * 100_000,
        "``` " + "x" * 100_000 + "`",
        "if 1:\n" * 20_000,
        "try:\n" + " try:\n" * 20_000,
        textwrap.indent("'\n" * 20_000, " "),
        "@" * 100_000,
    ],
    ids=range(10),
)
def test_hostile_text_costs_little(text):
    found = recover_python(text)
    assert found is None or found.count("\n") == text.count("\n")


SIGNS = ["'", '"', '"""', "'''", "\\", "\n", "\\\n", "#", "(", ")", "[", "x", " ", "\t", ":", "= "]
WORDS = [
    "def f():\n", "try:\n", "if a:", "@a\n", "```", "```python\n", "~~~", "match x:\n", "\r", "\f",
]  # fmt: skip
PIECES = st.lists(st.sampled_from([*SIGNS, *WORDS]), max_size=14).map("".join)


@given(PIECES | st.text(max_size=60))
@example("'\\\n")
@example("'\\\n:\n= ")
def test_any_text_is_recovered_or_left_without_moving_a_line(text):
    found = recover_python(text)
    if found is not None:
        assert len(split_lines(found)) == len(split_lines(text))
