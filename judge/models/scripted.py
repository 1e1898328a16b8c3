"""A judge that answers from a script: for tests and for demonstrations without a network.

A script is YAML or JSON Lines. Rules are tried in order, and the first that fits answers:

```yaml
rules:
  - when: {sau: adam-D1-001}                 # exact, or a pattern with *
    answer: {level: "1", drift: none, failure: none}
  - when: {submission: "stubbed/*", prompt: "(?i)label smoothing"}   # prompt: a regular expression
    outcomes:                                 # first time, second time, and so on
      - text: "not JSON"
      - answer: {level: "0.5", drift: methodological, failure: incomplete}
  - when: {repeat: 1}
    error: {code: timeout, message: no answer}
default:
  answer: {level: cannot_tell}
```

An `answer` may leave fields out: they are filled in, and `citations` then quotes the first line of
the evidence. `text` is sent as it stands. `error` raises `AnswerError`, or with `fatal: true`
`FatalProviderError`. In JSON Lines each line is a rule, and a rule without `when` is the default.
"""

from __future__ import annotations

import fnmatch
import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmark import InputError, Where
from benchmark.yaml_text import YamlTextError, parse_yaml
from judge.protocol import (
    Answer,
    AnswerError,
    FatalProviderError,
    Question,
    Request,
    canonical_json,
)
from judge.verdict import Usage

__all__ = ["Rule", "Script", "ScriptedJudge"]

_OUTCOMES = {"answer", "text", "error"}
_CONDITIONS = {"sau", "submission", "prompt", "repeat"}
_REMEDY = "See the head of judge/models/scripted.py for the form of a script"


@dataclass(frozen=True, slots=True)
class Rule:
    """When it applies, and what is answered the first, second, ... time; the last one stays.

    Attributes:
        outcomes: Each has one key: `answer`, `text` or `error`.
        sau: Claim id or pattern.
        submission: Submission id or pattern.
        prompt: Regular expression that is searched for in the messages.
        repeat: The repeat's number.
    """

    outcomes: tuple[Mapping[str, Any], ...]
    sau: str = "*"
    submission: str = "*"
    prompt: re.Pattern[str] | None = None
    repeat: int | None = None

    def fits(self, body: Mapping[str, Any]) -> bool:
        """Whether a request is one of those that this rule answers."""
        return (
            fnmatch.fnmatchcase(body["sau"], self.sau)
            and fnmatch.fnmatchcase(body["submission"], self.submission)
            and (self.repeat is None or body["repeat"] == self.repeat)
            and (
                self.prompt is None
                or any(self.prompt.search(message["content"]) for message in body["messages"])
            )
        )


@dataclass(frozen=True, slots=True)
class Script:
    """Rules in the order in which they are tried.

    Attributes:
        rules: The rules; one that fits everything, at the end, is the default.
        digest: Fingerprint of the rules: another script is another judge.
    """

    rules: tuple[Rule, ...]
    digest: str = field(compare=False)

    @classmethod
    def of(cls, data: Any, *, source: str = "script") -> Script:  # noqa: ANN401
        """Make a script from plain values: a mapping with `rules` and `default`, or a list.

        Raises:
            InputError: It is no script.
        """
        if isinstance(data, list):
            data = {"rules": data}
        if not isinstance(data, dict) or (unknown := data.keys() - {"rules", "default"}):
            problem = "not a mapping" if not isinstance(data, dict) else f"unknown {unknown}"
            raise _wrong(f"the script has no `rules` ({problem})", source, "")
        entries = data.get("rules") or []
        if not isinstance(entries, list):
            raise _wrong("`rules` is not a list", source, "rules")
        rules = [_rule(entry, source, f"rules.{n}") for n, entry in enumerate(entries)]
        # A rule for everything is the default wherever it stands, as in JSON Lines.
        rules.sort(key=lambda rule: rule == Rule(rule.outcomes))
        if (default := data.get("default")) is not None:
            rules.append(_rule(default, source, "default"))
        digest = hashlib.sha256(canonical_json(data).encode()).hexdigest()[:16]
        return cls(tuple(rules), digest)

    @classmethod
    def load(cls, path: Path) -> Script:
        """Read a script: JSON Lines where the name ends in `.jsonl`, else YAML.

        Raises:
            InputError: The file cannot be read, or is no script.
        """
        shown = str(path)
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(
                f"the script cannot be read ({error})",
                where=Where(shown),
                remedy="Check judge.script",
            ) from error
        if path.suffix != ".jsonl":
            try:
                return cls.of(parse_yaml(text).value, source=shown)
            except YamlTextError as error:
                line, column = error.place or (None, None)
                raise InputError(
                    f"the script is not YAML: {error.problem}",
                    where=Where(shown, line=line, column=column),
                    remedy=error.remedy,
                ) from error
        rules = []
        for number, row in enumerate(text.split("\n"), 1):
            if not row.strip():
                continue
            try:
                rules.append(json.loads(row))
            except ValueError as error:
                raise InputError(
                    f"the line is not JSON ({error})",
                    where=Where(shown, line=number),
                    remedy=_REMEDY,
                ) from error
        return cls.of(rules, source=shown)


class ScriptedJudge:
    """Answers by a script, at once and always the same.

    Args:
        script: The rules, or plain values to make them of.
        model: A name for tables.

    Attributes:
        calls: Times that each (submission, claim, repeat) was asked.
    """

    provider = "scripted"

    def __init__(self, script: Script | Mapping[str, Any], *, model: str | None = None) -> None:
        self._script = script if isinstance(script, Script) else Script.of(script)
        self.model: str | None = model or "script"
        self.name = f"scripted:{self.model}"
        self.calls: Counter[tuple[str, str, int]] = Counter()
        self._used: Counter[tuple[int, str, str, int]] = Counter()

    def identity(self) -> Mapping[str, Any]:
        """The script's fingerprint and the name."""
        return {"provider": "scripted", "model": self.model, "script": self._script.digest}

    def request(self, question: Question, *, repeat: int = 0) -> Request:
        """The question with its ids, which rules go by."""
        prompt = question.prompt
        parts = [] if prompt is None else [prompt.system, prompt.shared, prompt.question]
        return Request(
            {
                **self.identity(),
                "submission": question.submission,
                "sau": question.sau.id,
                "messages": [{"role": "user", "content": part} for part in parts],
                "evidence": [
                    [passage.path, passage.first, passage.text]
                    for passage in question.evidence.passages
                ],
                "repeat": repeat,
            }
        )

    async def judge(self, request: Request) -> Answer:
        """Answer by the first rule that fits.

        Raises:
            AnswerError: The rule says so, or no rule fits.
            FatalProviderError: The rule says so.
        """
        body = request.body
        asked = (body["submission"], body["sau"], body["repeat"])
        self.calls[asked] += 1
        for number, rule in enumerate(self._script.rules):
            if rule.fits(body):
                turn = self._used[number, *asked]
                self._used[number, *asked] += 1
                outcome = rule.outcomes[min(turn, len(rule.outcomes) - 1)]
                return self._answer(outcome, body)
        raise AnswerError("unscripted", f"no rule of the script answers {asked[1]} of {asked[0]}")

    async def close(self) -> None:
        """Nothing is held."""

    def _answer(self, outcome: Mapping[str, Any], body: Mapping[str, Any]) -> Answer:
        if "error" in outcome:
            error = outcome["error"]
            message = str(error.get("message", "scripted"))
            if error.get("fatal"):
                raise FatalProviderError(message)
            raise AnswerError(str(error["code"]), message)
        if "text" in outcome:
            text = str(outcome["text"])
        else:
            text = json.dumps(_filled(outcome["answer"], body["evidence"]), ensure_ascii=False)
        return Answer(text=text, model=self.model, rung="text", usage=Usage(cost_usd=0.0))


def _filled(answer: Mapping[str, Any], evidence: list[list[Any]]) -> dict[str, Any]:
    """A whole answer from the fields that matter to a script."""
    level = str(answer.get("level", "cannot_tell"))
    whole: dict[str, Any] = {
        "expected": "as claimed",
        "found": "as scripted",
        "citations": [] if level in {"0", "cannot_tell"} else _first_line(evidence),
        "rationale": "the script says so",
        "level": level,
        "drift": "none",
        "failure": "none",
        "confidence": 1.0,
        "lacking": [],
    }
    return {**whole, **answer, "level": level}


def _first_line(evidence: list[list[Any]]) -> list[dict[str, Any]]:
    for path, first, text in evidence:
        for offset, line in enumerate(text.split("\n")):
            if line.strip():
                number = first + offset
                return [{"path": path, "first": number, "last": number, "quote": line}]
    return []


def _wrong(problem: str, source: str, key: str) -> InputError:
    return InputError(problem, where=Where(source, key=key or None), remedy=_REMEDY)


def _rule(entry: Any, source: str, key: str) -> Rule:  # noqa: ANN401
    if not isinstance(entry, dict):
        raise _wrong("a rule is not a mapping", source, key)
    when = entry.get("when") or {}
    if not isinstance(when, dict) or (when.keys() - _CONDITIONS):
        raise _wrong(f"`when` knows {', '.join(sorted(_CONDITIONS))}", source, f"{key}.when")
    rest = {name: value for name, value in entry.items() if name != "when"}
    outcomes = rest.pop("outcomes", None)
    if outcomes is None:
        outcomes, rest = [rest], {}
    if rest or not isinstance(outcomes, list) or not outcomes:
        raise _wrong("a rule has one outcome, or a list `outcomes`", source, key)
    for outcome in outcomes:
        if not isinstance(outcome, dict) or len(outcome) != 1 or not outcome.keys() <= _OUTCOMES:
            raise _wrong("an outcome is one of answer, text, error", source, key)
        name, value = next(iter(outcome.items()))
        if name != "text" and not isinstance(value, dict):
            raise _wrong(f"`{name}` is not a mapping", source, key)
        if name == "error" and "code" not in value and not value.get("fatal"):
            raise _wrong("an error needs a `code`, or `fatal: true`", source, key)
    pattern = when.get("prompt")
    try:
        prompt = None if pattern is None else re.compile(str(pattern))
    except re.error as error:
        raise _wrong(f"`prompt` is no regular expression ({error})", source, key) from error
    return Rule(
        outcomes=tuple(outcomes),
        sau=str(when.get("sau", "*")),
        submission=str(when.get("submission", "*")),
        prompt=prompt,
        repeat=when.get("repeat"),
    )
