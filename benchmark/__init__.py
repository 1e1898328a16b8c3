"""What is claimed and what was handed in: nouns, readers of the formats people have, the suite."""

from benchmark.errors import GraderError, InputError, Where
from benchmark.nouns import (
    Benchmark,
    Dimension,
    Drift,
    Failure,
    Label,
    Level,
    Paper,
    Sau,
    Submission,
    claims_version,
)

__all__ = [
    "Benchmark",
    "Dimension",
    "Drift",
    "Failure",
    "GraderError",
    "InputError",
    "Label",
    "Level",
    "Paper",
    "Sau",
    "Submission",
    "Where",
    "claims_version",
]
