"""The placement `hosts`: endpoints by the names of a host list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import _core
from ..base.errors import Fault, NetloomError
from ..plugin.classes import Placement
from .asked import Faults
from .codes import MORE_RANKS
from .names import Names

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .._core import Network


class Hosts(Placement):
    """The endpoints of a host list such as `cn[081-240]`, in its order; the first ones where a job needs fewer.

    On a network whose endpoints have no names a host is the endpoint whose number ends its name; `first` is the number
    of endpoint 0. Cost: O(names).
    """

    name = "hosts"
    example = 'hosts("n[3-5,0]")'

    def place(
        self, network: Network, count: int, list: str, first: int = 0, *, available: NDArray[np.integer]
    ) -> list[int]:
        """The endpoints.

        Raises
        ------
        NetloomError
            NL-J002 for names that are none of the network's, NL-J004 for fewer than are needed, NL-A007 for one twice
            or out of service.
        """
        import numpy as np

        faults = Faults()
        found = Names(network, first, faults).of(str(list), "hosts.list")
        faults.done()
        seen, counts = np.unique(found, return_counts=True)
        wrong = [*seen[counts > 1], *np.setdiff1d(seen, available)]
        if wrong:
            name = network.endpoint_names[int(wrong[0])] if network.has_names else f"endpoint {wrong[0]}"
            raise NetloomError([Fault("NL-A007", "hosts.list", "free hosts in service, each once", name)])
        if len(found) < count:
            hint = "fewer ranks, or more of them on a host (cores)"
            raise NetloomError([Fault(MORE_RANKS, "hosts.list", f"at least {count} hosts", str(len(found)), hint)])
        return found[:count]


def listed(call: str, network: Network) -> int | None:
    """How many endpoints a placement names: hosts, or those that are available; None if it names none.

    Raises
    ------
    NetloomError
        NL-J002 for names that are none of the network's.
    """
    if "(" not in call:
        return None
    name, positional, keyword = _core.parse_call(call)
    if name != Hosts.name:
        available = keyword.get("available")
        return len(set(available)) if isinstance(available, list) else None
    given = dict(zip(("list", "first"), positional, strict=False)) | keyword
    first = given.get("first", 0)
    if "list" not in given or not isinstance(first, int):
        # What draws the placement says what is wrong.
        return None
    faults = Faults()
    found = Names(network, first, faults).of(str(given["list"]), "hosts.list")
    faults.done()
    return len(found)
