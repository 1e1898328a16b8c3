"""What anything leads to from an entry point.

Static and by name. When in doubt a function counts as reached. Where names are looked up while the
program runs, or are called and mean nothing in their file, what they may stand for is told as not
known: a wrong "not reached" would call working code dead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from retrieval.lost_names import lost_calls
from retrieval.outline import Lookup, LookupWay
from retrieval.program import CONFIG_READERS, DYNAMIC, LAUNCHERS, SCANNERS, FileView, Program
from retrieval.python_configs import (
    configuring,
    files_by_path,
    is_configuration,
    is_handed_on,
    told_in_documents,
)
from retrieval.run_time_names import DOTTED, NAME, configured_targets, matches, named_values
from retrieval.shell_outline import script_runs

__all__ = ["Reachability"]

_NEUTRAL_DECORATORS = re.compile(
    r"(?:\w+\.)*(?:staticmethod|classmethod|property|cached_property|no_grad|inference_mode|jit|njit"
    r"|script|compile|dataclass|lru_cache|cache|wraps|abstractmethod|contextmanager|overload|setter"
    r"|getter|deleter|final|override|partial|total_ordering|checkpoint|autocast|custom_fwd"
    r"|custom_bwd|define|attrs|s|vmap|pmap|remat|timeit|timer|profile|typechecked|jaxtyped|torch_compile"
    r"|function|unique|runtime_checkable|rank_zero_only|flax_struct|struct)\Z"
)
# Methods that a base class outside of the repository calls.
_HOOKS = re.compile(
    r"__\w+__|forward|backward|call|build|step|reset|render|close|seed|setup|teardown|prepare_data"
    r"|(?:training|validation|test|predict)_step|configure_\w+|\w+_dataloader|on_\w+|transform|fit"
    r"|predict|fit_transform|update|compute|compute_loss|get_lr|run|visit_\w+|default|emit|encode"
    r"|decode|jvp|setup_context|download|process|collate\w*|state_dict|load_state_dict|extra_repr"
    r"|get_config|evaluate|train_step|test_step|get_train_\w+|prediction_step|log|_step|_predict"
    r"|sample|log_prob|observation|reward|action|learn|_\w+_impl"
)
_SELVES = ("self", "cls", "super", "type")
_MAX_LOOKUPS = 300  # of one repository; beyond that, whatever is looked up may be anything
_OWN_NAME = "{__name__}"


class Reachability:
    """Walks from the entry points along names until nothing new is reached.

    Two walks: along what is surely led to, then along what may be. Both end in the same place
    whatever the order of steps.

    Attributes:
        entries: The files that are run; those that others run by their name are found on the way.
        reached: Nodes that something leads to.
        possible: Nodes of which that is not known.
        loaded: Files that are run or imported.
        may_load: Files of which that is not known.
    """

    def __init__(
        self,
        program: Program,
        views: Sequence[FileView],
        entries: set[str],
        roots: Iterable[int],
    ) -> None:
        self.entries = entries
        self.reached: set[int] = set()
        self.possible: set[int] = set()
        self.loaded: set[int] = set()
        self.may_load: set[int] = set()
        self._program = program
        self._work: list[int] = []
        self._queued: set[int] = set()
        self._attributes: set[str] = set()
        self._all_subclasses = False
        self._registering = {program.class_of(n) for n in program.methods("__init_subclass__")}
        self._lookups = [_by_owner(view) for view in program.views]
        self._spoken = [_spoken_by_owner(view) for view in program.views]
        self._lost = lost_calls(program)
        self._looked_up: set[int] = set()  # files that are imported by a name that is looked up
        self._asked: set[tuple[object, ...]] = set()
        self._families: dict[int, list[tuple[str, int]]] = {}
        self._open_nodes: set[int] = set()
        self._open_views: set[int] = set()
        self._open_methods: list[str] = []
        self._open_tops: list[str] = []
        self._values = named_values(views) if any(self._lookups) else frozenset()
        self._nodes_now, self._views_now, self._may = self.reached, self.loaded, False
        self._by_path = False  # files of settings are read by their paths
        for path in sorted(entries):
            self._load(program.position[path])
            self._read_settings(program.position[path])
        self._push(roots)
        for target in configured_targets(views):
            self._push_target(target, "")
        self._walk()
        for view in told_in_documents(program, views):  # how it is run is told, and not shown
            self._may_read_settings(view)
        self._nodes_now, self._views_now, self._may = self.possible, self.may_load, True
        while self._open():
            self._walk()

    def state(self, number: int) -> bool | None:
        """Whether something leads to a node; `None` where that is not known."""
        return True if number in self.reached else None if number in self.possible else False

    def loads(self, view: int) -> bool | None:
        """Whether a file is run or imported; `None` where that is not known."""
        return True if view in self.loaded else None if view in self.may_load else False

    # ---- the walk --------------------------------------------------------------------------

    def _push(self, nodes: Iterable[int]) -> None:
        for node in nodes:
            if node not in self._queued:
                self._queued.add(node)
                self._work.append(node)

    def _load(self, view: int) -> None:
        if view in self.loaded or view in self.may_load:
            return
        self._views_now.add(view)
        program = self._program
        first = program.first_node[view]
        self._push([first])
        for offset, definition in enumerate(program.views[view].outline.definitions):
            number = first + 1 + offset
            if any(not _NEUTRAL_DECORATORS.match(name) for name in definition.decorators) or (
                definition.bases and self._is_registered(number)
            ):
                self._push([number])

    def _is_registered(self, number: int) -> bool:
        """Whether a class is known to those above it as soon as it is made."""
        if not (self._all_subclasses or self._registering):
            return False
        above, _ = self._program.ancestors(number)
        return bool(above) and (self._all_subclasses or not self._registering.isdisjoint(above))

    def _use_attribute(self, name: str) -> None:
        if name in self._attributes:
            return
        self._attributes.add(name)
        for member in self._program.members.get(name, ()):
            if self._is_seen(self._program.class_of(member)):
                self._push([member])
        for view in self._looked_up:
            if (node := self._program.top(view, name)) is not None:
                self._push([node])
        if name == "__subclasses__":
            self._all_subclasses = True
            for view in (*self.loaded, *self.may_load):
                first = self._program.first_node[view] + 1
                for offset, definition in enumerate(self._program.views[view].outline.definitions):
                    if definition.bases and self._is_registered(first + offset):
                        self._push([first + offset])

    def _is_seen(self, number: int) -> bool:
        return number in self.reached or number in self.possible

    def _walk(self) -> None:
        program = self._program
        while self._work:
            number = self._work.pop()
            self._nodes_now.add(number)
            node = program.nodes[number]
            view = node.view
            self._load(view)
            if node.definition is None:
                for path in program.modules.imports_of(program.views[view].file.path):
                    self._load(program.position[path])
            for name in node.plain:
                self._push(program.resolve(view, name))
            for name in node.attributes:
                self._use_attribute(name)
                self._push(program.in_modules(view, name))
            own = number - program.first_node[view] - 1
            if node.strings and not (
                DYNAMIC.isdisjoint(node.plain) and DYNAMIC.isdisjoint(node.attributes)
            ):
                for name in node.strings:
                    self._push(program.resolve(view, name))
                    self._use_attribute(name)
            if not (
                CONFIG_READERS.isdisjoint(node.attributes) and CONFIG_READERS.isdisjoint(node.plain)
            ):
                self._read_by_path()
            self._open_nodes.update(self._lost[view].get(own, ()))
            for lookup in self._lookups[view].get(own, ()):
                self._look_up(number, lookup)
            for text in self._spoken[view].get(own, ()):
                self._hear(number, text)
            if node.definition is not None and node.definition.is_class:
                self._visit_class(number)

    def _visit_class(self, number: int) -> None:
        program = self._program
        above, outside = program.ancestors(number)
        self._push(above)
        for member in program.inside(number):
            name = program.name(member)
            if (
                name in self._attributes
                or (name.startswith("__") and name.endswith("__"))
                or (outside and _HOOKS.fullmatch(name) and not program.is_class(member))
                or (self._may and any(matches(name, wanted) for wanted in self._open_methods))
            ):
                self._push([member])

    # ---- names that are known only when the program runs -------------------------------------

    def _open(self) -> bool:
        """Take up what may be led to; whether there was anything new."""
        for view in sorted(self._open_views):
            self._load_looked_up(self._program.views[view].file.path)
        self._push(sorted(self._open_nodes))
        self._open_views.clear()
        self._open_nodes.clear()
        for wanted in self._open_methods:
            for name, members in self._program.members.items():
                if matches(name, wanted):
                    seen = [one for one in members if self._is_seen(self._program.class_of(one))]
                    self._push(seen)
        for wanted in self._open_tops:
            for view in sorted(self._looked_up):
                named = _flat(self._program.available(view))
                self._push(one for name, one in named if matches(name, wanted))
        return bool(self._work)

    def _found(self, candidates: Iterable[tuple[str, int]], wanted: str) -> None:
        """Of some names and what they mean, push what is wanted and note what may be."""
        for name, number in candidates:
            if not matches(name, wanted):
                continue
            if "*" not in wanted or name in self._values:
                self._push([number])
            else:
                self._open_nodes.add(number)

    def _look_up(self, number: int, lookup: Lookup) -> None:
        program, view = self._program, self._program.nodes[number].view
        if len(self._asked) > _MAX_LOOKUPS:
            lookup = replace(lookup, wanted="*")
        # What `self` is depends on where it stands.
        own = program.around(number) if lookup.of.startswith(_SELVES) else -1
        key = (view, own, lookup.way, lookup.of, lookup.wanted, lookup.called)
        if key in self._asked:
            return
        self._asked.add(key)
        match lookup.way:
            case LookupWay.NAME:
                self._found(_flat(program.available(view)), lookup.wanted)
            case LookupWay.MODULE:
                self._import(number, lookup.wanted)
            case LookupWay.COMMAND:
                self._command(view, lookup.of)
            case LookupWay.ATTRIBUTE:
                self._attribute(number, lookup)
            case LookupWay.NAMESPACE:
                # A class is gone through to show its settings; its methods are taken by a key.
                of_module = lookup.of.startswith("sys.modules") or self._modules_as(view, lookup.of)
                if of_module or lookup.called:
                    self._attribute(number, lookup)

    def _attribute(self, number: int, lookup: Lookup) -> None:
        program, view = self._program, self._program.nodes[number].view
        of, wanted = lookup.of, lookup.wanted
        if of.startswith("sys.modules"):
            self._found(_flat(program.available(view)), wanted)
            return
        head, _, rest = of.partition(".")
        if head in {"self", "cls", "super()", "type(self)", "self.__class__"} and (
            not rest or rest == "__class__"
        ):
            self._found(self._family(program.around(number)), wanted)
            return
        if not DOTTED.fullmatch(of):
            self._any_module(view, lookup)
            self._any_method(lookup)
            return
        if modules := self._modules_as(view, of):
            for path in modules:
                self._found(_flat(program.available(program.position[path])), wanted)
            return
        classes = [one for one in program.resolve(view, of) if program.is_class(one)]
        for one in classes:
            self._found(self._family(one), wanted)
        imported = any(item.alias == head for item in program.views[view].outline.imports)
        if not classes and not imported:
            self._any_module(view, lookup)
            self._any_method(lookup)

    def _any_module(self, view: int, lookup: Lookup) -> None:
        """An object of which nothing is known, where modules are imported by name: one of those."""
        by_name = any(
            one.way is LookupWay.MODULE for ones in self._lookups[view].values() for one in ones
        )
        if by_name and lookup.wanted not in self._open_tops:
            self._open_tops.append(lookup.wanted)

    def _modules_as(self, view: int, name: str) -> Sequence[str]:
        """The files that a name means as modules in a file; none for what is no dotted name."""
        modules, path = self._program.modules, self._program.views[view].file.path
        return modules.bound_as(path, name) if DOTTED.fullmatch(name) else ()

    def _any_method(self, lookup: Lookup) -> None:
        """A method of an object of which nothing is known; a plain value is none of ours."""
        asked = lookup.called and lookup.way is LookupWay.ATTRIBUTE
        if asked and lookup.wanted not in self._open_methods:
            self._open_methods.append(lookup.wanted)

    def _family(self, number: int) -> list[tuple[str, int]]:
        """The members of a class, of those above it and of those below it, by name."""
        program = self._program
        if number < 0:
            return []
        if (known := self._families.get(number)) is not None:
            return known
        above, _ = program.ancestors(number)
        family = {number, *above}
        for other, node in enumerate(program.nodes):
            if node.definition is not None and node.definition.bases and other not in family:
                higher, _ = program.ancestors(other)
                if number in higher:
                    family.add(other)
        members = [
            (program.name(member), member)
            for one in sorted(family)
            for member in program.inside(one)
        ]
        self._families[number] = members
        return members

    def _import(self, number: int, wanted: str) -> None:
        program = self._program
        node = program.nodes[number]
        path = program.views[node.view].file.path
        own = ".".join(program.modules.dotted(path))
        scans = not (SCANNERS.isdisjoint(node.plain) and SCANNERS.isdisjoint(node.attributes))
        spelt = wanted.replace(_OWN_NAME, own).lstrip(".")
        if "*" not in wanted:
            for module in program.modules.find(spelt, path):
                self._load_looked_up(module)
            return
        if spelt.strip(".") == "*":
            # Nothing of the name is known: a loop over the files of a folder takes those.
            spelt = f"{own}.*" if scans and own else ""
            for value in sorted(self._values) if not spelt else ():
                for module in program.modules.find(value, path) if "." in value else ():
                    self._load_looked_up(module)
        for other, view in enumerate(program.views):
            dotted = program.modules.dotted(view.file.path)
            last = dotted[-1] if dotted else ""
            names = (".".join(dotted[start:]) for start in range(len(dotted)))
            if not spelt or not any(matches(name, spelt) for name in names):
                continue
            if scans or last in self._values:
                self._load_looked_up(view.file.path)
            else:
                self._open_views.add(other)

    def _load_looked_up(self, path: str) -> None:
        """Load a module whose definitions may be taken as attributes of whatever holds it."""
        self._load_with_packages(path)
        view = self._program.position[path]
        if view not in self._looked_up:
            self._looked_up.add(view)
            found = (self._program.top(view, name) for name in self._attributes)
            self._push(node for node in found if node is not None)

    def _load_with_packages(self, path: str) -> None:
        for loaded in self._program.modules.with_packages(path):
            self._load(self._program.position[loaded])

    def _command(self, view: int, text: str) -> None:
        """What `Fire` and its like make to commands: what they are given, or all of the module."""
        program = self._program
        if program.resolve(view, "Fire") or program.resolve(view, "CLI"):
            return  # the repository's own
        names = NAME.findall(text)
        found = [one for name in names for one in program.resolve(view, name)]
        if not found and not text:
            found = [one for _, one in _flat(program.available(view))]
        self._push(found)
        for one in found:
            if program.is_class(one):
                above, _ = program.ancestors(one)
                for owner in (one, *above):
                    self._push(
                        member
                        for member in program.inside(owner)
                        if not program.name(member).startswith("_")
                    )

    def _hear(self, number: int, text: str) -> None:
        """A string that may name a file that is run, or something in a module."""
        program, node = self._program, self._program.nodes[number]
        path = program.views[node.view].file.path
        if not (LAUNCHERS.isdisjoint(node.plain) and LAUNCHERS.isdisjoint(node.attributes)):
            targets = [run.target for run in script_runs(text, 1)] or [text]
            for target in targets:
                for found in program.modules.run(target, path):
                    self.entries.add(found)
                    self._load_with_packages(found)
        self._name_settings(text, path)
        self._push_target(text, path)

    def _name_settings(self, text: str, path: str) -> None:
        """A string that is the path of a file of settings, and is given to what may read it."""
        if text.endswith(".py") and " " not in text:
            own = self._program.position[path]
            for found in self._program.modules.run(text, path):
                view = self._program.position[found]
                if is_configuration(self._program.views[view]) and is_handed_on(
                    self._program, own, text
                ):
                    self._read_settings(view)

    def _read_settings(self, view: int) -> None:
        """A file that is named by its path: where it holds settings, they are asked for."""
        if is_configuration(self._program.views[view]):
            self._load_looked_up(self._program.views[view].file.path)
            self._push(configuring(self._program, view))

    def _read_by_path(self) -> None:
        """Files of settings are read by paths from elsewhere: any of them may be meant."""
        if self._by_path:
            return
        self._by_path = True
        for view in files_by_path(self._program, self._program.modules.imported()):
            self._may_read_settings(view)

    def _may_read_settings(self, view: int) -> None:
        self._open_views.add(view)
        self._open_nodes.update(configuring(self._program, view))

    def _push_target(self, text: str, path: str) -> None:
        """What `package.module.Name` or `package.module:Name` stands for."""
        program = self._program
        module, colon, name = text.rpartition(":")
        if not colon:
            module, _, name = text.rpartition(".")
        if not module or not name or not DOTTED.fullmatch(module):
            return
        for found in program.modules.find(module, path):
            view = program.position[found]
            means = program.resolve(view, name)
            if means:
                self._load_with_packages(found)
                self._push(means)


def _flat(names: dict[str, list[int]]) -> list[tuple[str, int]]:
    return [(name, number) for name, numbers in names.items() for number in numbers]


def _by_owner(view: FileView) -> dict[int, list[Lookup]]:
    found: dict[int, list[Lookup]] = {}
    for lookup in view.outline.lookups:
        found.setdefault(lookup.owner, []).append(lookup)
    return found


def _spoken_by_owner(view: FileView) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for text, owner in view.outline.spoken:
        found.setdefault(owner, []).append(text)
    return found
