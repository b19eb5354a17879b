"""The least time that a network allows a collective."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypedDict, cast

from .. import _core
from ..base.arguments import Arguments
from ..base.arrays import ndarray
from ..base.errors import Fault, NetloomError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    #: Endpoint of every rank: a sequence, an ndarray of integers, or a column of the core.
    Endpoints = Sequence[int] | array[int] | NDArray[np.integer]
    from .reorder import Places


class Bound(TypedDict):
    """What `cut_bound` gives; see there."""

    time_s: float
    bytes: float
    bandwidth_bytes_per_s: float
    cut: Endpoints
    parts: int
    exact: bool
    method: str


def cut_bound(
    net: _core.Network | str,
    mapping: Endpoints,
    collective: str,
    size_bytes: int,
    *,
    root: int = 0,
    endpoint_links: bool = True,
    node: str = "",
    progress: Callable[[int, int], object] | None = None,
) -> Bound:
    """Least time of a collective on a network, from the data that must cross its cuts.

    Parameters
    ----------
    net
        As `netloom.describe` takes it.
    mapping
        Endpoint of every rank.
    collective
        `"allgather"`, `"allreduce"`, `"alltoall"`, `"broadcast"`, ...: no algorithm is meant.
    size_bytes
        As the collective's schedules take it: bytes that each rank contributes (allgather, gather) or receives
        (scatter, reduce-scatter), per pair (alltoall), of one vector or message (the others).
    endpoint_links
        False: the links between endpoints and switches cost nothing, as where switches are the accelerators.
    node
        Call text of what is behind the endpoints: its levels have bandwidth too, and ranks of one endpoint share its
        link.

    Returns
    -------
    dict
        `time_s`; `bytes` that must cross and `bandwidth_bytes_per_s` of the cut; `cut`, the ranks on one side (ndarray,
        empty for a partition); `parts` that it separates (2; more for a partition; 0 if bytes times hops decide);
        `exact`, True if no cut asks for more; `method`.

    Examples
    --------
    >>> import netloom
    >>> netloom.cut_bound("ring(8)", range(8), "allreduce", 1 << 20, endpoint_links=False)["time_s"] > 0
    True

    Raises
    ------
    NetloomError
        `NL-A002` no such collective, `NL-A007` a root that is no rank, or `endpoint_links` with a node or hosts of
        several ports, `NL-M001`..`NL-M003` the mapping, `NL-N001` a network in pieces.

    Notes
    -----
    Bandwidth alone: latency, overheads and computation only add to it. Links are full duplex and alike both ways.
    Allgather: `m · max |S ∩ ranks| / B(S)` over the sets S that leave a rank out, found exactly by parametric greatest
    flows; reduce-scatter is the same backwards. Gather and scatter: one parametric flow. Broadcast and reduce: the
    smallest greatest flow between root and a rank. Alltoall: `m · k (p - k) / B(S)`, all sets on up to 16 switches, and
    bytes times hops over the bandwidth of all links. Allreduce: a partition into j parts takes `2 n (j - 1)` into all
    of them together; with single ranks as parts that is the bound which the ring meets. Switches that combine may do
    with half of that.

    With a node, or hosts of several ports, machines and their levels are switches, and a rank may use any port of its
    machine: the bound holds, and is exact where machines have one port. Without, ranks that share an endpoint are
    bounded as if each had its own link: the bound holds, and `exact` is False. Where that takes too long (more than
    2^26 targets times links, some seconds), some cuts are tried and `exact` is False: the bound holds nevertheless.

    Source: Zhao et al., ForestColl (2024); Patarasuk and Yuan (2009).
    """
    from ..network import network

    on = network(net)
    given = Arguments("cut_bound")
    text = given.text("node", node)
    given.done()
    behind = _core.Node(text).on(on) if text else None
    where = Where(cast("Places", mapping), root, behind)
    found = bound_of(on, where, collective, size_bytes, endpoint_links=endpoint_links, progress=progress)
    return {**found, "cut": ndarray(found["cut"])}


class Where(NamedTuple):
    """The places of ranks: endpoints, the root, what is behind the endpoints, and seats; None: in order of rank."""

    mapping: Places
    root: int = 0
    node: _core.Node | None = None
    seats: Places | None = None


def bound_of(
    net: _core.Network | str,
    where: Where,
    collective: str,
    size_bytes: int,
    *,
    endpoint_links: bool = True,
    progress: Callable[[int, int], object] | None = None,
) -> Bound:
    """As `cut_bound`, with `cut` in the core's own column: for commands, which need no NumPy for it."""
    from ..network import network

    mapping, root, node, seats = where
    given = Arguments("cut_bound")
    endpoints = given.endpoints("mapping", mapping)
    size_bytes, root = given.integer("size_bytes", size_bytes), given.integer("root", root)
    collective, links = given.text("collective", collective), given.flag("endpoint_links", endpoint_links)
    given.done()
    for name, value in (("size_bytes", size_bytes), ("root", root)):
        if value < 0 or (name == "root" and value >= len(endpoints)):
            expected = "an integer >= 0" if value < 0 else f"a rank in 0..{len(endpoints)} (exclusive)"
            raise NetloomError([Fault("NL-A007", f"cut_bound.{name}", expected, str(value))])
    on = network(net)
    hosts = on.hosts
    if node is not None or (hosts is not None and not hosts["joined"]):
        if not links:
            got = "False with a node" if node is not None else "False with hosts of several ports"
            raise NetloomError([Fault("NL-A007", "cut_bound.endpoint_links", "True: ports cost something", got)])
        inside = _core.with_insides(on, endpoints, node, seats)
        ranks = array("I", range(len(endpoints)))
        found = cast(Bound, _core.cut_bound(inside, ranks, collective, size_bytes, root, False, progress))
        one_port = (1 if node is None else node.nics) == 1 and (hosts is None or hosts["joined"])
        return {**found, "exact": found["exact"] and one_port}
    most = max(Counter(endpoints).values(), default=1)
    if most == 1:
        return cast(Bound, _core.cut_bound(on, endpoints, collective, size_bytes, root, links, progress))
    # A separate link per rank can only be faster.
    slots = on.with_slots(most)
    found = cast(Bound, _core.cut_bound(slots, _apart(endpoints, most), collective, size_bytes, root, links, progress))
    return {**found, "exact": False}


def _apart(endpoints: Endpoints, seats: int) -> array[int]:
    """Slots of ranks that share endpoints: the ranks of an endpoint take its slots one after another."""
    taken: Counter[int] = Counter()
    slots = array("I")
    for endpoint in map(int, endpoints):
        slots.append(endpoint * seats + taken[endpoint])
        taken[endpoint] += 1
    return slots


def by_algorithm(names: Iterable[str], bound: Bound, net: _core.Network, where: Where) -> dict[str, float]:
    """Least seconds a byte of each algorithm: all keep to the bound of the collective, but an allreduce in which
    switches combine, where every part of the network takes the vector in and gives it out once, as in a broadcast."""
    found = dict.fromkeys(names, bound["time_s"])
    combining = [name for name in found if name.partition("(")[0] == "allreduce:in-network"]
    if combining:
        found |= dict.fromkeys(combining, bound_of(net, where, "broadcast", 1)["time_s"])
    return found
