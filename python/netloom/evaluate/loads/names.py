"""What links are called: by their switches, and by port or cable where several join the same two."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from ... import _core

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .of_core import HotLink


class LinkNames:
    """Names of the switch links of a network. O(switches) to begin with."""

    def __init__(self, net: _core.Network) -> None:
        self._net = net
        self._names = net.switch_names if net.has_names else None
        self._subnet = _core.subnet(net)

    def ends(self, link: HotLink) -> tuple[str, str]:
        """`leaf1`, `spine0`; of several cables `leaf1[7]`, `spine0[2]`, without ports `0`, `4 (cable 1)`."""
        return self._named(link["link"], link["from_switch"], link["to_switch"])

    def of(self, number: int) -> tuple[str, str]:
        """The same of a switch link by its number."""
        return self._named(number, int(self._net.tails[number]), int(self._net.heads[number]))

    def _named(self, number: int, tail: int, head: int) -> tuple[str, str]:
        start, end = (str(at) if self._names is None else self._names[at] for at in (tail, head))
        cable = self._net.parallel(number)
        if cable is None:
            return start, end
        if self._subnet is None:
            return start, f"{end} (cable {cable})"
        ports = self._subnet["port_of_link"]
        return f"{start}[{ports[number]}]", f"{end}[{ports[self._net.reverse[number]]}]"

    def cells(self) -> tuple[list[str], Iterator[list[int | str]]]:
        """Columns that tell parallel cables apart, none where switches have one cable, and their cells.

        Of switch links, then injection, then ejection. O(links).
        """
        ends = range(2 * self._net.endpoints)
        cables = [self._net.parallel(link) for link in range(len(self._net.tails))]
        if all(cable is None for cable in cables):
            return [], ([] for _ in chain(cables, ends))
        if self._subnet is None:
            return ["cable"], chain(([cable or 0] for cable in cables), ([""] for _ in ends))
        ports, down = self._subnet["port_of_link"].tolist(), self._subnet["port_of_endpoint"].tolist()
        between = ([port, ports[back]] for port, back in zip(ports, self._net.reverse.tolist(), strict=True))
        return ["from_port", "to_port"], chain(between, (["", port] for port in down), ([port, ""] for port in down))
