"""The rubric as data: the words that the prompts, the reports and the docs have in common.

`docs/rubric.md` says the same at more length; a test keeps their closed lists equal.
"""

from __future__ import annotations

from benchmark import Failure

__all__ = ["BORDERS", "FAILURES", "LEVELS", "SHOWN"]

LEVELS: tuple[tuple[str, str, str], ...] = (
    (
        "1",
        "faithful",
        "every part is done as stated. Equal forms are equal (1e-4 and 0.0001, 10 % and 0.1, a sum "
        "written otherwise, a library call or a known library default that does it).",
    ),
    (
        "0.75",
        "minor deviation",
        "the core is right; what differs is secondary and would not change a conclusion: a "
        "near-equivalent with the same settings, one secondary value among several off by less "
        "than about 3 times, one secondary metric or detail missing, independent steps reordered.",
    ),
    (
        "0.5",
        "key part missing or off",
        "the core is recognisably there, and a material part that the claim names is missing or "
        "wrong: a loss term, a condition, one of the main baselines or datasets, one constraint "
        "of a sequence; or the value is off by about 3 times or more, same order of magnitude.",
    ),
    (
        "0.25",
        "core replaced, or fragments",
        "something real is implemented on this subject, but with another core (other algorithm "
        "family, other loss, an order of magnitude off, main order reversed, phases merged); or "
        "only side parts of the claim are there.",
    ),
    (
        "0",
        "absent or contradicted",
        "nothing of the claim is implemented (missing, stub, only mentioned), or the code does "
        "the opposite.",
    ),
)
"""(word, name, when), from the top."""

BORDERS: tuple[str, ...] = (
    '"0.5" or "0.25"? Name the core as a verb and its object ("minimise InfoNCE", "discount by '
    '0.99", "compare with A, B and C", "freeze, then train the head") and cover the rest of the '
    "claim. Does the code do this one thing, recognisably? Yes, and something named "
    'around it is missing or wrong: "0.5". No, something else is done in its place, or only what '
    'stands around it is there: "0.25". Much that is right around a core that is not there stays '
    '"0.25"; much that is missing around a core that is there stays "0.5".',
    'The one value that a claim is about: wrong, but of the same order of magnitude, "0.5"; an '
    'order of magnitude off, or right but given to something else, "0.25".',
    '"0.25" or "0"? Something on this subject that really acts must be there for "0.25". A stub, a '
    'comment, an import or a name alone is "0".',
    'Many parts of equal weight: all of them "1"; all but a secondary one "0.75"; at least half '
    '"0.5"; fewer "0.25"; none "0". One of three main baselines missing is "0.5".',
    "Right, but no entry point reaches it, or no code reads the setting, or its result is thrown "
    'away or its gradient cut: at most "0.5", failure "unreachable". In a library without entry '
    "points judge the component itself.",
    "Results, data or baselines that are constants or random numbers in place of the real thing: "
    '"0" or "0.25", failure "stub". A synthetic stand-in for a named dataset in an otherwise real '
    'protocol: failure "external", the level by how much of the protocol is left.',
    "Values in conflict: the one that takes effect in the repository's own main run counts.",
    "A claim that something can be chosen or set asks for an option, an argument or a setting that "
    'acts: a value or a branch fixed in the code, which would have to be edited, is at most "0.5".',
    "A claim that something is set up or can be used asks for what it needs: where that is "
    "imported and is neither in the repository nor in its requirements, failure "
    '"external", at most "0.5".',
    "A file that does not parse is judged by its text.",
)
"""How cases between two levels are decided."""

FAILURES: tuple[tuple[str, str], ...] = (
    (Failure.NONE.value, 'if and only if the level is "1"'),
    (Failure.MISMATCH.value, "implemented otherwise than stated"),
    (
        Failure.INCOMPLETE.value,
        'a named part is missing or a placeholder, the rest is right (above "0")',
    ),
    (
        Failure.STUB.value,
        'placeholder, constant, random value, TODO in place of the claim ("0" or "0.25")',
    ),
    (
        Failure.MENTION_ONLY.value,
        'only in comments, docstrings, names, docs or imports that nothing uses ("0" or "0.25")',
    ),
    (Failure.UNREACHABLE.value, 'there and right, but no run reaches it ("0.5" at most)'),
    (
        Failure.EXTERNAL.value,
        "needs something from outside (a dataset, a named baseline, a library) that is absent or "
        "replaced",
    ),
    (Failure.MISSING.value, 'nothing there ("0" alone)'),
)
"""(word, when)."""

SHOWN = (
    "A map of the repository's files and symbols, and what it imports and has not; with it all "
    "code and configuration, or else the lines that a search found for this claim, each with its "
    "path and line numbers (where numbers jump inside a passage, blank lines, comments and "
    "docstrings were left out, and no code); named values that match the claim, and lines of code "
    "that most likely read them; for ordering claims the order of calls; the terms that were "
    "searched for in every file, with counts, so that a count of 0 tells you that the term is in "
    "no file; and, where it is at hand, what the paper says at the place that the claim is from: "
    "it explains the claim and proves nothing about the code."
)
