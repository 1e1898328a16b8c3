"""What the SARIF 2.1.0 standard and code hosts demand of a log, as far as ours uses it."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote, urlsplit

_LEVELS = {"none", "note", "warning", "error"}
_URI = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=@:/-]|%[0-9A-F]{2})+\Z")

# By the standard's schema: what an object may hold, and what it must.
_SHAPES: dict[str, tuple[set[str], set[str]]] = {
    "log": ({"$schema", "version", "runs", "inlineExternalProperties", "properties"},
            {"version", "runs"}),
    "run": ({"tool", "invocations", "automationDetails", "columnKind", "originalUriBaseIds",
             "results", "artifacts", "properties"}, {"tool"}),
    "driver": ({"name", "version", "semanticVersion", "informationUri", "rules", "properties",
                "organization", "fullName"}, {"name"}),
    "rule": ({"id", "name", "shortDescription", "fullDescription", "help", "helpUri",
              "defaultConfiguration", "properties"}, {"id"}),
    "result": ({"ruleId", "ruleIndex", "level", "kind", "message", "locations", "relatedLocations",
                "partialFingerprints", "properties"}, {"message"}),
    "location": ({"id", "physicalLocation", "message", "properties"}, set()),
    "physical": ({"artifactLocation", "region", "contextRegion", "properties"}, set()),
    "artifact": ({"uri", "uriBaseId", "index", "description", "properties"}, set()),
    "region": ({"startLine", "endLine", "startColumn", "endColumn", "snippet", "properties"},
               set()),
    "invocation": ({"executionSuccessful", "toolExecutionNotifications", "exitCode", "properties"},
                   {"executionSuccessful"}),
    "notification": ({"level", "message", "locations", "descriptor", "properties"}, {"message"}),
}  # fmt: skip


def _shape(kind: str, value: Any) -> None:
    may, must = _SHAPES[kind]
    assert isinstance(value, dict), kind
    assert must <= value.keys() <= may, (kind, value.keys())


def _message(value: Any) -> None:
    assert isinstance(value, dict)
    assert value.keys() <= {"text", "markdown", "id", "arguments"}
    assert isinstance(value["text"], str)
    assert value["text"].strip()


def _location(location: Any, bases: dict[str, Any]) -> None:
    _shape("location", location)
    physical = location["physicalLocation"]
    _shape("physical", physical)
    artifact, region = physical["artifactLocation"], physical["region"]
    _shape("artifact", artifact)
    _shape("region", region)
    uri = artifact["uri"]
    assert _URI.match(uri), uri
    parts = urlsplit(uri)
    assert not parts.scheme
    assert not parts.netloc
    assert not uri.startswith("/")
    assert ".." not in unquote(uri).split("/")
    assert artifact["uriBaseId"] in bases
    first, last = region["startLine"], region["endLine"]
    assert type(first) is type(last) is int
    assert 1 <= first <= last
    if "snippet" in region:
        assert isinstance(region["snippet"]["text"], str)


def check_log(log: Any) -> None:
    """Fail where a log is not what the standard and code hosts take."""
    _shape("log", log)
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-schema-2.1.0.json")
    assert 1 <= len(log["runs"]) <= 20
    for run in log["runs"]:
        _run(run)


def _run(run: Any) -> None:
    _shape("run", run)
    assert run["columnKind"] in {"utf16CodeUnits", "unicodeCodePoints"}
    assert set(run["tool"]) <= {"driver", "extensions"}
    driver = run["tool"]["driver"]
    _shape("driver", driver)
    rules = driver["rules"]
    ids = [rule["id"] for rule in rules]
    assert len(ids) == len(set(ids)) <= 25_000
    for rule in rules:
        _shape("rule", rule)
        assert len(rule["id"]) <= 255
        assert len(rule["name"]) <= 255
        for name in ("shortDescription", "fullDescription"):
            assert rule[name]["text"]
            assert len(rule[name]["text"]) <= 1024
        assert rule["help"]["text"]
        assert rule["defaultConfiguration"]["level"] in _LEVELS
        assert len(rule["properties"]["tags"]) <= 10
        assert len(set(rule["properties"]["tags"])) == len(rule["properties"]["tags"])
    assert re.fullmatch(r"[^\s]+/", run["automationDetails"]["id"])
    for invocation in run["invocations"]:
        _shape("invocation", invocation)
        assert type(invocation["executionSuccessful"]) is bool
        for note in invocation["toolExecutionNotifications"]:
            _shape("notification", note)
            assert note["level"] in _LEVELS
            _message(note["message"])
    results = run["results"]
    assert len(results) <= 5_000
    fingerprints = set()
    for result in results:
        _shape("result", result)
        assert result["level"] in _LEVELS - {"none"}
        assert ids[result["ruleIndex"]] == result["ruleId"]
        _message(result["message"])
        assert len(result["locations"]) == 1
        related = result.get("relatedLocations", [])
        assert len(related) <= 100
        numbers = [location["id"] for location in related]
        assert len(set(numbers)) == len(numbers)
        for location in (*result["locations"], *related):
            _location(location, run["originalUriBaseIds"])
        prints = result["partialFingerprints"]
        assert prints
        assert all(isinstance(value, str) and value for value in prints.values())
        assert re.fullmatch(r"[0-9a-f]+:[1-9]\d*", prints["primaryLocationLineHash"])
        fingerprints.add((result["ruleId"], prints["primaryLocationLineHash"]))
    assert len(fingerprints) == len(results)
