"""A report goes into a folder of its own: nobody else's files end up among its pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmark import InputError
from judge.report import write_report
from tests.judge.made_runs import graded, note, run_of, sau
from tests.planting import plant

ONE = note("gpt", "adam")
RUN = run_of([sau(1)], [ONE], [graded(ONE, sau(1), 1)])


@pytest.mark.parametrize(
    "files",
    [
        {"notes.txt": "mine"},
        {"index.html": "<p>my site</p>"},
        {"run.json": "{}", "verdicts.jsonl": "", "summary.json": "{}"},
        {"gpt/adam/repo/main.py": "x = 1"},
        {"submissions/gpt/adam/repo/main.py": "x = 1"},
        {"submissions/a.html": "<p>mine</p>"},
        {"submissions": "a file"},
        {".hidden": ""},
    ],
    ids=lambda files: next(iter(files)),
)
def test_a_folder_of_something_else_is_left_alone(tmp_path: Path, files: dict[str, str]) -> None:
    plant(tmp_path, files)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(InputError, match="the folder is no report and not empty"):
        write_report(RUN, tmp_path)
    assert sorted(tmp_path.rglob("*")) == before


def test_new_empty_earlier_and_unfinished_reports_are_written(tmp_path: Path) -> None:
    for name in ("new/deep", "empty"):
        out = tmp_path / name
        if name == "empty":
            out.mkdir()
        index = write_report(RUN, out)
        (out / "mine.txt").write_text("beside a report it may be", encoding="utf-8")
        assert write_report(RUN, out) == index
        index.unlink()  # stopped before the last page
        assert write_report(RUN, out) == index
    begun = tmp_path / "begun"
    (begun / "submissions").mkdir(parents=True)
    assert write_report(RUN, begun).exists()
