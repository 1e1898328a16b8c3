"""A submission that may not be read costs itself alone, and is named before the run."""

from __future__ import annotations

import codecs
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchmark import InputError
from benchmark.readers.claims import load_benchmark
from benchmark.readers.submissions import load_submissions
from judge.config import load_config
from judge.inputs import load_inputs, validate
from judge.preparing import Asked, Context, Job, prepare
from judge.verdict import Status, Verdict
from retrieval.evidence import RetrievalSettings
from retrieval.reading import ReadLimits
from tests.planting import claims, plant

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs POSIX permissions")


@contextmanager
def without_root() -> Iterator[None]:
    if os.geteuid():
        yield
        return
    # Python's own files may lie where others cannot read them, and a codec once not found stays so.
    codecs.lookup("utf-8-sig")
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that others than root can walk into, unlike pytest's own."""
    root = Path(tempfile.mkdtemp())
    root.chmod(0o755)
    yield root
    for path in [*root.rglob("*")]:
        if path.is_dir():
            path.chmod(0o755)
    shutil.rmtree(root)


LAYOUTS = {
    "agents": ("{agent}/{paper}/repo", ("opus/adam/repo", "opus/adam")),
    "one agent": ("{paper}/repo", ("adam/repo", "adam")),
}


def project(folder: Path, layout: str) -> Path:
    shape, _ = LAYOUTS[layout]
    plant(folder, {f"papers/{paper}/sau.json": claims(paper) for paper in ("adam", "lora")})
    for agent in ("opus", "gpt") if "agent}" in shape else ("opus",):
        for paper in ("adam", "lora"):
            place = shape.format(agent=agent, paper=paper)
            plant(folder, {f"runs/{place}/main.py": "lr = 0.001\n"})
    config = folder / "run.yaml"
    config.write_text(
        "benchmark: {path: papers}\nsubmissions: {path: runs, agent_name: opus}\n"
        if layout == "one agent"
        else "benchmark: {path: papers}\nsubmissions: {path: runs}\n",
        encoding="utf-8",
    )
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    folder.joinpath("runs").chmod(0o755)
    return config


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("which", [0, 1], ids=["the repository", "what it lies in"])
@pytest.mark.parametrize("mode", [0, 0o444], ids=["closed", "without entry"])
def test_it_is_an_error_of_its_own(folder: Path, layout: str, which: int, mode: int) -> None:
    config_path = project(folder, layout)
    (folder / "runs" / LAYOUTS[layout][1][which]).chmod(mode)
    with without_root():
        inputs = load_inputs(load_config(config_path))
        assert "opus/adam" in [submission.id for submission in inputs.submissions]
        states = {}
        asked = Asked("scripted", "scripted", None, {})
        context = Context(asked, None, RetrievalSettings(), ReadLimits(), "v1", "")
        for submission in inputs.submissions:
            saus = next(p.saus for p in inputs.benchmark.papers if p.id == submission.paper)
            prepared = prepare(context, Job(submission, saus, {}))
            verdicts = [Verdict.model_validate_json(line) for _, line in prepared.verdicts]
            states[submission.id] = (
                len(verdicts) == len(saus)
                and all(verdict.status is Status.ERROR for verdict in verdicts)
                and bool(prepared.failure)
            )
    # Where names can be seen and nothing behind them, each file is named as unread.
    if mode == 0:
        assert states["opus/adam"]
    assert not any(failed for id_, failed in states.items() if id_ != "opus/adam")


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("which", [0, 1], ids=["the repository", "what it lies in"])
def test_validate_names_it(folder: Path, layout: str, which: int) -> None:
    config_path = project(folder, layout)
    (folder / "runs" / LAYOUTS[layout][1][which]).chmod(0)
    (folder / "runs").chmod(0o777)  # a run is written there
    with without_root():
        report = validate(load_config(config_path))
    told = [warning for warning in report.warnings if "cannot be read" in warning]
    assert len(told) == 1
    assert told[0].startswith("opus/adam cannot be read (Permission denied)")


def test_a_manifest_s_too(folder: Path) -> None:
    project(folder, "agents")
    rows = "".join(
        f"- {{submission: {agent}, agent: {agent}, paper: adam, path: runs/{agent}/adam/repo}}\n"
        for agent in ("opus", "gpt")
    )
    manifest = folder / "list.yaml"
    manifest.write_text(rows, encoding="utf-8")
    manifest.chmod(0o644)
    (folder / "runs/opus/adam/repo").chmod(0)
    with without_root():
        found = load_submissions(manifest, benchmark=load_benchmark(folder / "papers"))
    assert [submission.id for submission in found] == ["gpt", "opus"]


def test_an_agent_s_whole_folder_is_an_error_for_people(folder: Path) -> None:
    config_path = project(folder, "agents")
    (folder / "runs/opus").chmod(0)
    with without_root(), pytest.raises(InputError, match="the folder cannot be read"):
        load_inputs(load_config(config_path))
