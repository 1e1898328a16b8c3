"""What a file is, by its name first and by its text where the name does not say.

Names decide what is opened at all. Text decides about Python under other names, about tests, and
about data that looks like configuration.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from retrieval.values import Role

__all__ = [
    "NameKind",
    "could_decide",
    "kind_by_name",
    "kind_by_text",
    "link_could_decide",
    "refusal_by_text",
]


@dataclass(frozen=True, slots=True)
class NameKind:
    """What a name says about a file.

    Attributes:
        language: As in `SourceFile`; empty where the name does not say.
        role: What it is for, as far as the name says.
        refusal: Why it is not read; empty where it is.
        largest: Largest size in bytes to read for this kind; `None` for the general limit.
    """

    language: str = ""
    role: Role = Role.DATA
    refusal: str = ""
    largest: int | None = None


# A dataset's table is data and goes unread; a short one may be a results table or a list of tasks.
_SMALL_DATA = 16 << 10
# A configuration of this size is a vocabulary, a log or a dump.
_LARGEST_CONFIG = 128 << 10
_LARGEST_UNKNOWN = 256 << 10


def _suffixes(words: str, kind: NameKind) -> dict[str, NameKind]:
    return dict.fromkeys((f".{word}" for word in words.split()), kind)


def _names(words: str, kind: NameKind) -> dict[str, NameKind]:
    return dict.fromkeys(words.split(), kind)


_CODE_TEXT = NameKind("text", Role.CODE)
_CODE_WORDS = (
    "js jsx mjs cjs ts tsx c cc cpp cxx h hh hpp hxx cu cuh cl metal glsl hlsl wgsl r jl m mm java"
    " kt kts scala groovy go rs rb php pl pm lua swift cs fs hs ml mli clj erl ex exs f f77 f90 f95"
    " f03 f08 for pyx pxd pxi bat cmd ps1 awk sed sql proto thrift nim zig d v sv vhd vhdl asm s"
    " cmake mk mak dockerfile stan bugs jags do sas nf smk wdl tf hcl nix lean dart prompt jinja"
    " jinja2 j2 tmpl tpl mustache"
)
_REFUSED_WORDS = {
    "an image": "png jpg jpeg gif bmp tif tiff webp ico svg eps psd heic exr hdr",
    "sound": "mp3 wav flac ogg m4a aac mid midi",
    "a film": "mp4 avi mov mkv webm mpg mpeg",
    "an archive": "zip gz tgz bz2 xz 7z rar tar zst lz4 whl egg jar",
    "weights or arrays": (
        "pt pth ckpt bin safetensors onnx h5 hdf5 npy npz pkl pickle joblib pb tflite gguf ggml"
        " msgpack model weights mat nc zarr"
    ),
    "a data file": "parquet feather arrow orc db sqlite sqlite3 mdb lmdb tfrecord tfrecords rds",
    "compiled code": "pyc pyo pyd so dll dylib exe o a lib obj class wasm ptx cubin",
    "an office document": "pdf ps doc docx xls xlsx ppt pptx odt ods odp epub djvu",
    "a font": "ttf otf woff woff2 eot",
    "a generated source map": "map",
    "a lock file": "lock",
    "an editor's or tool's copy": "bak orig rej swp swo tmp",
}
_SUFFIXES: dict[str, NameKind] = {
    **_suffixes("py pyi pyw py3", NameKind("python", Role.CODE)),
    **_suffixes("ipynb", NameKind("notebook", Role.CODE)),
    **_suffixes("sh bash zsh ksh fish sbatch slurm pbs lsf command", NameKind("shell", Role.CODE)),
    **_suffixes("yaml yml", NameKind("yaml", Role.CONFIG, largest=_LARGEST_CONFIG)),
    **_suffixes("json json5 jsonc", NameKind("json", Role.CONFIG, largest=_LARGEST_CONFIG)),
    **_suffixes("toml", NameKind("toml", Role.CONFIG)),
    **_suffixes("ini cfg conf config properties env gin", NameKind("ini", Role.CONFIG)),
    **_suffixes("xml urdf mjcf xacro sdf", NameKind("text", Role.CONFIG, largest=_LARGEST_CONFIG)),
    **_suffixes("md markdown mdx mkd rmd qmd", NameKind("markdown", Role.DOC)),
    **_suffixes("rst txt text adoc org tex bib sty cls", NameKind("text", Role.DOC)),
    **_suffixes("cff", NameKind("yaml", Role.DOC)),
    **_suffixes(_CODE_WORDS, _CODE_TEXT),
    **_suffixes(
        "csv tsv psv jsonl ndjson arff libsvm svm log out err",
        NameKind("text", Role.DATA, largest=_SMALL_DATA),
    ),
    **_suffixes("html htm css scss less vue svelte", NameKind("text", Role.DATA)),
    **{
        suffix: kind
        for reason, words in _REFUSED_WORDS.items()
        for suffix, kind in _suffixes(words, NameKind(refusal=reason)).items()
    },
}

_BUILD = NameKind("text", Role.CODE)
_TOOL = NameKind("text", Role.DATA)
_NAMES: dict[str, NameKind] = {
    **_names("makefile gnumakefile dockerfile containerfile rakefile snakefile justfile", _BUILD),
    **_names("vagrantfile procfile cmakelists.txt meson.build", _BUILD),
    **_names(
        "readme license licence copying notice authors contributors changelog changes history todo"
        " install news citation",
        NameKind("text", Role.DOC),
    ),
    **_names("pipfile", NameKind("toml", Role.CONFIG)),
    **_names(".env .flake8 .pylintrc .coveragerc .condarc", NameKind("ini", Role.CONFIG)),
    **_names(
        ".gitignore .gitattributes .gitmodules .dockerignore .npmignore .editorconfig .mailmap"
        " .prettierrc .prettierignore .pre-commit-config.yaml .gitkeep .keep py.typed",
        _TOOL,
    ),
    **_names(
        "package-lock.json npm-shrinkwrap.json pnpm-lock.yaml pnpm-lock.yml conda-lock.yml"
        " conda-lock.yaml go.sum pipfile.lock .ds_store thumbs.db desktop.ini",
        NameKind(refusal="a lock file or tool's file"),
    ),
}

_REQUIREMENTS = re.compile(
    r"(?i)^(?:.*[-_.])?(?:requirements|constraints)(?:[-_.].*)?\.(?:txt|in)$"
)
_ENV_FILE = re.compile(r"(?i)^\.env\..+$")
_MINIFIED = re.compile(r"(?i)[.-]min\.(?:js|css)$")
_PROMPT_FOLDERS = frozenset({"prompts", "prompt", "templates", "prompt_templates"})
_RESULT_WORDS = frozenset(
    {"results", "result", "outputs", "output", "logs", "log", "metrics", "history", "predictions"}
)
_ODD_TAIL = re.compile(r"[^A-Za-z0-9]+$")


def kind_by_name(path: str) -> NameKind:
    """What a path says about its file.

    Args:
        path: Relative path with `/`.
    """
    pure = PurePosixPath(path)
    name = pure.name.lower()
    if known := _NAMES.get(name):
        return known
    if _REQUIREMENTS.match(name):
        return NameKind("text", Role.CONFIG)
    if _ENV_FILE.match(name):
        return NameKind("ini", Role.CONFIG)
    if _MINIFIED.search(name):
        return NameKind(refusal="minified code")
    if name.endswith("~"):
        return NameKind(refusal="an editor's or tool's copy")
    if name.startswith(("dockerfile.", "makefile.")):
        return _BUILD
    _, dot, tail = name.rpartition(".")
    if not dot:
        return NameKind(largest=_LARGEST_UNKNOWN)
    # `test_x.py}`: a shell's brace that was never expanded, or a quote, left at the end.
    kind = _SUFFIXES.get(f".{tail}") or _SUFFIXES.get(f".{_ODD_TAIL.sub('', tail)}")
    if kind is None:
        return NameKind(largest=_LARGEST_UNKNOWN)
    folders = {part.lower() for part in pure.parts[:-1]}
    if kind.role is Role.DOC and tail == "txt" and folders & _PROMPT_FOLDERS:
        return NameKind("text", Role.CONFIG)  # the code reads it and sends it to a model
    return kind


_SHEBANG = re.compile(r"^#!.*?\b(python|pypy|bash|sh|zsh|ksh|dash)(?:[\d.]*)\b")
_PYTHON_LINE = re.compile(
    r"^(?:import \w[\w.]*(?: as \w+)?(?:,.*)?|from [\w.]+ import .+|(?:async )?def \w+\(.*"
    r"|class \w+(?:\(.*\))?:|if __name__ == .+:|@\w[\w.]*(?:\(.*)?)[ \t]*(?:#.*)?$",
    re.MULTILINE,
)
_TEST_IMPORT = re.compile(
    r"^[ \t]*(?:import|from)[ \t]+(?:pytest|unittest|hypothesis)\b", re.MULTILINE
)
_TEST_FUNCTION = re.compile(r"^[ \t]*(?:async )?def test_?\w*\(", re.MULTILINE)
_ASSERTION = re.compile(r"^[ \t]*(?:assert\b|self\.assert\w+\()|\bassert_\w+\(", re.MULTILINE)
_TEST_FOLDERS = frozenset({"test", "tests", "testing", "unit_tests", "unittests"})
_TEST_NAME = re.compile(r"^(?:test_.*|.*_tests?|conftest|tests?)\.pyi?$")


def kind_by_text(path: str, kind: NameKind, text: str) -> tuple[str, Role]:
    """Language and role of a file that was read.

    Args:
        path: Relative path with `/`.
        kind: What its name said.
        text: Its decoded text.
    """
    language, role = kind.language, kind.role
    if not language:
        language, role = _unnamed(text)
    if language == "python" and role is Role.CODE and _is_test(path, text):
        return language, Role.TEST
    if language == "json" and role is Role.CONFIG and _is_data(path, text):
        return language, Role.DATA
    return language, role


def refusal_by_text(kind: NameKind, text: str) -> str:
    """Why a text is not worth keeping, or nothing: code that a tool wrote without line breaks."""
    if kind.language == "text" and len(text) > 20_000:
        lines = text.count("\n") + 1
        if len(text) / lines > 1_000:
            return "minified or generated: lines of over 1,000 characters"
    return ""


# What a link out of a repository is called when it stands for a disk full of data.
_DATA_LINKS = frozenset(
    {"data", "dataset", "datasets", "raw", "images", "checkpoint", "checkpoints", "ckpt", "ckpts"}
    | {"weights", "pretrained", "models", "cache", "wandb", "runs"}
    | _RESULT_WORDS
)


def could_decide(path: str, kind: NameKind) -> bool:
    """Whether a claim may hang on a file that is not read, as far as its name says.

    Args:
        path: Relative path with `/`.
        kind: What the name says.
    """
    if kind.refusal or kind.role not in {Role.CODE, Role.CONFIG}:
        return False
    return not (kind.language == "json" and _is_data(path, ""))


def link_could_decide(path: str) -> bool:
    """Whether a link out of the repository may lead to code: by its name, or to a folder of it."""
    name = PurePosixPath(path).name.lower()
    if "." in name.lstrip("."):
        return could_decide(path, kind_by_name(path))
    return name not in _DATA_LINKS


def _unnamed(text: str) -> tuple[str, Role]:
    if match := _SHEBANG.match(text):
        return ("python" if match[1] in {"python", "pypy"} else "shell"), Role.CODE
    # Two signs: prose has a line that begins with `import` or `from` now and then, not two kinds.
    hits = _PYTHON_LINE.findall(text[:40_000])
    words = {hit.split("(")[0].split(" ")[0].lstrip("@") for hit in hits}
    if (
        len(hits) >= 2
        and words & {"import", "from", "def", "class", "async"}
        and (len(words) >= 2 or len(hits) >= 3)
    ):
        return "python", Role.CODE
    return "text", Role.DATA


def _is_test(path: str, text: str) -> bool:
    *folders, name = path.lower().split("/")
    if not (_TEST_FOLDERS.intersection(folders) or _TEST_NAME.match(name)):
        return False
    if _TEST_IMPORT.search(text):
        return True
    return bool(_TEST_FUNCTION.search(text) and _ASSERTION.search(text))


def _is_data(path: str, text: str) -> bool:
    if text.lstrip().startswith("["):
        return True
    *folders, name = path.lower().split("/")
    words = {*folders, *re.split(r"[-_.\s]+", name)}
    return bool(words & _RESULT_WORDS)
