"""Readers of the formats that people have: claims, submissions, labels, published results.

Each checks its input whole and raises one `InputError` that names the place and the remedy.
"""

from benchmark.readers.claims import load_benchmark, select
from benchmark.readers.judgeeval import JudgeEval, load_judgeeval
from benchmark.readers.label_tables import load_label_table
from benchmark.readers.labels import load_labels
from benchmark.readers.paperbench import PaperBenchLeaf, load_paperbench
from benchmark.readers.published import PublishedEvidence, PublishedVerdict, read_published
from benchmark.readers.submissions import load_submissions

__all__ = [
    "JudgeEval",
    "PaperBenchLeaf",
    "PublishedEvidence",
    "PublishedVerdict",
    "load_benchmark",
    "load_judgeeval",
    "load_label_table",
    "load_labels",
    "load_paperbench",
    "load_submissions",
    "read_published",
    "select",
]
