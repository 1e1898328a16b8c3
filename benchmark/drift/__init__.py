"""Drift on demand: known faults put into code on purpose, to test any judge.

An *operator* finds places in a repository where one kind of divergence can be made, and says what
the code did there before. `inject` chooses among them by a seed and writes a test set: mutated
repositories, claims, labels and a manifest that `python -m judge run` grades like any other.

Needs the extra `drift` (LibCST). Nothing that is mutated is executed or imported.
"""
