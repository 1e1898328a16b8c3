"""Reports that people look at: HTML without a network, CSV and JSON Lines."""

from __future__ import annotations

from judge.report.exports import write_csv, write_jsonl
from judge.report.writing import write_report

__all__ = ["write_csv", "write_jsonl", "write_report"]
