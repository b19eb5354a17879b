"""What is measured, in which order: what is needed most comes first, so that an early end leaves a usable file."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ... import __version__
from ...base.errors import Fault, NetloomError
from ..clock import synchronised
from ..schedules.patience import crowded, sleeping, spinning
from ..started import library, spread
from . import codes, collectives, memory
from .messages import Binding, Pairs, sizes
from .places import LEVELS, Place, bound, pairs, together
from .rows import About, Row
from .timing import Team

if TYPE_CHECKING:
    from mpi4py import MPI

#: Largest message.
MOST_BYTES = 1 << 22
#: Sizes at which pairs exchange, and are timed together, and at which overheads are taken.
EXCHANGED = (8, 4096, 65536, 1 << 18, 1 << 20, 1 << 22)
SMALL = (1, 64, 512, 2048, 4000, 8000)
#: Of the time, for a ping-pong of one pair; the rest is shared by all others.
PINGPONG_SHARE = 0.4
#: Seconds that an item takes at least, whatever is planned.
LEAST_S = 0.01

Item = Callable[[float], list[Row]]


def team_of(comm: MPI.Intracomm, oversubscribe: bool) -> tuple[Team, list[Place], bool]:
    """The processes, where they are, and whether they are more than the cores.

    Raises
    ------
    NetloomError
        NL-I071 for one process, NL-I072 for more than cores unless that is asked for.
    """
    if comm.Get_size() < 2:
        hint = "for example --launch 'mpirun -n 2'"
        raise NetloomError([Fault(codes.TOO_FEW_RANKS, "--launch", "needs at least 2 processes", "1", hint)])
    is_full = crowded(comm)
    if is_full and not oversubscribe:
        sentence = f"{comm.Get_size()} processes are more than the cores that they may use"
        raise NetloomError([Fault(codes.CROWDED, "--launch", sentence, "", "start fewer, or add --oversubscribe")])
    return Team(comm, sleeping if is_full else spinning), bound(comm), is_full


def about(team: Team, places: Sequence[Place], purpose: str) -> About:
    """The job, on process 0 with its node."""
    found = spread(team.comm)
    cores = len(os.sched_getaffinity(0))
    per_node = found.get("ranks_per_node", max(1, team.comm.Get_size() // found["nodes"]))
    every: list[set[int]] = team.comm.allgather(os.sched_getaffinity(0))
    mine = places[0].host
    cores = len(set[int]().union(*(one for one, place in zip(every, places, strict=True) if place.host == mine)))
    return About(
        purpose, library(), team.comm.Get_size(), found["nodes"], per_node, cores, os.getloadavg()[0],
        _node() if team.rank == 0 else "", __version__, datetime.date.today().isoformat(),
        {level: len(pairs(places, level)) for level in LEVELS if pairs(places, level)},
    )  # fmt: skip


def _node() -> str:
    """This host's node; "" where it cannot be read."""
    from ...network.hierarchy import node_of

    try:
        return str(node_of("host", None, None, None)["node"])
    except NetloomError:
        return ""


def calibration(team: Team, places: Sequence[Place], calls: Binding, seconds: float) -> Iterator[Item]:
    """The measurements that a machine is fitted to."""
    levels = [level for level in LEVELS if pairs(places, level)]
    one = [Pairs(team, level, pairs(places, level)[:1], calls) for level in levels]
    every = sizes(MOST_BYTES, middle=False)
    for each in one:
        for size in every:
            yield _within(_one(each.pingpong, size), seconds * PINGPONG_SHARE / len(levels) / len(every))
    rest = [*_overheads(one), *_memory(team, places, calls), *_several(team, places, calls, levels)]
    for item in rest:
        yield _within(item, seconds * (1 - PINGPONG_SHARE) / len(rest))


def _overheads(one: Sequence[Pairs]) -> Iterator[Item]:
    for each in one:
        yield partial(_eager, each)
        for size in SMALL:
            yield partial(each.overheads, size)
        yield _one(each.rate, 8)


def _memory(team: Team, places: Sequence[Place], calls: Binding) -> Iterator[Item]:
    for size in (memory.NEAR, memory.MIDDLE, memory.FAR):
        yield _one(memory.combine, team, size)
    yield _one(memory.call, team, calls.send)
    for level, members in units(places):
        for size in (memory.NEAR, memory.MIDDLE, memory.FAR):
            yield _one(memory.copy, team, level, members, size)


def units(places: Sequence[Place]) -> list[tuple[str, list[int]]]:
    """One process, then those in the cache, NUMA domain, socket and host of process 0, where they are more."""
    found: list[tuple[str, list[int]]] = [("core", [0])]
    for level in LEVELS[:-1]:
        of_level = LEVELS[: LEVELS.index(level) + 1]
        members = [rank for rank, one in enumerate(places) if rank == 0 or places[0].shared(one) in of_level]
        if len(members) > len(found[-1][1]):
            found.append((level, members))
    return found


def _several(team: Team, places: Sequence[Place], calls: Binding, levels: Sequence[str]) -> Iterator[Item]:
    """Exchanges of one pair, and what several pairs of one unit reach at the same time."""
    for level in levels:
        chosen = together(places, level, pairs(places, level))
        k = 1
        while k <= len(chosen):
            group = Pairs(team, level, chosen[:k], calls)
            for size in EXCHANGED:
                yield _one(group.exchange, size)
                if k > 1:
                    yield _one(group.pingpong, size)
            if k > 1:
                yield _one(group.rate, 8)
            k = len(chosen) if k < len(chosen) < 2 * k else 2 * k


def validation(team: Team, places: Sequence[Place], calls: Binding, seconds: float) -> Iterator[Item]:
    """Collectives, exchanges, and ping-pongs of sizes that calibration does not measure."""
    clock = None if team.wait is sleeping else synchronised(team.comm)
    found: list[Item] = []
    for name in collectives.NAMES:
        for size in collectives.SIZES:
            if size * team.comm.Get_size() ** 2 <= collectives.MOST_BYTES:
                found.append(_one(collectives.timed, team, clock, name, size))
    levels = [level for level in LEVELS if pairs(places, level)]
    first = Pairs(team, levels[0], pairs(places, levels[0])[:1], calls)
    if first.chosen[0] == (0, 1):
        found += [_one(first.pingpong, size) for size in sizes(MOST_BYTES, middle=True)]
    for item in found:
        yield _within(item, seconds / len(found))


def _within(item: Item, share: float) -> Item:
    return lambda left: item(max(min(share, left), LEAST_S))


def _one(measure: Callable[..., Row], *given: object) -> Item:
    """An item of one row, whose function takes the seconds last."""
    return lambda seconds: [measure(*given, seconds)]


def _eager(each: Pairs, _: float) -> list[Row]:
    return [each.eager()]


#: By the word that the command line of the processes has.
PLANS = {"calibrate": calibration, "validate": validation}
