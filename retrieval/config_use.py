"""Whether anything reads a configuration value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from retrieval.graph import CallGraph, FileView
from retrieval.lexicon import Lexicon
from retrieval.outline import LineKind, RawFact
from retrieval.values import FactSource, Role

__all__ = ["ConfigUse", "fact_reached"]

_LOADER_WORDS = (
    "safe_load", "full_load", "yaml.load", "YAML(", "OmegaConf", "hydra", "json.load", "tomllib",
    "tomli", "toml.load", "ConfigParser", "configargparse", "jsonargparse", "LightningCLI",
    "from_yaml", "from_json", "load_config", "from_file", "gin.", "ml_collections", "pyrallis",
    "draccus", "dataconf", "Dynaconf", "read_text", "merge_from_file", "Config.fromfile",
    "yaml import load",
)  # fmt: skip
_LOADERS = re.compile(rf"\b(?:{'|'.join(map(re.escape, _LOADER_WORDS))})")
# Ways to take a whole file's values without naming them.
_WHOLESALE = re.compile(
    r"\*\*|\bsetattr\b|\.update\(|\binstantiate\b|\bvars\(|SimpleNamespace|Namespace\(|from_dict"
)
_SELF_READ = re.compile(
    r"(?:pyproject\.toml|setup\.cfg|tox\.ini|package\.json|mypy\.ini|.*lock.*|requirements.*)\Z"
)
_CONFIG_LANGUAGES = frozenset({"yaml", "json", "toml", "ini"})


@dataclass(frozen=True, slots=True)
class ConfigUse:
    """What the code does with configuration files.

    Attributes:
        names: Every identifier and word in the code's own lines, lower case.
        loads: Some code reads configuration files.
        wholesale: Some code that reads them takes values without naming them.
    """

    names: frozenset[str]
    loads: bool
    wholesale: bool

    @classmethod
    def of(cls, views: Sequence[FileView], lexicon: Lexicon) -> ConfigUse:
        """Look at all code of a repository; only where it has configuration files."""
        if not any(_is_config(view) for view in views):
            return cls(frozenset(), loads=False, wholesale=False)
        is_named = np.zeros(len(lexicon), np.bool_)
        loads = wholesale = False
        for view in views:
            if view.file.role is not Role.CODE:
                continue
            is_named[view.tokens.ids[view.tokens.kinds == LineKind.CODE]] = True
            if not (loads and wholesale) and _loads(view.file.text):
                loads = True
                wholesale = wholesale or bool(_WHOLESALE.search(view.file.text))
        tokens = lexicon.tokens
        names = frozenset(tokens[number].lower() for number in np.flatnonzero(is_named).tolist())
        return cls(names, loads, wholesale)


def _loads(text: str) -> bool:
    # Plain words are found many times as fast as a pattern is, and most files hold none.
    return any(word in text for word in _LOADER_WORDS) and bool(_LOADERS.search(text))


def _is_config(view: FileView) -> bool:
    return view.file.language in _CONFIG_LANGUAGES


def fact_reached(use: ConfigUse, graph: CallGraph, view: FileView, fact: RawFact) -> bool | None:
    """Whether a value takes effect: its code is reached, or the key of a configuration is read.

    Of a value in code that is not reached nothing is said about who reads it: what stands beside it
    may. A key counts as read when its last part stands anywhere in the code. Where code reads whole
    files without naming keys, that cannot be told and the answer is `None`.
    """
    if fact.source is not FactSource.CONFIG:
        return graph.reached(view.file.path, fact.line)
    if not graph.has_entry_point or _SELF_READ.match(view.file.path.rpartition("/")[2]):
        return None
    if not use.loads:
        return False
    key = fact.name.rpartition(".")[2].lower().replace("-", "_")
    if key in use.names:
        return True
    return None if use.wholesale else False
