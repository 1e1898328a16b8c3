"""What `judge check` does: claims read, the repository checked, the outcome written."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import click

from benchmark import Where
from judge.check import check_repository, refuse_inside
from judge.check_claims import STANDARD_INPUT, load_claims
from judge.check_output import as_json, lines_of, remark_lines
from judge.output_files import write_file
from judge.progress import make_reporter
from judge.sarif import as_sarif

__all__ = ["check_command"]

_EMBEDDED = "embedded"
_SPECIAL = re.compile(r"[\\*?\[\]!# ]")
"""What means something else in a pattern in `.gitignore` style."""


def check_command(
    repo: Path,
    saus: Path,
    *,
    paper: str | None = None,
    fail_under: float | None = None,
    judge: str = _EMBEDDED,
    exclude: Sequence[str] = (),
    form: str = "text",
    output: Path | None = None,
    met: bool = False,
) -> int:
    """Check a repository and print or write what came of it.

    Args:
        repo: The repository's folder.
        saus: The claims; `-` is standard input.
        paper: Which paper, where the claims are of several.
        fail_under: The least score that is accepted.
        judge: `embedded`, or the path of a run's configuration.
        exclude: What is not the repository's code.
        form: `text`, `json` or `sarif`.
        output: The file to write; `None` prints.
        met: Text tells of the claims that are met, too; JSON always does.

    Returns:
        The exit code.

    Raises:
        InputError: An input is wrong; nothing was done.
    """
    if output is not None:
        refuse_inside(output, repo, Where("--output"))
    claims = load_claims(saus, paper)
    config = None if judge == _EMBEDDED else Path(judge)
    report = check_repository(
        repo,
        claims,
        config=config,
        exclude=(*exclude, *_claims_inside(saus, repo)),
        reporter=None if config is None else make_reporter(),
    )
    match form:
        case "json":
            text = as_json(report, fail_under)
        case "sarif":
            text = as_sarif(report)
        case _:
            text = "\n".join(lines_of(report, fail_under, met=met))
    if output is None:
        click.echo(text)
    else:
        write_file(output, text + "\n")
        # What was asked for is in the file; how it went is said all the same.
        for line in (*remark_lines(report), list(lines_of(report, fail_under))[-1]):
            click.echo(line, err=True)
    return report.exit_code(fail_under)


def _claims_inside(saus: Path, repo: Path) -> tuple[str, ...]:
    """A pattern for the claims where they lie in the repository: they are no code of it."""
    if saus == STANDARD_INPUT:
        return ()
    try:
        inner = os.path.relpath(os.path.realpath(saus), os.path.realpath(repo))
    except ValueError:  # another drive
        return ()
    inner = inner.replace(os.sep, "/")
    if inner == "." or inner.split("/")[0] == "..":
        return ()
    return ("/" + _SPECIAL.sub(r"\\\g<0>", inner),)
