"""How much a repository gains when a paper's claims are pasted where they do nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from keyword import iskeyword
from pathlib import Path

import numpy as np

from benchmark import Sau
from judge.embedded.citing import has_proof
from judge.embedded.distilling.labelled import claims_of
from judge.embedded.features import features_of
from judge.embedded.looking import look
from judge.embedded.model import Model
from judge.embedded.parts import claim_of
from judge.embedded.rules import ceiling
from judge.embedded.survey import survey_of
from retrieval.index import Index
from retrieval.reading import read_repository
from retrieval.values import Repository, Role, SourceFile

__all__ = ["STUFFINGS", "gains"]

_DEF = re.compile(r"^(\s*)(?:async\s+)?def .*:\s*$")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]{2,}")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.])")

Texts = Sequence[str]
Stuffing = Callable[[Repository, Texts], Repository]


def _is_python(file: SourceFile) -> bool:
    return file.language == "python" and file.role is Role.CODE


def _rewritten(repository: Repository, change: Callable[[str], str]) -> Repository:
    files = [
        replace(file, text=change(file.text)) if _is_python(file) else file
        for file in repository.files
    ]
    return replace(repository, files=tuple(files))


def _with(repository: Repository, path: str, language: str, role: Role, text: str) -> Repository:
    files = [file for file in repository.files if file.path != path]
    files.append(SourceFile(path, language, role, text, "0" * 64))
    return replace(repository, files=tuple(sorted(files, key=lambda file: file.path)))


def _as_comments(texts: Texts, indent: str = "") -> str:
    return "".join(f"{indent}# {line}\n" for text in texts for line in text.splitlines())


def _in_functions(text: str, make: Callable[[str, int], str]) -> str:
    out: list[str] = []
    number = 0
    for line in text.splitlines(keepends=True):
        out.append(line)
        match = _DEF.match(line.rstrip("\n"))
        if match:
            out.append(make(match[1] + "    ", number))
            number += 1
    return "".join(out)


def _quiet(text: str) -> str:
    return text.replace("\\", " ").replace('"""', "'")


def _comments_in_functions(repository: Repository, texts: Texts) -> Repository:
    def change(text: str) -> str:
        return _in_functions(
            text, lambda indent, number: _as_comments([texts[number % len(texts)]], indent)
        )

    return _rewritten(repository, change)


def _docstrings(repository: Repository, texts: Texts) -> Repository:
    def change(text: str) -> str:
        return _in_functions(
            text,
            lambda indent, number: f'{indent}"""{_quiet(texts[number % len(texts)])}"""\n',
        )

    return _rewritten(repository, change)


def _strings(repository: Repository, texts: Texts) -> Repository:
    lines = "".join(f"CLAIM_{n} = {_quiet(text)!r}\n" for n, text in enumerate(texts))
    return _rewritten(repository, lambda text: text + "\n" + lines)


def _statements(texts: Texts, indent: str) -> str:
    lines: list[str] = []
    for text in texts:
        words = _WORD.findall(text)
        numbers = _NUMBER.findall(text) or ["1"]
        lines += [
            f"{indent}{word.lower()} = {numbers[place % len(numbers)]}\n"
            for place, word in enumerate(words)
            if word.isidentifier()
        ]
    return "".join(lines)


def _dead_code(repository: Repository, texts: Texts) -> Repository:
    body = "".join(
        f"def claim_{n}():\n{_statements([text], '    ') or '    pass'}\n    return 1\n\n"
        for n, text in enumerate(texts)
    )
    return _with(repository, "paper_method.py", "python", Role.CODE, body)


def _called_code(repository: Repository, texts: Texts) -> Repository:
    made = _dead_code(repository, texts)
    calls = "".join(f"    paper_method.claim_{n}()\n" for n in range(len(texts)))
    entries = Index.build(repository).graph.entry_points
    tail = f"\n\nimport paper_method\n\nif __name__ == '__main__':\n{calls}"
    files = [
        replace(file, text=file.text + tail) if file.path in entries[:1] else file
        for file in made.files
    ]
    return replace(made, files=tuple(files))


def _run(repository: Repository, definitions: str, lines: Sequence[str]) -> Repository:
    """With lines that the first entry point runs, and what they need above them."""
    entries = Index.build(repository).graph.entry_points
    block = "".join(f"    {line}\n" for line in lines) or "    pass\n"
    tail = f"\n\n{definitions}\n\nif __name__ == '__main__':\n{block}"
    files = [
        replace(file, text=file.text + tail) if file.path in entries[:1] else file
        for file in repository.files
    ]
    return replace(repository, files=tuple(files))


def _words(text: str) -> list[str]:
    return [word for word in map(str.lower, _WORD.findall(text)) if not iskeyword(word)]


def _name(words: Sequence[str]) -> str:
    return "_".join(words) or "claim"


def _given(text: str) -> str:
    """Each value of a claim as an argument that is named by the word before it."""
    found = [
        (_words(text[: match.start()])[-1:] or ["value"])[0] + f"={match[0]}"
        for match in _NUMBER.finditer(text)
    ]
    return ", ".join({item.partition("=")[0]: item for item in found}.values())


def _called_stubs(repository: Repository, texts: Texts) -> Repository:
    names = dict.fromkeys(_name(_words(text)) for text in texts)
    made = "\n\n".join(f"def {name}():\n    pass\n" for name in names)
    return _run(repository, made, [f"{name}()" for name in names])


_PIECE = 3


def _called_pieces(repository: Repository, texts: Texts) -> Repository:
    made: dict[str, str] = {}
    for text in texts:
        words = _words(text)
        given = _given(text)
        asked = [item.partition("=")[0] for item in given.split(", ") if item] or ["1"]
        for start in range(0, len(words), _PIECE):
            name = _name(words[start : start + _PIECE])
            body = f"    found = {' + '.join(asked)}\n    return found * 2\n"
            made[name] = f"def {name}({given}):\n{body}"
    return _run(repository, "\n\n".join(made.values()), [f"{name}()" for name in made])


def _printed_names(repository: Repository, texts: Texts) -> Repository:
    names = [_name(_words(text)) for text in texts]
    lines = [f"{name} = {number}.5" for number, name in enumerate(names)]
    return _run(repository, "", [*lines, f"print({' + '.join(names)})"])


def _printed_words(repository: Repository, texts: Texts) -> Repository:
    lines = [line for text in texts for line in _statements([text], "").splitlines()]
    names = dict.fromkeys(line.partition(" ")[0] for line in lines)
    kept = [line for line in lines if not iskeyword(line.partition(" ")[0])]
    told = ", ".join(name for name in names if not iskeyword(name))
    return _run(repository, "", [*kept, f"print({told})"])


def _logged(repository: Repository, texts: Texts) -> Repository:
    lines = [f"logging.info({_quiet(text)!r}, dict({_given(text)}))" for text in texts]
    return _run(repository, "import logging", lines)


def _asserted(repository: Repository, texts: Texts) -> Repository:
    lines = [f"assert {' and '.join(map(repr, text.split()))}" for text in texts]
    return _run(repository, "", lines)


def _keywords(repository: Repository, texts: Texts) -> Repository:
    """A dictionary with all words for keys, handed to the entry point's first call of its own."""
    graph = Index.build(repository).graph
    words = dict.fromkeys(word for text in texts for word in _words(text))
    handed = f"dict({', '.join(f'{word}=1' for word in words)})"
    for path in graph.entry_points[:1]:
        symbols = [symbol for symbol in graph.symbols if symbol.path == path]
        for call in (call for symbol in symbols for call in symbol.calls if call.target):
            files: list[SourceFile] = []
            for file in repository.files:
                if file.path == path:
                    lines = file.text.splitlines(keepends=True)
                    before, found, after = lines[call.line - 1].partition(f"{call.name}(")
                    gap = "" if after.lstrip().startswith(")") else ", "
                    lines[call.line - 1] = f"{before}{found}{handed}{gap}{after}"
                    files.append(replace(file, text="".join(lines)) if found else file)
                else:
                    files.append(file)
            return replace(repository, files=tuple(files))
    return repository


_UNUSED = """
nn.MultiheadAttention(128, 8)
nn.TransformerEncoderLayer(128, 8)
nn.CrossEntropyLoss()
nn.LSTM(64, 64)
nn.LayerNorm(64)
torch.nn.functional.scaled_dot_product_attention(torch.rand(1, 2, 3), torch.rand(1, 2, 3), None)
torch.optim.AdamW([torch.zeros(1)])
torch.optim.lr_scheduler.CosineAnnealingLR
accuracy_score([0], [0])
LogisticRegression()
KFold(5)
"""
_IMPORTED = """import torch
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.model_selection import KFold
from torch import nn
"""


def _unused_library(repository: Repository, _: Texts) -> Repository:
    return _run(repository, _IMPORTED, _UNUSED.strip().splitlines())


STUFFINGS: Mapping[str, Stuffing] = {
    "comments on top": lambda r, t: _rewritten(r, lambda text: _as_comments(t) + text),
    "comments in functions": _comments_in_functions,
    "docstrings": _docstrings,
    "docstring of the module": lambda r, t: _rewritten(
        r, lambda text: '"""' + _quiet("\n".join(t)) + '"""\n' + text
    ),
    "strings": _strings,
    "README": lambda r, t: _with(r, "README.md", "markdown", Role.DOC, "\n\n".join(t) + "\n"),
    "unread configuration": lambda r, t: _with(
        r, "paper_claims.yaml", "yaml", Role.CONFIG, _statements(t, "").replace(" = ", ": ")
    ),
    "dead code": _dead_code,
    "called code that does nothing": _called_code,
    "functions named by claims, empty": _called_stubs,
    "functions named by words of claims, results dropped": _called_pieces,
    "variables named by claims, printed": _printed_names,
    "variables named by words, printed": _printed_words,
    "claims logged with their values": _logged,
    "words asserted": _asserted,
    "words as keywords": _keywords,
    "unused calls of libraries": _unused_library,
}
"""By name: how the claims are pasted."""


def gains(root: Path, claims: Path, model: Model) -> dict[str, float]:
    """What each stuffing adds to the expected score, mean over the claims of a paper."""
    repository = read_repository(root, exclude=["result/"])
    saus = claims_of(claims)
    texts = [sau.claim for sau in saus]
    before = _expected(repository, saus, model)
    return {
        name: float(np.mean(_expected(stuff(repository, texts), saus, model) - before))
        for name, stuff in STUFFINGS.items()
    }


def _expected(repository: Repository, saus: Sequence[Sau], model: Model) -> np.ndarray:
    survey = survey_of(Index.build(repository))
    found: list[float] = []
    for sau in saus:
        claim = claim_of(sau)
        findings = look(survey, claim)
        numbers = features_of(survey, claim, findings)
        highest = int(ceiling(claim, numbers, findings, proof=has_proof(survey, findings)))
        found.append(model.outcome(numbers, highest).expected / 4)
    return np.array(found)
