"""Placements and orders, registered ones and plug-ins: which endpoints a job gets, which rank runs on which."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from .. import _core, plugin
from ..base.arguments import Arguments
from ..base.arrays import in_service, in_service_count, ndarray
from ..base.errors import Fault, NetloomError
from ..base.quantities import counted
from .codes import MORE_RANKS, TOO_LARGE

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ..base.arrays import Endpoints

    #: Endpoints that may be placed on; None for all in service.
    Available = Endpoints | Sequence[int] | None
    #: A job: its name, and its endpoints, or how many and by which placement.
    Wanted = tuple[str, int | Sequence[int], str | None]

#: Ranks of a job, at most.
MOST_RANKS = 1 << 24
#: Ranks whose list takes less time than the import of NumPy.
_FEW = 1 << 18


def placed(
    net: _core.Network, ranks: int, placement: str, order: str, cores: int = 1, node: _core.Node | None = None
) -> Endpoints:
    """Endpoint of every rank of a job that has the machine to itself.

    Parameters
    ----------
    cores
        Ranks on an endpoint. A placement chooses endpoints, which are filled one after another; a plug-in whose class
        says ``slots = True`` places every rank itself, on a network with `cores` slots for each endpoint, and so does
        an order.
    node
        What is behind the endpoints: one with fewer seats than `cores` gets as many ranks as it has seats.

    Raises
    ------
    NetloomError
        NL-J004 where the ranks do not fit, and what placement and order report. O(ranks + endpoints).
    """
    require_few("ranks", ranks)
    slots = slots_of(net, ranks, placement, cores, node)
    if cores == 1:
        return ordered(net, slots, order)
    if order != "draw":
        slots = ordered(net.with_slots(cores, node), slots, order)
    if isinstance(slots, array):
        return array("I", [slot // cores for slot in slots])
    made: NDArray[np.uint32] = ndarray(slots) // cores
    return made


def slots_of(net: _core.Network, ranks: int, placement: str, cores: int, node: _core.Node | None = None) -> Endpoints:
    """Slot of every rank on a network with `cores` slots for each endpoint: slot s is on endpoint s // cores."""
    rooms = None if node is None else node.rooms(net)
    if rooms is not None:
        return _in_rooms(net, ranks, placement, cores, rooms)
    if cores == 1:
        if net.failed is not None and ranks > (usable := in_service_count(net)):
            expected = f"at most {usable} ranks, the number of endpoints in service"
            hint = f"cores={-(-ranks // max(usable, 1))} (--cores) puts several ranks on an endpoint"
            raise NetloomError([Fault(MORE_RANKS, "ranks", expected, str(ranks), hint)])
        return endpoints_of(net, ranks, placement)
    cls = plugin.find("placements", placement)
    if cls is not None and getattr(cls, "slots", False):
        made = plugin.place(placement, net.with_slots(cores, node), ranks)
        assert made is not None
        return made
    usable, wanted = in_service_count(net), -(-ranks // cores)
    if wanted > usable:
        expected = f"at most {usable * cores} ranks: {usable} endpoints of {cores} cores"
        more = -(-ranks // max(usable, 1))
        hint = f"cores={more} (--cores) puts more ranks on an endpoint"
        if node is not None:
            hint = "use fewer ranks, a larger network, or a node with more seats"
        raise NetloomError([Fault(MORE_RANKS, "ranks", expected, str(ranks), hint)])
    nodes = endpoints_of(net, wanted, placement)
    if ranks <= _FEW:
        return array("I", [nodes[rank // cores] * cores + rank % cores for rank in range(ranks)])
    import numpy as np

    each: NDArray[np.uint32] = np.multiply(ndarray(nodes), cores, dtype=np.uint32)
    filled: NDArray[np.uint32] = np.asarray(
        (each[:, None] + np.arange(cores, dtype=np.uint32)).reshape(-1)[:ranks], dtype=np.uint32
    )
    return filled


def most_ranks(net: _core.Network, hosts: int | None, placement: str, cores: int, node: _core.Node) -> int:
    """Ranks that fit on the endpoints in service, or on those that a placement names. O(endpoints)."""
    import numpy as np

    room = np.minimum(ndarray(node.rooms(net)), cores)
    if hosts is not None:
        return int(room[ndarray(endpoints_of(net, hosts, placement))].sum())
    usable = in_service(net)
    return int((room if usable is None else room[usable]).sum())


def _in_rooms(net: _core.Network, ranks: int, placement: str, cores: int, rooms: Endpoints) -> Endpoints:
    """Slot of every rank where endpoints have room for different numbers of them: those that the placement chooses are
    filled one after the other; endpoints without room are not chosen.
    """
    import numpy as np

    room = np.minimum(ndarray(rooms), cores).astype(np.int64)
    usable = in_service(net)
    roomy = np.flatnonzero(room > 0) if usable is None else usable[room[usable] > 0]
    free = np.asarray(roomy, dtype=np.uint32)
    most = int(room[free].sum())
    if ranks > most:
        expected = f"at most {most} ranks: the seats of {counted(len(free), 'endpoint')}"
        raise NetloomError([Fault(MORE_RANKS, "ranks", expected, str(ranks), "fewer ranks, or a node with more seats")])
    wanted = -(-ranks // max(int(room.max()), 1))
    while True:
        own = plugin.place(placement, net, wanted, free)
        chosen = ndarray(_core.place_jobs(net, [("job", wanted, placement)], free)[0] if own is None else own)
        missing = ranks - int(room[chosen].sum())
        if missing <= 0:
            break
        wanted = min(wanted + -(-missing // int(room.max())), len(free))
    counts = room[chosen]
    first = np.repeat(np.cumsum(counts) - counts, counts)
    slots = np.repeat(chosen.astype(np.int64) * cores, counts) + np.arange(len(first)) - first
    made: NDArray[np.uint32] = slots[:ranks].astype(np.uint32)
    return made


def endpoints_of(net: _core.Network, count: int, placement: str) -> Endpoints:
    """The endpoints that a placement gives to a job of `count` of them, from those in service. O(endpoints).

    Raises
    ------
    NetloomError
        NL-M001, NL-M003 where there are fewer, and what the placement reports.
    """
    usable = in_service(net)
    made = plugin.place(placement, net, count, usable)
    if made is not None:
        return made
    if usable is None:
        return _core.place(net, count, placement, "draw")
    return _core.place_jobs(net, [("job", count, placement)], usable)[0]


def ordered(net: _core.Network, slots: Endpoints, order: str) -> Endpoints:
    """Which rank on which of the slots: a plug-in's order or a registered one, on a column or an ndarray."""
    if plugin.find("orders", order) is None:
        return _core.reorder(net, slots, order)
    made = plugin.order(order, net, ndarray(slots))
    assert made is not None
    return made


def require_few(place: str, ranks: int) -> None:
    """Refuses more ranks than traffic can have, before memory is allocated.

    Raises
    ------
    NetloomError
        NL-J004.
    """
    if ranks > MOST_RANKS:
        raise NetloomError([Fault(MORE_RANKS, place, f"at most {MOST_RANKS} ranks", str(ranks), "use fewer cores")])


def place_jobs(net: _core.Network, wanted: list[Wanted], available: Available = None) -> list[Endpoints]:
    """Endpoints of every job: lists first, then each job in turn on what is free.

    Parameters
    ----------
    available
        Endpoints that may be placed on; None for all that are in service.

    Raises
    ------
    NetloomError
        NL-M001, NL-M015 to NL-M018 with the job's name; NL-G003 to NL-G005 of a plug-in.

    Notes
    -----
    Cost: O(jobs · endpoints).
    """
    if not any(how is not None and plugin.find("placements", how) is not None for _, _, how in wanted):
        return [*_core.place_jobs(net, wanted, available)]
    import numpy as np

    lists = [job for job in wanted if job[2] is None]
    columns: dict[str, Endpoints] = {}
    for job, column in zip(lists, _core.place_jobs(net, lists, available), strict=True):
        columns[job[0]] = column
    free = np.zeros(net.endpoints, dtype=bool)
    free[_usable(net, available)] = True
    for taken in columns.values():
        free[np.asarray(taken)] = False
    for name, count, how in wanted:
        if how is None:
            continue
        left = np.flatnonzero(free).astype(np.uint32)
        assert isinstance(count, int)
        columns[name] = _one(net, name, count, how, left)
        free[np.asarray(columns[name])] = False
    return [columns[name] for name, _, _ in wanted]


def _one(net: _core.Network, name: str, count: int, how: str, free: NDArray[np.uint32]) -> Endpoints:
    """Endpoints of one job, from those that are free."""
    if plugin.find("placements", how) is None:
        return _core.place_jobs(net, [(name, count, how)], free)[0]
    place = f'job "{name[:60]}"'
    if count > len(free):
        sentence = f"{count} endpoints are wanted, {len(free)} are free"
        raise NetloomError([Fault(TOO_LARGE, place, sentence, "", "ask for fewer, or take jobs away")])
    try:
        made = plugin.place(how, net, count, free)
    except NetloomError as error:
        found = [Fault(f.code, f"{place}: {f.place}", f.expected, f.got, f.hint) for f in error.faults]
        raise NetloomError(found) from error.__cause__
    assert made is not None
    return made


def _usable(net: _core.Network, available: Available) -> NDArray[np.integer] | slice:
    import numpy as np

    usable = in_service(net) if available is None else np.asarray(available, dtype=np.int64)
    return slice(None) if usable is None else usable


def in_turn(mapping: Endpoints, cores: int) -> NDArray[np.uint32]:
    """Slots of ranks that share endpoints: the ranks of an endpoint get its slots in turn. O(ranks log ranks)."""
    import numpy as np

    at = ndarray(mapping)
    by = np.argsort(at, kind="stable")
    first = np.searchsorted(at[by], at[by])
    slots = np.empty(len(at), dtype=np.uint32)
    slots[by] = at[by] * cores + (np.arange(len(at)) - first)
    return slots


def slots_of_mapping(mapping: Endpoints | None, seats: object, cores: int) -> Endpoints | None:
    """Slot of every rank of a given mapping, on its seats or in turn where `seats` is empty; None without a mapping.

    Raises
    ------
    NetloomError
        NL-A007 for seats without a mapping, not one per rank, or beyond the cores of an endpoint.
    """
    said = not (isinstance(seats, str) and not seats)
    if mapping is None:
        if said:
            raise NetloomError([Fault("NL-A007", "seats", "nothing without mapping", "a list", "give the mapping")])
        return None
    if not said:
        return mapping if cores == 1 else in_turn(mapping, cores)
    given = Arguments("scenario")
    column = given.endpoints("seats", seats)
    given.done()
    if len(column) != len(mapping) or max(column) >= cores:
        got = str(max(column)) if len(column) == len(mapping) else f"{len(column)} seats"
        raise NetloomError([Fault("NL-A007", "seats", f"a seat below {cores} for each of {len(mapping)} ranks", got)])
    slots: NDArray[np.uint32] = ndarray(mapping) * cores + ndarray(column)
    return slots


def places_of(slots: Endpoints, cores: int) -> tuple[Endpoints, Endpoints | None]:
    """Endpoint of every rank, and its seat there if an endpoint has several. O(ranks)."""
    if cores == 1:
        return slots, None
    column = ndarray(slots)
    places, seats = column // cores, column % cores
    return array("I", places.astype("u4").tobytes()), array("I", seats.astype("u4").tobytes())
