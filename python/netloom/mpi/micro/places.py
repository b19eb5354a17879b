"""Where processes run, and what two of them share."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mpi4py import MPI

#: What two processes share, the closest first; `network`: nothing but the network.
LEVELS = ("cache", "numa", "socket", "node", "network")
_CPUS = Path("/sys/devices/system/cpu")


@dataclass(frozen=True)
class Place:
    """Where a process runs.

    Parameters
    ----------
    core
        The one that it is bound to; -1 if it may move, and then nothing below the host is known.
    socket, numa, cache
        Numbers on the host; -1 if not known.
    """

    host: str
    core: int = -1
    socket: int = -1
    numa: int = -1
    cache: int = -1

    def shared(self, other: Place) -> str:
        """The closest level that both are in."""
        if self.host != other.host:
            return "network"
        for level in LEVELS[:3]:
            own = getattr(self, level)
            if own >= 0 and own == getattr(other, level):
                return level
        return "node"

    def plain(self) -> dict[str, object]:
        """As a row of a file."""
        return asdict(self)


def bound(comm: MPI.Intracomm) -> list[Place]:
    """The places of all processes; those of a host that may all use the same cores get one of them each, in order."""
    from mpi4py import MPI

    mine = sorted(os.sched_getaffinity(0))
    here = comm.Split_type(MPI.COMM_TYPE_SHARED, comm.Get_rank())
    every: list[list[int]] = here.allgather(mine)
    if len(mine) >= here.Get_size() and all(one == mine for one in every):
        mine = [mine[here.Get_rank()]]
        os.sched_setaffinity(0, mine)
    here.Free()
    found: list[Place] = comm.allgather(_place(socket.gethostname(), mine))
    return found


def _place(host: str, cores: Sequence[int]) -> Place:
    if len(cores) > 1:
        return Place(host)
    folder = _CPUS / f"cpu{cores[0]}"
    nodes = [int(path.name[4:]) for path in folder.glob("node[0-9]*")]
    return Place(
        host, cores[0], _number(folder / "topology" / "physical_package_id"), nodes[0] if nodes else -1, _cache(folder)
    )


def _cache(folder: Path) -> int:
    """Number of the last-level cache: the first core that shares it."""
    last = max(folder.glob("cache/index[0-9]*"), key=lambda path: _number(path / "level"), default=None)
    if last is None:
        return -1
    try:
        first = (last / "shared_cpu_list").read_text().replace("-", ",").split(",")[0]
        return int(first)
    except (OSError, ValueError):
        return -1


def _number(path: Path) -> int:
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return -1


def pairs(places: Sequence[Place], level: str) -> list[tuple[int, int]]:
    """As many pairs without a common process as a greedy search finds, each with this level as the closest one.

    Those of one unit come first, so that the first k of them share it.
    """
    found, used = [], set()
    for a, one in enumerate(places):
        for b in range(a + 1, len(places)):
            if a not in used and b not in used and one.shared(places[b]) == level:
                found.append((a, b))
                used |= {a, b}
    return sorted(found, key=lambda pair: (places[pair[0]].host, getattr(places[pair[0]], level, 0), pair))


def together(places: Sequence[Place], level: str, chosen: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those pairs that share the unit, or for the network the two hosts, of the first one."""
    if not chosen:
        return []
    unit = [_unit(places[one], level) for one in chosen[0]]
    return [pair for pair in chosen if [_unit(places[one], level) for one in pair] == unit]


def _unit(place: Place, level: str) -> tuple[object, ...]:
    return (place.host, getattr(place, level, None))
