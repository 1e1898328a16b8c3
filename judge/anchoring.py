"""What the commands on anchors do: choose claims once, judge them again, see what moved."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import click
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from benchmark import InputError, Where
from benchmark.documents import read_text
from calibration.anchors import AnchorCheck, check_anchors, draw_anchors, draw_claims
from calibration.figures import Figure, Undefined
from calibration.joining import Judged
from calibration.resampling import FEWEST_CLUSTERS
from calibration.samples import one_judge
from judge.config import RunConfig, load_config
from judge.counting import counted
from judge.inputs import Inputs, load_inputs
from judge.loading import read_meta, read_submissions
from judge.output_files import write_file
from judge.pipeline import run as run_pipeline
from judge.places import check_apart
from judge.progress import make_reporter
from judge.records import META
from judge.report.text import plain
from judge.terminal_tables import print_table
from judge.trust_inputs import only_judge, read_labels, read_verdicts
from judge.trust_more import versions_of
from judge.trust_tables import cell, console, say, table

__all__ = ["check_command", "load_anchors", "make_command", "run_command"]

DRIFTED = 5
"""Exit code where the judge drifted, or is not shown to have stayed within what was asked for."""
INCOMPLETE = 3
"""Exit code where anchors have no level, or are too few papers to tell."""

_MAX_BYTES = 64 * 2**20


class Anchor(BaseModel):
    """One claim of one submission, and the level that it had."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    submission: str
    sau: str
    level: Annotated[int, Field(ge=0, le=4)]


class AnchorSet(BaseModel):
    """The file.

    Attributes:
        judge: Who judged then.
        model: Its model, where there is one.
        prompt_hash: Of its prompt, where there is one.
        versions: Of each paper, the version of its claims.
        digests: Of each submission, the digest of its code, where it is known.
        anchors: The claims with their levels then.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = 1
    judge: str
    model: str = ""
    prompt_hash: str = ""
    versions: dict[str, str]
    digests: dict[str, str]
    anchors: tuple[Anchor, ...] = Field(min_length=1)

    def then(self) -> dict[tuple[str, str], int]:
        """The levels by (submission, claim)."""
        return {(one.submission, one.sau): one.level for one in self.anchors}


def make_command(
    run: Path, output: Path, count: int, *, judge: str | None, each: int | None, seed: int
) -> None:
    """Choose anchors from a run and write their file.

    Args:
        run: The run.
        output: The file.
        count: Anchors; claims, where every submission is taken.
        judge: The judge, where the run has several.
        each: Submissions of each paper; `None` for all of them.
        seed: Of the choice.

    Raises:
        InputError: The run is malformed or too small, or the file is there.
    """
    verdicts = only_judge(read_verdicts([run]), judge)
    name = one_judge(verdicts, where=str(run))
    papers = len({one.paper for one in verdicts if one.level is not None})
    if each is not None and papers < FEWEST_CLUSTERS:
        raise InputError(
            f"the run is about {counted(papers, 'paper')}, and of fewer than {FEWEST_CLUSTERS} a "
            "drift cannot be told from chance",
            where=Where(str(run)),
            remedy="Choose anchors from a run over more papers",
        )
    if each is None:
        drawn = draw_claims(verdicts, count, seed=seed)
    else:
        drawn = draw_anchors(verdicts, count, each=each, seed=seed)
    if output.exists():
        raise InputError(
            "there is such a file already, and anchors are chosen once",
            where=Where(str(output)),
            remedy="Give another name",
        )
    digests = {}
    if (run / META).exists():
        digests = {id_: note.digest for id_, note in read_submissions(run).items() if note.digest}
    versions = versions_of([run])
    chosen = AnchorSet(
        judge=name,
        model=drawn[0].model,
        prompt_hash=drawn[0].prompt_hash,
        versions={paper: versions[paper] for paper in sorted({one.paper for one in drawn})},
        digests={
            id_: digests[id_] for id_ in sorted({one.submission for one in drawn}) if id_ in digests
        },
        anchors=tuple(
            Anchor(submission=one.submission, sau=one.sau, level=one.level or 0) for one in drawn
        ),
    )
    text = json.dumps(chosen.model_dump(mode="json"), ensure_ascii=False, indent=1)
    write_file(output, text + "\n")
    claims, submissions = {one.sau for one in drawn}, {one.submission for one in drawn}
    click.echo(
        f"wrote {output}: {counted(len(drawn), 'verdict')} on {counted(len(claims), 'claim')} of "
        f"{counted(len(submissions), 'submission')}, as {name} gave them\njudge them again with: "
        f"judge anchors run {output} "
        "--config CONFIG --output FOLDER"
    )


def load_anchors(path: Path) -> AnchorSet:
    """Read the file.

    Raises:
        InputError: It cannot be read or is none.
    """
    text = read_text(path, limit=_MAX_BYTES, what="file of anchors")
    try:
        found = AnchorSet.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise InputError(
            f"this is no file of anchors ({first['msg']})",
            where=Where(str(path), key=".".join(map(str, first["loc"])) or None),
            remedy="Make one: judge anchors make",
        ) from None
    if len(found.then()) < len(found.anchors):
        raise InputError(
            "an anchor is given twice", where=Where(str(path)), remedy="Keep one of the two"
        )
    return found


def run_command(path: Path, config_path: Path, output: Path, *, fresh: bool, quiet: bool) -> int:
    """Judge the anchors by a config's judge, into a run directory of their own.

    Args:
        path: The anchors.
        config_path: The config, whose benchmark and submissions hold the anchors.
        output: The run directory.
        fresh: Ask all again, though the same question may have been answered before.
        quiet: Tell no progress.

    Returns:
        The run's exit code.

    Raises:
        InputError: An input is wrong, an anchor is not in the config's benchmark or submissions,
            or a fresh run would find its verdicts made already.
    """
    anchors = load_anchors(path)
    if fresh and (output / META).exists() and read_meta(output).state == "complete":
        raise InputError(
            "this run is complete: nothing would be asked again, and the judge as it was would "
            "seem not to have moved",
            where=Where(str(output)),
            remedy="Give another folder by --output",
        )
    config = load_config(config_path)
    inputs = _narrowed(load_inputs(config), anchors, path)
    config = _into(config, output, fresh=fresh)
    check_apart(config, inputs.submissions)
    result = asyncio.run(run_pipeline(config, inputs, reporter=make_reporter(quiet=quiet)))
    if result.reason:
        click.echo(f"! {plain(result.reason)}", err=True)
    click.echo(f"run: {result.path}")
    return result.exit_code


def _into(config: RunConfig, output: Path, *, fresh: bool) -> RunConfig:
    """The config with another output and, where all is asked again, with a cache of its own."""
    update: dict[str, object] = {"output": config.output.model_copy(update={"path": output})}
    if fresh:
        cache = output.parent / f"{output.name}.cache"
        update["cache"] = config.cache.model_copy(update={"path": cache})
    return config.model_copy(update=update)


def _narrowed(inputs: Inputs, anchors: AnchorSet, path: Path) -> Inputs:
    """The inputs with the anchors' claims and submissions alone."""
    for paper, version in anchors.versions.items():
        known = inputs.versions.get(paper)
        if known != version:
            raise InputError(
                f"the config has no paper {paper}"
                if known is None
                else f"the claims of {paper} are version {known} now, and were {version}",
                where=Where(str(path), key=f"versions.{paper}"),
                remedy="Name the benchmark that the anchors were chosen from",
            )
    claims = {one.sau for one in anchors.anchors}
    wanted = {one.submission for one in anchors.anchors}
    submissions = tuple(one for one in inputs.submissions if one.id in wanted)
    missing = sorted(wanted - {one.id for one in submissions})
    if missing:
        raise InputError(
            f"the config has no submission {missing[0]} ({len(missing)} of {len(wanted)} missing)",
            where=Where(str(path), key=missing[0]),
            remedy="Name the submissions that the anchors were chosen from",
        )
    papers = tuple(
        replace(paper, saus=saus)
        for paper in inputs.benchmark.papers
        if (saus := tuple(sau for sau in paper.saus if sau.id in claims))
        and paper.id in anchors.versions
    )
    found = {sau.id for paper in papers for sau in paper.saus}
    if lost := sorted(claims - found):
        raise InputError(
            f"the config's benchmark has no claim {lost[0]}",
            where=Where(str(path), key=lost[0]),
            remedy="Take all dimensions in the config",
        )
    benchmark = replace(inputs.benchmark, papers=papers)
    # Alone they would be shown less of a repository, and the judge would seem to have moved.
    among = {paper.id: paper.saus for paper in inputs.benchmark.papers}
    return Inputs(benchmark, submissions, inputs.versions, among)


def check_command(
    path: Path,
    run: Path,
    *,
    labels: Sequence[Path] = (),
    judge: str | None = None,
    within: float | None = None,
    as_json: bool = False,
) -> int:
    """Compare the anchors' levels with those of a run.

    Returns:
        0; 3 where anchors have no level or too few papers are left to tell; 5 where the judge
        drifted, or is not shown to have stayed within what was asked for.

    Raises:
        InputError: An input is malformed, or the run is of another version of the claims.
    """
    anchors = load_anchors(path)
    verdicts = only_judge(read_verdicts([run]), judge)
    versions = versions_of([run])
    for paper, version in anchors.versions.items():
        if versions.get(paper, version) != version:
            raise InputError(
                f"the claims of {paper} are version {versions[paper]} in this run, and were "
                f"{version}",
                where=Where(str(run), key=paper),
                remedy="Judge the anchors again, or choose new ones",
            )
    check = check_anchors(
        anchors.then(),
        verdicts,
        read_labels(labels),
        changed=_changed(anchors, run),
        within=within,
    )
    if as_json:
        click.echo(json.dumps(check.as_json(), ensure_ascii=False, indent=1, allow_nan=False))
    else:
        _print(check, anchors, _prompts(anchors, verdicts))
    if check.drifted or not check.held:
        return DRIFTED
    return INCOMPLETE if check.missing or not check.tested else 0


def _changed(anchors: AnchorSet, run: Path) -> frozenset[str]:
    """Submissions whose code is another one than it was."""
    if not (run / META).exists():
        return frozenset()
    read_meta(run)
    now = {id_: note.digest for id_, note in read_submissions(run).items() if note.digest}
    return frozenset(
        id_ for id_, digest in anchors.digests.items() if now.get(id_, digest) != digest
    )


def _prompts(anchors: AnchorSet, verdicts: Sequence[Judged]) -> str:
    now = {one.prompt_hash for one in verdicts}
    models = {one.model for one in verdicts}
    said = []
    if models - {anchors.model}:
        said.append(f"model then {anchors.model or 'none'}, now {', '.join(sorted(models))}")
    if now - {anchors.prompt_hash}:
        said.append("another prompt")
    return "; ".join(said)


def _print(check: AnchorCheck, anchors: AnchorSet, changed: str) -> None:
    out = console()
    say(
        out,
        f"{check.judged:,} of {counted(check.anchors, 'anchor')} judged again: then "
        f"{anchors.judge}, now {check.judge}{f' ({changed})' if changed else ''}",
    )
    for reason, count in check.missing.items():
        say(out, f"{counted(count, 'anchor does', 'anchors do')} not count: {reason}", "yellow")
    made = table("now less then", "", "shift", "p", "adjusted p")
    for one in check.shifts:
        p = "" if one.comparison.p is None else f"{one.comparison.p:.4f}"
        adjusted = "" if one.adjusted_p is None else f"{one.adjusted_p:.4f}"
        made.add_row(one.name, cell(one.comparison.difference), p, adjusted)
    print_table(made, out)
    made = table("then and now, claim by claim", "", "value")
    for name, figure in check.agreement.items():
        made.add_row(name.replace("_", " "), cell(figure))
    print_table(made, out)
    for contrast in check.truth:
        made = table(
            f"against {counted(contrast.pairs, 'label')}: now less then", "", "difference", "p"
        )
        for name, comparison in contrast.differences.items():
            p = "" if comparison.p is None else f"{comparison.p:.4f}"
            made.add_row(name.replace("_", " "), cell(comparison.difference), p)
        print_table(made, out)
    say(out, _verdict(check), "bold")


def _verdict(check: AnchorCheck) -> str:
    if check.drifted:
        return "the judge has drifted: its levels moved one way"
    if not check.tested:
        return "not told: too few papers are left to test a drift"
    mean = check.shifts[0].comparison.difference
    width = mean.half_width if isinstance(mean, Figure) else None
    reach = "" if width is None else f" (the mean's shift is known to ± {width:.3f})"
    if not check.held:
        return f"no drift is shown, nor that the shift stays within {check.within:g}{reach}"
    if isinstance(mean, Undefined):
        return "no drift is shown"
    return f"no drift is shown{reach}"
