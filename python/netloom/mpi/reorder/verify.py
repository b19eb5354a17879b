"""Where the ranks of a running job are, and whether that is what was asked."""

from __future__ import annotations

import csv
import io
import os
import socket
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...base import files

if TYPE_CHECKING:
    from mpi4py import MPI

#: Where launchers say which process this is, whatever its rank became.
_PROCESS = ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID")


@dataclass(frozen=True)
class Seat:
    """One process: the launcher's number, its rank in MPI_COMM_WORLD, and where it runs."""

    process: int
    rank: int
    host: str
    cores: tuple[int, ...]
    core: int


@dataclass(frozen=True)
class Found:
    """A seat and what was asked for it; None where nothing was."""

    seat: Seat
    rank: int | None
    host: str | None

    @property
    def as_asked(self) -> bool:
        """Whether rank and host are those asked for."""
        return self.rank in (None, self.seat.rank) and self.host in (None, self.seat.host)

    def row(self) -> dict[str, object]:
        """By name."""
        asked = {"asked_rank": self.rank, "asked_host": self.host, "as_asked": self.as_asked}
        return {**asdict(self.seat), **asked}


def here(rank: int) -> Seat:
    """This process."""
    said = next((text for name in _PROCESS if (text := os.environ.get(name, "")).isdecimal()), str(rank))
    cores = tuple(sorted(os.sched_getaffinity(0)))
    return Seat(int(said), rank, socket.gethostname(), cores, _core(cores))


def _core(cores: tuple[int, ...]) -> int:
    """The core that runs this process now: field 39 of its line in /proc."""
    try:
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        return int(fields[36])
    except (OSError, ValueError, IndexError):
        return cores[0] if cores else -1


def seats(comm: MPI.Intracomm) -> list[Seat]:
    """Those of all processes by rank, on every process."""
    return sorted(comm.allgather(here(comm.rank)), key=lambda seat: seat.rank)


def hosts_of(path: str | Path) -> dict[int, str]:
    """The host that a table of places names for each rank; empty for other files."""
    text = files.read(path).decode("utf-8", "replace")
    made = {}
    for row in csv.DictReader(io.StringIO(text)):
        rank, host = (row.get("rank") or "").strip(), (row.get("host") or "").strip()
        if rank.isascii() and rank.isdecimal() and len(rank) < 9 and host:
            made[int(rank)] = host
    return made


def compared(found: Sequence[Seat], new_ranks: Sequence[int] | None, hosts: dict[int, str]) -> list[Found]:
    """Each seat next to what was asked.

    Hosts are compared where the file names hosts of this job: then it does not matter which process a rank was.
    Otherwise the new rank of each process is.
    """
    real = {seat.host for seat in found}
    if hosts and real & set(hosts.values()):
        return [Found(seat, None, hosts.get(seat.rank, "no host")) for seat in found]
    if new_ranks is None:
        return [Found(seat, None, None) for seat in found]
    return [Found(seat, new_ranks[seat.process] if seat.process < len(new_ranks) else -1, None) for seat in found]


def ranges(numbers: Sequence[int]) -> str:
    """`0-3,8` for sorted numbers."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][1] + 1 == number:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)
