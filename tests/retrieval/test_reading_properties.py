"""Whatever the bytes: no exception, true line numbers, and a digest that rests on bytes alone."""

from __future__ import annotations

import hashlib
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from retrieval.decoding import BinaryContentError, decode, scrub, split_lines
from retrieval.fences import recover_python
from retrieval.lexing import LineLexer
from retrieval.reading import ReadLimits, read_repository

SUFFIXES = ["py", "ipynb", "yaml", "json", "toml", "ini", "sh", "md", "txt", "csv", "js", "odd", ""]
LINE_ENDS = st.sampled_from(
    ["\n", "\r", "\r\n", "\x0c", "\x0b", "\x85", "\u2028", "\u2029", "\x1c"]
)
PYTHONISH = st.lists(
    st.sampled_from(
        ["```", "```python", '"""', "'''", '"', "'", "(", ")", "try:", "except:", "if x:", "def f",
         "else:", "    ", "x = 1", "\\", "#", "@", ":", "\n", "\n", " ", "%", "!ls", "é", "\r"]
    )
).map("".join)  # fmt: skip
BYTES = st.one_of(
    st.binary(max_size=300),
    st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.text(max_size=200).map(lambda text: text.encode("utf-16", "surrogatepass")),
    PYTHONISH.map(str.encode),
)
cheap = settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("properties")


@given(st.lists(BYTES, min_size=1, max_size=8), st.integers(0, 12), st.integers(5, 500))
@cheap
def test_any_bytes_under_any_suffix(place, contents, shift, longest):
    root = place / hashlib.sha256(repr((contents, shift)).encode()).hexdigest()[:16]
    root.mkdir(exist_ok=True)
    names = {}
    for number, content in enumerate(contents):
        suffix = SUFFIXES[(number + shift) % len(SUFFIXES)]
        name = f"f{number}.{suffix}" if suffix else f"f{number}"
        (root / name).write_bytes(content)
        names[name] = content
    repository = read_repository(root, limits=ReadLimits(max_line_chars=longest))
    told = [file.path for file in repository.files] + [s.path for s in repository.skipped]
    assert sorted(told) == sorted(names)  # every file is read or named
    for file in repository.files:
        assert file.sha256 == hashlib.sha256(names[file.path]).hexdigest()
        assert not re.search("[\0\r\ud800-\udfff]", file.text)
        assert split_lines(file.text) == file.text.split("\n")
        if file.language != "notebook":
            whole = decode(names[file.path]).text.split("\n")
            shown = file.text.split("\n")
            assert len(whole) == len(shown)
            assert all(a == b for a, b in zip(whole, shown, strict=True) if len(a) <= longest)


@given(
    st.lists(st.tuples(st.text(alphabet="ab \tç", max_size=5), LINE_ENDS)),
    st.text("xy", max_size=3),
)
@cheap
def test_lines_end_where_the_rule_says(parts, last):
    text = "".join(line + end for line, end in parts) + last
    ends = len(re.findall(r"\r\n|\r|\n", text))
    lines = split_lines(text)
    assert len(lines) == ends + 1
    assert "\n".join(lines) == re.sub(r"\r\n|\r", "\n", text)
    try:
        assert decode(text.encode()).text == "\n".join(lines)
    except BinaryContentError:
        assert "\x1c" in text  # a control character that is no white space


@given(st.text())
@cheap
def test_utf8_comes_back_whole(text):
    clean = scrub(text).replace("\r", "")
    data = b"\xef\xbb\xbf" + clean.encode()
    assert decode(data).text == clean


@given(PYTHONISH)
@cheap
def test_recovered_text_has_the_same_lines(text):
    found = recover_python(text)
    if found is not None:
        lines, original = found.split("\n"), split_lines(text)
        assert len(lines) == len(original)
        for line, before in zip(lines, original, strict=True):
            plain = line.replace(" ...", "").replace("if 1", "try").replace('"""', '"')
            assert line in {"", before} or set(plain) <= set(before) | set("try\"' .")


@given(PYTHONISH)
@cheap
def test_code_without_strings_keeps_its_columns(text):
    lexer = LineLexer()
    for line in split_lines(text):
        code = lexer.feed(line)
        assert len(code) == len(line)
        assert all(a in {" ", b} for a, b in zip(code, line, strict=True))


@given(
    st.dictionaries(st.from_regex(r"([a-c]/)?[a-c]\.py", fullmatch=True), BYTES, max_size=6),
    st.randoms(),
)
@cheap
def test_digest_rests_on_names_and_bytes(place, files, random):
    digests = set()
    for turn in range(2):
        root = place / f"{hashlib.sha256(repr(files).encode()).hexdigest()[:16]}-{turn}"
        root.mkdir(exist_ok=True)
        order = sorted(files)
        random.shuffle(order)
        for name in order:
            target = root / f"d{name}"
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(files[name])
        digests.add(read_repository(root).digest)
    assert len(digests) == 1
