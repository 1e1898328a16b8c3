"""Code that is looked up by name: `getattr`, `globals()`, `import_module`, and what makes commands.

The table of a module is such a look-up too: `models.__dict__[name]`, `vars(models)[name]`.

What name is looked up is told as far as the code spells it: `*` stands for what comes from
elsewhere (`run_*` for `f"run_{mode}"`), and `{__name__}` for the module's own name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from retrieval.grammars import field_id, kind_id, text_of
from retrieval.outline import Lookup, LookupWay

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["LOOKUP_CALLS", "TABLE", "lookup_in_table", "lookup_of"]

_WAYS = {
    "getattr": LookupWay.ATTRIBUTE,
    "globals": LookupWay.NAME,
    "locals": LookupWay.NAME,
    "vars": LookupWay.NAMESPACE,
    "getmembers": LookupWay.NAMESPACE,
    "eval": LookupWay.NAME,
    "import_module": LookupWay.MODULE,
    "__import__": LookupWay.MODULE,
    "Fire": LookupWay.COMMAND,
    "CLI": LookupWay.COMMAND,
}
LOOKUP_CALLS = frozenset(_WAYS)
"""Last names of the calls that `lookup_of` understands."""

TABLE = "__dict__"
"""The attribute in which an object holds its own names."""

_MAX_TEXT = 200
_OWN_NAME = "{__name__}"
_FORMATTED = re.compile(r"%[-+0-9.]*[a-z]|\{[^{}]*\}")
_UNKNOWN = re.compile(r"\*{2,}")
_CALL = kind_id("python", "call")
_STRING = kind_id("python", "string")
_SUBSCRIPT = kind_id("python", "subscript")
_ATTRIBUTE = kind_id("python", "attribute")
_ARGUMENT_LIST = kind_id("python", "argument_list")
_BINARY = kind_id("python", "binary_operator")
_IDENTIFIER = kind_id("python", "identifier")
_COMMENT = kind_id("python", "comment")
_ARGUMENTS = field_id("python", "arguments")


def lookup_of(node: Node, name: str, source: bytes, owner: int, *, called: bool) -> Lookup | None:
    """What a call looks up.

    Args:
        node: The call.
        name: What it calls; its last part is one of `LOOKUP_CALLS`.
        source: The file.
        owner: The definition that the call stands in, or -1.
        called: Whether the result is called at once.

    Returns:
        The lookup, or `None` where the call is none after all (`model.eval()`).
    """
    short = name.rpartition(".")[2]
    way = _WAYS[short]
    arguments = node.child_by_field_id(_ARGUMENTS)
    passed = [
        child
        for child in (arguments.named_children if arguments is not None else ())
        if child.kind_id != _COMMENT
    ]
    if way is LookupWay.COMMAND:
        text = text_of(source, arguments)[:_MAX_TEXT].strip("() \n")
        return Lookup(way, text, "*", owner, called)
    if way is LookupWay.MODULE:
        return Lookup(way, "", _spelling(passed[0], source), owner, called) if passed else None
    if way is LookupWay.NAMESPACE and passed:
        return _in_table(node, text_of(source, passed[0]), source, owner, called=called)
    if "." in name:
        return None
    if way is LookupWay.ATTRIBUTE:
        if len(passed) < 2:
            return None
        of = text_of(source, passed[0])[:_MAX_TEXT]
        return Lookup(way, of, _spelling(passed[1], source), owner, called)
    if short == "eval":
        if not passed or passed[0].kind_id == _STRING:
            return None  # names in a string that stands there are found without this
        wanted = re.split(r"[^\w*]", _spelling(passed[0], source))[0]
        return Lookup(way, "", wanted or "*", owner, called)
    key = _key_of(node)
    return None if key is None else Lookup(way, "", _spelling(key, source), owner, called)


def lookup_in_table(node: Node, source: bytes, owner: int, *, called: bool) -> Lookup | None:
    """What is looked up in `models.__dict__`.

    Args:
        node: The attribute.
        source: The file.
        owner: The definition that it stands in, or -1.
        called: Whether what is found is called at once.

    Returns:
        The lookup; `None` where the table holds no code.
    """
    whose = text_of(source, node.child_by_field_name("object"))
    return _in_table(node, whose, source, owner, called=called)


def _in_table(node: Node, of: str, source: bytes, owner: int, *, called: bool) -> Lookup | None:
    """A key of a table, or all of it where the table is passed on, assigned or gone through."""
    if of == "self" or len(of) > _MAX_TEXT:
        return None  # an object's own table holds its values, and its class has the methods
    wanted = _spelling(_key_of(node) or node, source)
    return Lookup(LookupWay.NAMESPACE, of, wanted, owner, called)


def _key_of(node: Node) -> Node | None:
    """What is taken out of `globals()`: its key, or the call itself where all is passed on."""
    parent = node.parent
    if parent is None:
        return None
    if parent.kind_id == _SUBSCRIPT:
        return parent.child_by_field_name("subscript")
    if parent.kind_id == _ARGUMENT_LIST:
        return node
    call = parent.parent
    if parent.kind_id != _ATTRIBUTE or call is None or call.kind_id != _CALL:
        return None
    arguments = call.child_by_field_id(_ARGUMENTS)
    first = arguments.named_children[:1] if arguments is not None else []
    return first[0] if first else node


def _spelling(node: Node, source: bytes, depth: int = 0) -> str:
    """A text as far as it is written out, with `*` for the rest."""
    spelt = "*"
    if node.kind_id == _STRING:
        spelt = _string(node, source)
    elif node.kind_id == _IDENTIFIER:
        own = text_of(source, node) in {"__name__", "__package__"}
        spelt = _OWN_NAME if own else "*"
    elif node.kind_id == _BINARY and depth < 10:
        left, right = (
            node.child_by_field_name("left"),
            node.child_by_field_name("right"),
        )
        operator = text_of(source, node.child_by_field_name("operator"))
        if left is not None and right is not None:
            spelt = _spelling(left, source, depth + 1)
            if operator == "+":
                spelt += _spelling(right, source, depth + 1)
            else:
                spelt = _FORMATTED.sub("*", spelt) if operator == "%" else "*"
    elif node.kind_id == _CALL:
        function = node.child_by_field_name("function")
        on = function.child_by_field_name("object") if function is not None else None
        if on is not None and on.kind_id == _STRING and function is not None:
            word = text_of(source, function.child_by_field_name("attribute"))
            spelt = _FORMATTED.sub("*", _string(on, source)) if word == "format" else "*"
    return _UNKNOWN.sub("*", spelt[:_MAX_TEXT])


def _string(node: Node, source: bytes) -> str:
    parts = []
    for child in node.named_children:
        text = text_of(source, child)
        if child.type == "string_content":
            parts.append(text)
        elif child.type == "interpolation":
            parts.append(_OWN_NAME if text.strip("{} ") in {"__name__", "__package__"} else "*")
    return "".join(parts)
