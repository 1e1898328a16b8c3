"""Features of the whole: what kind of repository it is, and what kind of claim."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

import numpy as np

from benchmark import Dimension
from judge.embedded.parts import Claim
from judge.embedded.survey import Kept, Standing, Survey
from retrieval.values import ParseState, Role

__all__ = ["CLAIM", "WHOLE", "measure_claim", "measure_whole"]

WHOLE: Mapping[str, tuple[int, str]] = {
    "live_lines": (0, "live lines of code and settings, logarithm"),
    "live_functions": (0, "live functions, logarithm"),
    "dead_share": (-1, "share of the code that no run reaches"),
    "stub_share": (-1, "share of the functions that are placeholders"),
    "apology_share": (-1, "share of the functions whose comments say they are not the real thing"),
    "made_up_share": (-1, "share of the functions that make data up"),
    "broken_share": (-1, "share of the code files that do not parse"),
    "missing_modules": (-1, "modules of its own that are imported and are not there, logarithm"),
    "runs": (0, "something can be run"),
    "trains": (0, "live code computes gradients and takes steps"),
    "loads_data": (0, "live code calls loaders of named data, logarithm"),
    "evaluates": (0, "live functions that evaluate, logarithm"),
    "saves_results": (0, "live code writes results or figures, logarithm"),
    "options": (0, "options and settings that act, logarithm"),
    "unread_share": (-1, "share of the settings that nothing reads"),
    "mean_length": (0, "lines of a live function, mean logarithm"),
}
"""Features of the repository, by name: the sign that each may have (0 for either), its meaning."""

CLAIM: Mapping[str, tuple[int, str]] = {
    "is_D1": (0, "the claim is numerical"),
    "is_D2": (0, "the claim is methodological"),
    "is_D3": (0, "the claim is about protocol"),
    "is_D4": (0, "the claim is about order"),
    "claim_words": (0, "its words, logarithm"),
    "claim_names": (0, "its names, logarithm"),
    "claim_values": (0, "its values, logarithm"),
    "claim_parts": (0, "its parts, logarithm"),
    "claim_steps": (0, "its steps"),
    "claim_operations": (0, "operations in its formulas, logarithm"),
    "claim_symbols": (0, "share of its words that are symbols"),
    "claim_common": (0, "share of its words that every repository holds"),
    "claim_exact": (0, "values of three digits or more, logarithm"),
}
"""Features of the claim, by name: the sign that each may have (0 for either), its meaning."""

_LOADERS = re.compile(
    r"load_dataset\(|torchvision\.datasets|datasets\.[A-Z]\w+\(|fetch_\w+\(|load_(?:iris|digits|wine"
    r"|breast_cancer|diabetes)\(|gym(?:nasium)?\.make\(|h5py\.File\(|read_csv\(|np\.load\(|loadmat\("
    r"|from_pretrained\(|wfdb\.|ImageFolder\(|hf_hub_download\(|snapshot_download\("
)
_SAVES = re.compile(
    r"savefig\(|to_csv\(|json\.dump\(|torch\.save\(|np\.savez?\(|add_scalar\(|wandb\."
)
_EVALUATES = re.compile(
    r"eval|test|metric|score|accuracy|benchmark|measure|validate", re.IGNORECASE
)
_OWN_IMPORT = re.compile(r"\s*from\s+(\.*)([\w.]*)\s+import\b")

_WHOLES: Kept[dict[str, float]] = Kept()


def measure_whole(survey: Survey) -> dict[str, float]:
    """The features of `WHOLE`; measured once."""
    known = _WHOLES.get(survey)
    if known is None:
        known = _WHOLES[survey] = _measure(survey)
    return known


def _measure(survey: Survey) -> dict[str, float]:
    standing = survey.standing
    code = standing > Standing.TEXT
    functions = [
        block for n, block in enumerate(survey.blocks) if survey.is_function[n] and block.lines
    ]
    living = [block for block in functions if block.standing is Standing.LIVE]
    files = [file for file in survey.index.repository.files if file.role is Role.CODE]
    states = survey.index.parse_states
    text = survey.codes
    joined = "\n".join(text)
    count = max(1, len(functions))
    settings = (standing == Standing.UNREAD).sum()
    config = sum(
        1
        for fact in survey.index.facts
        if (file := survey.index.file(fact.path)) is not None and file.role is Role.CONFIG
    )
    return {
        "live_lines": math.log1p(survey.live_lines),
        "live_functions": math.log1p(len(living)),
        "dead_share": float((standing == Standing.DEAD).sum() / max(1, code.sum())),
        "stub_share": sum(block.stub for block in functions) / count,
        "apology_share": sum(block.apology for block in functions) / count,
        "made_up_share": sum(block.synthetic for block in functions) / count,
        "broken_share": sum(states[f.path] is ParseState.BROKEN for f in files)
        / max(1, len(files)),
        "missing_modules": math.log1p(_missing(survey)),
        "runs": float(survey.index.has_entry_point),
        "trains": float("backward" in survey.called or "grad" in survey.called)
        + float("step" in survey.called),
        "loads_data": math.log1p(sum(1 for _ in _LOADERS.finditer(joined))),
        "evaluates": math.log1p(sum(_EVALUATES.search(block.name) is not None for block in living)),
        "saves_results": math.log1p(sum(1 for _ in _SAVES.finditer(joined))),
        "options": math.log1p(sum(survey.acts(fact) for fact in survey.index.facts)),
        "unread_share": min(1.0, float(settings) / max(1, config)),
        "mean_length": (
            float(np.mean([math.log1p(len(block.lines)) for block in living]))
            if living
            else math.nan
        ),
    }


def _missing(survey: Survey) -> int:
    """How many modules of the repository's own are imported and are not there."""
    paths = [file.path for file in survey.index.repository.files]
    known = {path.rpartition(".")[0] for path in paths if path.endswith((".py", ".ipynb"))}
    known |= {path.rpartition("/")[0] for path in paths if "/" in path}
    tops = {path.split("/", 1)[0].removesuffix(".py") for path in paths if path.endswith(".py")}
    missing: set[str] = set()
    for path in survey.index.graph.paths:
        folder = path.rpartition("/")[0]
        for line in survey.index.lines(path):
            if "import" not in line:
                continue
            match = _OWN_IMPORT.match(line)
            if match is None:
                continue
            dots, module = match[1], match[2]
            if not module or (not dots and module.split(".", 1)[0] not in tops):
                continue
            inner = module.replace(".", "/")
            places = [inner]
            if folder:
                outer = folder
                for _ in range(max(0, len(dots) - 1)):
                    outer = outer.rpartition("/")[0]
                places.append(f"{outer}/{inner}" if outer else inner)
            if not any(_there(place, known) for place in places):
                missing.add(module)
    return len(missing)


def _there(place: str, known: set[str]) -> bool:
    return place in known or any(path.endswith("/" + place) for path in known)


def measure_claim(claim: Claim) -> dict[str, float]:
    """The features of `CLAIM`."""
    concepts = claim.concepts
    count = max(1, len(concepts))
    return {
        "is_D1": float(claim.dimension is Dimension.D1),
        "is_D2": float(claim.dimension is Dimension.D2),
        "is_D3": float(claim.dimension is Dimension.D3),
        "is_D4": float(claim.dimension is Dimension.D4),
        "claim_words": math.log1p(claim.words),
        "claim_names": math.log1p(sum(concept.named for concept in concepts)),
        "claim_values": math.log1p(len(claim.values)),
        "claim_parts": math.log1p(len(claim.parts)),
        "claim_steps": float(len(claim.steps)),
        "claim_operations": math.log1p(sum(count for _, count in claim.formula.counts)),
        "claim_symbols": sum(concept.weight == 0.3 for concept in concepts) / count,
        "claim_common": sum(concept.weight < 0.5 for concept in concepts) / count,
        "claim_exact": math.log1p(
            sum(
                len(value.term.lstrip("#0.").replace(".", "").strip("0")) >= 3
                for value in claim.values
            )
        ),
    }
