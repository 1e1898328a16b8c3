"""Every page that the program writes, in a real browser: whatever the window, and on paper."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from benchmark import Drift, Failure, Label, Level
from judge.cli import cli
from judge.drift_card.card import score_card
from judge.drift_card.pairs import Pair
from judge.drift_card.showing import write_card
from judge.report import write_report
from judge.report.text import slug
from tests.judge.made_runs import graded, note, run_of, sau, small_run
from tests.judge.made_trust import make_trust

if os.name != "posix":
    pytest.skip("the browser is driven over POSIX pipes", allow_module_level=True)

from tests.judge.browser import LIGHT_OF_COLOURS, NAMES, Browser, find_browser

PROGRAM = find_browser()
pytestmark = pytest.mark.skipif(
    PROGRAM is None, reason=f"no Chromium on PATH (looked for {', '.join(NAMES)})"
)

WIDTHS = (360, 500, 800, 1300)
PAGES = ("report", "many agents", "submission", "study", "drift")
LONG_NAME = "claude-sonnet_papercoder_with_a_long_name"


def _drift_page(folder: Path) -> Path:
    def pair(kind: str, operator: str, number: int) -> Pair:
        label = Label(
            "s", "r-D2-1", "operator", "author", Level.PARTIAL, Drift.METHODOLOGICAL,
            Failure.MISMATCH, (("a.py", 10, 12),),
        )  # fmt: skip
        return Pair(
            kind, operator, f"{operator}/{number:05}", "r-D2-1", f"r{number % 9}", label,
            "the term self.beta * mean_kl(agent, batch) is left out of FixedKLLoss.forward",
            4, (2, 4)[number % 2], Drift.METHODOLOGICAL, Failure.MISMATCH,
            (("a.py", 12, 20),), number % 3 > 0,
        )  # fmt: skip

    pairs = [
        *(pair("drift", f"{name}_of_a_fault", n) for n in range(30) for name in ("loss", "step")),
        *(pair("variant", "docstrings_removed", n) for n in range(12)),
        *(pair("attack", "injected_instruction", n) for n in range(12)),
    ]
    write_card(
        score_card(pairs, [], judge="embedded", facts={}),
        folder / "card.json",
        folder / "drift.html",
        report="index.html",
    )
    return folder / "drift.html"


def _many_agents(folder: Path) -> Path:
    """A report of agents with long names over papers with long names."""
    agents = [LONG_NAME, *(f"openhands_{name}" for name in ("claude", "deepseek", "gpt4o"))]
    papers = [f"a-paper-with-quite-a-long-name-{number}" for number in range(5)]
    claims = [sau(number, paper) for paper in papers for number in range(4)]
    notes = [note(agent, paper, digest="d" * 64) for agent in agents for paper in papers]
    verdicts = [
        graded(one, claim, (place + number) % 5)
        for place, one in enumerate(notes)
        for number, claim in enumerate(claims)
        if claim.paper == one.paper
    ]
    return write_report(run_of(claims, notes, verdicts), folder)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("pages")
    report = write_report(small_run(), root / "report")
    make_trust(root)
    (root / "study.yaml").write_text(
        "runs: [run]\nlabels: labels.jsonl\noutput: out\nworst: 3\n", encoding="utf-8"
    )
    made = CliRunner().invoke(cli, ["study", "--config", str(root / "study.yaml")])
    assert made.exit_code == 0, made.output
    return {
        "report": report,
        "many agents": _many_agents(root / "many"),
        "submission": report.parent / "submissions" / f"{slug('opus/adam')}.html",
        "study": root / "out" / "index.html",
        "drift": _drift_page(root / "report"),
    }


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    assert PROGRAM is not None
    browser = Browser(PROGRAM, tmp_path_factory.mktemp("profile"))
    try:
        yield browser
    finally:
        browser.close()


def show(browser: Browser, page: Path, width: int = 1300, **media: str) -> None:
    browser.call(
        "Emulation.setDeviceMetricsOverride",
        width=width, height=900, deviceScaleFactor=1, mobile=False,
    )  # fmt: skip
    scheme = media.get("scheme", "light")
    browser.call(
        "Emulation.setEmulatedMedia",
        media=media.get("media", ""),
        features=[{"name": "prefers-color-scheme", "value": scheme}],
    )
    browser.open(page)


# What stands out of the window, of elements that no box of their own lets one scroll to.
CUT = """(() => {
    const edge = document.documentElement.clientWidth + 1;
    const scrolls = e => { for (; e && e !== document.body; e = e.parentElement)
        if (['auto', 'scroll'].includes(getComputedStyle(e).overflowX)) return true;
        return false; };
    return [...document.querySelectorAll('body *:not(.skip):not(.hide)')]
        .filter(e => e.getBoundingClientRect().right > edge && !scrolls(e.parentElement))
        .map(e => e.tagName + ' ' + e.textContent.slice(0, 60)); })()"""

# Boxes wider than what they show, which neither a scroll bar nor a key can move.
STUCK = """[...document.querySelectorAll('body *')].filter(e =>
    ['auto', 'scroll'].includes(getComputedStyle(e).overflowX) && e.scrollWidth > e.clientWidth + 1
    && e.tabIndex < 0 && !e.querySelector('a, button')).map(e => e.outerHTML.slice(0, 80))"""

# Texts that lie over each other: lines of text in different cells of one row, or of two rows.
OVERLAPS = """(() => { const found = [];
    for (const row of document.querySelectorAll('tr')) {
        const cells = [...row.cells].filter(c => getComputedStyle(c).position !== 'sticky')
            .map(c => { const r = document.createRange(); r.selectNodeContents(c);
                return [c, r.getBoundingClientRect()]; }).filter(p => p[1].width);
        for (let i = 1; i < cells.length; i++) {
            const a = cells[i - 1][1], b = cells[i][1];
            if (a.right > b.left + 1 && a.bottom > b.top + 1 && b.bottom > a.top + 1
                && a.left < b.left)
                found.push(cells[i - 1][0].textContent + ' | ' + cells[i][0].textContent); } }
    return found; })()"""


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_cut_or_covered_at_any_width(
    browser: Browser, pages: dict[str, Path], name: str, width: int
) -> None:
    show(browser, pages[name], width)
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    assert browser.evaluate(CUT) == []
    assert browser.evaluate(STUCK) == []
    assert browser.evaluate(OVERLAPS) == []
    assert browser.complaints() == []


@pytest.mark.parametrize("width", WIDTHS)
def test_names_of_agents_are_readable_at_any_width(
    browser: Browser, pages: dict[str, Path], width: int
) -> None:
    show(browser, pages["many agents"], width)
    rows = browser.evaluate(
        "[...document.querySelectorAll('#agents tbody th')].map(e => {"
        " const r = document.createRange(); r.selectNodeContents(e);"
        " return [e.textContent.trim(), r.getBoundingClientRect().height /"
        " parseFloat(getComputedStyle(e).lineHeight)]; })"
    )
    assert {name for name, _ in rows} >= {LONG_NAME, "openhands_claude"}
    # Five lines for 41 letters on a telephone; one letter a line were 41.
    assert all(lines < 5.5 for _, lines in rows), rows
    assert all(lines < 2.5 for name, lines in rows if name != LONG_NAME), rows


def test_tables_of_the_drift_page_need_no_scrolling_on_a_usual_screen(
    browser: Browser, pages: dict[str, Path]
) -> None:
    show(browser, pages["drift"], 1300)
    sizes = browser.evaluate(
        "[...document.querySelectorAll('.scroll')].map(e => [e.scrollWidth, e.clientWidth])"
    )
    assert len(sizes) >= 7
    assert all(inner <= outer for inner, outer in sizes)


PAPER = 718
"""CSS pixels across a sheet of A4 with margins of a centimetre."""
BROAD = 1046
"""The same of one that lies on its side."""


@pytest.mark.parametrize("name", PAGES)
def test_on_paper_all_is_there_and_nothing_is_cut(
    browser: Browser, pages: dict[str, Path], name: str
) -> None:
    broad = name in {"report", "many agents", "drift"}
    width = BROAD if broad else PAPER
    show(browser, pages[name], width, media="print", scheme="dark")
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    assert browser.evaluate(CUT) == []
    assert browser.evaluate(OVERLAPS) == []
    # Ink on white, whatever the screen's scheme is.
    back = browser.evaluate("getComputedStyle(document.body).backgroundColor")
    assert back == "rgb(255, 255, 255)"
    boxes = browser.evaluate(
        "[...document.querySelectorAll('.scroll, pre')].map(e => getComputedStyle(e).overflowX)"
    )
    assert set(boxes) <= {"visible"}
    folded = browser.evaluate(
        "[...document.querySelectorAll('details:not([open]) > :not(summary)')]"
        ".filter(e => !e.checkVisibility({contentVisibilityAuto: true})).length"
    )
    assert folded == 0


FAINT = (
    "(() => {"
    + LIGHT_OF_COLOURS
    + """
    const poor = [];
    for (const e of document.querySelectorAll('body *')) {
        const own = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
        if (!own || e.closest('script, style, title, [aria-hidden=true], .hide')) continue;
        const drawn = e.closest('svg'), style = getComputedStyle(e);
        const back = behind(drawn ? drawn.parentElement : e);
        const front = rgba(drawn ? style.fill : style.color);
        front[3] *= Number(style.opacity);
        const pair = [light(over(front, back)), light(back)];
        const ratio = (Math.max(...pair) + .05) / (Math.min(...pair) + .05);
        if (ratio < 4.5) poor.push([e.tagName, e.textContent.slice(0, 40), ratio]);
    }
    return poor; })()"""
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["study", "drift"])
def test_texts_of_the_study_and_the_score_card_stand_out(
    browser: Browser, pages: dict[str, Path], name: str, scheme: str
) -> None:
    show(browser, pages[name], scheme=scheme)
    white = browser.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (white == "rgb(255, 255, 255)") == (scheme == "light")
    browser.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true; })")
    assert browser.evaluate(FAINT) == []


def test_the_pointer_on_a_row_leaves_its_shades(browser: Browser, pages: dict[str, Path]) -> None:
    show(browser, pages["many agents"])
    cell = "document.querySelector('#heat tbody td[class]')"
    shade = f"getComputedStyle({cell}).backgroundColor"
    before = browser.evaluate(shade)
    x, y = browser.evaluate(
        f"(e => {{ e.scrollIntoView({{block: 'center', behavior: 'instant'}});"
        f" const b = e.getBoundingClientRect(); return [b.x + 4, b.y + 4]; }})({cell})"
    )
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    assert browser.evaluate(f"{cell}.matches(':hover')")
    assert browser.evaluate(shade) == before


FIRST_STOPS = """(() => ({
    language: document.documentElement.lang,
    title: document.title.trim(),
    mains: document.querySelectorAll('main').length,
    skip: document.querySelector(document.querySelector('body > a').getAttribute('href'))?.tagName,
    heads: [...document.querySelectorAll('h1, h2, h3, h4')].map(e => Number(e.tagName[1])),
    bare_heads: [...document.querySelectorAll('th')].filter(e => !e.scope).length,
    bare_boxes: [...document.querySelectorAll('.scroll[tabindex]')].filter(
        e => e.getAttribute('role') !== 'region' || !e.getAttribute('aria-label')).length,
    bare_plots: [...document.querySelectorAll('svg')].filter(e => !e.closest('[aria-hidden=true]')
        && e.getAttribute('aria-hidden') !== 'true' && !e.getAttribute('aria-label')
        && !e.getAttribute('aria-labelledby')).length,
    bare_navs: [...document.querySelectorAll('nav')].filter(e => !e.ariaLabel).length,
    twice: [...document.querySelectorAll('[id]')].map(e => e.id)
        .filter((id, place, all) => all.indexOf(id) !== place),
    lost: [...document.querySelectorAll('a[href^="#"]')].map(e => e.getAttribute('href').slice(1))
        .filter(id => id && !document.getElementById(id)),
}))()"""


@pytest.mark.parametrize("name", PAGES)
def test_pages_can_be_listened_to(browser: Browser, pages: dict[str, Path], name: str) -> None:
    show(browser, pages[name])
    told: dict[str, Any] = browser.evaluate(FIRST_STOPS)
    heads = told.pop("heads")
    assert told.pop("title")
    assert told == {
        "language": "en", "mains": 1, "skip": "MAIN", "bare_heads": 0, "bare_boxes": 0,
        "bare_plots": 0, "bare_navs": 0, "twice": [], "lost": [],
    }  # fmt: skip
    assert heads[0] == 1
    assert heads.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(heads)), heads


@pytest.mark.parametrize("name", PAGES)
def test_the_tab_key_goes_to_the_content_and_is_seen(
    browser: Browser, pages: dict[str, Path], name: str
) -> None:
    show(browser, pages[name])
    for kind in ("keyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab",
                     windowsVirtualKeyCode=9)  # fmt: skip
    focus = "document.activeElement"
    assert browser.evaluate(f"{focus}.getAttribute('href')") == "#content"
    left = browser.evaluate(f"{focus}.getBoundingClientRect().left")
    assert left >= 0
    assert browser.evaluate(f"getComputedStyle({focus}).outlineStyle") == "solid"
