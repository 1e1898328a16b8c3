"""The report in a real browser: nothing hostile runs, and what should work does."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.report import write_report
from judge.report.text import slug
from tests.judge.made_runs import small_run

if os.name != "posix":
    pytest.skip("the browser is driven over POSIX pipes", allow_module_level=True)

from tests.judge.browser import LIGHT_OF_COLOURS, NAMES, Browser, find_browser

PROGRAM = find_browser()
pytestmark = pytest.mark.skipif(
    PROGRAM is None, reason=f"no Chromium on PATH (looked for {', '.join(NAMES)})"
)

SHOWN = "[...document.querySelectorAll('article')].filter(a => !a.hidden).map(a => a.dataset.level)"


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(small_run(), tmp_path_factory.mktemp("report")).parent


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    assert PROGRAM is not None
    browser = Browser(PROGRAM, tmp_path_factory.mktemp("profile"))
    try:
        yield browser
    finally:
        browser.close()


@pytest.fixture(scope="module")
def page(out: Path) -> Path:
    return out / "submissions" / f"{slug('opus/adam')}.html"


def test_hostile_text_runs_nothing_and_asks_for_nothing(browser: Browser, out: Path) -> None:
    for path in [out / "index.html", *(out / "submissions").iterdir()]:
        browser.open(path)
        assert "pwned" not in browser.evaluate("document.title")
        # Wherever the pointer and the focus go.
        browser.evaluate(
            "document.querySelectorAll('*').forEach(e => {"
            " for (const kind of ['mouseover', 'focus', 'error', 'load'])"
            " e.dispatchEvent(new Event(kind)); })"
        )
        assert "pwned" not in browser.evaluate("document.title")
        assert browser.complaints() == []
        assert {url.partition(":")[0] for url in browser.requests()} <= {"file", "data"}
        assert [url for url in browser.requests() if url.startswith("file")] == [path.as_uri()]


def test_the_policy_would_stop_what_escaping_let_through(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.evaluate(
        "document.body.insertAdjacentHTML('beforeend',"
        ' \'<img src=x onerror="document.title=1"><p style="color:red" id=late>x</p>\')'
    )
    browser.evaluate(
        "(() => { const s = document.createElement('script'); s.textContent = 'document.title=1';"
        " document.body.append(s); })()"
    )
    assert browser.evaluate("document.title") != "1"
    assert browser.evaluate("getComputedStyle(late).color") != "rgb(255, 0, 0)"
    assert any("Content Security Policy" in one for one in browser.complaints())


def test_an_address_opens_with_its_filters(browser: Browser, page: Path) -> None:
    browser.open(page, "#level=1,error")
    assert browser.evaluate(SHOWN) == ["1", "error"]
    assert browser.evaluate("count.textContent") == "2 of 4 verdicts"
    assert (
        browser.evaluate("document.querySelector('[value=error]').getAttribute('aria-pressed')")
        == "true"
    )
    browser.open(page, "#dimension=D1,D2&failure=stub")
    assert browser.evaluate(SHOWN) == ["0"]
    browser.open(page, "#q=order%20MAGNITUDE")
    assert browser.evaluate(SHOWN) == ["1"]
    browser.open(page, "#level=1&failure=stub")
    assert browser.evaluate(SHOWN) == []
    browser.open(page, "#%&q=%E0%A4%A&level=%")
    assert browser.complaints() == []


def test_filters_follow_the_mouse_and_the_keyboard(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert browser.evaluate(SHOWN) == ["1", "0", "4", "error"]
    browser.click("[data-group=dimension] [value=D2]")
    assert browser.evaluate(SHOWN) == ["0"]
    assert browser.evaluate("location.hash") == "#dimension=D2"
    browser.click("[data-group=dimension] [value=D3]")
    assert browser.evaluate(SHOWN) == ["0", "4"]
    browser.click("#clear")
    assert browser.evaluate(SHOWN) == ["1", "0", "4", "error"]
    browser.press("j")
    browser.press("j")
    assert browser.evaluate("document.activeElement.dataset.level") == "0"
    browser.press("k")
    assert browser.evaluate("document.activeElement.dataset.level") == "1"
    browser.press("/")
    assert browser.evaluate("document.activeElement.id") == "q"
    for letter in "warmup":
        browser.press(letter)
    assert browser.evaluate(SHOWN) == ["1"]
    assert browser.complaints() == []


def test_a_verdict_s_own_address_leads_to_it(browser: Browser, page: Path) -> None:
    browser.open(page, f"#v-{slug('adam-D3-003')}")
    assert browser.evaluate("document.querySelector('article:target').dataset.level") == "4"
    assert len(browser.evaluate(SHOWN)) == 4


def test_the_table_of_agents_sorts(browser: Browser, out: Path) -> None:
    names = "[...document.querySelectorAll('#agents tbody th')].map(e => e.firstChild.data)"
    head = "#agents thead th:nth-child(2)"
    browser.open(out / "index.html")
    assert browser.evaluate(names) == ["opus", "gpt"]
    browser.click(f"{head} button")
    assert browser.evaluate(names) == ["gpt", "opus"]
    assert browser.evaluate(f"document.querySelector('{head}').ariaSort") == "ascending"
    browser.click(f"{head} button")
    assert browser.evaluate(names) == ["opus", "gpt"]
    assert browser.evaluate(f"document.querySelector('{head}').ariaSort") == "descending"
    # Cells without a value come last whichever way numbers are sorted.
    d2 = "#agents thead th:nth-child(6)"
    for _ in range(2):
        browser.click(f"{d2} button")
        assert browser.evaluate(names) == ["opus", "gpt"]
    assert browser.complaints() == []


def test_the_heat_map_changes_its_layer(browser: Browser, out: Path) -> None:
    cell = "document.querySelector('#heat tbody td[data-v] a')"
    browser.open(out / "index.html")
    before = browser.evaluate(f"[{cell}.textContent, {cell}.pathname]")
    browser.click("#heat-pick [value='2']")
    after = browser.evaluate(f"[{cell}.textContent, {cell}.pathname]")
    assert before[1] == after[1]
    assert before[0] != after[0]
    assert browser.evaluate("location.hash") == "#heat=2"
    browser.open(out / "index.html", "#heat=2")
    assert browser.evaluate(f"{cell}.textContent") == after[0]


CONTRASTS = (
    "(() => {"
    + LIGHT_OF_COLOURS
    + """
    const poor = [];
    let seen = 0;
    for (const e of document.querySelectorAll('body *')) {
        const own = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
        if (!own || e.closest('svg, script, style, [aria-hidden=true], .hide')) continue;
        seen += 1;
        const back = behind(e), style = getComputedStyle(e), front = rgba(style.color);
        front[3] *= Number(style.opacity);
        const pair = [light(over(front, back)), light(back)];
        const ratio = (Math.max(...pair) + .05) / (Math.min(...pair) + .05);
        if (ratio < 4.5) poor.push([e.tagName, e.className, e.textContent.slice(0, 40), ratio]);
    }
    return [seen, poor]; })()"""
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_in_light_and_dark(
    browser: Browser, out: Path, page: Path, scheme: str
) -> None:
    browser.call(
        "Emulation.setEmulatedMedia",
        features=[{"name": "prefers-color-scheme", "value": scheme}],
    )
    for path in (out / "index.html", page):
        browser.open(path)
        white = "rgb(255, 255, 255)"
        back = browser.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (back == white) == (scheme == "light")
        seen, poor = browser.evaluate(CONTRASTS)
        assert seen > 50
        assert poor == []
        # Every shade of the heat map, on a cell with text.
        if path.name == "index.html":
            browser.evaluate(
                "document.querySelectorAll('#heat tbody tr:first-child').forEach(row => {"
                " for (let i = 0; i < 21; i++) { const cell = row.insertCell();"
                " cell.className = 'h' + i; cell.textContent = '0.123'; } })"
            )
            more, poor = browser.evaluate(CONTRASTS)
            assert more == seen + 21
            assert poor == []


@pytest.mark.parametrize("width", [360, 1280])
def test_pages_fit_their_window_and_nothing_moves_after_it_is_shown(
    browser: Browser, out: Path, page: Path, width: int
) -> None:
    browser.call(
        "Emulation.setDeviceMetricsOverride",
        width=width,
        height=800,
        deviceScaleFactor=1,
        mobile=False,
    )
    for path in (out / "index.html", page):
        browser.open(path)
        assert browser.evaluate("document.documentElement.scrollWidth") <= width
        moved = browser.call(
            "Runtime.evaluate",
            expression="new Promise(done => { let sum = 0; new PerformanceObserver(list => {"
            " for (const one of list.getEntries()) sum += one.value; })"
            ".observe({type: 'layout-shift', buffered: true});"
            " requestAnimationFrame(() => setTimeout(() => done(sum), 50)); })",
            awaitPromise=True,
            returnByValue=True,
        )
        assert moved["result"]["value"] == 0


def test_what_is_folded_on_the_screen_is_open_on_paper(browser: Browser, page: Path) -> None:
    browser.open(page)
    folded = "document.querySelectorAll('article details:not([open])').length"
    assert browser.evaluate(folded) > 0
    browser.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert browser.evaluate(folded) == 0
    browser.evaluate("dispatchEvent(new Event('afterprint'))")
    assert browser.evaluate(folded) > 0
