"""What a repository imports and has not: modules of its own, and packages that no list names.

Names of packages and of what is imported from them differ, and common packages come with others, so
nothing is said of those that are in everyday use; and nothing of packages where no list is.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence

from retrieval.index import Index

__all__ = ["told_absences"]

_LISTS = re.compile(
    r"(?:[\w.-]*requirements[\w.-]*\.(?:txt|in)|setup\.(?:py|cfg)|pyproject\.toml|Pipfile"
    r"|(?:conda|environment)[\w.-]*\.ya?ml)\Z"
)
_WORD = re.compile(r"[A-Za-z][\w.-]*")
# The same on every Python, whatever its version: modules that came or went between 3.9 and 3.14.
_STANDARD = frozenset(sys.stdlib_module_names) | frozenset(
    ["aifc", "annotationlib", "asynchat", "asyncore", "audioop", "binhex", "cgi", "cgitb", "chunk",
     "compression", "concurrent", "crypt", "distutils", "formatter", "imghdr", "imp", "lib2to3",
     "mailcap", "msilib", "nis", "nntplib", "ossaudiodev", "parser", "pipes", "smtpd", "sndhdr",
     "spwd", "sunau", "symbol", "telnetlib", "tomllib", "uu", "xdrlib", "zoneinfo"]
)  # fmt: skip
# In everyday use: they come with other packages, or their lists name them otherwise.
_COMMON = frozenset(
    ["IPython", "PIL", "absl", "attr", "attrs", "bs4", "cv2", "dateutil", "docutils", "dotenv",
     "einops", "fire", "git", "google", "h5py", "imageio", "ipywidgets", "jinja2", "joblib", "jwt",
     "matplotlib", "mpl_toolkits", "networkx", "numpy", "omegaconf", "packaging", "pandas",
     "pkg_resources", "psutil", "pydantic", "pylab", "pytest", "pytorch_lightning", "regex",
     "requests", "rich", "scipy", "seaborn", "setuptools", "six", "skimage", "sklearn", "sympy",
     "tabulate", "tensorboard", "termcolor", "torch", "torchaudio", "torchvision", "tqdm",
     "transformers", "triton", "typing_extensions", "wandb", "wheel", "yaml"]
)  # fmt: skip
_MOST_NAMES = 12
_MOST_FILES = 2
_MOST_COMPARED = 300
_MOST_LETTERS = 100


def told_absences(index: Index) -> tuple[str, ...]:
    """Lines about what is imported and absent; none where all is there or cannot be told."""
    own: defaultdict[str, list[str]] = defaultdict(list)
    foreign: defaultdict[str, list[str]] = defaultdict(list)
    folders = _folders(index)
    for path in sorted(index.code_paths):
        for module in index.graph.unresolved.get(path, ()):
            first = module.lstrip(".").partition(".")[0]
            if module.startswith(".") or first in folders:
                if module.strip("."):
                    _note(own[module], path)
            elif first and first not in _STANDARD and first not in _COMMON:
                _note(foreign[first], path)
    lines = []
    if own:
        lines.append(f"Imported from the repository itself and not in it: {_named(own)}")
    lists = [file.path for file in index.repository.files if _LISTS.search(file.path)]
    listed = {
        _plain(word) for path in lists for line in index.lines(path) for word in _WORD.findall(line)
    }
    text = "\n".join(listed)
    names = _by_use(foreign)[:_MOST_COMPARED]
    unlisted = {name: foreign[name] for name in names if not _is_listed(name, listed, text)}
    if lists and unlisted:
        lines.append(
            f"Imported, not in the repository, and not named in {_some(sorted(lists))}: "
            f"{_named(unlisted)}"
        )
    return tuple(lines)


def _folders(index: Index) -> frozenset[str]:
    """Names of folders that hold Python of the repository itself, packages in use left out."""
    return frozenset(
        part
        for path in index.code_paths
        if path.endswith(".py")
        for part in path.split("/")[:-1]
        if part not in _COMMON and part not in _STANDARD and part not in {"datasets", "utils"}
    )


def _note(paths: list[str], path: str) -> None:
    if path not in paths:
        paths.append(path)


def _plain(name: str) -> str:
    return re.sub(r"[-_.]", "", name).lower()


def _is_listed(name: str, listed: set[str], text: str) -> bool:
    """Whether some list names a package like this: `gym` is met by `gymnasium`.

    Args:
        name: As it is imported.
        listed: The words of the lists, plain.
        text: The same, one a line.
    """
    plain = _plain(name)[:_MOST_LETTERS]
    return plain in text or any(
        plain[first:end] in listed
        for first in range(len(plain))
        for end in range(first + 4, len(plain) + 1)
    )


def _by_use(modules: Mapping[str, Sequence[str]]) -> list[str]:
    """Names of modules, those that most files import first."""
    return sorted(modules, key=lambda name: (-len(modules[name]), name))


def _named(modules: Mapping[str, Sequence[str]]) -> str:
    names = _by_use(modules)
    told = [f"{name} ({_some(modules[name])})" for name in names[:_MOST_NAMES]]
    if len(names) > _MOST_NAMES:
        told.append(f"and {len(names) - _MOST_NAMES} more")
    return ", ".join(told)


def _some(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - _MOST_FILES} more" if len(paths) > _MOST_FILES else ""
    return ", ".join(paths[:_MOST_FILES]) + more
