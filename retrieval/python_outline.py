"""Python, and notebooks laid out as Python, read with tree-sitter."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from retrieval.grammars import parse, text_of, without_idle_lines
from retrieval.outline import LineKind, Outline, blank_kinds
from retrieval.python_tree import read_tree
from retrieval.values import ParseState

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["python_outline"]

# Calls at the top of a module that prepare it and do no work.
_IDLE_CALLS = re.compile(
    r"(?:sys\.path|warnings|logging|logger|matplotlib|mpl|plt\.(?:style|rc|switch)|sns\.set|os\.environ"
    r"|os\.putenv|load_dotenv|dotenv|random\.seed|np\.(?:random\.seed|set_printoptions|seterr)"
    r"|torch\.(?:manual_seed|set_|backends|cuda\.manual|autograd\.set)|tf\.(?:random|get_logger|config)"
    r"|register|gym\.|gymnasium\.|pd\.(?:set_option|options)|typing|setattr|super|getLogger|locale"
    r"|multiprocessing\.set|mp\.set|nest_asyncio|rich|transformers\.logging|absl|flags\.|DEFINE_"
    r"|\w+\.register|\w+\.set_seed|set_seed|__all__|atexit|signal|faulthandler|sys\.setrecursionlimit)"
)


def python_outline(
    lines: list[str], recover: Callable[[list[str]], Iterable[list[str]]] = lambda _: ()
) -> Outline:
    """Read a Python file.

    Args:
        lines: Its lines. Anything at all may stand in them.
        recover: Called when they do not parse: as many lines that may parse better, once or more;
            the first that parse are taken, or else the last.
    """
    kinds = blank_kinds(lines, LineKind.CODE)
    source = _source(lines, kinds)
    # A file that begins with a fence cannot parse as it is, and errors take the parser long.
    fenced = _begins_with_fence(lines)
    tree = None if fenced else parse("python", source)
    if tree is None and not fenced:
        return _given_up(kinds)
    whole = tree is not None and not tree.root_node.has_error
    state = ParseState.PARSED if whole else ParseState.BROKEN
    recovered = lines
    for attempt in () if whole else recover(lines):
        better_source = _source(attempt, bytearray(kinds))
        better = parse("python", better_source)
        if better is None or len(attempt) != len(lines):
            continue
        tree, source, recovered = better, better_source, attempt
        if not tree.root_node.has_error:
            state = ParseState.RECOVERED
            break
    if recovered is not lines:
        for row, line in enumerate(recovered):
            # What stands outside the fences is prose.
            if kinds[row] and (not line or line.isspace()):
                kinds[row] = LineKind.PROSE
        lines = recovered
    tree = tree or parse("python", source)
    if tree is None:
        return _given_up(kinds)
    root = tree.root_node
    outline = Outline(state, kinds)
    read_tree(root, source, lines, outline)
    outline.acts = _acts(root, source)
    return outline


def _given_up(kinds: bytearray) -> Outline:
    return Outline(ParseState.BROKEN, kinds, notes=["the parser gave up"])


def _begins_with_fence(lines: list[str]) -> bool:
    first = next((line for line in lines if line and not line.isspace()), "")
    return first.lstrip().startswith(("```", "~~~"))


def _source(lines: list[str], kinds: bytearray) -> bytes:
    """What the parser gets; the comments that it is spared are marked here."""
    whole = "\n".join(lines).encode("utf-8", "replace")
    source = without_idle_lines(whole)
    if source is not whole and len(source) != len(whole):
        for row, (kept, line) in enumerate(zip(source.split(b"\n"), lines, strict=True)):
            if not kept and line.lstrip(" \t\f").startswith("#"):
                kinds[row] = LineKind.COMMENT
    return source


def _acts(root: Node, source: bytes) -> bool:
    """Whether running the module does more than define things."""
    for node in root.named_children:
        kind = node.type
        if kind in {"for_statement", "while_statement", "with_statement"}:
            return True
        if kind != "expression_statement" or node.named_child_count == 0:
            continue
        call = node.named_children[0]
        if call.type == "call" and not _IDLE_CALLS.match(text_of(source, call)):
            return True
    return False
