"""`judge check`: findings with their lines, exit codes, and nothing left in the repository."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark import Dimension, InputError, Paper, Sau, Submission
from judge.check import AGENT, check_repository, report_of
from judge.check_claims import load_claims
from judge.check_output import as_json, lines_of, reason_of
from judge.checking import error_verdict
from judge.cli import cli
from judge.config import SUITE_FOLDER
from judge.sarif import MOST_RESULTS, as_sarif
from judge.verdict import Provenance, Status, Verdict
from tests.judge.sarif_rules import check_log
from tests.planting import claims, plant
from tests.servers.fake_provider import FakeProvider

TRAIN = """import torch


def build(model):
    return torch.optim.AdamW(model.parameters(), lr=3e-4, weight_decay=0.1)


if __name__ == "__main__":
    build(torch.nn.Linear(3, 3))
"""
LIST = """
- {claim: "The optimiser is AdamW with learning rate 3e-4", dimension: D1}
- {claim: "Weight decay is 0.05", dimension: D1}
- {id: clip, claim: "Gradients are clipped to norm 1 before the step", dimension: D4}
- Label smoothing of 0.1 is used in the cross entropy
"""


def check(*words: object) -> Result:
    return CliRunner().invoke(cli, ["check", *map(str, words)])


@pytest.fixture
def project(tmp_path: Path) -> Path:
    plant(tmp_path, {"repo/train.py": TRAIN, "spec.yaml": LIST.encode()})
    return tmp_path


def fingerprint(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        digest.update(f"{path.relative_to(folder)}\0{path.lstat().st_mtime_ns}\0".encode())
        if path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()


# ---- what is printed -----------------------------------------------------------------------------


def test_ones_own_code_against_ones_own_list(project: Path) -> None:
    before = fingerprint(project / "repo")
    result = check(project / "repo", "--saus", project / "spec.yaml")
    assert result.exit_code == 0, result.output
    lines = result.output.split("\n")
    found = [line for line in lines if re.match(r"\S+:\d+: (?:0|\.25|\.5|\.75|-) \S+ ", line)]
    ids = [re.sub(r"^\S+:\d+: \S+ \S+ ([^:]+):.*", r"\1", line) for line in found]
    assert {"D1-002", "clip", "D2-001"} <= set(ids)
    assert all(line.startswith("train.py:") for line in found)
    told = [lines[lines.index(line) + 1] for line in found]
    assert "    Weight decay is 0.05" in told
    assert all(line.startswith("    ") for line in told)
    levels = [line.split(": ")[1].split()[0] for line in found]
    assert levels == sorted(levels, key=float)
    assert "D1 numerical" in result.output
    assert "reported only" in result.output
    assert "judge: embedded" in result.output
    assert fingerprint(project / "repo") == before


def test_a_line_number_is_that_of_the_file(project: Path) -> None:
    result = check(project / "repo", "--saus", project / "spec.yaml", "--json")
    record = json.loads(result.output)
    decay = next(one for one in record["findings"] if one["sau"] == "D1-002")
    assert (decay["path"], decay["line"]) == ("train.py", 5)
    assert decay["citations"][0]["state"] == "verified"
    assert record["counts"]["expected"] == 4
    assert record["dimensions"]["D3"]["score"] is None
    assert record["provider"] == "embedded"


@pytest.mark.parametrize(
    ("agent", "worse"), [("faithful", "stubbed"), ("faithful", "unused")]
)  # fmt: skip
def test_a_stubbed_submission_scores_less(agent: str, worse: str) -> None:
    paper = load_claims(SUITE_FOLDER / "papers", "dropout")
    scores = [
        check_repository(SUITE_FOLDER / "submissions" / name / "dropout" / "repo", paper).score
        for name in (agent, worse)
    ]
    assert scores[0] is not None
    assert scores[1] is not None
    assert scores[0] > scores[1]


@pytest.mark.parametrize("name", ["spec.yaml", "odd [1] #!*.yaml", "docs/deep/spec.yaml"])
def test_claims_that_lie_in_the_repository_are_no_code_of_it(project: Path, name: str) -> None:
    """Else a specification would prove itself."""
    spec = b"- Label smoothing of 0.1 in the cross entropy\n"
    plant(project, {f"repo/{name}": spec, "outside.yaml": spec})
    outside = json.loads(
        check(project / "repo", "--saus", project / "outside.yaml", "--json", "--exclude",
              "*.yaml").output
    )  # fmt: skip
    inside = json.loads(check(project / "repo", "--saus", project / "repo" / name, "--json").output)
    assert inside["levels"] == outside["levels"]
    assert any(reason for path, reason in inside["skipped"] if path == name)


def test_json_holds_every_claim(project: Path) -> None:
    record = json.loads(check(project / "repo", "--saus", project / "spec.yaml", "--json").output)
    claims_ = {one["id"]: one for one in record["claims"]}
    assert list(claims_) == ["D1-001", "D1-002", "clip", "D2-001"]
    met = claims_["D1-001"]
    assert (met["level"], met["drift"], met["failure"]) == (4, "none", "none")
    assert 0 < met["confidence"] <= 1
    assert met["citations"][0]["path"] == "train.py"
    assert "D1-001" not in {one["sau"] for one in record["findings"]}


def test_json_says_of_met_claims_what_was_found_and_why(project: Path) -> None:
    record = json.loads(check(project / "repo", "--saus", project / "spec.yaml", "--json").output)
    met = next(one for one in record["claims"] if one["id"] == "D1-001")
    assert "AdamW" in met["found"]
    assert "train.py:5" in met["rationale"]
    assert all(one["found"] and one["rationale"] for one in record["claims"])


def test_met_claims_are_told_when_they_are_asked_for(project: Path) -> None:
    words = (project / "repo", "--saus", project / "spec.yaml")
    short, whole = check(*words).output, check(*words, "--met").output
    line = re.compile(r"^train\.py:5: 1 none/none D1-001: stands: .*AdamW", re.MULTILINE)
    assert not line.search(short)
    assert line.search(whole)
    assert "met, 3 not fully (--met tells why of those that are met)\n" in short
    assert "(--met" not in whole
    assert set(short.split("\n")) - set(whole.split("\n")) == {
        one for one in short.split("\n") if "--met" in one
    }


def test_sarif_parts_what_is_claimed_from_what_was_found(project: Path) -> None:
    output = check(project / "repo", "--saus", project / "spec.yaml", "--sarif").output
    (run,) = json.loads(output)["runs"]
    told = [one["message"]["text"] for one in run["results"]]
    assert told
    assert all(". Found: " in text for text in told)
    assert any("Weight decay is 0.05. Found: " in text for text in told)


def test_json_and_sarif_exclude_each_other(project: Path) -> None:
    result = check(project / "repo", "--saus", project / "spec.yaml", "--json", "--sarif")
    assert result.exit_code == 2
    assert "exclude each other" in result.output


def test_the_reason_is_what_was_found_in_the_judges_own_words(tmp_path: Path) -> None:
    sau = Sau("c00000", "p", Dimension.D1, "Weight decay takes 0.05")
    found = "not found: Weight decay 0.05; stands: clip (a.py:5)"
    for provider in ("embedded", "foreign"):
        verdict = made(0, 0, found=found, provenance=Provenance(judge="j", provider=provider))
        submission = Submission("r", AGENT, "p", tmp_path)
        report = report_of(tmp_path, Paper("p", (sau,)), submission, [verdict], None)
        assert reason_of(report.findings[0], 400) == found
        assert len(reason_of(report.findings[0], 20)) == 20


def test_a_long_claim_is_cut_to_a_line(tmp_path: Path) -> None:
    sau = Sau("c00000", "p", Dimension.D1, "a claim\nof many words " * 40)
    submission = Submission("r", AGENT, "p", tmp_path)
    report = report_of(tmp_path, Paper("p", (sau,)), submission, [made(0, 2)], None)
    line = list(lines_of(report, None))[2]
    assert line.startswith("    a claim of many words a claim")
    assert line.endswith("…")
    assert 90 < len(line) <= 100


# ---- exit codes ----------------------------------------------------------------------------------


def test_exit_codes_of_a_threshold(project: Path) -> None:
    record = json.loads(check(project / "repo", "--saus", project / "spec.yaml", "--json").output)
    score = record["score"]
    assert 0 < score < 1
    for threshold, code, word in (
        (0, 0, "passed"), (score, 0, "passed"), (min(1, score + 0.001), 1, "below"), (1, 1, "below")
    ):  # fmt: skip
        result = check(
            project / "repo", "--saus", project / "spec.yaml", "--fail-under", repr(threshold)
        )
        assert result.exit_code == code, (threshold, result.output)
        assert result.output.rstrip().split("\n")[-1].startswith(word)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["none", "--saus", "spec.yaml"], "no such folder"),
        (["repo", "--saus", "none.yaml"], "no such claim file"),
        (["repo", "--saus", "spec.txt"], "ends in .txt"),
        (["repo", "--saus", "spec.yaml", "--fail-under", "1.5"], "range"),
        (["repo", "--saus", "spec.yaml", "--judge", "none.yaml"], "no such config"),
        (["repo", "--saus", "spec.yaml", "--output", "repo/deep/out.sarif"], "read as its code"),
        (["repo", "--saus", "papers"], "--paper"),
        (["repo", "--saus", "papers", "--paper", "adan"], "Write adam"),
    ],
)
def test_bad_input_is_2_and_changes_nothing(
    project: Path, words: list[str], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(
        project,
        {"spec.txt": "x", "papers/adam/sau.json": claims("adam"),
         "papers/lora/sau.json": claims("lora")},
    )  # fmt: skip
    monkeypatch.chdir(project)
    before = fingerprint(project)
    result = check(*words)
    assert result.exit_code == 2, result.output
    assert told in result.output
    assert fingerprint(project) == before


QUOTE = {"path": "train.py", "first": 5, "last": 5, "quote": TRAIN.split("\n")[4]}
SCRIPT = {
    "rules": [
        {"when": {"sau": "clip"}, "error": {"code": "timeout", "message": "no answer"}},
    ],
    "default": {"answer": {"level": "1", "citations": [QUOTE]}},
}


def scripted(project: Path, script: Mapping[str, Any]) -> Path:
    plant(
        project,
        {"script.yaml": dict(script),
         "run.yaml": "benchmark: {path: suite}\njudge: {kind: scripted, script: script.yaml}\n"
                     "max_errors_share: 1\n"},
    )  # fmt: skip
    return project / "run.yaml"


def test_an_error_is_no_pass(project: Path) -> None:
    """Three claims of four are at full marks, and one has no verdict: that is not above .5."""
    config = scripted(project, SCRIPT)
    words = (project / "repo", "--saus", project / "spec.yaml", "--judge", config)
    for more in ((), ("--fail-under", "0.5"), ("--fail-under", "0")):
        result = check(*words, *more)
        assert result.exit_code == 3, result.output
        assert "incomplete: 1 claim has no verdict" in result.output
        assert "error clip: timeout" in result.output
    log = json.loads(check(*words, "--sarif").stdout)
    check_log(log)
    invocation = log["runs"][0]["invocations"][0]
    assert invocation["executionSuccessful"] is False
    assert any("clip" in n["message"]["text"] for n in invocation["toolExecutionNotifications"])


def test_where_nothing_has_a_level_there_is_no_pass(project: Path) -> None:
    config = scripted(project, {"default": {"answer": {"level": "cannot_tell"}}})
    result = check(project / "repo", "--saus", project / "spec.yaml", "--judge", config)
    assert result.exit_code == 3
    assert "undecided" in result.output
    words = (project / "repo", "--saus", project / "spec.yaml", "--judge", config, "--sarif")
    log = json.loads(check(*words).stdout)
    check_log(log)
    assert {one["ruleId"] for one in log["runs"][0]["results"]} == {"undecided"}


def test_an_unreadable_repository_is_no_pass(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(13, "Permission denied")

    monkeypatch.setattr("judge.preparing.read_repository", refuse)
    result = check(project / "repo", "--saus", project / "spec.yaml", "--fail-under", "0")
    assert result.exit_code == 3
    assert "unreadable" in result.output


# ---- what was not read ---------------------------------------------------------------------------


LARGE = "x = 1\n" * 250_000


def test_code_that_is_not_read_is_named_and_no_pass(project: Path) -> None:
    plant(project, {"repo/deep/large.py": LARGE, "repo/plot.png": b"\x89PNG\r\n\x1a\n\0"})
    words = (project / "repo", "--saus", project / "spec.yaml")
    for more in ((), ("--fail-under", "0")):
        result = check(*words, *more)
        assert result.exit_code == 3, result.output
        assert "deep/large.py (not read: too large" in result.output
        assert "(not all code was read)" in result.output
        assert "1 path of code or configuration not read" in result.output
    assert "plot.png" not in result.output
    record = json.loads(check(*words, "--json").stdout)
    assert record["exit_code"] == 3
    ((path, reason),) = record["unread"]
    assert path == "deep/large.py"
    assert "too large" in reason
    assert all(one["all_code_read"] is False for one in record["findings"])
    log = json.loads(check(*words, "--sarif").stdout)
    check_log(log)
    invocation = log["runs"][0]["invocations"][0]
    assert invocation["executionSuccessful"] is False
    notes = [one["message"]["text"] for one in invocation["toolExecutionNotifications"]]
    assert any("deep/large.py" in note for note in notes)
    assert check(*words, "--exclude", "large.py").exit_code == 0


@pytest.mark.parametrize("name", ["deep/packed.py", "deep/packed.yaml"])
def test_lines_that_are_too_long_to_be_read_are_named_and_no_pass(project: Path, name: str) -> None:
    packed = f"[{', '.join(map(str, range(3_000)))}]\n"
    packed = f"table = {packed}" if name.endswith(".py") else f"table: {packed}"
    plant(project, {f"repo/{name}": packed})
    words = (project / "repo", "--saus", project / "spec.yaml")
    for more in ((), ("--fail-under", "0")):
        result = check(*words, *more)
        assert result.exit_code == 3, result.output
        assert f"{name} (not read in part: 1 line" in result.output
        assert "over 5,000 characters cut: " in result.output
        assert "(not all code was read)" in result.output
        assert "1 path of code or configuration not read whole, which is no pass" in result.output
    record = json.loads(check(*words, "--json").stdout)
    assert record["exit_code"] == 3
    ((path, reason),) = record["unread"]
    assert path == name
    assert reason.startswith("in part: 1 line")
    assert all(one["all_code_read"] is False for one in record["findings"])
    log = json.loads(check(*words, "--sarif").stdout)
    check_log(log)
    invocation = log["runs"][0]["invocations"][0]
    assert invocation["executionSuccessful"] is False
    notes = [one["message"]["text"] for one in invocation["toolExecutionNotifications"]]
    assert any(note.startswith(f"{name} (not read in part") for note in notes)
    assert all(
        "Not all code was read" in one["message"]["text"] for one in log["runs"][0]["results"]
    )
    assert check(*words, "--exclude", "packed.*").exit_code == 0


def test_long_lines_of_data_and_prose_do_not_matter(project: Path) -> None:
    plant(project, {"repo/README.md": "words " * 2_000, "repo/rows.csv": "1," * 5_000})
    result = check(project / "repo", "--saus", project / "spec.yaml")
    assert result.exit_code == 0, result.output
    assert "in part" not in result.output


def test_images_and_data_that_are_not_read_do_not_matter(project: Path) -> None:
    plant(project, {"repo/plot.png": b"\x89PNG\r\n\x1a\n\0", "repo/weights.pt": b"\0\1\2"})
    result = check(project / "repo", "--saus", project / "spec.yaml")
    assert result.exit_code == 0, result.output
    assert "2 other paths not read" in result.output
    assert "not all code" not in result.output


@pytest.mark.parametrize("files", [{}, {"repo/notes.md": "Label smoothing is 0.1\n"}])
def test_a_folder_without_code_is_2(project: Path, files: dict[str, str]) -> None:
    (project / "repo" / "train.py").unlink()
    plant(project, files)
    for more in ((), ("--judge", scripted(project, SCRIPT))):
        result = check(project / "repo", "--saus", project / "spec.yaml", *more)
        assert result.exit_code == 2, result.output
        assert "there is no code in" in result.output


# ---- a judge over a wire -------------------------------------------------------------------------


def wired(project: Path, server: FakeProvider, **more: Any) -> Path:
    judge = {"kind": "openai", "model": "m", "base_url": f"{server.url}/v1", "api_key_env": "none"}
    plant(
        project,
        {"llm.yaml": {"benchmark": {"path": "suite"}, "judge": judge, "cache": {"path": "kept"},
                      **more}},
    )  # fmt: skip
    return project / "llm.yaml"


def test_a_model_that_is_shown_lines_without_their_ends_is_said_to_be(project: Path) -> None:
    plant(project, {"repo/table.py": f"table = [{'1, ' * 400}]\n"})
    words = (project / "repo", "--saus", project / "spec.yaml")
    with FakeProvider({}) as server:
        more = ("--judge", wired(project, server))
        told = "lines over 600 characters are shown to this judge without their ends: table.py"
        assert told in check(*words, *more).stdout
        assert json.loads(check(*words, *more, "--json").stdout)["shown_in_part"] == ["table.py"]
        log = json.loads(check(*words, *more, "--sarif").stdout)
        check_log(log)
        notes = log["runs"][0]["invocations"][0]["toolExecutionNotifications"]
        assert any("table.py" in one["message"]["text"] for one in notes)
    # The judge that computes here reads them to their ends.
    assert "without their ends" not in check(*words).stdout


def test_a_model_over_a_wire_and_its_answers_are_kept(project: Path) -> None:
    absent = {"level": "0", "drift": "methodological", "failure": "missing", "citations": []}
    with FakeProvider({"answers": [{"when": "smoothing", "answer": absent}]}) as server:
        config = wired(project, server)
        words = (project / "repo", "--saus", project / "spec.yaml", "--judge", config)
        before = fingerprint(project / "repo")
        first = check(*words, "--json")
        record = json.loads(first.stdout)
        assert record["judge"].startswith("openai:m")
        assert record["levels"][4] == 3
        assert record["cost_usd"] is None  # nobody knows this model's price
        (finding,) = record["findings"]
        assert (finding["sau"], finding["cited"]) == ("D2-001", False)
        assert finding["path"] == "train.py"
        asked = len(server.asked)
        assert asked == 4
        second = check(*words)
        assert len(server.asked) == asked
        assert "3 met, 1 not fully" in second.output
        assert fingerprint(project / "repo") == before


def test_a_refused_key_is_4(project: Path) -> None:
    with FakeProvider({"key": "another"}) as server:
        config = wired(project, server)
        result = check(project / "repo", "--saus", project / "spec.yaml", "--judge", config)
    assert result.exit_code == 4
    assert "stopped" in result.output


def test_a_cache_in_the_repository_is_refused(project: Path) -> None:
    with FakeProvider() as server:
        config = wired(project, server, cache={"path": "repo/.cache"})
        result = check(project / "repo", "--saus", project / "spec.yaml", "--judge", config)
        assert not server.asked
    assert result.exit_code == 2
    assert "read as its code" in result.output


# ---- SARIF ---------------------------------------------------------------------------------------


def sarif(project: Path, *more: object) -> dict[str, Any]:
    result = check(project / "repo", "--saus", project / "spec.yaml", "--sarif", *more)
    log: dict[str, Any] = json.loads(result.stdout)
    check_log(log)
    return log


def by_claim(log: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["properties"]["claim"]: one for one in log["runs"][0]["results"]}


def test_sarif_says_what_the_text_says(project: Path) -> None:
    results = by_claim(sarif(project))
    decay = results["D1-002"]
    place = decay["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "train.py"
    assert place["region"]["startLine"] == 5
    assert "weight_decay=0.1" in place["region"]["snippet"]["text"]
    assert "Weight decay is 0.05" in decay["message"]["text"]
    for result in results.values():
        score = result["properties"]["score"]
        assert result["level"] == {0: "error", 0.25: "error", 0.5: "warning", 0.75: "note"}[score]


def test_fingerprints_stay_when_lines_move_and_differ_between_claims(project: Path) -> None:
    before = by_claim(sarif(project))
    plant(project, {"repo/train.py": "# a new line\n\n" * 7 + TRAIN})
    after = by_claim(sarif(project))
    shared = [name for name in before if before[name]["ruleId"] == after[name]["ruleId"]]
    assert "D1-002" in shared
    moved = [
        name
        for name in shared
        if before[name]["locations"][0]["physicalLocation"]["region"]
        != after[name]["locations"][0]["physicalLocation"]["region"]
    ]
    assert moved
    for name in shared:
        assert before[name]["partialFingerprints"] == after[name]["partialFingerprints"]
    prints = [one["partialFingerprints"]["claim/v1"] for one in after.values()]
    assert len(set(prints)) == len(prints)


def test_odd_file_names_are_encoded(project: Path) -> None:
    odd = "a b/100%/train #1 [é]: x.py"
    plant(project, {f"repo/{odd}": TRAIN})
    (project / "repo" / "train.py").unlink()
    log = sarif(project)
    uris = {
        one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for one in log["runs"][0]["results"]
    }
    assert "a%20b/100%25/train%20%231%20%5B%C3%A9%5D%3A%20x.py" in uris


def test_what_cites_nothing_has_a_place_all_the_same(tmp_path: Path) -> None:
    saus = (Sau("c00000", "p", Dimension.D2, "a claim"),)
    submission = Submission("r", AGENT, "p", tmp_path)
    report = report_of(tmp_path, Paper("p", saus), submission, [made(0, 0)], None)
    log = json.loads(as_sarif(report))
    check_log(log)
    assert len(log["runs"][0]["results"]) == 1


def test_sarif_to_a_file_outside(project: Path) -> None:
    target = project / "out" / "check.sarif"
    result = check(
        project / "repo", "--saus", project / "spec.yaml", "--sarif", "--output", target,
        "--fail-under", "1",
    )  # fmt: skip
    assert result.exit_code == 1
    check_log(json.loads(target.read_text(encoding="utf-8")))
    assert result.stdout == ""
    assert "below" in result.stderr


def made(number: int, level: int | None, **more: Any) -> Verdict:
    fields: dict[str, Any] = {
        "submission": "r", "agent": AGENT, "paper": "p", "sau": f"c{number:05}",
        "dimension": Dimension.D2, "status": Status.ABSTAINED if level is None else Status.GRADED,
        "level": level, "drift": "methodological", "failure": "mismatch",
        "reason": "cannot_tell: x" if level is None else "",
        "provenance": Provenance(judge="f", provider="foreign"),
    }  # fmt: skip
    if level is None:
        fields |= {"drift": None, "failure": None}
    return Verdict(**{**fields, **more})


def test_no_more_results_than_are_shown_the_worst_first(tmp_path: Path) -> None:
    count = MOST_RESULTS + 7
    saus = tuple(Sau(f"c{n:05}", "p", Dimension.D2, "a claim") for n in range(count))
    verdicts = [made(n, 3 if n < 10 else 0) for n in range(count)]
    submission = Submission("r", AGENT, "p", tmp_path)
    report = report_of(tmp_path, Paper("p", saus), submission, verdicts, None)
    log = json.loads(as_sarif(report))
    check_log(log)
    run = log["runs"][0]
    assert len(run["results"]) == MOST_RESULTS
    assert sum(one["level"] == "error" for one in run["results"]) == count - 10
    assert (
        "7 more findings"
        in run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]
    )


def test_words_of_others_cannot_steer_a_terminal_or_a_link(tmp_path: Path) -> None:
    sau = Sau("c00000", "p", Dimension.D2, "see [here](javascript:x) \u202e now")
    cited = {"path": "a\nb.py", "first": 3, "last": 4, "quote": "x\ny", "state": "verified"}
    verdict = made(0, 0, found="line one\nline two \x1b[31m", citations=(cited,))
    submission = Submission("r", AGENT, "p", tmp_path)
    report = report_of(tmp_path, Paper("p", (sau,)), submission, [verdict], None)
    text = "\n".join(lines_of(report, None))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert sum("c00000" in line for line in text.split("\n")) == 1
    log = json.loads(as_sarif(report))
    check_log(log)
    message = log["runs"][0]["results"][0]["message"]["text"]
    assert "\\[here\\]" in message
    assert "\x1b" not in message


def test_what_a_claim_or_a_provider_says_is_no_link_and_no_place_for_an_argument(
    tmp_path: Path,
) -> None:
    saus = tuple(
        Sau(f"c{n:05}", "p", Dimension.D2, "clip to {0}, x_{t} and [so](https://example.org)")
        for n in range(2)
    )
    failed = error_verdict(
        "fault: see [here](https://example.org) {1}",
        sau=saus[1],
        submission=Submission("r", AGENT, "p", tmp_path),
        provenance=Provenance(judge="j", provider="scripted"),
    )
    submission = Submission("r", AGENT, "p", tmp_path)
    report = report_of(tmp_path, Paper("p", saus), submission, [made(0, 0), failed], None)
    run = json.loads(as_sarif(report))["runs"][0]
    told = run["results"][0]["message"]["text"]
    assert "clip to {{0}}, x_{t} and \\[so\\](https" in told
    notes = run["invocations"][0]["toolExecutionNotifications"]
    assert "see \\[here\\](https://example.org) {{1}}" in notes[0]["message"]["text"]


@given(
    path=st.text(min_size=1, max_size=30).filter(
        lambda text: ".." not in text and text != "." and not text.startswith("/")
    ),
    words=st.text(max_size=80),
    quote=st.text(max_size=40),
    first=st.integers(1, 10**6),
    level=st.integers(0, 3),
)
@settings(max_examples=60, deadline=None)
def test_whatever_a_judge_says_and_a_file_is_called_the_log_is_sound(
    path: str, words: str, quote: str, first: int, level: int
) -> None:
    sau = Sau("c00000", "p/q r", Dimension.D2, words or "x")
    cited = {"path": path, "first": first, "last": first + 1, "quote": quote, "state": "verified"}
    verdict = made(0, level, paper="p/q r", found=words, rationale=words, citations=(cited,))
    submission = Submission("r", AGENT, "p/q r", Path())
    report = report_of(Path(), Paper("p/q r", (sau,)), submission, [verdict], None)
    check_log(json.loads(as_sarif(report)))
    for line in lines_of(report, 0.5):
        assert "\n" not in line
        assert "\x1b" not in line
    json.loads(as_json(report, None))


# ---- claims --------------------------------------------------------------------------------------


def loaded(tmp_path: Path, name: str, text: str, paper: str | None = None) -> Paper:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return load_claims(tmp_path / name, paper)


def test_forms_of_claims(tmp_path: Path) -> None:
    rows = [
        '{"id": "a", "paper": "p", "dimension": "D1", "claim": "x is 1", "source": "S"}',
        '{"id": "b", "paper": "q", "dimension": "D2", "claim": "y"}',
    ]
    paper = loaded(tmp_path, "c.jsonl", "\n".join(rows), "p")
    assert paper.saus == (Sau("a", "p", Dimension.D1, "x is 1", "S"),)
    paper = loaded(tmp_path, "mine.json", '["x is 1", {"claim": "y", "dimension": "d4"}]')
    assert [(s.id, s.paper, s.dimension) for s in paper.saus] == [
        ("D2-001", "mine", Dimension.D2), ("D4-001", "mine", Dimension.D4)
    ]  # fmt: skip
    paper = loaded(tmp_path, "s.yaml", "paper: q\nD1: [x is 1]\nclaims:\n  - {claim: y, id: 7}\n")
    assert [(s.id, s.paper) for s in paper.saus] == [("7", "q"), ("D1-001", "q")]
    assert loaded(tmp_path, "sau.json", json.dumps(claims("adam"))).id == "adam"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[]", "no claims"),
        ("- 3", "a claim should be a text"),
        ("- {claim: x, dimention: D1}", "unknown key 'dimention'"),
        ("- {claim: x, dimension: D7}", "unknown dimension"),
        ("- {dimension: D1}", "claim or text is missing"),
        ("- {claim: x, id: a}\n- {claim: y, id: A}", "given twice"),
        ("D1:\n  - {claim: x, dimension: D2}", "stands under D1"),
        ("rules: [x]", "unknown key 'rules'"),
    ],
)
def test_malformed_lists_are_named_with_their_place(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "list.yaml").write_text(text, encoding="utf-8")
    plant(tmp_path, {"repo/a.py": "x = 1\n"})
    result = check(tmp_path / "repo", "--saus", tmp_path / "list.yaml")
    assert result.exit_code == 2
    assert told in result.output
    assert "list.yaml" in result.output


@pytest.mark.parametrize(
    "text",
    [
        '- {id: a, claim: "lr is 3e-4", dimension: D1}\n',
        '[{"id": "a", "claim": "lr is 3e-4", "dimension": "D1"}]',
        '{"claims": [{"id": "a", "claim": "lr is 3e-4", "dimension": "D1"}]}',
        '\ufeff{"id": "a", "claim": "lr is 3e-4", "dimension": "D1"}\n',
        '{"id": "a", "claim": "lr is 3e-4", "dimension": "D1"}\n'
        '{"id": "b", "claim": "x", "dimension": "D2"}\n',
        "[{id: a, claim: lr is 3e-4, dimension: D1}]",
    ],
)
def test_claims_by_standard_input_are_told_apart_by_what_they_hold(
    project: Path, text: str
) -> None:
    words = ["check", str(project / "repo"), "--saus", "-", "--json"]
    result = CliRunner().invoke(cli, words, input=text.encode())
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["claims"][0]["id"] == "a"


def test_errors_in_claims_by_standard_input_have_their_place(project: Path) -> None:
    words = ["check", str(project / "repo"), "--saus", "-"]
    for text, told in (
        ("- x is 1\n- 3\n", "standard input:2"),
        ('{"claims": ["x", ]}', "standard input:1"),
        ("", "the file is empty"),
    ):
        result = CliRunner().invoke(cli, words, input=text)
        assert result.exit_code == 2
        assert told in result.output


def test_sa_benchs_own_file_by_standard_input(project: Path) -> None:
    text = json.dumps(claims("adam"))
    words = ["check", str(project / "repo"), "--saus", "-", "--json"]
    result = CliRunner().invoke(cli, words, input=text)
    assert json.loads(result.output)["paper"] == "adam"


@pytest.mark.parametrize("text", ["Weight decay: 0.05", "The loss: mean squares", "Warm-up:"])
def test_an_unquoted_colon_says_to_quote_the_claim(tmp_path: Path, text: str) -> None:
    (tmp_path / "list.yaml").write_text(f"- x is 1\n- {text}\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_claims(tmp_path / "list.yaml")
    assert 'Quote the claim: - "' + text.rstrip(":") in str(caught.value)
    assert "list.yaml:2" in str(caught.value)
    (tmp_path / "list.yaml").write_text(f'- x is 1\n- "{text}"\n', encoding="utf-8")
    assert load_claims(tmp_path / "list.yaml").saus[1].claim == text
