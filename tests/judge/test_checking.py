"""A verdict above 0 stands on code that is really there; two-faced answers are no verdict."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark import Drift, Failure, Level
from judge.checking import check, contradiction
from judge.imports import is_import
from judge.parsing import ParsedAnswer, ParsedCitation
from judge.sources import Place, Sources, substantial
from judge.verdict import EvidenceNote, QuoteState, Status
from prompts.fencing import MAX_LINE_CHARACTERS, number_lines
from retrieval.values import Repository, Role, SourceFile

TRAIN = '''"""Train with AdamW as in the paper.

lr is 1e-4 here.
"""
import torch

def build(model):
    # lr = 1e-4 as in Table 2
    optimizer = torch.optim.AdamW(
        model.parameters(),

        lr=3e-4,
    )
    return optimizer


def step(loss):
    loss.backward()
    return
'''
MODEL = "class Net:\n    width = 512\n\n    def forward(self, x):\n        return self.head(x)\n"
NOTES = "We use AdamW with lr=3e-4 and width = 512.\n"


def repository(**files: str) -> Repository:
    texts = files or {"train.py": TRAIN, "src/model.py": MODEL, "README.md": NOTES}
    return Repository(
        files=tuple(
            SourceFile(
                path,
                "python",
                Role.DOC if path.endswith(".md") else Role.CODE,
                text,
                "0" * 64,
                notes=("not UTF-8: read as latin-1",) if path == "odd.py" else (),
            )
            for path, text in sorted(texts.items())
        ),
        skipped=(),
        digest="d",
    )


SOURCES = Sources(repository())
WHOLE = EvidenceNote(complete=True, tokens=10)
CUT = EvidenceNote(complete=False, tokens=10, omitted_files=1)


def parsed(
    *citations: tuple[str, int, int, str],
    level: Level | None = Level.PARTIAL,
    drift: Drift = Drift.NUMERICAL,
    failure: Failure = Failure.MISMATCH,
    confidence: float = 0.9,
    lacking: tuple[str, ...] = (),
) -> ParsedAnswer:
    return ParsedAnswer(
        expected="",
        found="",
        citations=tuple(ParsedCitation(*citation) for citation in citations),
        rationale="",
        level=level,
        drift=drift,
        failure=failure,
        confidence=confidence,
        lacking=lacking,
    )


def look(path: str, first: int, last: int, quote: str) -> tuple[str, str, int, int, bool]:
    checked = check(parsed((path, first, last, quote)), SOURCES, WHOLE, local=True)
    (citation,) = checked.citations
    return (
        citation.state.value,
        citation.path,
        citation.first,
        citation.last,
        checked.status is Status.GRADED,
    )


@pytest.mark.parametrize(
    ("cited", "wanted"),
    [
        # As it stands.
        (("train.py", 12, 12, "        lr=3e-4,"), ("verified", "train.py", 12, 12, True)),
        (("train.py", 12, 12, "lr=3e-4,"), ("verified", "train.py", 12, 12, True)),
        # A part of a line.
        (("train.py", 9, 9, "torch.optim.AdamW("), ("verified", "train.py", 9, 9, True)),
        (
            ("train.py", 9, 10, "optim.AdamW(\n   model.param"),
            ("verified", "train.py", 9, 10, True),
        ),
        # Other white space, blank lines left out.
        (
            ("train.py", 9, 12, "optimizer = torch.optim.AdamW(\nmodel.parameters(),\n\tlr=3e-4,"),
            ("verified", "train.py", 9, 12, True),
        ),
        # Off by two lines, and by more.
        (("train.py", 14, 14, "lr=3e-4,"), ("verified", "train.py", 12, 12, True)),
        (("train.py", 90, 91, "lr=3e-4,"), ("relocated", "train.py", 12, 12, True)),
        # With the numbers that the prompt shows.
        (("train.py", 12, 12, "12|         lr=3e-4,"), ("verified", "train.py", 12, 12, True)),
        (
            ("train.py", 9, 10, " 9| optimizer = torch.optim.AdamW(\n10| model.parameters(),"),
            ("verified", "train.py", 9, 10, True),
        ),
        # The path spelt otherwise, or another file.
        (("./src/model.py", 2, 2, "width = 512"), ("relocated", "src/model.py", 2, 2, True)),
        (("model.py", 2, 2, "width = 512"), ("relocated", "src/model.py", 2, 2, True)),
        (("repo/src/model.py", 2, 2, "width = 512"), ("relocated", "src/model.py", 2, 2, True)),
        (("train.py", 2, 2, "width = 512"), ("relocated", "src/model.py", 2, 2, True)),
        # Not there.
        (("train.py", 12, 12, "lr=1e-4,"), ("not_found", "train.py", 12, 12, False)),
        (("train.py", 12, 11, ""), ("not_found", "train.py", 12, 12, False)),
        (("../../etc/passwd", 0, 0, "root"), ("not_found", "../../etc/passwd", 1, 1, False)),
        (("", 5, 5, "nothing"), ("not_found", "", 5, 5, False)),
        # There, but proves nothing.
        (("train.py", 13, 13, ")"), ("verified", "train.py", 13, 13, False)),
        (("train.py", 19, 19, "    return"), ("verified", "train.py", 19, 19, False)),
        (("train.py", 8, 8, "# lr = 1e-4 as in Table 2"), ("verified", "train.py", 8, 8, False)),
        (("train.py", 3, 3, "lr is 1e-4 here."), ("verified", "train.py", 3, 3, False)),
        (("README.md", 1, 1, NOTES.strip()), ("verified", "README.md", 1, 1, False)),
        # A bracket elsewhere is no quote of that file.
        (("src/model.py", 3, 3, ")"), ("not_found", "src/model.py", 3, 3, False)),
    ],
)
def test_quotes(cited: tuple[str, int, int, str], wanted: tuple[str, str, int, int, bool]) -> None:
    assert look(*cited) == wanted


def test_the_stored_quote_is_the_file_s_own_text() -> None:
    checked = check(
        parsed(
            ("train.py", 9, 12, "optimizer = torch.optim.AdamW(\nmodel.parameters(),\nlr=3e-4,")
        ),
        SOURCES,
        WHOLE,
        local=True,
    )
    assert checked.citations[0].quote == "\n".join(TRAIN.split("\n")[8:12])


def test_real_lines_that_look_numbered_win() -> None:
    table = "1| alpha_value = 3\nalpha_value = 3\n"
    sources = Sources(repository(**{"a.py": table}))
    checked = check(parsed(("a.py", 1, 1, "1| alpha_value = 3")), sources, WHOLE, local=True)
    assert checked.citations[0].first == 1
    assert checked.citations[0].state is QuoteState.VERIFIED


def test_of_several_places_the_nearest_is_taken_and_none_in_several_other_files() -> None:
    body = "x = 0\n" * 5 + "rate = 0.5\n" + "x = 0\n" * 20 + "rate = 0.5\n"
    sources = Sources(repository(**{"a.py": body, "b.py": body, "c.py": "y = 1\n"}))
    near = check(parsed(("a.py", 26, 26, "rate = 0.5")), sources, WHOLE, local=True)
    assert (near.citations[0].first, near.citations[0].state.value) == (27, "verified")
    lost = check(parsed(("c.py", 1, 1, "rate = 0.5")), sources, WHOLE, local=True)
    assert lost.citations[0].state is QuoteState.NOT_FOUND


def test_a_quote_of_an_excerpt_is_not_lost_to_the_same_lines_elsewhere() -> None:
    pair = "rate = 0.5\nsteps = 300\n"
    text = pair + "x = 0\n" * 30 + "rate = 0.5\n# words\nsteps = 300\n"
    sources = Sources(repository(**{"a.py": text}), folded=lambda _: {34})
    near = check(parsed(("a.py", 33, 35, pair)), sources, WHOLE, local=True).citations[0]
    assert (near.first, near.last, near.state.value) == (33, 35, "verified")
    other = Sources(repository(**{"a.py": text, "b.py": "y = 1\n"}), folded=lambda _: {34})
    lost = check(parsed(("b.py", 1, 2, pair)), other, WHOLE, local=True).citations[0]
    assert lost.state is QuoteState.NOT_FOUND


def test_a_comment_behind_nothing_is_not_code() -> None:
    sources = Sources(repository(**{"a.py": "pass  # AdamW with weight decay 0.1\n"}))
    checked = check(
        parsed(("a.py", 1, 1, "AdamW with weight decay 0.1")), sources, WHOLE, local=True
    )
    assert checked.reason.startswith("no_verified_quote")


def test_code_from_an_index_goes_before_the_text() -> None:
    text = "x = '''\nlr = 0.5\n'''\n"
    by_index = Sources(repository(**{"a.py": text}), lambda path: ["x = '''", "", ""])
    assert check(parsed(("a.py", 2, 2, "lr = 0.5")), by_index, WHOLE, local=True).level is None


@given(
    lines=st.lists(
        st.text(alphabet="abxyz_=() \t.#'\"019|\u202eé", min_size=1, max_size=20),
        min_size=1,
        max_size=12,
    ),
    data=st.data(),
)
def test_what_the_prompt_shows_is_always_found(lines: list[str], data: st.DataObject) -> None:
    text = "\n".join(lines)
    sources = Sources(repository(**{"a.py": text}))
    first = data.draw(st.integers(1, len(lines)))
    last = data.draw(st.integers(first, len(lines)))
    quote = "\n".join(lines[first - 1 : last])
    shown, _ = number_lines(quote, first)
    bare = "\n".join(line.partition("| ")[2] for line in shown.split("\n"))
    for form in (quote, shown, bare):
        checked = check(parsed(("a.py", first, last, form)), sources, WHOLE, local=True)
        (citation,) = checked.citations
        if not quote.strip():
            assert citation.state is QuoteState.NOT_FOUND
        else:
            assert citation.state is QuoteState.VERIFIED


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("k = 5", True), ("loss.backward()", True), ("return loss", True), ("dropout: 0.1", True),
        (")", False), ("return", False), ("    else:", False), ("}, {", False), ("pass", False),
        ("return x", False), ("def __init__(self):", False), ("import", False),
        ('if __name__ == "__main__":', False), ("for step in steps:", True),
        ("# k = 5", False), ("x  # the learning rate", False),
    ],
)  # fmt: skip
def test_what_says_something(line: str, says: bool) -> None:
    assert substantial(line) is says


LONG = "weights = [" + "0.25, " * 200 + "]"
LONG_SHOWN = number_lines(LONG, 1)[0].partition("| ")[2]
CUT_LINES = {
    "data.py": f"first = 1\n{LONG}\nlast = 2\n",
    "other.py": "first = 1\nlr = 0.001\nlast = 2\n",
}


@pytest.mark.parametrize(
    ("path", "quote", "there"),
    [
        ("data.py", LONG_SHOWN, True),
        ("data.py", f"2| {LONG_SHOWN}", True),
        ("data.py", f"first = 1\n{LONG_SHOWN}\nlast = 2", True),
        ("data.py", LONG_SHOWN[-60:], True),
        ("data.py", LONG[:300], True),
        # The mark alone, with nothing or next to nothing before it.
        ("other.py", "…[1 more]", False),
        ("other.py", " …[600 more]", False),
        ("other.py", "lr …[1 more]", False),
        ("data.py", "…[1 more]", False),
        ("data.py", LONG_SHOWN[LONG_SHOWN.index("…") :], False),
        ("data.py", LONG_SHOWN[-15:], False),
        # Not how long the line is, not where it is cut, not what stands before.
        ("data.py", LONG_SHOWN.replace(" more]", "1 more]"), False),
        ("data.py", LONG_SHOWN[:300] + LONG_SHOWN[LONG_SHOWN.index(" …") :], False),
        ("data.py", LONG_SHOWN.replace("0.25", "0.75"), False),
        ("other.py", "lr = 0.001 …[20 more]", False),
        ("other.py", "first = 1\n…[1 more]\nlast = 2", False),
        ("other.py", "…[1 more]\n…[1 more]\n…[1 more]", False),
    ],
)
def test_a_mark_that_a_line_goes_on_is_believed_where_it_does(
    path: str, quote: str, there: bool
) -> None:
    sources = Sources(repository(**CUT_LINES))
    checked = check(parsed((path, 2, 2, quote)), sources, WHOLE, local=True)
    assert (checked.citations[0].state is not QuoteState.NOT_FOUND) is there
    assert there or checked.status is Status.ABSTAINED


def test_lines_that_are_cut_for_their_white_space_or_spelt_out_signs_are_found() -> None:
    for line in (" " * 590 + "rate = 0.5  # or so", "name = '" + "\u202e" * 90 + "'"):
        shown = number_lines(line, 1)[0].partition("| ")[2]
        assert shown.endswith(" more]")
        sources = Sources(repository(**{"a.py": line}))
        checked = check(parsed(("a.py", 1, 1, shown)), sources, WHOLE, local=True)
        assert checked.citations[0].state is QuoteState.VERIFIED


PIECES = st.sampled_from(
    [*("lr = 0.1", "x", " ", "…[1 more]", "…[3 more]", " …[600 more]", "…[", " more]", "ab" * 320)]
)
ODD_LINES = st.lists(st.lists(PIECES, max_size=4).map("".join), min_size=1, max_size=6)


@given(lines=ODD_LINES, quote=ODD_LINES, near=st.integers(1, 6))
def test_a_quote_never_stands_at_lines_that_do_not_hold_it(
    lines: list[str], quote: list[str], near: int
) -> None:
    def spaced(line: str) -> str:
        return " ".join(line.split())

    sources = Sources(repository(**{"a.py": "\n".join(lines)}))
    place = sources.find("\n".join(quote), "a.py", near)
    wanted = [spaced(line) for line in quote if line.strip()]
    if place is None:
        return
    real = [line for line in lines[place.first - 1 : place.last] if line.strip()]
    assert len(real) == len(wanted)
    for line, said in zip(real, wanted, strict=True):
        shown = number_lines(line, 1)[0].partition("| ")[2]
        held = said in spaced(line)
        assert held or (len(line) > MAX_LINE_CHARACTERS and spaced(shown).endswith(said))


PARTS = """import torch
from torch import (
    optim,
    nn as layers,
)

class Net(layers.Module):
    def __init__(self):
        self.opt = optim.AdamW(self.parameters(), lr=1e-4)
        self.other = optim.SGD(self.parameters(), lr=1e-3)

    def forward(self, x):
        return self.important_head(x), "import this"
"""


@pytest.mark.parametrize(
    ("first", "quote", "why"),
    [
        # Whole lines, and parts that say enough and stand once.
        (9, "self.opt = optim.AdamW(self.parameters(), lr=1e-4)", ""),
        (9, "optim.AdamW(self.parameters(), lr=1e-4)", ""),
        (9, "AdamW(self.parameters()", ""),
        (13, "return self.important_head(x)", ""),
        (13, "important_head", ""),
        (7, "class Net(layers.Module)", ""),
        (12, "def forward(self, x):\n        return self.import", ""),
        # Generic, short, or in several lines.
        (13, "import", "fragment"),
        (9, "parameters()", "fragment"),
        (9, "optim.", "fragment"),
        (9, "lr=1e-4", "fragment"),
        (9, "= optim.", "fragment"),
        (8, "def __init__(self):", "no_code"),
        # Imports show that something was thought of.
        (1, "import torch", "import"),
        (3, "    optim,", "import"),
        (2, "from torch import (\n    optim,\n    nn as layers,\n)", "import"),
        (1, "import torch\nfrom torch import (", "import"),
    ],
)
def test_what_is_quoted_must_itself_say_something(first: int, quote: str, why: str) -> None:
    sources = Sources(repository(**{"a.py": PARTS}))
    last = first + quote.count("\n")
    checked = check(parsed(("a.py", first, last, quote)), sources, WHOLE, local=True)
    assert checked.citations[0].state is QuoteState.VERIFIED
    if not why:
        assert checked.status is Status.GRADED
    else:
        assert checked.reason == f"no_verified_quote: the judge said 0.5 on 1 quote (1 {why})"
        assert len(checked.objections) == 2


def test_an_import_beside_code_takes_nothing_away() -> None:
    sources = Sources(repository(**{"a.py": PARTS}))
    cited = (("a.py", 1, 1, "import torch"), ("a.py", 9, 9, PARTS.split("\n")[8]))
    assert check(parsed(*cited), sources, WHOLE, local=True).status is Status.GRADED


def test_a_part_that_is_a_comment_behind_code_proves_nothing() -> None:
    sources = Sources(repository(**{"a.py": "rate = 0.1  # AdamW with decay 0.5\n"}))
    cited = ("a.py", 1, 1, "AdamW with decay 0.5")
    assert "1 no_code" in check(parsed(cited), sources, WHOLE, local=True).reason


@pytest.mark.parametrize(
    ("lines", "number", "is_one"),
    [
        (["import a.b as c, d"], 1, True), (["from .a import *"], 1, True),
        (["#include <cuda.h>"], 1, True), (["using namespace std;"], 1, True),
        (["use std::io;"], 1, True), (["library(stats)"], 1, True),
        (["const x = require('y');"], 1, True), (["import { a } from 'y';"], 1, True),
        (["import {", "  a,", "} from 'y'"], 3, True), (["import {", "  a,", "}"], 2, True),
        (["import (", '  "fmt"', ")"], 2, True), (["from a import b, \\", "    c"], 2, True),
        (["import torch; lr = 0.1"], 1, False), (["use_bias = True"], 1, False),
        (["use_ema: true"], 1, False), (["importance = 3"], 1, False), (["open = 3"], 1, False),
        (["x = f(", "  a,", ")"], 2, False), (["import a" + " " * 5_000 + "; b"], 1, False),
        (["steps = [", "  adam,", "]"], 2, False), (["import a", "", "adam"], 3, False),
        ([""], 1, False), ([" , " * 5_000], 1, False), (["import (", "a " * 5_000], 2, False),
    ],
)  # fmt: skip
def test_lines_that_only_import(lines: list[str], number: int, is_one: bool) -> None:
    assert is_import(lines, number) is is_one


CODE = ("train.py", 12, 12, "lr=3e-4,")


@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("drift", list(Drift))
@pytest.mark.parametrize("failure", list(Failure))
def test_contradictions(level: Level, drift: Drift, failure: Failure) -> None:
    faithful = (drift is Drift.NONE, failure is Failure.NONE)
    most = {"stub": 1, "mention_only": 1, "missing": 0, "unreachable": 2}.get(failure.value, 3)
    fits = level <= most and not (failure is Failure.INCOMPLETE and level == 0)
    agrees = all(faithful) if level == 4 else not any(faithful) and fits
    assert (contradiction(level, drift, failure) is None) is agrees
    checked = check(
        parsed(CODE, level=level, drift=drift, failure=failure), SOURCES, WHOLE, local=True
    )
    if agrees:
        assert checked.level is level
    else:
        assert checked.status is Status.ABSTAINED
        assert checked.reason.startswith("contradiction: ")


def test_cannot_tell_abstains_and_says_what_is_lacking() -> None:
    checked = check(parsed(CODE, level=None, lacking=("lr of phase 2",)), SOURCES, CUT, local=False)
    assert checked.status is Status.ABSTAINED
    assert checked.reason == "cannot_tell: the judge lacks lr of phase 2"


def test_nothing_quoted() -> None:
    checked = check(parsed(), SOURCES, WHOLE, local=True)
    assert checked.reason == "no_verified_quote: the judge said 0.5 and quoted nothing"


def test_zero_needs_no_quote_but_is_never_sure_on_cut_evidence() -> None:
    nothing = parsed(level=Level.ABSENT, failure=Failure.MISSING)
    whole = check(nothing, SOURCES, WHOLE, local=False)
    assert (whole.level, whole.confidence, whole.flags) == (Level.ABSENT, 0.9, ())
    cut = check(nothing, SOURCES, CUT, local=False)
    assert (cut.level, cut.confidence, cut.flags) == (Level.ABSENT, 0.5, ("evidence_incomplete",))
    local = check(nothing, SOURCES, CUT, local=True)
    assert (local.confidence, local.flags) == (0.9, ())


def test_flags_name_bad_quotes_and_odd_files() -> None:
    sources = Sources(repository(**{"odd.py": "rate = 0.5\n"}))
    checked = check(
        parsed(("odd.py", 1, 1, "rate = 0.5"), ("odd.py", 1, 1, "rate = 0.7")),
        sources,
        WHOLE,
        local=True,
    )
    assert checked.status is Status.GRADED
    assert checked.flags == ("quote_not_found", "odd_file")


def test_a_quote_of_an_excerpt_is_found_across_the_lines_that_it_leaves_out() -> None:
    text = (
        "def f(x):\n    # rate\n    rate = x * warmup_share\n\n    # and on\n    return rate / 3\n"
    )
    sources = Sources(repository(**{"a.py": text}), folded=lambda _: {2, 4, 5})
    quote = "def f(x):\n    rate = x * warmup_share\n    return rate / 3"
    assert sources.find(quote, "a.py", 1) == Place("a.py", 1, 6)
    assert sources.find(text, "a.py", 1) == Place("a.py", 1, 6)
    assert sources.find("warmup_share\n    return rate", "a.py", 1) == Place(
        "a.py", 3, 6, "warmup_share", "return rate"
    )
    # A line of code that is left out is no quote.
    assert sources.find("def f(x):\n    return rate / 3", "a.py", 1) is None
