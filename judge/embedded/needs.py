"""Which deeds anything needs: what acts, what tells of real things, and what feeds those."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from judge.embedded.deeds import REAL, Call, Deed, Node, Parameters, Span

__all__ = ["Flow", "needed"]


class Flow:
    """What a set of deeds hands on to each other.

    Attributes:
        deeds: The deeds.
        parameters: What each simple function takes.
        real: What comes from elsewhere; filled by following it.
        indirect: What takes arguments of calls by another name.
        taken: Functions and names that code which is not among the deeds may use.
    """

    def __init__(
        self,
        deeds: Sequence[Deed],
        parameters: Mapping[str, Sequence[Parameters]],
        real: Iterable[Node],
        indirect: Iterable[Node],
        taken: Iterable[Node],
    ) -> None:
        self.deeds = deeds
        self.parameters = parameters
        self.real = {*real}
        self.indirect = {*indirect}
        self.taken = {*taken}
        for kind, function, _ in self.taken:
            if kind == "f":
                for taken_by in parameters.get(function, ()):
                    self.real.update(_all_of(taken_by))
            else:
                self.real.add((kind, function, ""))
        crowded = _crowded(deeds, parameters)
        for deed in deeds:
            if sum(
                len(call.places) + len(call.names) for call in deed.calls
            ) > _MOST_ARGUMENTS or not crowded.isdisjoint(call.function for call in deed.calls):
                _take_whole(deed)
        loose = {function for deed in deeds for function in deed.loose}
        for function in loose:
            for taken_by in parameters.get(function, ()):
                self.indirect.update(_all_of(taken_by))
        for deed in deeds:
            for call in deed.calls:
                if not parameters.get(call.function):  # as of a class that is made for its fields
                    deed.reads.update(*call.places, *call.names.values())
        known = {REAL, *self.indirect}
        for deed in deeds:
            known |= deed.gives - deed.asks
        self._hand_back()
        self.givers: defaultdict[Node, list[int]] = defaultdict(list)
        self.touching: defaultdict[Node, list[int]] = defaultdict(list)
        self.under: defaultdict[int, list[int]] = defaultdict(list)
        for number, deed in enumerate(deeds):
            for node in deed.gives:
                self.givers[node].append(number)
            touched = deed.reads | deed.asks
            for call in deed.calls:
                touched.update(*call.places, *call.names.values())
            for node in touched:
                self.touching[node].append(number)
            if deed.above >= 0:
                self.under[deed.above].append(number)
        for takers in parameters.values():
            for taken_by in takers:
                known.update(_all_of(taken_by))
        self.real.update(node for node in self.touching if node not in known)
        self.worked = self.real
        before = {*self.real}
        self._spread(self.real)
        if any(deed.inside and deed.carries & self.real for deed in deeds):
            # What a function only gives back is nothing that was worked out.
            self.worked = before
            self._spread(self.worked, carried=False)

    def hands(self, call: Call) -> Iterable[tuple[frozenset[Node], Node]]:
        """What each argument of a call reads, with what takes it."""
        for taken_by in self.parameters.get(call.function, ()):
            yield from taken_by.of(call)

    def arguments(self, call: Call) -> Iterator[tuple[frozenset[Node], set[Node], Span]]:
        """Each argument of a call: what it reads, what takes it, and where it stands."""
        every = [*call.places, *call.names.values()]
        takes: list[set[Node]] = [set() for _ in every]
        for taken_by in self.parameters.get(call.function, ()):
            for number, node in taken_by.numbered(call):
                takes[number].add(node)
        if len(call.spans) == len(every):
            yield from zip(every, takes, call.spans, strict=True)

    def left_by(self, head: int) -> Iterator[int]:
        """What leaves a head: directly, or a loop from further in."""
        stack = [*self.under.get(head, ())]
        while stack:
            number = stack.pop()
            if self.deeds[number].leaves:
                yield number
            stack += self.under.get(number, ())

    def _hand_back(self) -> None:
        """What a function changes of its arguments is given by whoever calls it."""
        changed = {node for deed in self.deeds for node in deed.gives & deed.asks}
        for deed in self.deeds:
            if deed.callees:  # what a name holds may change what it is given
                deed.gives |= deed.reads - deed.callees
        calling = [deed for deed in self.deeds if deed.calls]
        grown = True
        rounds = 0
        while grown and rounds < _ROUNDS:
            grown = False
            rounds += 1
            for deed in calling:
                for call in deed.calls:
                    for reads, node in self.hands(call):
                        if node in changed and not reads <= deed.gives:
                            deed.gives |= reads
                            deed.asks |= reads
                            changed |= reads
                            grown = True

    def _spread(self, found: set[Node], *, carried: bool = True) -> None:
        """Follow what is real to all that is made of it.

        Args:
            found: What is real; filled.
            carried: Whether what a simple function gives back as it was given counts, too.
        """
        _Spread(self, found, carried=carried).run()

    def is_real(self, deed: Deed) -> bool:
        """Whether a deed acts, or reads something real."""
        return deed.works or not self.worked.isdisjoint(deed.reads)

    def is_root(self, deed: Deed) -> bool:
        """Whether a deed acts by itself, or tells of what is real."""
        if deed.never:
            return False
        return deed.works or (deed.tells and not self.worked.isdisjoint(deed.reads))


class _Spread:
    def __init__(self, flow: Flow, found: set[Node], *, carried: bool) -> None:
        self._flow = flow
        self._found = found
        self._carried = carried
        self._ahead = [*found]
        self._held: set[int] = set()  # heads that hold real conditions

    def run(self) -> None:
        flow, ahead = self._flow, self._ahead
        for number, deed in enumerate(flow.deeds):
            if deed.works and not deed.never:
                self._work(number)
        while ahead:
            while ahead:
                node = ahead.pop()
                for number in flow.touching.get(node, ()):
                    self._touch(number, node)
            # A call by another name may be of any function that goes by another name.
            if any(
                not (deed.callees <= self._found or self._found.isdisjoint(deed.reads))
                for deed in flow.deeds
            ):
                for parameter in flow.indirect:
                    self._add(parameter)

    def _touch(self, number: int, node: Node) -> None:
        deed = self._flow.deeds[number]
        if deed.never:
            return
        for call in deed.calls:
            for reads, parameter in self._flow.hands(call):
                if node in reads:
                    self._add(parameter)
        if node in deed.asks and not deed.works:
            deed.works = True
            self._work(number)
        if node in deed.reads and (self._carried or not (deed.inside and node in deed.carries)):
            self._give(number)
            if number not in self._held and number in self._flow.under:
                self._held.add(number)
                self._under(number)

    def _work(self, number: int) -> None:
        """What works gives what is real, and what it is given may be called with anything."""
        flow = self._flow
        self._give(number)
        deed = flow.deeds[number]
        functions = {*deed.loose, *([deed.defines] if deed.defines else [])}
        for function in functions:
            flow.taken.add(("f", function, ""))
            for taken_by in flow.parameters.get(function, ()):
                for parameter in _all_of(taken_by):
                    self._add(parameter)

    def _under(self, head: int) -> None:
        """What is done under a real condition, or as often as something real says."""
        flow = self._flow
        stack = [*flow.under.get(head, ())]
        while stack:
            number = stack.pop()
            deed = flow.deeds[number]
            is_loop = bool(flow.deeds[head].gives)
            if deed.gives & deed.reads or not is_loop:
                self._give(number)
                if deed.tells and not (deed.reads or deed.calls):
                    deed.works = True
            stack += flow.under.get(number, ())

    def _give(self, number: int) -> None:
        for node in self._flow.deeds[number].gives:
            self._add(node)

    def _add(self, node: Node) -> None:
        if node not in self._found:
            self._found.add(node)
            self._ahead.append(node)


_ROUNDS = 4
_MOST_ARGUMENTS = 300  # of the calls in one statement
_MOST_HANDED = 20_000  # arguments of all calls of a name, by the parameters that may take them


def _crowded(deeds: Sequence[Deed], parameters: Mapping[str, Sequence[Parameters]]) -> set[str]:
    """Names of so many calls and functions that it is not told which is of use to which."""
    sizes = {
        function: sum(len(_all_of(taken_by)) + 1 for taken_by in takers)
        for function, takers in parameters.items()
    }
    handed: defaultdict[str, int] = defaultdict(int)
    for deed in deeds:
        for call in deed.calls:
            given = len(call.places) + len(call.names) + 1
            handed[call.function] += given * sizes.get(call.function, 0)
    return {function for function, count in handed.items() if count > _MOST_HANDED}


def _take_whole(deed: Deed) -> None:
    """Of calls with very many arguments it is not told which is of use."""
    for call in deed.calls:
        deed.reads.update({("f", call.function, "")}, *call.places, *call.names.values())
        deed.loose.add(call.function)
    deed.calls.clear()
    deed.works = True


def _all_of(taken_by: Parameters) -> list[Node]:
    found = [node for _, node in taken_by.named]
    return found + [node for node in (taken_by.rest, taken_by.others) if node is not None]


def needed(flow: Flow) -> tuple[set[int], set[Node]]:
    """The deeds that something needs, and the names and functions that are needed of them.

    Args:
        flow: The deeds and what they hand on.
    """
    return _Search(flow).found()


class _Search:
    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._deeds: set[int] = set()
        self._nodes: set[Node] = set()
        self._ahead: list[int] = []  # deeds to follow
        self._open: list[Node] = []  # names to follow
        self._callers: defaultdict[str, list[int]] = defaultdict(list)
        self._indirect: list[int] = []
        self._inside: defaultdict[str, list[int]] = defaultdict(list)
        self._methods: defaultdict[str, set[str]] = defaultdict(set)
        for number, deed in enumerate(flow.deeds):
            for function in {*deed.loose, *(call.function for call in deed.calls)}:
                self._callers[function].append(number)
            if deed.callees:
                self._indirect.append(number)
            if deed.inside:
                self._inside[deed.inside].append(number)
            if deed.owner and deed.defines:
                self._methods[deed.owner].add(deed.defines)
        self._loose = {function for deed in flow.deeds for function in deed.loose}

    def found(self) -> tuple[set[int], set[Node]]:
        flow = self._flow
        for number, deed in enumerate(flow.deeds):
            if flow.is_root(deed):
                self._need(number)
        for kind, name, _ in flow.taken:
            self._node((kind, name, ""))
            if kind == "f":
                self._run(name)
        while self._ahead or self._open:
            if self._open:
                self._node_found(self._open.pop())
            else:
                self._follow(self._ahead.pop())
        return self._deeds, self._nodes

    def _need(self, number: int) -> None:
        if number not in self._deeds and not self._flow.deeds[number].never:
            self._deeds.add(number)
            self._ahead.append(number)

    def _follow(self, number: int) -> None:
        flow = self._flow
        deed = flow.deeds[number]
        for node in deed.reads | deed.asks:
            self._node(node)
        for call in deed.calls:
            if not call.dropped:
                self._node(("f", call.function, ""))
            for reads, parameter in flow.hands(call):
                if parameter in self._nodes or parameter in flow.indirect:
                    for node in reads:
                        self._node(node)
        if deed.above >= 0:
            self._need(deed.above)
        for below in flow.left_by(number):
            self._need(below)
        if deed.inside:
            self._run(deed.inside)
        if deed.owner:
            self._node(("f", deed.owner, ""))
            if deed.inside.startswith(".__"):
                self._run(deed.owner)

    def _node(self, node: Node) -> None:
        if node not in self._nodes:
            self._nodes.add(node)
            self._open.append(node)

    def _node_found(self, node: Node) -> None:
        """A name or a function's result is needed: so is whatever gives it."""
        for number in self._flow.givers.get(node, ()):
            self._need(number)
        if node[0] == "f":
            # Whatever has an object may call what it can do.
            for method in self._methods.get(node[1], ()):
                self._node(("f", method, ""))
                self._run(method)
        if node in self._flow.indirect:
            for function in self._loose:
                self._node(("f", function, ""))
        if node[0] == "l":
            # Arguments that were of no use before.
            for number, reads in self._handing.get(node, ()):
                if number in self._deeds:
                    for read in reads:
                        self._node(read)

    @cached_property
    def _handing(self) -> dict[Node, list[tuple[int, frozenset[Node]]]]:
        """What is handed to a parameter, and by which deed."""
        handed: defaultdict[Node, list[tuple[int, frozenset[Node]]]] = defaultdict(list)
        for number, deed in enumerate(self._flow.deeds):
            for call in deed.calls:
                for reads, parameter in self._flow.hands(call):
                    if reads:
                        handed[parameter].append((number, reads))
        return handed

    def _run(self, function: str) -> None:
        """A function is needed for what it does: so is whatever may call it, and how it leaves."""
        run = ("run", function, "")
        if run in self._nodes:
            return
        self._nodes.add(run)
        for number in self._callers.get(function, ()):
            self._need(number)
        if function in self._loose or function.startswith(".__"):
            for number in self._indirect:
                self._need(number)
        for number in self._inside.get(function, ()):
            deed = self._flow.deeds[number]
            if deed.leaves and deed.above >= 0:
                self._need(number)
