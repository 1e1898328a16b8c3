"""Which file of the repository an import means."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from retrieval.outline import Import, Outline

__all__ = ["Modules"]

_MAX_HOPS = 5  # re-exports of re-exports
_MAX_LOOKS = 2_000  # of one name: all files may re-export all others


class Modules:
    """The modules of a repository and what they import of each other."""

    def __init__(self, files: Sequence[tuple[str, Outline]]) -> None:
        self._suffixes: dict[str, list[str]] = defaultdict(list)
        self._from_root: dict[str, tuple[str, ...]] = {}
        self._by_name: defaultdict[str, list[str]] = defaultdict(list)
        # By module or file as it is written, and the folder that it is seen from.
        self._found: dict[tuple[str, str], tuple[str, ...]] = {}
        self._paths = {path for path, _ in files}
        self._imports: dict[str, list[Import]] = {}
        self._tops: dict[str, set[str]] = {}
        for path, outline in files:
            parts = _dotted(path)
            self._by_name[path.rpartition("/")[2]].append(path)
            self._from_root[".".join(parts)] = (path,)
            for start in range(len(parts)):
                self._suffixes[".".join(parts[start:])].append(path)
            self._imports[path] = outline.imports
            self._tops[path] = {d.name for d in outline.definitions if d.parent < 0}
        self._own_names = self._names_of_all(files)
        self._resolved: dict[str, list[tuple[Import, tuple[str, ...], tuple[str, ...]]]] = {}

    def _names_of_all(self, files: Sequence[tuple[str, Outline]]) -> frozenset[str]:
        """Names by which the repository's own modules call the whole of it.

        `from project.models.net import Net` where there is no folder `project` but `models/net.py`:
        the folder that was handed in had that name. Most imports of the name must be like this, for
        a library has modules called `utils` too; not all, since parts may not have been handed in.
        """
        taken: defaultdict[str, set[str]] = defaultdict(set)
        for _, outline in files:
            for item in outline.imports:
                first, _, rest = item.module.partition(".")
                if first and first not in self._suffixes:
                    taken[first].add(rest or item.name)
        return frozenset(
            name
            for name, rests in taken.items()
            if 2 * sum(rest in self._from_root for rest in rests) > len(rests)
        )

    def find(self, module: str, importer: str) -> tuple[str, ...]:
        """The files that a dotted module can mean, seen from a file; the nearest alone."""
        key = module, importer.rpartition("/")[0]
        known = self._found.get(key)
        if known is None:
            known = self._found[key] = self._find(module, importer)
        return known

    def _find(self, module: str, importer: str) -> tuple[str, ...]:
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
        if not candidates and self._own_names:
            first, _, rest = module.partition(".")
            return self._from_root.get(rest, ()) if first in self._own_names else ()
        if len(candidates) < 2:
            return tuple(candidates)
        best = max(candidates, key=lambda path: (_shared(path, importer), -len(path), path))
        return (best,)

    def run(self, target: str, script: str) -> tuple[str, ...]:
        """The files that a command line means by a path or a module."""
        if target.endswith((".py", ".ipynb")):
            key = f"/{target}", script.rpartition("/")[0]
            known = self._found.get(key)
            if known is None:
                named = self._by_name.get(target.rpartition("/")[2], ())
                matches = [path for path in named if f"/{path}".endswith(f"/{target}")] or named
                nearest = sorted(
                    matches, key=lambda path: (_shared(path, script), -len(path), path)
                )
                known = self._found[key] = tuple(nearest[-1:])
            return known
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

    def unresolved(self, path: str) -> tuple[str, ...]:
        """The modules, as written, that a file imports and that no file here is."""
        resolved = {id(item) for item, _, _ in self._of(path)}
        return tuple(
            dict.fromkeys(
                item.module for item in self._imports.get(path, ()) if id(item) not in resolved
            )
        )

    def imports_of(self, path: str) -> tuple[str, ...]:
        """The files that running a file loads, packages' `__init__` included."""
        loaded: dict[str, None] = {}
        for _, modules, submodules in self._of(path):
            for found in (*modules, *submodules):
                loaded.update(dict.fromkeys(self.with_packages(found)))
        loaded.pop(path, None)
        return tuple(loaded)

    def with_packages(self, path: str) -> tuple[str, ...]:
        """A file and the `__init__` files of the packages around it."""
        loaded = [path]
        folder = path.split("/")[:-1]
        while folder:
            init = "/".join([*folder, "__init__.py"])
            if init in self._paths and init != path:
                loaded.append(init)
            folder.pop()
        return tuple(loaded)

    def dotted(self, path: str) -> list[str]:
        """The parts of a file's module name, from the repository's root."""
        return _dotted(path)

    def bound_as(self, path: str, alias: str) -> tuple[str, ...]:
        """The files that a name or dotted name is bound to as a module in a file."""
        for item, modules, submodules in self._of(path):
            if item.alias == alias and (found := submodules or (() if item.name else modules)):
                return found
        return ()

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
        left = _MAX_LOOKS
        while work and left > 0:
            here, wanted, hops = work.pop()
            for item, modules, _ in self._of(here):
                if item.name == "*":
                    target = wanted
                elif item.alias == wanted and item.name:
                    target = item.name
                else:
                    continue
                left -= len(modules)
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
