"""Readers of the formats that people have: claims, submissions, labels, published results.

Each checks its input whole and raises one `InputError` that names the place and the remedy.
"""

from benchmark.readers.claims import load_benchmark, select
from benchmark.readers.labels import load_labels
from benchmark.readers.published import PublishedEvidence, PublishedVerdict, read_published
from benchmark.readers.submissions import load_submissions

__all__ = [
    "PublishedEvidence",
    "PublishedVerdict",
    "load_benchmark",
    "load_labels",
    "load_submissions",
    "read_published",
    "select",
]
