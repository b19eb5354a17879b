"""Node names to endpoints.

In a network whose endpoints have names, a node is the endpoint of that name. In one without, such as a generated one, a
node is the endpoint whose number its name ends with, so that ``nid00012`` is endpoint 12; all names of a list then have
the same text before that number, since two series of numbers cannot be one.

Where a network has hosts of several endpoints, such as the GPUs of a node, a number is that of a host and stands for
all of them. A host with several ports has an endpoint for each, called ``gpu1:0``, ``gpu1:1``, ...; ``gpu1`` stands
for all of them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from .. import _core
from ..base.errors import NetloomError
from ..base.nearest import did_you_mean
from .asked import Faults
from .codes import NO_ENDPOINT
from .on_hosts import Machines

_DIGITS = "0123456789"
#: Digits of a number.
_LONGEST = 18


class Names:
    """The endpoints of one network by name.

    Parameters
    ----------
    first
        Number of the node that is endpoint 0, for networks without names.
    """

    def __init__(self, network: _core.Network, first: int, faults: Faults) -> None:
        self.endpoints = network.endpoints
        machines = Machines(network)
        #: Endpoints of every host, where some have several, by number of the host.
        self.members = machines.units(range(network.endpoints)) if machines else []
        self.of_endpoint = machines.of_endpoint
        #: Nodes that numbers may mean.
        self.units = len(self.members) or network.endpoints
        self.label = network.label
        self.first = first
        self.faults = faults
        self.prefix: str | None = None
        self.known: dict[str, int] = {}
        #: Endpoints of hosts with several ports.
        self.ports: dict[str, list[int]] = {}
        #: Names in full such as ``cn1.cluster``, by their first label; None for several of one label.
        self.full: dict[str, str | None] = {}
        if network.has_names:
            names = network.endpoint_names
            # A file may name its switches alone; endpoints are then called by their numbers.
            if any(name != str(number) for number, name in enumerate(names)):
                self.known = {name: number for number, name in enumerate(names)}
            for name, number in self.known.items():
                host, colon, port = name.rpartition(":")
                if colon and port.isdecimal() and host not in self.known:
                    self.ports.setdefault(host, []).append(number)
            for name in (*self.known, *self.ports):
                label, dot, _ = name.partition(".")
                if dot:
                    self.full[label] = None if label in self.full else name

    def of(self, nodes: str | list[int], place: str) -> list[int]:
        """Endpoints of a host list, in its order; what is wrong goes to the faults. O(names)."""
        if not isinstance(nodes, str):
            # The core checks that they exist.
            return nodes
        try:
            # More names than endpoints cannot all exist: a few more are kept so that the message can name some.
            names = _core.expand_hostlist("".join(nodes.split()), place, self.endpoints + 64)
        except NetloomError as error:
            self.faults.take(error)
            return []
        found = [end for name in names for end in self._ends(name)] if self.known else self._numbers(names)
        if found and min(found) >= 0 and max(found) < (self.endpoints if self.known else self.units):
            return found if self.known or not self.members else [end for host in found for end in self.members[host]]
        # In a list of thousands one wrong name is enough.
        refuse = self._refuse_name if self.known else self._refuse_number
        any(refuse(name, place) for name in names)
        return []

    def _ends(self, name: str) -> list[int]:
        name = self._own(name)
        number = self.known.get(name)
        return self.ports.get(name, [-1]) if number is None else [number]

    def known_ends(self, name: str) -> list[int]:
        """Endpoints of a node that may not be in the network: none where it is not."""
        if self.known:
            return [end for end in self._ends(name) if end >= 0]
        name = name.partition(".")[0]
        digits = name[len(name.rstrip(_DIGITS)) :]
        number = int(digits) - self.first if 0 < len(digits) <= _LONGEST else -1
        if not 0 <= number < self.units:
            return []
        return self.members[number] if self.members else [number]

    def _own(self, name: str) -> str:
        """The network's name of a host that is called in full (``cn1.cluster`` for ``cn1``) or in short."""
        if name in self.known or name in self.ports:
            return name
        label, dot, _ = name.partition(".")
        longer = self.full.get(label)
        if longer is not None and longer.startswith(f"{name}."):
            return longer
        while dot:
            name, dot, _ = name.rpartition(".")
            if name in self.known or name in self.ports:
                return name
        return name

    def hosts(self, endpoints: Iterable[int]) -> int:
        """How many hosts have these endpoints."""
        if self.of_endpoint is not None:
            return len({int(self.of_endpoint[number]) for number in endpoints})
        of_port = {number: host for host, ends in self.ports.items() for number in ends}
        return len({of_port.get(number, number) for number in endpoints})

    def _numbers(self, names: list[str]) -> list[int]:
        """Their numbers if all are alike before them, else nothing."""
        prefix = names[0].rstrip(_DIGITS) if self.prefix is None else self.prefix
        tails = [name.removeprefix(prefix) for name in names]
        alike = all(tail.isascii() and tail.isdecimal() for tail in tails) and all(n.startswith(prefix) for n in names)
        if not alike or max(map(len, tails)) > _LONGEST or prefix != names[0].rstrip(_DIGITS):
            return []
        self.prefix = prefix
        return [int(tail) - self.first for tail in tails]

    def _refuse_name(self, name: str, place: str) -> bool:
        if self._own(name) in self.known or self._own(name) in self.ports:
            return False
        hint = did_you_mean(name, self._near(name), "for example")
        self.faults.add(NO_ENDPOINT, place, f"nodes of {self.label[:60]}", name[:80], hint)
        return True

    def _near(self, name: str) -> list[str]:
        """Names that begin alike: comparing with each of a large machine's would take seconds."""
        ordered = sorted([*self.known, *self.ports])
        at = bisect_left(ordered, name)
        return ordered[max(0, at - 20) : at + 20]

    def _refuse_number(self, name: str, place: str) -> bool:
        prefix = name.rstrip(_DIGITS)
        digits = name[len(prefix) :]
        number = int(digits) - self.first if 0 < len(digits) <= _LONGEST else -1
        if not 0 <= number < self.units:
            expected = f"names that end with a number in {self.first}..{self.first + self.units - 1}"
            # Nodes numbered from 1 exceed the range at the end.
            beyond = self.first == 0 and number == self.units
            one = "; first_node=1 (--first-node 1) is for nodes that count from 1" if beyond else ""
            near = f"the nearest is {prefix[:40]}{self._nearest(number)}; " if digits else ""
            self.faults.add(
                NO_ENDPOINT, place, expected, name[:80], f"{near}this network's endpoints have no names{one}"
            )
            return True
        if self.prefix is None:
            self.prefix = prefix
        if self.prefix != prefix:
            expected = f'nodes called "{self.prefix[:40]}" and a number, as the first one'
            hint = "use a network whose endpoints have names, for example from topology.conf"
            self.faults.add(NO_ENDPOINT, place, expected, name[:80], hint)
        return self.prefix != prefix

    def _nearest(self, number: int) -> int:
        return min(max(number, 0), self.units - 1) + self.first


def in_order(network: _core.Network, endpoints: Iterable[int]) -> list[int]:
    """Endpoints as Slurm goes through their nodes."""
    ascending = sorted(endpoints)
    if not network.has_names:
        return ascending
    names = network.endpoint_names
    return [ascending[at] for at in _core.slurm_order([names[end] for end in ascending])]


def masks(details: list[tuple[str, str]], names: Names, place: str) -> dict[int, int] | None:
    """Cores of a job on each endpoint as bits; None where they are not known."""
    found: dict[int, int] = {}
    for nodes, cores in details:
        bits = 0
        for part in cores.split(","):
            first, _, last = part.partition("-")
            last = last or first
            if not (first.isdecimal() and last.isdecimal() and len(first) < 6 and len(last) < 6):
                return None
            bits |= ((1 << max(0, int(last) - int(first) + 1)) - 1) << int(first)
        for endpoint in names.of(nodes, place):
            found[endpoint] = found.get(endpoint, 0) | bits
    return found
