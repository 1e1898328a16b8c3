from __future__ import annotations

import base64
import csv
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark import InputError
from judge.report import write_report
from judge.report.code import cited_code, highlighted_lines
from judge.report.text import file_names, plain, slug, visible
from judge.verdict import Citation, QuoteState, Verdict
from tests.judge.made_runs import CODE, by, graded, note, run_of, sau, small_run

VOID = {"meta", "link", "input", "br", "img"}


class Page(HTMLParser):
    """A page's tags with their attributes, its scripts, styles and its text."""

    def __init__(self, path: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text: list[str] = []
        self.inlined: dict[str, list[str]] = {"script": [], "style": []}
        self.source = path.read_text(encoding="utf-8")
        self.feed(self.source)
        self.close()
        assert self.open == [], f"unclosed tags in {path}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in self.inlined:
            self.inlined[self.open[-1]].append(data)
        else:
            self.text.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]

    @property
    def words(self) -> str:
        return " ".join(" ".join(self.text).split())


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(small_run(), tmp_path_factory.mktemp("report")).parent


def page_of(out: Path, submission: str) -> Page:
    return Page(out / "submissions" / f"{slug(submission)}.html")


def pages(out: Path) -> list[Path]:
    found = [out / "index.html", *sorted((out / "submissions").glob("*.html"))]
    assert len(found) == 5
    return found


def test_hostile_text_becomes_no_markup_anywhere(out: Path) -> None:
    for path in pages(out):
        page = Page(path)
        assert [name for name, _ in page.tags if name in {"img", "iframe", "object"}] == []
        assert len(page.all("script")) == len(page.all("style")) == 1
        for name, attributes in page.tags:
            strange = [key for key in attributes if key.startswith("on") or key == "style"]
            assert strange == [], (path, name, attributes)
        assert "pwned" not in "".join(page.inlined["script"])
        assert "{{ 7 * 7 }}" in page.words or "pwned" not in page.words


def test_links_lead_to_files_of_the_report_and_to_nothing_else(out: Path) -> None:
    for path in pages(out):
        page = Page(path)
        ids = {attributes.get("id") for _, attributes in page.tags}
        for attributes in [*page.all("a"), *page.all("link")]:
            href = attributes["href"] or ""
            if href == "data:,":
                continue
            target, _, fragment = href.partition("#")
            assert re.fullmatch(r"[A-Za-z0-9._/-]*", target), href
            if target:
                assert (path.parent / target).resolve().is_file(), href
            elif fragment:
                assert fragment in ids, href


def test_nothing_is_asked_of_a_network(out: Path) -> None:
    for path in pages(out):
        page = Page(path)
        for _, attributes in page.tags:
            assert "src" not in attributes
        assert not re.search(
            r"@import|url\(|fetch\(|XMLHttp|innerHTML|//[a-z]+\.",
            "".join(page.inlined["style"] + page.inlined["script"]),
        )


def test_the_policy_allows_the_page_s_own_script_and_style_alone(out: Path) -> None:
    for path in pages(out):
        page = Page(path)
        (policy,) = [
            one["content"] or ""
            for one in page.all("meta")
            if one.get("http-equiv") == "Content-Security-Policy"
        ]
        rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
        assert rules["default-src"] == "'none'"
        for kind in ("script", "style"):
            text = "".join(page.inlined[kind])
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            assert rules[f"{kind}-src"] == f"'sha256-{digest}'"


def test_what_hides_or_reorders_is_written_out(out: Path) -> None:
    for path in pages(out):
        source = path.read_text(encoding="utf-8")
        assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b\ufeff\x1b\x07\U000e0041]", source)
    page = page_of(out, "opus/adam")
    assert "U+202E" in page.words
    assert {"span", "odd"} <= {
        word
        for name, attributes in page.tags
        for word in (name, *(attributes.get("class") or "").split())
    }


def test_tables_have_scoped_heads_and_pages_a_language_and_a_title(out: Path) -> None:
    for path in pages(out):
        page = Page(path)
        assert page.all("html") == [{"lang": "en"}]
        assert all(head.get("scope") in {"col", "row"} for head in page.all("th"))
        assert len(page.all("h1")) == len(page.all("main")) == 1
        for svg in page.all("svg"):
            named = svg.get("aria-label") or svg.get("aria-labelledby")
            assert named or svg.get("aria-hidden") == "true"


def test_the_first_page_shows_agents_papers_and_what_went_wrong(out: Path) -> None:
    page = Page(out / "index.html")
    assert "This run is incomplete" in page.words
    assert "error: timeout" in page.words.replace("timeout: no", "")
    links = [one["href"] for one in page.all("a") if (one["href"] or "").startswith("submissions/")]
    assert {f"submissions/{slug(one)}.html" for one in ("opus/adam", "gpt/lora")} <= set(links)
    assert f"submissions/{slug('opus/adam')}.html#status=error" in links
    assert f"submissions/{slug('gpt/adam')}.html#missing" in links
    assert "the folder is gone" in page.words
    assert "binary file" in page.words


def test_a_submission_s_page_shows_verdict_code_quote_and_evidence(out: Path) -> None:
    page = page_of(out, "opus/adam")
    cards = page.all("article")
    assert [card["data-level"] for card in cards] == ["1", "0", "4", "error"]
    assert cards[0]["data-dimension"] == "D1"
    assert cards[1]["data-failure"] == "stub"
    numbers = [line.get("data-n") for line in page.all("span") if line.get("class") == "line"]
    assert numbers[:2] == ["7", "8"]
    for words in (
        "The learning rate is 1e-4.",
        "Off by an order of magnitude.",
        "src/train.py:7–8",
        "quote verified",
        "quote found on other lines than cited",
        "quote not found in the file",
        "evidence incomplete",
        "Searched for and not found: warmup",
        "src/train.py:1–20",
        "not UTF-8: read as latin-1",
        "What went wrong",
    ):
        assert words in page.words, words


def test_a_submission_without_verdicts_names_its_claims_and_its_error(out: Path) -> None:
    page = page_of(out, "gpt/adam")
    assert "the folder is gone" in page.words
    assert "Claims without a verdict" in page.words
    assert "adam-D3-003" in page.words


def test_the_embedded_judge_is_said_to_be_a_program(tmp_path: Path) -> None:
    claim, one = sau(1), note("opus", "adam")
    verdict = graded(one, claim, 2, provenance=by("embedded"))
    index = write_report(run_of([claim], [one], [verdict]), tmp_path)
    assert "a program, not an LLM" in Page(index).words
    assert "a program, not an LLM" in page_of(tmp_path, one.id).words
    assert "This run is incomplete" not in Page(index).words


def test_no_table_of_mixed_judges_goes_without_its_warning(tmp_path: Path) -> None:
    claims, one = [sau(1), sau(2)], note("opus", "adam")
    verdicts = [
        graded(one, claims[0], 2, provenance=by("openai:a")),
        graded(one, claims[1], 2, provenance=by("openai:b")),
    ]
    index = write_report(run_of(claims, [one], verdicts), tmp_path)
    source = index.read_text(encoding="utf-8")
    sections = re.findall(r"<section.*?</section>", source, re.DOTALL)
    tables = [section for section in sections if "<table" in section]
    assert len(tables) == 6
    for section in tables:
        assert "judges are mixed" in section or "openai:a judged 1 submission" in section
    assert "Several judges judged this submission" in page_of(tmp_path, one.id).words


def test_a_run_that_was_stopped_says_so(tmp_path: Path) -> None:
    claim, one = sau(1), note("opus", "adam")
    run = run_of([claim], [one], [graded(one, claim, 2)], state="stopped", reason="price cap")
    assert "The run was stopped: price cap." in Page(write_report(run, tmp_path)).words


def test_an_empty_run_has_a_report(tmp_path: Path) -> None:
    assert "0 submissions" in Page(write_report(run_of([], [], []), tmp_path)).words


def test_pages_of_an_earlier_report_go_and_other_files_stay(tmp_path: Path) -> None:
    claim = sau(1)
    for agent in ("before", "after"):
        one = note(agent, "adam")
        write_report(run_of([claim], [one], [graded(one, claim, 1)]), tmp_path)
        (tmp_path / "submissions" / "mine.html").write_text("<p>mine</p>", encoding="utf-8")
    assert {path.name for path in (tmp_path / "submissions").iterdir()} == {
        f"{slug('after/adam')}.html",
        "mine.html",
    }


def test_the_same_run_gives_the_same_bytes(tmp_path: Path, out: Path) -> None:
    write_report(small_run(), tmp_path)
    for path in out.rglob("*"):
        if path.is_file():
            assert (tmp_path / path.relative_to(out)).read_bytes() == path.read_bytes()


def test_a_folder_that_cannot_be_made_is_an_error_for_people(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be written"):
        write_report(small_run(), tmp_path / "file")


def test_summary_and_json_lines_are_in_the_run_s_own_formats(out: Path) -> None:
    lines = (out / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    assert [Verdict.model_validate_json(line) for line in lines] == small_run().verdicts
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert summary["all"]["counts"]["graded"] == 6


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_the_csv_has_a_row_a_verdict_and_leaves_the_unknown_empty(out: Path) -> None:
    rows = rows_of(out / "verdicts.csv")
    assert len(rows) == len(small_run().verdicts)
    assert rows[0]["claim"] == "The learning rate is 1e-4."
    assert rows[0]["score"] == "0.25"
    assert rows[0]["citations"] == "src/train.py:7-8 (verified)"
    assert (rows[3]["status"], rows[3]["level"], rows[3]["score"]) == ("error", "", "")
    assert rows[0]["cost_usd"] == ""


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\n=x", " =1", "\uff1d1+1"]
)
def test_no_text_of_the_csv_runs_as_a_formula(tmp_path: Path, text: str) -> None:
    claim, one = sau(1, claim=text), note("opus", "adam")
    run = run_of([claim], [one], [graded(one, claim, 2, rationale=text, found=text)])
    write_report(run, tmp_path)
    (row,) = rows_of(tmp_path / "verdicts.csv")
    assert row["claim"] == row["rationale"] == row["found"] == "'" + text


@given(st.lists(st.text(min_size=1, max_size=90), unique=True, max_size=20))
@settings(deadline=None)
def test_file_names_are_safe_and_never_collide(ids: list[str]) -> None:
    names = file_names(ids)
    assert len({name.casefold() for name in names.values()}) == len(ids)
    for name in names.values():
        assert re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]*\.html", name)
        assert len(name) < 100


def test_ids_that_look_alike_have_their_own_pages() -> None:
    ids = ["a/b", "a-b", "A/b", "a/b ", "../a/b", "con", "a" * 300, "a" * 301, "日本"]
    assert len({name.casefold() for name in file_names(ids).values()}) == len(ids)


@given(st.text(st.characters(exclude_categories=[])))
@settings(deadline=None)
def test_visible_text_shows_every_character_and_escapes(text: str) -> None:
    shown = str(visible(text))
    unmarked = re.sub(r'<span class="odd" title="[^"<>]*">(U\+[0-9A-F]+)</span>', r"\1", shown)
    assert not re.search("[<>\"'\x00-\x08\x1b\u202e\u200b\ud800-\udfff]", unmarked)
    shown.encode("utf-8")
    plain(text).encode("utf-8")
    assert plain(plain(text)) == plain(text)


@given(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=200),
    st.sampled_from([".py", ".yaml", ".json", ".md", ".x"]),
)
@settings(deadline=None, max_examples=200)
def test_highlighting_keeps_every_line_and_adds_no_tag_but_spans(code: str, ending: str) -> None:
    lines = highlighted_lines(ending, code)
    assert len(lines) == len(code.split("\n"))
    bare = re.sub(r'<span class="[a-z]+"( title="[^"<>]*")?>|</span>', "", "\n".join(lines))
    assert "<" not in bare
    assert ">" not in bare


def cited(quote: str, first: int, last: int, state: QuoteState = QuoteState.VERIFIED) -> str:
    return str(cited_code(Citation(path="a.py", first=first, last=last, quote=quote, state=state)))


def test_code_is_highlighted_with_the_lines_of_its_file() -> None:
    html = cited(CODE.rstrip("\n"), 7, 8)
    assert re.findall(r'data-n="(\d+)"', html) == ["7", "8"]
    assert '<span class="k">def</span>' in html


def test_lines_are_numbered_only_where_the_numbers_are_real() -> None:
    assert "data-n" not in cited("a\nb", 7, 8, QuoteState.NOT_FOUND)
    assert "data-n" not in cited("a ... b", 7, 20)
    assert re.findall(r'data-n="(\d+)"', cited("\na\n", 4, 4)) == ["4"]


@pytest.mark.parametrize("quote", ["x" * 3_000_000, "x\n" * 50_000, "(" * 900, "'" * 999])
def test_hostile_quotes_are_cut_and_cost_nothing(quote: str) -> None:
    assert len(cited(quote, 1, 1)) < 60_000


def test_a_run_s_notes_stand_on_its_first_page_and_leave_no_empty_box_on_the_others(
    tmp_path: Path,
) -> None:
    made = small_run()
    meta = made.meta.model_copy(update={"notes": ("3 earlier verdicts were made again",)})
    index = write_report(replace(made, meta=meta), tmp_path)
    assert "3 earlier verdicts were made again" in index.read_text(encoding="utf-8")
    pages = [page.read_text(encoding="utf-8") for page in (tmp_path / "submissions").iterdir()]
    assert len(pages) == 4
    assert not any("Notes on this run" in page for page in pages)
