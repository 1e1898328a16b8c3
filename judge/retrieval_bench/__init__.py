"""Measuring retrieval: how many of the lines that decide a query are shown within a budget."""

from __future__ import annotations

from judge.retrieval_bench.measure import Measurement, Result, measure
from judge.retrieval_bench.queries import SearchQuery, read_queries
from judge.retrieval_bench.retrievers import RETRIEVERS, Retriever, Span

__all__ = [
    "RETRIEVERS",
    "Measurement",
    "Result",
    "Retriever",
    "SearchQuery",
    "Span",
    "measure",
    "read_queries",
]
