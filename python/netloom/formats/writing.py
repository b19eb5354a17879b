"""`netloom.write`: anything that a file can hold, as a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .. import _core
from ..base import files
from ..base.arguments import Arguments
from ..base.errors import Fault, NetloomError
from ..jobs import Job, write_jobs
from ..mapping.rank_files import emitted, ports_of
from ..network import NetworkLike, as_network
from ..network import network as network_of
from ..workload import as_traffic
from ..workload.traces import write_trace
from ..workload.traffic import write_traffic
from .ending import by_ending
from .machine import node_of, seats_of

if TYPE_CHECKING:
    from ..base.arrays import Endpoints

    #: What can be written.
    Writable = (
        _core.Network
        | _core.Routing
        | _core.Traffic
        | _core.Schedule
        | _core.Programs
        | Sequence[Job | Mapping[str, object]]
        | Endpoints
        | Sequence[int]
    )


def write(
    value: Writable,
    target: str | Path,
    *,
    format: str | None = None,
    network: NetworkLike | None = None,
    cores: int | None = None,
    node: str | None = None,
    repetitions: int = 1,
) -> list[Path]:
    """Write a network, a routing, a traffic, a schedule, programs, jobs or a mapping.

    Parameters
    ----------
    value
        A `Network`; a `Routing`, of which the forwarding tables are written; a `Traffic`; `Programs`, a `Schedule` or a
        `Traffic` as a trace (``smpi-trace``); jobs, each a `Job` or a mapping with the keys of a ``[[job]]``; or a
        mapping, the endpoint of every rank (its slot where ``cores`` is above 1).
    target
        The path of the file, whose ending tells the format unless `format` does; of a trace the folder.
    format
        Call text of a registered format (`netloom list formats`) with its parameters.
    network
        The network of a mapping.
    cores
        Slots of each endpoint, for a mapping; by default the seats of `node`, else 1.
    node
        Call text of what is behind the endpoints, for a mapping: those of its NICs are one host.
    repetitions
        How often a trace does the workload, 1 to 2^32 - 1.

    Returns
    -------
    list of Path
        The files that were written, the first that a reader takes first.

    Examples
    --------
    >>> import netloom
    >>> netloom.write([3, 2, 1, 0], "ranks.csv", network="torus(4,4)")
    [PosixPath('ranks.csv')]

    Raises
    ------
    NetloomError
        `NL-A007` for what cannot be written; `NL-X014` or `NL-F016` for an ending that tells no format; `NL-X003` for a
        file that cannot be written; what the format cannot say, with its code.

    Notes
    -----
    A file is written as a whole or not at all. Cost: the file.
    """
    given = Arguments("write")
    given.one_of("target", target, (str, Path), "the path of a file")
    if format is not None:
        given.text("format", format)
    given.done()
    if network is None:
        value = _known(value)  # type: ignore[assignment]  # told apart below
    net = None if network is None else network_of(network)
    behind = node_of("write", node, net)
    cores = seats_of("write", cores, behind)
    if isinstance(value, _core.Network):
        return _one(target, value.write(_told(target, format, "network")))
    if isinstance(value, _core.Routing):
        return _one(target, value.write(_told(target, format, "forwarding")))
    if isinstance(value, (_core.Programs, _core.Schedule)) or _trace(value, target, format):
        return write_trace(value, target, repetitions)  # type: ignore[arg-type]  # one of three types, checked there
    if isinstance(value, _core.Traffic):
        write_traffic(value, target, format=format)
        return [Path(target)]
    if _jobs(value):
        write_jobs(value, target, format="jobs-toml" if format is None else format)  # type: ignore[arg-type]
        return [Path(target)]
    if net is None:
        expected = "a Network, a Routing, a Traffic, a Schedule, Programs, jobs, or a mapping with its network="
        raise NetloomError([Fault("NL-A007", "write.value", expected, type(value).__name__)])
    slots = given.endpoints("value", value)
    given.done()
    told = _told(target, format, "mapping")
    on = net if cores == 1 else net.with_slots(cores, behind)
    return _one(target, emitted(told, on, slots, cores, ports=ports_of(told, net, behind)))


def _known(value: object) -> object:
    """Graphs, matrices and frames of other packages as networks and traffic; a mapping has one dimension."""
    is_table = getattr(value, "ndim", 0) == 2 or hasattr(value, "columns") or hasattr(value, "tocoo")
    return as_traffic(value) if is_table else as_network(value) if hasattr(value, "adj") else value


def _trace(value: object, target: str | Path, format: str | None) -> bool:
    """A traffic goes into a folder as a trace if that is asked for."""
    return isinstance(value, _core.Traffic) and format is not None and format.partition("(")[0].strip() == "smpi-trace"


def _jobs(value: object) -> bool:
    rows = list(value) if isinstance(value, (list, tuple)) else []
    return bool(rows) and all(isinstance(row, (Job, Mapping)) for row in rows)


def _one(target: str | Path, data: bytes) -> list[Path]:
    files.write(target, data)
    return [Path(target)]


def _told(target: str | Path, format: str | None, holds: str) -> str:
    """The format that was named, or the one that has the ending."""
    return by_ending(str(target), holds) if format is None else format
