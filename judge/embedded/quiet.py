"""Calls that leave nothing behind but their results: of Python itself, and of libraries."""

from __future__ import annotations

import re

__all__ = ["CHANGING", "GIVING", "PURE", "QUIET_LIBRARIES", "TELLING"]

_PURE_NAMES = """
abs all any bool bytes complex dict divmod enumerate float format frozenset getattr hasattr hash id
int isinstance issubclass iter len list map filter max min next object pow range repr reversed
round set slice sorted str sum super tuple type zip callable chr ord property staticmethod
classmethod ValueError TypeError RuntimeError KeyError IndexError AssertionError
NotImplementedError Exception SystemExit StopIteration ArithmeticError
"""
PURE = frozenset(_PURE_NAMES.split())
_OF_NUMBERS = (
    "tensor|array|asarray|as_tensor|zeros|ones|full|eye|arange|linspace|float|float32|float64"
    "|float16|bfloat16|int|int32|int64|long|bool|dtype|device|pi|e|inf|nan|sqrt|exp|log|log2|log10"
    "|log1p|expm1|sin|cos|tanh|abs|clip|clamp|maximum|minimum|max|min|mean|sum|prod|power|pow"
    "|square|round|floor|ceil|sigmoid|std|var|dot|isnan|isinf"
)
QUIET_LIBRARIES = re.compile(
    r"(?:math|cmath|operator|string|textwrap|typing|dataclasses|enum|abc|types|collections|copy"
    r"|fractions|decimal|statistics|itertools|functools|contextlib|__future__)\b"
    r"|json\.(?:dumps|loads)\Z|pprint\.pformat\Z|sys\.(?:maxsize|float_info|version)\b"
    r"|argparse\.Namespace\Z|tqdm\.(?:(?:auto|notebook|std)\.)?(?:tqdm|trange)\Z"
    rf"|(?:numpy|torch|jax\.numpy)\.(?:{_OF_NUMBERS})\Z"
)
TELLING = re.compile(
    r"(?:print|pprint|rprint|display|exit|quit|sys\.exit|tqdm\.write|click\.echo|echo|warnings\.warn"
    r"|sys\.(?:stdout|stderr)\.(?:write|flush)|pprint\.(?:pprint|pp)|(?:rich\.)?console\.print"
    r"|_?(?:logging|logger|log|LOGGER|LOG)\.(?:debug|info|warn(?:ing)?|error|critical"
    r"|exception|log|success))\Z"
)
_GIVING_NAMES = """
items keys values get format join upper lower strip split replace count index startswith endswith
copy title capitalize lstrip rstrip
"""
GIVING = frozenset(_GIVING_NAMES.split())
_CHANGING_NAMES = """
append extend add update setdefault get items keys values pop popitem format join upper lower strip
split replace copy index count title startswith endswith insert remove discard clear sort reverse
lstrip rstrip capitalize dump __init__ __post_init__ __setattr__ write _asdict _replace appendleft
"""
CHANGING = frozenset(_CHANGING_NAMES.split())
