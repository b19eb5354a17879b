"""Routings of one's own: next hops towards each destination, tabulated once into forwarding tables of the core."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ..base.errors import Fault, NetloomError
from .classes import Routing
from .registry import find
from .use import integers, invalid, run_class

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .. import _core

#: What the core has where a table has no entry, and the most entries that it holds.
_NO_LINK = 2**32 - 1
_MOST = 1 << 26


def in_core(text: str) -> str:
    """The core's name of a routing: that of the tables of a plug-in's, any other as it is."""
    cls = find("routings", text)
    if cls is None:
        return text
    assert issubclass(cls, Routing)
    return f"tables({json.dumps(text, ensure_ascii=False)}{',vc=hops' if cls.vc == 'hops' else ''})"


def routed(network: _core.Network, text: str) -> _core.Network:
    """The network with the forwarding tables of a routing of your own; with any other routing the network itself.

    Parameters
    ----------
    text
        A call of a registered class, such as `"mine(seed=3)"`.

    Returns
    -------
    Network
        `network.routing(in_core(text))` is its routing there: its paths, its forwarding tables as a file, and whether
        routes can wait for each other in a circle (`deadlock`).

    Raises
    ------
    NetloomError
        `NL-G003`, `NL-G004` for what is wrong with the call or raised by the class, `NL-G005` for next hops that are
        none, `NL-A009` for more than 2^26 entries.

    Notes
    -----
    O(destinations · switches) time and 4 bytes per entry, and a call of the class for each destination.
    """
    cls = find("routings", text)
    if cls is None:
        return network
    import numpy as np

    assert issubclass(cls, Routing)
    ends = network.endpoint_switch
    destinations = np.arange(network.endpoints) if cls.by_endpoint else np.unique(ends)
    entries = len(destinations) * network.switches
    if entries > _MOST:
        hint = "use a smaller network" + (", or tables by switch" if cls.by_endpoint else "")
        raise NetloomError([Fault("NL-A009", text, f"{entries} entries of forwarding tables exceed {_MOST}", "", hint)])
    table = np.full((len(destinations), network.switches), _NO_LINK, dtype=np.uint32)
    finder = _Links(network, text)
    dead = set() if network.failed is None else set(network.failed["switches"])
    for row, destination in zip(table, destinations.tolist(), strict=True):
        end = int(ends[destination]) if cls.by_endpoint else destination
        if end in dead:
            continue
        hops = integers(text, "next hops", run_class(cls, text, network, destination)).reshape(-1)
        if len(hops) != network.switches:
            raise invalid(text, f"{network.switches} next hops, one for each switch", len(hops))
        row[:] = finder.checked(hops, destination) if cls.gives_links else finder.between(hops, destination)
        # Packets are where they are for.
        row[end] = _NO_LINK
    column = np.arange(network.endpoints) if cls.by_endpoint else np.searchsorted(destinations, ends)
    return network.with_next_links(text, column.astype(np.uint32), table)


class _Links:
    """Links of a network by their ends."""

    def __init__(self, network: _core.Network, text: str) -> None:
        import numpy as np

        self.text, self.switches = text, network.switches
        self.tails = network.tails.astype(np.int64)
        # In the order of links, which is by tail and head.
        self.ends = self.tails * network.switches + network.heads

    def between(self, hops: NDArray[np.int64], destination: int) -> NDArray[np.int64]:
        """The first link from each switch to its next one; negative ones are none."""
        import numpy as np

        here = np.arange(self.switches)
        there = hops >= 0
        wanted = here * self.switches + hops
        at = np.minimum(np.searchsorted(self.ends, wanted), max(len(self.ends) - 1, 0))
        known = (self.ends[at] == wanted) if len(self.ends) else np.zeros(len(here), dtype=bool)
        self._require(there & ~(known & (hops < self.switches)) & (here != destination), hops, destination, "neighbour")
        return np.where(there & known, at, _NO_LINK)

    def checked(self, hops: NDArray[np.int64], destination: int) -> NDArray[np.int64]:
        """The links themselves, each of which must leave its switch."""
        import numpy as np

        here, there = np.arange(self.switches), hops >= 0
        inside = hops < len(self.tails)
        own = self.tails[np.where(there & inside, hops, 0)] == here if len(self.tails) else np.zeros(len(here), bool)
        self._require(there & ~(inside & own), hops, destination, "link")
        return np.where(there & own, hops, _NO_LINK)

    def _require(self, wrong: NDArray[np.bool_], hops: NDArray[np.int64], destination: int, what: str) -> None:
        if wrong.any():
            at = int(wrong.argmax())
            raise invalid(self.text, f"a {what} of switch {at}, or -1, on the way to {destination}", int(hops[at]))
