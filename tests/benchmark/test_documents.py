"""Documents: what a file means, and that an error finds its line."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark import InputError
from benchmark.documents import dotted, load_document, load_json_lines, nearest, one_of
from benchmark.json_text import JsonTextError, json_position, parse_json
from benchmark.yaml_text import YamlTextError, parse_yaml

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)


def write(tmp_path: Path, name: str, data: bytes | str) -> Path:
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def ways(
    value: object, way: tuple[str | int, ...] = ()
) -> list[tuple[tuple[str | int, ...], object]]:
    """Every part of a value with the way to it."""
    parts = [(way, value)]
    if isinstance(value, dict):
        for key, item in value.items():
            parts += ways(item, (*way, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            parts += ways(item, (*way, index))
    return parts


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-4", 1e-4),
        ("1E5", 1e5),
        ("on", "on"),
        ("no", "no"),
        ("Yes", "Yes"),
        ("12:30:45", "12:30:45"),
        ("2026-05-11", "2026-05-11"),
        ("true", True),
        ("False", False),
        ("~", None),
        ("0x1F", 31),
        ("0o17", 15),
        ("1_000", "1_000"),
        ("3.12", 3.12),
        ("-7", -7),
        ('"7"', "7"),
        ("=", "="),
        ("v1", "v1"),
    ],
)
def test_plain_yaml_scalars_mean_what_yaml_1_2_says(text: str, value: object) -> None:
    found = parse_yaml(f"key: {text}\n").value["key"]
    assert (type(found), found) == (type(value), value)


@pytest.mark.parametrize(
    ("text", "line", "column", "part"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, 1, "twice, first on line 1"),
        ("a: &x 1\n", 1, 4, "anchor"),
        ("a: *x\n", 1, 4, "alias"),
        ("a: !!python/object/apply:os.system [ls]\n", 1, 4, "tag"),
        ("a: 1\n---\nb: 2\n", 2, 1, "second YAML document"),
        ("a: [1, 2\nb: 3\n", 2, 2, "not valid YAML"),
        ("a:\n\t- 1\n", 2, 1, "not valid YAML"),
        ("1: a\n", 1, 1, "not text"),
        ("[a]: b\n", 1, 1, "where a key should"),
        ("a: 1\nb: \x07\n", 2, 4, "does not allow"),
        ("a: .nan\n", 1, 4, "not a number"),
        ("a: 1e999\n", 1, 4, "too large"),
        ("<<: {a: 1}\n", 1, 1, "merge"),
        ('a: "\\ud800"\n', 1, 4, "surrogate"),
        ("[" * 70 + "]" * 70, 1, 65, "nested deeper"),
    ],
)
def test_yaml_that_would_bite_later_is_refused_at_its_place(
    text: str, line: int, column: int, part: str
) -> None:
    with pytest.raises(YamlTextError, match=part) as caught:
        parse_yaml(text)
    assert caught.value.place == (line, column)


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ('{"a": 1,\n "b": 2,\n "a": 3}', 3, "'a' is given twice, first on line 1"),
        ('[{"x": {"é": 1,\n"é": 2}}]', 2, "given twice"),
        ('{"a": "\\"a\\": 1",\n"a\\u0062": 1, "ab": 2}', 2, "'ab' is given twice"),
        ('{"a":\n NaN}', 2, "NaN is not"),
        ('{"a":\n -Infinity}', 2, "-Infinity is not"),
        ('{"a":\n "\\ud800"}', 2, "surrogate"),
        ('{"a": 1,\n"b" 2}', 2, "not valid JSON"),
        ("[1,\n 2", 2, "not valid JSON"),
        ("{} {}", 1, "not valid JSON"),
        ("\n" + "[" * 70 + "]" * 70, 2, "nested deeper"),
        ("\n" + "[" * 100_000, 2, "nested deeper"),
        ("\n" + '{"a":' * 100_000, 2, "nested deeper"),
        ("9" * 5000, None, "not valid JSON"),
    ],
)
def test_json_that_would_bite_later_is_refused_at_its_line(
    text: str, line: int | None, part: str
) -> None:
    with pytest.raises(JsonTextError, match=part) as caught:
        parse_json(text)
    offset = caught.value.offset
    assert (None if offset is None else text.count("\n", 0, offset) + 1) == line


def test_a_whole_surrogate_pair_is_a_character() -> None:
    assert parse_json('"\\ud83d\\ude00"') == "😀"


@settings(deadline=None)
@given(json_values, st.sampled_from([None, 1]))
def test_every_part_of_a_json_text_is_found_where_it_stands(value: object, indent: int) -> None:
    text = json.dumps(value, indent=indent)
    assert parse_json(text) == value
    for way, part in ways(value):
        offset = json_position(text, way)
        assert offset is not None
        assert json.JSONDecoder().raw_decode(text, offset)[0] == part
        if way and isinstance(way[-1], str):
            name = json_position(text, way, name=True)
            assert name is not None
            assert json.JSONDecoder().raw_decode(text, name)[0] == way[-1]
    assert json_position(text, ("no such key", 3)) is None


@settings(deadline=None)
@given(json_values)
def test_json_is_yaml_with_the_same_meaning_and_places(value: object) -> None:
    text = json.dumps(value, indent=1, ensure_ascii=True)
    try:
        tree = parse_yaml(text)
    except YamlTextError:
        # Surrogate escapes are characters in JSON alone, and a long key needs YAML's `?`.
        assert "\\ud" in text
        return
    assert tree.value == value
    lines = text.split("\n")
    for way, _ in ways(value):
        line, column = tree.places[way]
        offset = sum(len(row) + 1 for row in lines[: line - 1]) + column - 1
        assert offset == json_position(text, way)


def load_or_refusal(path: Path) -> InputError | None:
    try:
        document = load_document(path)
    except InputError as error:
        return error
    # What was loaded can be written again: no surrogate, no NaN, no endless number.
    json.dumps(document.value, allow_nan=False, ensure_ascii=False).encode()
    return None


some_bytes = st.binary(max_size=60) | st.text(max_size=60).map(
    lambda text: text.encode("utf-8", "replace")
)


@settings(deadline=None)
@given(some_bytes, st.sampled_from(["x.json", "x.yaml"]))
def test_any_bytes_load_or_are_an_input_error(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, name: str
) -> None:
    path = write(tmp_path_factory.getbasetemp(), name, data)
    error = load_or_refusal(path)
    assert error is None or (str(error).startswith(str(path)) and error.remedy)


SNIPPETS = [
    *"{}[]:,#~\\\"'a1!*\t\n\ufeff\x85\u2028",
    *("- ", "? ", "| ", "> ", "& ", "%", "---\n", "...\n", "\n  ", "1e3", "<<", "&a ", "*a "),
    *("\\u12", "\\U0011ffff", "\\ud800", "!!int ", "%YAML 99999999999999999999.1\n"),
]


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(SNIPPETS), max_size=25).map("".join))
def test_any_yaml_syntax_loads_or_is_refused(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = write(tmp_path_factory.getbasetemp(), "y.yaml", text)
    error = load_or_refusal(path)
    assert error is None or error.problem


def test_a_byte_order_mark_and_windows_line_ends_are_read(tmp_path: Path) -> None:
    path = write(tmp_path, "x.yaml", b"\xef\xbb\xbfa: 1\r\nb:\r\n  - 2\r\n")
    document = load_document(path)
    assert document.value == {"a": 1, "b": [2]}
    assert document.where("b", 0).line == 3


@pytest.mark.parametrize(
    ("name", "data", "line", "part"),
    [
        ("x.json", b"", None, "is empty"),
        ("x.yaml", b"\xef\xbb\xbf \n", None, "is empty"),
        ("x.json", '{"a": 1}'.encode("utf-16"), 1, "UTF-16"),
        ("x.json", b'{"a":\n"\xe9"}', 2, "not UTF-8 (byte 0xe9)"),
        ("x.toml", b"a = 1", None, "neither JSON nor YAML"),
    ],
)
def test_a_file_that_is_no_text_is_refused(
    tmp_path: Path, name: str, data: bytes, line: int | None, part: str
) -> None:
    with pytest.raises(InputError) as caught:
        load_document(write(tmp_path, name, data))
    assert part in str(caught.value)
    assert caught.value.where.line == line


def test_folders_missing_files_and_pipes_are_refused(tmp_path: Path) -> None:
    (tmp_path / "d.json").mkdir()
    with pytest.raises(InputError, match="a folder"):
        load_document(tmp_path / "d.json")
    with pytest.raises(InputError, match="no such config"):
        load_document(tmp_path / "none.json", what="config")
    with pytest.raises(InputError, match="cannot be read"):
        load_document(tmp_path / "a\0b.json")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.json")
        with pytest.raises(InputError, match="not a regular file"):
            load_document(tmp_path / "pipe.json")


def test_a_file_over_the_limit_is_refused_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmark.documents.MAX_YAML_BYTES", 2**20)
    with pytest.raises(InputError, match="larger than 1 MiB"):
        load_document(write(tmp_path, "x.yaml", b"# " + b"x" * 2**20))


def test_json_lines_know_their_line_in_the_file(tmp_path: Path) -> None:
    path = write(
        tmp_path, "x.jsonl", '{"a": 1}\r\n\n{"a":\u2028 "b\u2028c"}\n'.replace(":\u2028", ":")
    )
    first, second = load_json_lines(path)
    assert (first.line, second.line) == (1, 3)
    assert second.value == {"a": "b\u2028c"}
    assert second.error("wrong", "a", remedy="fix").where.line == 3


def test_a_broken_json_line_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, "x.jsonl", '{"a": 1}\n{"a": 1\n')
    with pytest.raises(InputError) as caught:
        list(load_json_lines(path))
    assert caught.value.where.line == 2


def test_a_place_that_is_not_there_is_that_of_what_is_around_it(tmp_path: Path) -> None:
    document = load_document(write(tmp_path, "x.yaml", "a:\n  b: 1\n"))
    where = document.where("a", "missing")
    assert (where.line, where.column, where.key) == (2, 3, "a.missing")
    assert document.where("a", name=True).line == 1


def test_words_for_messages() -> None:
    assert dotted(("papers", 2, "claims")) == "papers[2].claims"
    assert one_of(["a", "b", "c"]) == "a, b or c"
    assert one_of([]) == ""
    assert one_of(map(str, range(30))).endswith("(30 in all)")
    assert nearest("Benchmrk", ["benchmark", "judge"]) == "benchmark"
    assert nearest("zzz", ["benchmark", "judge"]) is None
