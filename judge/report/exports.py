"""Verdicts as files for other programs: CSV for spreadsheets, JSON Lines for everything else."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmark import Sau
from judge.verdict import Verdict

__all__ = ["COLUMNS", "write_csv", "write_jsonl"]

COLUMNS = (
    "submission",
    "agent",
    "paper",
    "sau",
    "dimension",
    "claim",
    "source",
    "status",
    "level",
    "score",
    "drift",
    "failure",
    "expected",
    "found",
    "rationale",
    "confidence",
    "levels",
    "expected_level",
    "flags",
    "reason",
    "citations",
    "judge",
    "provider",
    "model",
    "model_returned",
    "prompt_hash",
    "cached",
    "attempts",
    "input_tokens",
    "output_tokens",
    "cost_usd",
    "time",
)

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What makes a spreadsheet take a cell for a formula, full-width forms included."""


def write_csv(path: Path, verdicts: Sequence[Verdict], saus: Mapping[str, Sau]) -> None:
    """Write one row a verdict, with the columns of `COLUMNS`.

    The file starts with a byte order mark, without which Excel reads UTF-8 as something else.
    A text that a spreadsheet would run as a formula is led by an apostrophe. A value that is not
    known is an empty cell.
    """
    with path.open("w", encoding="utf-8-sig", errors="replace", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows(_row(verdict, saus.get(verdict.sau)) for verdict in verdicts)


def write_jsonl(path: Path, verdicts: Sequence[Verdict]) -> None:
    """Write one verdict a line, in the format of a run's own `verdicts.jsonl`."""
    with path.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
        file.writelines(verdict.model_dump_json() + "\n" for verdict in verdicts)


def _row(verdict: Verdict, sau: Sau | None) -> list[str]:
    provenance, usage = verdict.provenance, verdict.provenance.usage
    citations = "\n".join(
        f"{each.path}:{each.first}-{each.last} ({each.state.value})" for each in verdict.citations
    )
    cells: list[object] = [
        verdict.submission,
        verdict.agent,
        verdict.paper,
        verdict.sau,
        verdict.dimension.value,
        sau.claim if sau else "",
        sau.source if sau else "",
        verdict.status.value,
        verdict.level,
        verdict.score,
        verdict.drift,
        verdict.failure,
        verdict.expected,
        verdict.found,
        verdict.rationale,
        verdict.confidence,
        ", ".join("none" if level is None else str(level) for level in verdict.levels),
        None if verdict.odds is None else verdict.odds.expected_level,
        ", ".join(verdict.flags),
        verdict.reason,
        citations,
        provenance.judge,
        provenance.provider,
        provenance.model,
        provenance.model_returned,
        provenance.prompt_hash,
        provenance.cached,
        provenance.attempts,
        usage.input_tokens,
        usage.output_tokens,
        usage.cost_usd,
        provenance.time,
    ]
    return [_cell(cell) for cell in cells]


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        text = str(value).replace("\0", "")
        return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text
    return str(value)
