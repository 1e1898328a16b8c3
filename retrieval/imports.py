"""Which file of the repository an import means."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from retrieval.outline import Import, Outline

__all__ = ["Modules"]

_MAX_HOPS = 5  # re-exports of re-exports


class Modules:
    """The modules of a repository and what they import of each other."""

    def __init__(self, files: Sequence[tuple[str, Outline]]) -> None:
        self._suffixes: dict[str, list[str]] = defaultdict(list)
        self._paths = {path for path, _ in files}
        self._imports: dict[str, list[Import]] = {}
        self._tops: dict[str, set[str]] = {}
        for path, outline in files:
            parts = _dotted(path)
            for start in range(len(parts)):
                self._suffixes[".".join(parts[start:])].append(path)
            self._imports[path] = outline.imports
            self._tops[path] = {d.name for d in outline.definitions if d.parent < 0}
        self._resolved: dict[str, list[tuple[Import, tuple[str, ...], tuple[str, ...]]]] = {}

    def find(self, module: str, importer: str) -> tuple[str, ...]:
        """The files that a dotted module can mean, seen from a file; the nearest alone."""
        dots = len(module) - len(module.lstrip("."))
        if dots:
            folder = importer.split("/")[:-1]
            folder = folder[: len(folder) - (dots - 1)] if dots > 1 else folder
            name = module[dots:]
            base = "/".join([*folder, *name.split(".")] if name else folder)
            for candidate in (f"{base}.py", f"{base}/__init__.py", base):
                if candidate.lstrip("/") in self._paths:
                    return (candidate.lstrip("/"),)
            module = name
        candidates = self._suffixes.get(module, ()) if module else ()
        if len(candidates) < 2:
            return tuple(candidates)
        best = max(candidates, key=lambda path: (_shared(path, importer), -len(path), path))
        return (best,)

    def run(self, target: str, script: str) -> tuple[str, ...]:
        """The files that a command line means by a path or a module."""
        if target.endswith((".py", ".ipynb")):
            matches = [
                path for path in self._paths if path == target or path.endswith("/" + target)
            ]
            if not matches:
                name = target.rpartition("/")[2]
                matches = [path for path in self._paths if path.rpartition("/")[2] == name]
            if not matches:
                return ()
            return (max(matches, key=lambda path: (_shared(path, script), -len(path), path)),)
        return self.find(target, script) or self.find(f"{target}.__main__", script)

    def _of(self, path: str) -> list[tuple[Import, tuple[str, ...], tuple[str, ...]]]:
        """A file's imports, each with the file of its module, and of its name as a submodule."""
        if (known := self._resolved.get(path)) is not None:
            return known
        resolved = []
        for item in self._imports.get(path, ()):
            modules = self.find(item.module, path)
            submodules: tuple[str, ...] = ()
            if item.name and item.name != "*":
                dotted = f"{item.module}{'' if item.module.endswith('.') else '.'}{item.name}"
                submodules = self.find(dotted, path)
            if modules or submodules:
                resolved.append((item, modules, submodules))
        self._resolved[path] = resolved
        return resolved

    def imports_of(self, path: str) -> tuple[str, ...]:
        """The files that running a file loads, packages' `__init__` included."""
        loaded: dict[str, None] = {}
        for _, modules, submodules in self._of(path):
            for found in (*modules, *submodules):
                loaded[found] = None
                folder = found.split("/")[:-1]
                while folder:
                    init = "/".join([*folder, "__init__.py"])
                    if init in self._paths:
                        loaded[init] = None
                    folder.pop()
        loaded.pop(path, None)
        return tuple(loaded)

    def imported(self) -> set[str]:
        """Every file that another one imports."""
        return {found for path in self._paths for found in self.imports_of(path)}

    def module_bindings(self, path: str) -> tuple[str, ...]:
        """The files that are bound to a name as modules in a file."""
        bound: dict[str, None] = {}
        for item, modules, submodules in self._of(path):
            for found in submodules or (modules if not item.name else ()):
                bound[found] = None
        return tuple(bound)

    def names(self, path: str, name: str) -> list[tuple[str, str]]:
        """The (file, name) pairs that an imported name means, through re-exports."""
        found: dict[tuple[str, str], None] = {}
        seen = {(path, name)}
        work = [(path, name, 0)]
        while work:
            here, wanted, hops = work.pop()
            for item, modules, _ in self._of(here):
                if item.name == "*":
                    target = wanted
                elif item.alias == wanted and item.name:
                    target = item.name
                else:
                    continue
                for module in modules:
                    if target in self._tops[module]:
                        found[module, target] = None
                    elif hops < _MAX_HOPS and (module, target) not in seen:
                        seen.add((module, target))
                        work.append((module, target, hops + 1))
        return list(found)


def _dotted(path: str) -> list[str]:
    parts = path.split("/")
    name = parts[-1].partition(".")[0]
    return parts[:-1] if name == "__init__" else [*parts[:-1], name]


def _shared(one: str, other: str) -> int:
    """How many leading folders two paths share."""
    count = 0
    for left, right in zip(one.split("/")[:-1], other.split("/")[:-1], strict=False):
        if left != right:
            break
        count += 1
    return count
