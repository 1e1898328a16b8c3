"""How comments and strings are written, language by language: tables, no code.

Languages without a grammar here are read by these rules; `comments.py` applies them. A rule that
is missed lets commented-out code pass for code, so a language has all its forms of comment; of its
strings it has what can hold the sign of a comment.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import PurePosixPath

__all__ = ["Ends", "Rule", "Syntax", "syntax_of"]


class Ends(Enum):
    """What becomes of a span whose end is not there."""

    AT_FILE_END = "file"  # a comment: what follows it does nothing
    AT_SIGN = "sign"  # a stray quote: it opened nothing


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of span.

    Attributes:
        opens: Pattern of its beginning. A group in it, if any, is the mark that its end repeats.
        closes: Pattern of the rest of it, its end included; empty where `opens` is all of it. `@`
            stands for the mark.
        string: It is a string: code, and only over several lines text.
        nested: Pattern of what opens another one inside, where that counts.
        ends: What becomes of it without an end.
        template: It holds code between `${` and `}`, as templates of JavaScript do.
        operand: It opens only where an operand may stand: `/` is else a division.
        short: Its end is looked for in its own line alone.
    """

    opens: str
    closes: str = ""
    string: bool = False
    nested: str = ""
    ends: Ends = Ends.AT_FILE_END
    template: bool = False
    operand: bool = False
    short: bool = False


@dataclass(frozen=True, slots=True)
class Syntax:
    """The rules of a language, the first that fits counts.

    Attributes:
        rules: Its comments and strings.
        conditional: It has `#if 0` of the C preprocessor.
    """

    rules: tuple[Rule, ...]
    conditional: bool = False


def _line(opens: str) -> Rule:
    """A comment up to the end of the line."""
    return Rule(opens + r"[^\n]*+")


def _block(opens: str, closes: str, *, nested: bool = False) -> Rule:
    return Rule(opens, closes, nested=opens if nested else "")


def _string(quote: str, *, lines: bool = False, escapes: bool = True) -> Rule:
    """A string between two of a sign; one that may run over lines, if `lines`."""
    first = quote[0] if quote[0] != "\\" else quote[:2]
    escape = r"\\." if escapes else r"(?!)"
    plain = f"[^{first}{'' if lines else chr(10)}{chr(92) * 2 if escapes else ''}]"
    other = "" if len(quote) == len(first) else f"|(?!{quote}){first}"
    # Not possessive, as no group here is: Python before 3.11.5 gets those wrong. The alternatives
    # begin with different signs, so a search that fails has nothing else to try.
    closes = f"(?:{escape}|{plain}{other})*{quote}"
    return Rule(quote, closes, string=True, ends=Ends.AT_SIGN, short=not lines)


def _between(opens: str, closes: str) -> Rule:
    """A string with two different ends, and no escapes in it."""
    return Rule(opens, closes, string=True, ends=Ends.AT_SIGN)


_SLASHES = Rule(r"//(?:\\\r?\n|[^\n])*")  # a backslash at its end takes the next line in
_STARS = _block(r"/\*", r"\*/")
_STARS_NESTED = _block(r"/\*", r"\*/", nested=True)
_HASH = _line("#")
_HASH_APART = _line(r"(?<!\S)#")  # elsewhere it is an operator or stands in a pattern
_DASHES = _line("--")
_DOUBLE, _SINGLE = _string('"'), _string("'")
_DOUBLE_LINES, _SINGLE_LINES = _string('"', lines=True), _string("'", lines=True)
_TRIPLE = _string('"""', lines=True)
_TRIPLE_SINGLE = _string("'''", lines=True)
_BACKTICKS = _string("`", lines=True, escapes=False)
# `'` is also a lifetime, a prime or a transposition: only what can be a character counts.
_CHARACTER = Rule(r"'(?:\\[^\n]{1,10}?|[^'\\\n])'", string=True)
_HEREDOC = _between(r"<<[-~]?[\"']?([A-Z_]\w*)", r"(?:.*?)\n[ \t]*@\b")

_C = Syntax(
    (
        _SLASHES,
        _STARS,
        _between(r'R"([^\s()\\"]{0,16})\(', r'(?:.*?)\)@"'),
        _TRIPLE,
        _DOUBLE,
        _CHARACTER,
    ),
    conditional=True,
)
_NESTING = Syntax((_SLASHES, _STARS_NESTED, _TRIPLE, _TRIPLE_SINGLE, _DOUBLE, _CHARACTER))
_SCRIPT = Syntax(
    (
        _SLASHES,
        _STARS,
        Rule("`", string=True, ends=Ends.AT_SIGN, template=True),
        _DOUBLE,
        _SINGLE,
        Rule(
            r"/(?![/*])",
            r"(?:\\[^\n]|\[(?:\\[^\n]|[^\]\\\n])*\]|[^/\\\n\[])+/",
            string=True,
            ends=Ends.AT_SIGN,
            operand=True,
            short=True,
        ),
    )
)
_HASHED = Syntax((_HASH, _DOUBLE, _SINGLE))
_CONFIG = Syntax((_HASH_APART, _TRIPLE, _TRIPLE_SINGLE, _DOUBLE, _SINGLE))
_JSON = Syntax((_SLASHES, _STARS, _DOUBLE, _SINGLE, _HASH_APART))
_LONG_BRACKET = r"\]@\]"
_PYTHON = Syntax((_HASH, _TRIPLE, _TRIPLE_SINGLE, _DOUBLE, _SINGLE))
_POD = _block(r"^=[A-Za-z]\w*[^\n]*", r"^=cut\b[^\n]*")
_REST = Rule(r"^__(?:END|DATA)__[ \t]*$", r"(?!)")  # behind it nothing is code
_MARKUP = _block("<!--", "-->")

_MATLAB = Syntax(
    (
        Rule(
            r"^[ \t]*[%#]\{[ \t\r]*$", r"^[ \t]*[%#]\}[ \t\r]*$", nested=r"^[ \t]*[%#]\{[ \t\r]*$"
        ),
        _line("%"),
        _line(r"^[ \t]*#"),
        _line(r"(?<=\.\.\.)"),
        _string('"', escapes=False),
        # Behind a name or a bracket it transposes.
        Rule(
            r"(?<![\w)\]}.'])'", r"(?:[^'\n]|'')*'(?!')", string=True, ends=Ends.AT_SIGN, short=True
        ),
    )
)
_FORTRAN = (_line("!"), _string("'", escapes=False), _string('"', escapes=False))

_BY_SUFFIX: dict[str, Syntax] = {}


def _add(words: str, syntax: Syntax) -> None:
    _BY_SUFFIX.update((word, syntax) for word in words.split())


_add("c cc cpp cxx h hh hpp hxx cu cuh cl metal glsl hlsl mm", _C)
_add("cs", Syntax((
    _SLASHES, _STARS, _TRIPLE,
    Rule(r'\$?@\$?"', r'(?:[^"]|"")*"(?!")', string=True, ends=Ends.AT_SIGN), _DOUBLE, _CHARACTER,
), conditional=True))  # fmt: skip
_add("java proto", Syntax((_SLASHES, _STARS, _TRIPLE, _DOUBLE, _CHARACTER)))
_add("kt kts scala swift wgsl", _NESTING)
_add("rs", Syntax((
    _SLASHES, _STARS_NESTED, _between(r'\bb?r(#*)"', r'(?:.*?)"@'), _DOUBLE_LINES, _CHARACTER,
)))  # fmt: skip
_add("go", Syntax((_SLASHES, _STARS, _BACKTICKS, _DOUBLE, _CHARACTER)))
_add("js jsx mjs cjs ts tsx", _SCRIPT)
_add("groovy nf dart", Syntax((
    _SLASHES, _STARS, _TRIPLE, _TRIPLE_SINGLE, _DOUBLE, _SINGLE,
)))  # fmt: skip
_add("d", Syntax((
    _SLASHES, _STARS, _block(r"/\+", r"\+/", nested=True), _BACKTICKS, _DOUBLE_LINES, _CHARACTER,
)))  # fmt: skip
_add("zig", Syntax((_SLASHES, _DOUBLE, _CHARACTER)))
_add("php", Syntax((
    _SLASHES, _STARS, _line(r"#(?!\[)"),
    _between(r"<<<[ \t]{0,4}[\"']?([A-Za-z_]\w*)", r"(?:.*?)\n[ \t]*@\b"),
    _DOUBLE_LINES, _SINGLE_LINES,
)))  # fmt: skip
_add("thrift tf hcl stan", Syntax((_SLASHES, _STARS, _HASH, _HEREDOC, _DOUBLE)))
_add("v sv", Syntax((_SLASHES, _STARS, _DOUBLE)))
_add("asm s nas", Syntax((
    _SLASHES, _STARS, _line(";"), _line(r"^[ \t]*[#@]"), _DOUBLE,
), conditional=True))  # fmt: skip
_add("do", Syntax((_line(r"^[ \t]*\*"), _SLASHES, _STARS, _DOUBLE)))
_add("sas", Syntax((Rule(r"^[ \t]*%?\*", r"[^;]*+;"), _STARS, _DOUBLE, _SINGLE)))
_add("r bugs jags", Syntax((
    _HASH, _between(r"[rR][\"']-*\(", r"(?:.*?)\)-*[\"']"), _DOUBLE_LINES, _SINGLE_LINES,
    _BACKTICKS,
)))  # fmt: skip
_add("jl", Syntax((_block("#=", "=#", nested=True), _HASH, _TRIPLE, _DOUBLE_LINES, _CHARACTER)))
_add("rb", Syntax((
    _block(r"^=begin\b[^\n]*", r"^=end\b[^\n]*"), _REST, _HASH_APART, _HEREDOC, _DOUBLE, _SINGLE,
)))  # fmt: skip
_add("pl pm", Syntax((_POD, _REST, _HASH_APART, _HEREDOC, _DOUBLE, _SINGLE)))
_add("awk sed", Syntax((_HASH_APART, _DOUBLE)))
_add("ex exs", Syntax((_HASH_APART, _TRIPLE, _TRIPLE_SINGLE, _DOUBLE, _SINGLE)))
_add("nim", Syntax((_block(r"#\[", r"\]#", nested=True), _HASH, _TRIPLE, _DOUBLE, _CHARACTER)))
_add("cmake", Syntax((
    _block(r"#\[(=*)\[", _LONG_BRACKET), _HASH,
    _between(r"\[(=*)\[", "(?:.*?)" + _LONG_BRACKET), _DOUBLE_LINES,
)))  # fmt: skip
_add("mk mak makefile", Syntax((_line(r"(?<!\\)#"),)))
_add("dockerfile", Syntax((_line(r"^[ \t]*#"),)))
_add("ps1", Syntax((_block("<#", "#>"), _HASH_APART, _DOUBLE, _string("'", escapes=False))))
_add("nix", Syntax((_HASH, _STARS, _between("''", "(?:.*?)''"), _DOUBLE_LINES)))
_add("wdl", _HASHED)
_add("py pyi pyw py3 pyx pxd pxi smk snakefile", _PYTHON)
_add("lua", Syntax((
    _block(r"--\[(=*)\[", _LONG_BRACKET), _DASHES, _between(r"\[(=*)\[", "(?:.*?)" + _LONG_BRACKET),
    _DOUBLE, _SINGLE,
)))  # fmt: skip
_add("sql", Syntax((_DASHES, _STARS, _string("'", lines=True, escapes=False))))
_add("vhd vhdl", Syntax((_DASHES, _DOUBLE)))
_add("hs", Syntax((
    _block(r"\{-", r"-\}", nested=True), _line(r"--+(?![!#$%&*+./<=>?@\\^|~:])"), _DOUBLE,
    _CHARACTER,
)))  # fmt: skip
_add("lean", Syntax((_block("/-", "-/", nested=True), _DASHES, _DOUBLE)))
_add("m", _MATLAB)
_add("erl", Syntax((_line(r"(?<!\$)%"), _DOUBLE)))
_add("clj", Syntax((_line(r"(?<!\\);"), _DOUBLE_LINES)))
_add("f90 f95 f03 f08", Syntax(_FORTRAN))
_add("f f77 for", Syntax((_line(r"^[cCdD*]"), *_FORTRAN)))
_add("ml mli", Syntax((_block(r"\(\*", r"\*\)", nested=True), _DOUBLE_LINES, _CHARACTER)))
_add("fs", Syntax((
    _SLASHES, _block(r"\(\*(?!\))", r"\*\)", nested=True), _TRIPLE, _DOUBLE_LINES, _CHARACTER,
)))  # fmt: skip
_add("bat cmd", Syntax((_line(r"^[ \t]*@?(?i:rem)\b"), _line(r"^[ \t]*::"))))
_add("prompt jinja jinja2 j2 tmpl tpl mustache", Syntax((
    _block(r"\{#", r"#\}"), _block(r"\{\{!--", r"--\}\}"), _block(r"\{\{!", r"\}\}"),
    _block(r"\{\{-?[ \t]*/\*", r"\*/"), _MARKUP,
)))  # fmt: skip
_add("xml urdf mjcf xacro sdf", Syntax((_MARKUP,)))
_add("json json5 jsonc", _JSON)
_add("txt in", Syntax((_HASH_APART,)))  # lists of requirements: other texts are no code

_BY_LANGUAGE = {
    "python": _PYTHON,
    "notebook": _PYTHON,
    "json": _JSON,
    "toml": _CONFIG,
    "yaml": _CONFIG,
    "shell": Syntax((_HASH_APART,)),
    "ini": Syntax((_line(r"(?<!\S)[;#]"),)),
}
_NAMES = {"gnumakefile": "makefile", "containerfile": "dockerfile", "cmakelists.txt": "cmake",
          "rakefile": "rb", "vagrantfile": "rb", "procfile": "mk", "justfile": "mk",
          "meson.build": "mk"}  # fmt: skip
_OBJECTIVE = ("#import", "@interface", "@implementation", "#include", "@end")


def syntax_of(path: str, language: str, text: str) -> Syntax | None:
    """The rules for a file; `None` where none are known for it.

    Args:
        path: Relative path with `/`.
        language: As in `SourceFile`.
        text: Its text: `.m` is MATLAB's and Objective-C's.
    """
    if language in _BY_LANGUAGE:
        return _BY_LANGUAGE[language]
    name = PurePosixPath(path).name.lower()
    suffix = _NAMES.get(name) or name.rpartition(".")[2].rstrip("}'\"`,;)] ")
    if suffix not in _BY_SUFFIX:
        suffix = name.partition(".")[0]  # `Dockerfile.gpu`
    if suffix == "m" and any(word in text for word in _OBJECTIVE):
        return _C
    return _BY_SUFFIX.get(suffix)
