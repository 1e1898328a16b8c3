"""Tokens, however they are found, and the order of postings."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from retrieval.grammars import without_idle_lines
from retrieval.lexicon import Lexicon
from retrieval.outline import LineKind, Outline
from retrieval.postings import Terms, chunk_table
from retrieval.values import ParseState
from retrieval.words import TOKEN, token_terms

SIGNS = st.text(alphabet="aZ_09.xe+-#é×→β\n ", max_size=60)


def outline(text: str) -> Outline:
    return Outline(ParseState.TEXT, bytearray([LineKind.CODE]) * (text.count("\n") + 1))


@given(SIGNS)
def test_tokens_are_the_same_by_either_pattern(text: str) -> None:
    lexicon = Lexicon()
    lines = text.split("\n")
    found = lexicon.read_file(lines, text, outline(text))
    names = lexicon.tokens
    wanted = [(token, row) for row, line in enumerate(lines) for token in TOKEN.findall(line)]
    assert [names[number] for number in found.ids] == [token for token, _ in wanted]
    assert found.rows.tolist() == [row for _, row in wanted]


@given(st.lists(st.sampled_from(["x = 1", "# a", "", "\\", "  #", "\\ "]), max_size=8))
def test_runs_of_idle_lines_are_emptied_wherever_they_stand(ends: list[str]) -> None:
    for count in (98, 99, 100, 101, 250):
        run = ["# idle", "  # idle"] * (count // 2) + ["# idle"] * (count % 2)
        lines = [*ends, "y = 2", *run, "z = 3", *ends]
        source = "\n".join(lines).encode()
        emptied = without_idle_lines(source)
        assert emptied.count(b"\n") == source.count(b"\n")
        assert emptied.split(b"\n")[len(ends)] == b"y = 2"
        if count >= 100:
            assert b"idle" not in emptied
        else:
            assert emptied == source


@given(st.lists(SIGNS, min_size=1, max_size=4))
def test_lines_of_a_term_are_those_that_hold_it(texts: list[str]) -> None:
    lexicon = Lexicon()
    files, lines, base = [], [], 0
    for text in texts:
        own = text.split("\n")
        files.append((lexicon.read_file(own, text, outline(text)), base))
        lines.extend(own)
        base += len(own)
    chunk_of_line = np.zeros(base, np.int32)
    table, postings = chunk_table(
        Terms.of(lexicon), files, chunk_of_line, [[]], np.zeros(1, np.int64)
    )
    for term in {t for token in lexicon.tokens for t in token_terms(token)}:
        found, kinds = postings.lines_of(term)
        assert found.tolist() == [
            number
            for number, line in enumerate(lines)
            if any(term in token_terms(token) for token in TOKEN.findall(line))
        ]
        assert set(kinds.tolist()) == {LineKind.CODE}
        assert postings.counts(term) == (len(found), 0)
        assert len(table.gather([term]).item) == 1
