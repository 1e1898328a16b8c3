from __future__ import annotations

import threading

from hypothesis import given
from hypothesis import strategies as st

from retrieval.index import Index
from retrieval.outline import LineKind, Outline, blank_kinds
from retrieval.remembering import OutlineMemory
from retrieval.values import ParseState, Role, SourceFile
from tests.retrieval.handmade import build, source


class Reader:
    """Counts what it is asked to read."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def __call__(self, file: SourceFile, lines: list[str]) -> Outline:
        self.read.append(file.text)
        return Outline(ParseState.TEXT, blank_kinds(lines, LineKind.CODE))


def ask(memory: OutlineMemory, reader: Reader, file: SourceFile) -> Outline:
    return memory.outline(file, file.text.split("\n"), reader)


def test_a_file_is_read_once_and_again_when_anything_of_it_changes() -> None:
    memory, reader = OutlineMemory(1000), Reader()
    first = ask(memory, reader, source("a.py", "x = 1"))
    assert ask(memory, reader, source("a.py", "x = 1")) is first
    assert len(reader.read) == 1
    for other in (
        source("a.py", "x = 2"),
        source("b.py", "x = 1"),
        source("a.py", "x = 1", Role.TEST),
        source("a.sh", "x = 1"),
    ):
        assert ask(memory, reader, other) is not first
    assert len(reader.read) == 5


@given(st.lists(st.sampled_from(["a", "bb", "cccc", "d" * 8, "e" * 11]), max_size=30))
def test_what_is_held_is_bounded_and_what_was_asked_last_stays(texts: list[str]) -> None:
    memory, reader = OutlineMemory(10), Reader()
    expected: list[str] = []  # the texts that must be held, oldest first
    for text in texts:
        before = len(reader.read)
        ask(memory, reader, source("a.py", text))
        assert (len(reader.read) == before) == (text in expected)
        if len(text) <= 10:
            expected = [*(other for other in expected if other != text), text]
        while sum(map(len, expected)) > 10:
            expected.pop(0)


def test_nothing_is_remembered_where_nothing_may_be() -> None:
    memory, reader = OutlineMemory(0), Reader()
    for _ in range(2):
        ask(memory, reader, source("a.py", "x = 1"))
    assert len(reader.read) == 2


def test_threads_get_what_they_ask_for() -> None:
    memory, reader = OutlineMemory(40), Reader()
    wrong: list[int] = []

    def work(seed: int) -> None:
        for n in range(300):
            size = 1 + (seed + n * 7) % 13
            outline = ask(memory, reader, source("a.py", "\n".join("x" * size)))
            if len(outline.kinds) != size:
                wrong.append(size)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_an_index_of_a_changed_repository_is_as_if_nothing_were_remembered() -> None:
    files = {"a.py": "from b import f\nf(lr=1)\n", "b.py": "def f(lr=2):\n    return lr\n"}
    before = build(files)
    changed = build({**files, "b.py": "def f(lr=3):\n    # more\n    return lr\n"})
    again = build(files)

    def seen(index: Index) -> tuple[object, ...]:
        return index.chunks, index.facts, index.graph.symbols, index.parse_states

    assert seen(again) == seen(before)
    assert seen(changed) != seen(before)
    assert [fact.value for fact in changed.facts] == ["1", "3"]
