"""The lines of code that read a configured value: where it takes effect.

A value in a file, an option, a field or a table is read under the last part of its name: as an
attribute, as a key, or by that name alone. Lines that name its other parts too come first.
"""

from __future__ import annotations

import re

from retrieval.index import Index
from retrieval.values import Fact, FactSource, Role

__all__ = ["CONFIGURED", "readers_of"]

CONFIGURED = frozenset(
    {FactSource.CONFIG, FactSource.OPTION, FactSource.FIELD, FactSource.DICT, FactSource.FLAG}
)
"""Sources of facts that act only where something reads them."""

READERS = 2
"""Lines that are named for one value."""

_TOO_COMMON = 40
"""A name that more lines than that hold says nothing by itself; only those that read it count."""


def readers_of(index: Index, fact: Fact) -> tuple[tuple[str, int], ...]:
    """Path and line of the code that most likely reads a configured value, the likeliest first."""
    parts = [part for part in re.split(r"[.\[\]'\"/]+", fact.name) if part]
    if not parts:
        return ()
    key = parts[-1].lstrip("-").replace("-", "_")
    if len(key) < 2:
        return ()
    mentions = dict.fromkeys(index.mentions(key))
    if "-" in parts[-1]:
        # As a key in a string it is several words.
        pieces = [set(index.mentions(piece)) for piece in key.split("_") if piece]
        mentions.update(dict.fromkeys(set.intersection(*pieces)))
    lines = [
        mention
        for mention in mentions
        if mention.kind == "code" and (mention.path, mention.line) != (fact.path, fact.line)
    ]
    # Files and options write `weight-decay` for what code calls `weight_decay`.
    word = re.escape(key).replace("_", "[-_]")
    read = re.compile(rf"\.{word}\b(?!\s*=[^=])|[\[(]\s*['\"]{word}['\"]", re.IGNORECASE)
    named = re.compile(rf"(?<![\w.\"'-]){word}\b(?!\s*[:=](?!=))", re.IGNORECASE)
    given = re.compile(rf"['\"]--?{word}['\"]", re.IGNORECASE)
    others = {part.lower() for part in parts[:-1] if len(part) > 2}
    ranked = []
    for mention in lines:
        file = index.file(mention.path)
        if file is None or file.role is not Role.CODE:
            continue
        text = index.code_of(mention.path, mention.line)
        if given.search(text):
            continue  # where an option is made, not where it is read
        reads = bool(read.search(text))
        if not reads and (len(lines) > _TOO_COMMON or not named.search(text)):
            continue
        low = text.lower()
        rank = 4 * reads + sum(other in low for other in others)
        rank -= 2 * (index.reached(mention.path, mention.line) is False)
        ranked.append((-rank, mention.path != fact.path, mention.path, mention.line))
    return tuple((path, line) for _, _, path, line in sorted(ranked)[:READERS])
