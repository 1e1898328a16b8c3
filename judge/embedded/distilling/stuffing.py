"""How much a repository gains when a paper's claims are pasted where they do nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmark import Sau
from judge.embedded.distilling.labelled import claims_of
from judge.embedded.features import features_of
from judge.embedded.looking import look
from judge.embedded.model import Model
from judge.embedded.parts import claim_of
from judge.embedded.rules import ceiling
from judge.embedded.survey import survey_of
from judge.embedded.telling import has_proof
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
