"""A job as its list asks for it, before its nodes are endpoints of a network."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..base.errors import Fault, NetloomError
from .codes import NONE_RUNS

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..base.arrays import Endpoints
    from ..workload import Workload

#: What lists all jobs that have nodes.
COMMAND = "squeue -t R,CF,CG,S -o '%i|%j|%T|%D|%C|%N'"
MAX_JOBS = 10_000
#: Most characters of a name or a call.
MAX_TEXT = 4096
#: Most faults listed; more would add nothing.
MAX_FAULTS = 20
MOST = (1 << 31) - 1


@dataclass
class Asked:
    """One job.

    Parameters
    ----------
    place
        What messages call it, for example ``jobs.toml: job 2``.
    nodes
        A host list such as ``n[0-3,7]``, or numbers of endpoints; None if `count` endpoints are to be placed.
    cores
        Ranks per endpoint; None for the default.
    ranks
        None: as many as `cores` times endpoints.
    cpus
        Cores that the job was given, where known: what all its ranks must fit in.
    spread
        True: Slurm spreads the ranks over the endpoints, at most `cores` on each. False: they fill one after the other.
    workload
        Call text, a file or an object; None if the list does not say.
    mapping
        Endpoint of every rank, or a rank file: replaces nodes, placement and order.
    seats
        With the mapping of a rank file: seat of every rank on its endpoint, where a node is behind it.
    size_bytes
        Of a collective; None for what the scenario says.
    details
        (node list, numbers of cores) as a scheduler gave them.
    cpus_on
        (node list, CPUs on each) as a scheduler counted them.
    sends
        False: it ends or is suspended, and only holds its nodes.
    whole
        `count` counts hosts with all their endpoints.
    """

    name: str
    place: str
    nodes: str | list[int] | None = None
    count: int = 0
    placement: str | None = None
    cores: int | None = None
    ranks: int | None = None
    cpus: int | None = None
    cpus_per_rank: int = 1
    workload: Workload | str | None = None
    variant: str | None = None
    routing: str | None = None
    order: str = "draw"
    mapping: ArrayLike | str | None = None
    mapping_format: str = "auto"
    seats: Endpoints | None = None
    root: int = 0
    size_bytes: int | None = None
    start_s: float = 0.0
    repetitions: int = 1
    spread: bool = False
    details: list[tuple[str, str]] = field(default_factory=list)
    cpus_on: list[tuple[str, int]] = field(default_factory=list)
    sends: bool = True
    whole: bool = False


@dataclass(frozen=True)
class Head:
    """What a list says before its jobs: the endpoints that may be placed on, and the default of `cores`."""

    free: str | list[int] | None = None
    cores: int | None = None


class Faults:
    """Collects what is wrong with one list, up to :data:`MAX_FAULTS`."""

    def __init__(self) -> None:
        self.list: list[Fault] = []

    def add(self, code: str, place: str, expected: str, got: object = "", hint: str = "") -> None:
        self.list.append(Fault(code, place, expected, str(got), hint))

    def take(self, error: NetloomError, place: str = "") -> None:
        """Faults of the core, with the place before theirs."""
        for fault in error.faults:
            full = f"{place}: {fault.place}" if place else fault.place
            self.list.append(Fault(fault.code, full, fault.expected, fault.got, fault.hint))

    @property
    def full(self) -> bool:
        return len(self.list) >= MAX_FAULTS

    def done(self) -> None:
        """Raises `NetloomError` if there is any."""
        if self.list:
            raise NetloomError(self.list[:MAX_FAULTS])


def refuse(code: str, place: str, expected: str, got: object = "", hint: str = "") -> NetloomError:
    return NetloomError([Fault(code, place, expected, str(got), hint)])


def none_runs(place: str) -> NetloomError:
    """What a list without a job that sends is refused with."""
    return refuse(NONE_RUNS, place, "no job in it runs on a node", "", COMMAND)
