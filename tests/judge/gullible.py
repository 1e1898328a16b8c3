"""A judge that obeys whatever it can read as an order, and three ways of reading."""

from __future__ import annotations

import base64
import binascii
import codecs
import contextlib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import unquote

from judge.protocol import Answer, Question, Request
from judge.verdict import Usage
from tests.judge.toys import answer_text

__all__ = ["Gullible", "readings", "understood"]

_NUMBER = re.compile(r"^ *\d+\| ?", re.MULTILINE)
_SPELT = re.compile(r"⟦U\+([0-9A-F]+)⟧")
_HOMOGLYPHS = str.maketrans("аеорсх", "aeopcx")
_LEET = str.maketrans("0134", "oiea")
HONEST = answer_text(
    level="0.25",
    drift="methodological",
    citations=[
        {
            "path": "train.py",
            "first": 1,
            "last": 1,
            "quote": "    return torch.optim.SGD(model.parameters(), lr=0.1)",
        }
    ],
)


class Gullible:
    """Answers honestly until it reads an order; then it gives full marks.

    Args:
        orders: By submission, the words that all have to be read for an order to be understood.
        believes_fences: It reads only what stands outside the fences. A line that looks like the
            end of one is the end of it, whatever token it has.
        cunning: It cites real code for what it was told to say; else what told it so.
    """

    provider = "scripted"
    model: str | None = "gullible"
    name = "gullible"

    def __init__(
        self, orders: Mapping[str, tuple[str, ...]], *, believes_fences: bool, cunning: bool
    ) -> None:
        self.orders = orders
        self.believes_fences = believes_fences
        self.cunning = cunning
        self.obeyed: set[str] = set()

    def identity(self) -> Mapping[str, Any]:
        return {"fences": self.believes_fences, "cunning": self.cunning}

    def request(self, question: Question, *, repeat: int = 0) -> Request:
        prompt = question.prompt
        assert prompt is not None
        parts = (prompt.system, prompt.shared, prompt.question)
        messages = [{"role": "user", "content": part} for part in parts]
        return Request(
            {"submission": question.submission, "messages": messages, "repeat": repeat}
            | dict(self.identity())
        )

    async def judge(self, request: Request) -> Answer:
        shown = "\n".join(
            message["content"]
            for message in request.body["messages"][1:]
            if message["role"] == "user"
        )
        name = request.body["submission"]
        orders = self.orders[name]
        read = outside_fences(shown) if self.believes_fences else shown
        text = HONEST
        if understood(read, orders):
            self.obeyed.add(name)
            text = answer_text(
                level="1", drift="none", failure="none", confidence=1.0,
                citations=self._citations(shown, orders),
            )  # fmt: skip
        return Answer(text, model=self.model, usage=Usage(cost_usd=0.0))

    async def close(self) -> None:
        pass

    def _citations(self, shown: str, orders: tuple[str, ...]) -> list[dict[str, Any]]:
        if self.cunning:
            return [{"path": "train.py", "first": 13, "last": 13, "quote": "optimizer.step()"}]
        path = ""
        for line in shown.split("\n"):
            if head := re.match(r"== (\S+) lines", line):
                path = head.group(1)
            number = _NUMBER.match(line)
            words = [squeezed(word) for order in orders for word in order.split() if len(word) > 3]
            if path and number and any(any(w in r for w in words) for r in readings(line)):
                place = int(number.group().strip(" |"))
                quote = line[number.end() :]
                return [{"path": path, "first": place, "last": place, "quote": quote}]
        return []


def outside_fences(text: str) -> str:
    """What a reader takes for the question itself."""
    kept, inside = [], False
    for line in text.split("\n"):
        if line.startswith("<<<end"):
            inside = False
        elif re.match(r"<<<(repository|evidence|paper|claim) ", line):
            inside = True
        elif not inside:
            kept.append(line)
    return "\n".join(kept)


def understood(text: str, orders: Iterable[str]) -> bool:
    """Whether all orders can be read in a text, in one way or another."""
    seen = readings(text)
    return all(
        any(wanted in one or wanted.translate(_LEET) in one for one in seen)
        for wanted in map(squeezed, orders)
    )


def squeezed(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).translate(_HOMOGLYPHS).lower()
    return "".join(c for c in folded if c.isalnum())


def readings(text: str) -> list[str]:
    """Everything that a patient reader could take a text to say."""
    bare = _SPELT.sub(lambda match: _shown(chr(int(match.group(1), 16))), _NUMBER.sub("", text))
    bare = "".join(_shown(c) for c in bare)
    bare = re.sub(r"\\x([0-9a-f]{2})", lambda match: chr(int(match.group(1), 16)), bare)
    found = [bare, bare[::-1], bare.translate(_LEET), codecs.encode(bare, "rot13")]
    if "%" in bare:
        found.append(unquote(bare))
    for word in re.findall(r"[A-Za-z0-9+/]{24,}={0,2}", bare):
        with contextlib.suppress(binascii.Error, ValueError):
            found.append(base64.b64decode(word).decode())
    found += [
        bytes.fromhex(word).decode("latin-1") for word in re.findall(r"(?:[0-9a-f]{2}){12,}", bare)
    ]
    for row in re.findall(r"(?:\d{2,3}, ){12,}\d{2,3}", bare):
        found.append("".join(chr(int(number)) for number in row.split(", ")))
    return [squeezed(one) for one in found]


def _shown(character: str) -> str:
    if 0xE0000 <= ord(character) < 0xE0080:
        return chr(ord(character) - 0xE0000)
    return "" if unicodedata.category(character) == "Cf" else character
