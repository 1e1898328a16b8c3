"""Features of soundness: whether the functions that match do what their names say."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from benchmark import Dimension
from judge.embedded.looking import Findings
from judge.embedded.parts import Claim
from judge.embedded.survey import Kept, Survey
from judge.embedded.windows import Float
from judge.embedded.words import SYNTHETIC
from retrieval.values import ParseState

__all__ = ["SOUNDNESS", "measure_soundness"]

SOUNDNESS: Mapping[str, tuple[int, str]] = {
    "match_live": (1, "of the functions that match the claim, the share that a run reaches"),
    "match_stub": (-1, "of the functions that match the claim, the share that are placeholders"),
    "stub_match": (-1, "the function that matches best is a placeholder"),
    "idle_better": (-1, "how much more of the claim stands in a function that does not act"),
    "apology": (-1, "comments in the best functions say that they are not the real thing"),
    "match_apology": (-1, "the same, of the functions that match, by how well they do"),
    "match_made_up": (-1, "of the functions that match, the share that make data up"),
    "match_random": (0, "of their lines, the share that draw random numbers"),
    "match_fixed": (0, "of their lines, the share that only give a number, text or nothing"),
    "match_speech": (0, "of their lines, the share that print or raise"),
    "match_lines": (0, "the lines of the functions that match, mean logarithm"),
    "match_calls": (0, "the calls in the functions that match, mean logarithm"),
    "match_used": (0, "of the functions that match, the share that something here calls"),
    "match_broken": (-1, "of the functions that match, the share in files that do not parse"),
    "match_sharp": (0, "how far the match is on few functions: the largest share"),
    "made_up_data": (-1, "data functions make data up, for a claim about data or evaluation"),
}
"""The features, by name: the sign that each may have (0 for either), and its meaning."""

_RANDOM_CALL = re.compile(
    r"\b(?:rand|randn|randint|rand_like|randn_like|normal|uniform|choice|random|sample|shuffle)\w*\("
)
_FIXED = re.compile(
    r"\s*(?:return\s*)?(?:[\w.\[\]'\"]+\s*[:=]\s*)?(?:None|True|False|-?[\d.][\w.]*|'[^']*'|\"[^\"]*\")"
    r"\s*,?\s*\Z|\s*pass\s*\Z"
)
_SPEECH = re.compile(r"\s*(?:print|log\w*\.\w+|raise|warnings\.)\b")
# What may match is told by a line's first and last letters, much faster than by the patterns.
_NOT_FIXED = (":", ")", "(", "[", "]", "{", "}", "),", "],", "},")
_SPOKEN = ("print", "log", "raise", "warnings")
_SHARPNESS = 4


@dataclass(frozen=True, slots=True)
class _Blocks:
    """By block: shares of lines and other figures."""

    random: Float
    fixed: Float
    speech: Float
    lines: Float
    calls: Float
    used: Float
    broken: Float
    made_up: Float
    apology: Float


_BLOCKS: Kept[_Blocks] = Kept()


def measure_soundness(survey: Survey, claim: Claim, found: Findings) -> dict[str, float]:
    """The features of `SOUNDNESS`."""
    focus = found.focus
    best = float(found.live_score[focus[0]]) if focus else 0.0
    idle = float(found.idle_score[found.idle_focus]) if found.idle_focus >= 0 else 0.0
    stub = float(found.idle_score[found.stub_focus]) if found.stub_focus >= 0 else 0.0
    numbers = {
        "match_live": found.match_live,
        "match_stub": found.match_stub,
        "stub_match": float(stub > 0 and stub >= 0.6 * best),
        "idle_better": max(0.0, idle - best),
        "apology": sum(survey.blocks[n].apology for n in focus) / len(focus) if focus else math.nan,
        "made_up_data": (
            float(any(block.synthetic for block in survey.blocks))
            if claim.dimension is Dimension.D3
            else math.nan
        ),
    }
    names = [name for name in SOUNDNESS if name not in numbers]
    weight = (found.live_score * (survey.is_function & survey.live_blocks)) ** _SHARPNESS
    total = float(weight.sum())
    if not total:
        return numbers | dict.fromkeys(names, math.nan)
    weight /= total
    blocks = _blocks(survey)
    return numbers | {
        "match_apology": float(weight @ blocks.apology),
        "match_made_up": float(weight @ blocks.made_up),
        "match_random": float(weight @ blocks.random),
        "match_fixed": float(weight @ blocks.fixed),
        "match_speech": float(weight @ blocks.speech),
        "match_lines": float(weight @ blocks.lines),
        "match_calls": float(weight @ blocks.calls),
        "match_used": float(weight @ blocks.used),
        "match_broken": float(weight @ blocks.broken),
        "match_sharp": float(weight.max()),
    }


def _blocks(survey: Survey) -> _Blocks:
    known = _BLOCKS.get(survey)
    if known is None:
        known = _BLOCKS[survey] = _measure_blocks(survey)
    return known


def _measure_blocks(survey: Survey) -> _Blocks:
    count = len(survey.blocks)
    rows = survey.row_blocks
    total = np.maximum(np.bincount(rows, minlength=count), 1).astype(np.float64)

    lines = list(zip(rows.tolist(), survey.codes, strict=True))

    def shares(pattern: re.Pattern[str], may_match: Callable[[str], bool]) -> Float:
        hits = [block for block, code in lines if may_match(code) and pattern.match(code)]
        found: Float = np.bincount(np.array(hits, np.int64), minlength=count) / total
        return found

    graph = survey.index.graph
    calls, used = np.zeros(count), np.zeros(count)
    for number, block in enumerate(survey.blocks):
        symbol = graph.symbol(f"{block.path}::{block.name}")
        if symbol is not None:
            calls[number] = math.log1p(len(symbol.calls))
            owner = block.name.rpartition(".")[0]
            known = graph.symbol(f"{block.path}::{owner}") if owner else None
            used[number] = float(
                bool(graph.callers_of(symbol))
                or (known is not None and bool(graph.callers_of(known)))
            )
    states = survey.index.parse_states
    source = [
        bool(block.synthetic) or SYNTHETIC.search(block.name) is not None for block in survey.blocks
    ]
    random = re.compile(r".*" + _RANDOM_CALL.pattern)
    return _Blocks(
        random=shares(random, lambda code: "(" in code),
        fixed=shares(_FIXED, lambda code: not code.endswith(_NOT_FIXED)),
        speech=shares(_SPEECH, lambda code: code.lstrip().startswith(_SPOKEN)),
        lines=np.log1p(total),
        calls=calls,
        used=used,
        broken=np.array([states[b.path] is ParseState.BROKEN for b in survey.blocks], np.float64),
        made_up=np.array(source, np.float64),
        apology=np.array([block.apology for block in survey.blocks], np.float64),
    )
