"""Writing a report to disk: style and script inlined, under a policy that allows nothing else."""

from __future__ import annotations

import base64
import gc
import hashlib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from benchmark import Dimension, InputError, Where
from judge.figures import Summary
from judge.report.exports import write_csv, write_jsonl
from judge.report.overview import overview
from judge.report.style import TEMPLATES, page_style
from judge.report.submission import submission_page
from judge.report.text import file_names, plain, visible
from judge.report.words import (
    LEVEL_NAMES,
    LEVEL_SCORES,
    NOTES,
    WORDS,
    Banner,
    banners_of,
    percent,
    score,
    ticks,
)
from judge.store import LoadedRun
from judge.summary import summarise
from judge.verdict import Verdict

__all__ = ["DRIFT_PAGE", "cannot_write", "write_report"]

DRIFT_PAGE = "drift.html"
"""The page of a drift score card, which the first page links to where it is there."""

_SIGN = '<meta name="generator" content="sau-judge report">'


def write_report(run: LoadedRun, out: Path, summary: Summary | None = None) -> Path:
    """Write a run's report: `index.html`, a page a submission, and the exports.

    The pages open from disk, ask no network for anything, and run no script but their own.

    Args:
        run: The run.
        out: The folder; made where it is not there. Pages of an earlier report that this one
            does not have are removed; no other file is touched.
        summary: The run's figures, where they are at hand.

    Returns:
        The path of `index.html`, which is written last.

    Raises:
        InputError: The folder cannot be written to, or holds something else than a report.
    """
    if summary is None:
        summary = summarise(run.verdicts, run.saus, run.submissions)
    folder = out / "submissions"
    try:
        _refuse_strange_folder(out)
        folder.mkdir(parents=True, exist_ok=True)
        with _run_at_rest():
            _write_submissions(run, summary, folder)
            write_csv(out / "verdicts.csv", run.verdicts, run.saus)
            write_jsonl(out / "verdicts.jsonl", run.verdicts)
            _write(out / "summary.json", summary.model_dump_json(indent=1) + "\n")
            return _write_index(run, summary, out)
    except OSError as error:
        raise cannot_write(out, error) from error


def _refuse_strange_folder(out: Path) -> None:
    """Refuse a folder that holds something else than a report.

    Raises:
        InputError: It does.
        OSError: It cannot be looked at.
    """
    if not out.is_dir():
        return
    names = sorted(entry.name for entry in out.iterdir())
    strange = [name for name in names if name not in _OURS]
    pages = [out / "index.html", *sorted((out / "submissions").glob("*.html"))[:1]]
    # One without any page was stopped before its first.
    begun = not (strange or any(map(Path.exists, pages)) or _holds_others(out / "submissions"))
    if begun or any(map(_is_ours, pages)):
        return
    raise InputError(
        f"the folder is no report and not empty (it holds {(strange or names)[0]!r})",
        where=Where(str(out)),
        remedy="Name an empty or a new folder",
    )


_OURS = frozenset(
    {
        "index.html",
        "submissions",
        "verdicts.csv",
        "verdicts.jsonl",
        "summary.json",
        DRIFT_PAGE,
        ".made-from",
    }
)


def _holds_others(folder: Path) -> bool:
    return folder.exists() and (not folder.is_dir() or any(folder.iterdir()))


def _is_ours(page: Path) -> bool:
    if not page.is_file():
        return False
    with page.open(encoding="utf-8", errors="replace") as file:
        return _SIGN in file.read(2000)


def cannot_write(out: Path, error: OSError) -> InputError:
    """The error for a report's folder that cannot be written to."""
    return InputError(
        f"the report cannot be written ({error})",
        where=Where(str(out)),
        remedy="Name a folder that can be written to",
    )


@contextmanager
def _run_at_rest() -> Iterator[None]:
    """Keep the cycle collector off what is alive now: it would walk the whole run per page."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _write_index(run: LoadedRun, summary: Summary, out: Path) -> Path:
    names = file_names(note.id for note in run.submissions)
    pages = {name: f"submissions/{file}" for name, file in names.items()}
    page = _Pages("index.html", "index.js")
    index = out / "index.html"
    values = overview(run, summary, pages)
    values["drift_page"] = DRIFT_PAGE if (out / DRIFT_PAGE).is_file() else ""
    _write(index, page.render(values))
    return index


def _write_submissions(run: LoadedRun, summary: Summary, folder: Path) -> None:
    names = file_names(note.id for note in run.submissions)
    by_submission: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in run.verdicts:
        by_submission[verdict.submission].append(verdict)
    notes = {note.id: note for note in run.submissions}
    banners = _banners_of_pages(run, summary)
    page = _Pages("submission.html", "submission.js")
    order = [one.submission for one in summary.submissions]
    by_paper: dict[str, dict[str, Any]] = defaultdict(dict)
    for name, sau in run.saus.items():
        by_paper[sau.paper][name] = sau
    for place, figures in enumerate(summary.submissions):
        values = submission_page(
            notes[figures.submission],
            figures,
            by_submission[figures.submission],
            by_paper[figures.paper],
            banners,
        )
        values["run_name"] = run.meta.name
        values["before"] = names[order[place - 1]] if place else ""
        values["after"] = names[order[place + 1]] if place + 1 < len(order) else ""
        _write(folder / names[figures.submission], page.render(values))
    _remove_strays(folder, set(names.values()))


def _banners_of_pages(run: LoadedRun, summary: Summary) -> list[Banner]:
    """The run's banners in one line each; what is said of tables stays on the first page."""
    return [
        Banner(banner.kind, banner.title)
        for banner in banners_of(run.meta, summary)
        if banner.kind != "warn" and banner.title != NOTES
    ]


def _remove_strays(folder: Path, wanted: set[str]) -> None:
    """Remove pages that an earlier report left, told from other people's files by their sign."""
    for path in folder.glob("*.html"):
        if path.name in wanted or not path.is_file():
            continue
        if _is_ours(path):
            path.unlink()


def _write(path: Path, text: str) -> None:
    # A lone surrogate that slipped in must not cost the whole report.
    path.write_text(text, encoding="utf-8", errors="replace", newline="\n")


class _Pages:
    """One template with its style and script, and the policy that allows these two alone."""

    def __init__(self, template: str, script: str) -> None:
        environment = Environment(
            loader=FileSystemLoader(TEMPLATES),
            autoescape=select_autoescape(["html"]),
            undefined=StrictUndefined,
            trim_blocks=True,
            finalize=_finalize,
        )
        environment.filters["visible"] = visible
        environment.globals.update(
            {
                "at": _position,
                "dimensions": list(Dimension),
                "key": _sort_key,
                "level_names": LEVEL_NAMES,
                "level_scores": LEVEL_SCORES,
                "percent": percent,
                "score": score,
                "ticks": ticks,
                "words": WORDS,
            }
        )
        css = page_style()
        js = environment.get_template(script).render()
        self._template = environment.get_template(template)
        self._frame = {
            "css": Markup(css),  # noqa: S704
            "js": Markup(js),  # noqa: S704
            "policy": (
                f"default-src 'none'; style-src {_hash(css)}; script-src {_hash(js)}; "
                "img-src data:; base-uri 'none'; form-action 'none'"
            ),
        }

    def render(self, values: dict[str, Any]) -> str:
        return self._template.render({**self._frame, **values})


def _finalize(value: object) -> object:
    """Make what hides or reorders visible also where no filter was asked for, as in attributes."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return plain(value)
    return value


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
    return f"'sha256-{digest}'"


def _position(value: float, most: float) -> float:
    """Where a value stands on a bar that is 176 wide, with room for the dot at both ends."""
    return round(4 + 168 * min(value, most) / most, 1)


def _sort_key(value: float | None) -> str:
    return "" if value is None else f"{value:.9g}"
