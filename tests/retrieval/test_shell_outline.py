"""Shell scripts: what is assigned, run and commented, and nothing that only looks like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.outline import LineKind, Outline
from retrieval.shell_outline import script_runs, shell_outline
from retrieval.values import FactSource, ParseState


def read(text: str) -> Outline:
    return shell_outline(text.split("\n"))


def facts(text: str) -> set[tuple[str, str, int]]:
    return {(fact.name, fact.value, fact.line) for fact in read(text).facts}


def calls(text: str) -> list[tuple[str, int]]:
    return [(call.name, call.line) for call in read(text).calls]


def remarks(text: str) -> list[int]:
    kinds = read(text).kinds
    return [row + 1 for row, kind in enumerate(kinds) if kind == LineKind.COMMENT]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ZETA=1\nALPHA=2\nMID=3", {("ZETA", "1", 1), ("ALPHA", "2", 2), ("MID", "3", 3)}),
        ('export LR="1e-4" WD=0.1', {("LR", '"1e-4"', 1), ("WD", "0.1", 1)}),
        ("SEEDS=(0 1\n  2) # three\nN=3", {("SEEDS", "(0 1\n  2)", 1), ("N", "3", 3)}),
        ("N=$((2 << 3))\nM=4", {("N", "$((2 << 3))", 1), ("M", "4", 2)}),
        ('LR=${LR:-"1e-3"}', {("LR", '${LR:-"1e-3"}', 1)}),
        ("if true; then\n  A=1\nfi\nB=2", {("A", "1", 2), ("B", "2", 4)}),
        ("X=$(grep a f | head)\nY=1", {("X", "$(grep a f | head)", 1), ("Y", "1", 2)}),
        ("GPU=0 python a.py --lr 1e-4", {("GPU", "0", 1), ("lr", "1e-4", 1)}),
        ("# A=1\necho 'B=2\nC=3'", set()),
        ("cat <<EOF\nA=1\nEOF\nB=2", {("B", "2", 4)}),
        ("cat <<-'EOF'\nA=1\n\tEOF\nB=2", {("B", "2", 4)}),
        ("case $1 in\n  --lr|--rate) LR=$2 ;;\n  *) A=1 ;;\nesac\nB=2",
         {("LR", "$2", 2), ("A", "1", 3), ("B", "2", 5)}),
        ("case $1 in a) A=1;; esac", {("A", "1", 1)}),
        ("P=a$(b \"c # d\")e # f", {("P", 'a$(b "c # d")e', 1)}),
    ],
)  # fmt: skip
def test_each_value_goes_to_the_name_it_is_given_to(
    text: str, expected: set[tuple[str, str, int]]
) -> None:
    assert facts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("python a.py \\\n  --lr 1\nls", [("python", 1), ("ls", 3)]),
        ("a && b || c; d | e &", [("a", 1), ("b", 1), ("c", 1), ("d", 1), ("e", 1)]),
        ("for i in 1 2; do\n  a $i\ndone", [("a", 2)]),
        ("while read -r x; do a; done <in", [("read", 1), ("a", 1)]),
        ("if [ -f x ]; then a; else b; fi", [("a", 1), ("b", 1)]),
        ("if [[ $x == y ]]; then a; elif c; then b; fi", [("a", 1), ("c", 1), ("b", 1)]),
        ("f() {\n  a\n}\nf", [("a", 2), ("f", 4)]),
        ("( a\n b )", [("a", 1), ("b", 2)]),
        ('x="$(a "b" `c`)"', [("c", 1), ("a", 1)]),
        (">log 2>&1 a", [("a", 1)]),
        ("a &>log\nb <<<word\nc", [("a", 1), ("b", 2), ("c", 3)]),
        ("case $1 in\n --a|-b)\n  c ;;\nesac", [("c", 3)]),
        ("cat <<A; b <<C\nx\nA\ny\nC\nd", [("cat", 1), ("b", 1), ("d", 6)]),
        ("(( i++ ))\nfor ((i=0; i<3; i++)); do a; done", [("(( i++ ))", 1), ("a", 2)]),
    ],
)
def test_commands_are_found_and_nothing_else(text: str, expected: list[tuple[str, int]]) -> None:
    assert calls(text) == expected


def test_comments_are_told_from_what_looks_like_one() -> None:
    text = "#!/bin/sh\na # b\nc '\n# d\n' e#f ${#g} $# \\# h\ncat <<E\n# i\nE\n  # j"
    outline = read(text)
    assert remarks(text) == [1, 9]
    assert outline.tails == {2: 2}


def test_functions_end_with_their_bodies() -> None:
    outline = read("function a {\n  if b; then c; fi\n}\nd-e() (\n  f\n)\ng() { h; }\n")
    assert [(one.name, one.first, one.last) for one in outline.definitions] == [
        ("a", 1, 3),
        ("d-e", 4, 6),
        ("g", 7, 7),
    ]


def test_flags_and_what_a_script_runs() -> None:
    outline = read(
        "accelerate launch \\\n  src/train.py --batch-size=64 \\\n  model.dim=12 --flag\n"
        "# python old.py --batch-size 1\npython -m pkg.eval --k 5"
    )
    assert [(fact.name, fact.value, fact.line, fact.source) for fact in outline.facts] == [
        ("batch_size", "64", 2, FactSource.FLAG),
        ("model.dim", "12", 3, FactSource.FLAG),
        ("m", "pkg.eval", 5, FactSource.FLAG),
        ("k", "5", 5, FactSource.FLAG),
    ]
    assert [run.target for run in outline.runs] == ["src/train.py", "pkg.eval"]


@pytest.mark.parametrize("text", ["a 'b", 'a "b', "a $(b", "if a", "f() {", "a ${b", "x=(1", "`"])
def test_what_is_not_closed_is_broken(text: str) -> None:
    assert read(text).state is ParseState.BROKEN


def test_what_is_closed_is_whole() -> None:
    text = "a 'b' \"c $(d '\"')\" `e`\nif f; then g; fi\nh() { x=(1); }\ncase i in (j) k;; esac"
    assert read(text).state is ParseState.PARSED


TEXTS = st.lists(
    st.sampled_from(
        ["'", '"', "`", "$", "(", ")", "{", "}", "#", "\\", "\n", ";", "|", "&", "<", ">", "<<E",
         "E", "\n", " ", "\t", "a", "=", "if", "then", "fi", "case x in", "esac", "do", "done",
         "function f", "f()", "${", "$((", "))", "é", "\r", "\x0c", "--k 1", "-"]
    )
).map("".join)  # fmt: skip


@given(TEXTS | st.text())
def test_any_text_is_read_with_true_lines(text: str) -> None:
    lines = text.split("\n")
    outline = shell_outline(lines)
    numbers = [
        *outline.borders,
        *outline.tails,
        *(fact.line for fact in outline.facts),
        *(call.line for call in outline.calls),
        *(one.first for one in outline.definitions),
        *(one.last for one in outline.definitions),
    ]
    assert all(1 <= number <= len(lines) for number in numbers)
    assert all(one.first <= one.last for one in outline.definitions)
    for call in outline.calls:
        assert call.name.split("\n")[0] in "\n".join(lines[call.line - 1 :])
    for number, column in outline.tails.items():
        assert lines[number - 1][column] == "#"


def test_a_deeply_nested_script_is_read_in_one_pass() -> None:
    for text in (
        "$(a --k 1 " * 20_000,
        "${a" * 50_000 + "'" * 50_000,
        "`" * 99_999,
        "f() {" * 20_000,
    ):
        assert read(text).state is ParseState.BROKEN


@pytest.mark.parametrize(
    ("command", "targets"),
    [
        ("python -m a.b -m c", ["a.b"]),
        ("x -m a; python -u -m b", ["b"]),
        ("python x; y -m a", []),
        ("x -m torchrun -m b", ["b"]),
        ("python -m a | launch -m b", ["a", "b"]),
        ("bash $D/run/a.sh && ./b/c.py", ["D/run/a.sh", "b/c.py"]),
        ("python ${D}/a/b.py/", ["a/b.py"]),
        ("python" + " python" * 700, []),
        ("bash " + "a/" * 2000 + "b.txt", []),
    ],
)
def test_what_a_command_runs(command: str, targets: list[str]) -> None:
    assert [run.target for run in script_runs(command, 1)] == targets


def test_commands_that_hold_all_that_follows_are_read() -> None:
    outline = read("x $(\n" * 20_000 + "python a.py")
    assert outline.state is ParseState.BROKEN
    assert len(outline.calls) == 20_001
    assert [run.target for run in outline.runs][-1] == "a.py"
