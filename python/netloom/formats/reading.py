"""`netloom.read`: what a file holds, as the type that netloom has for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args, overload

from .. import _core
from ..base.arguments import Arguments, require_names
from ..base.arrays import ndarray
from ..jobs import PlacedJob, read_jobs
from ..mapping.rank_files import read_mapping
from ..network import NetworkLike, as_network, read_network
from ..network import network as network_of
from ..network.tables import read_tables
from ..workload.traces import read_trace
from ..workload.traffic import read_traffic
from .machine import node_of, seats_of

if TYPE_CHECKING:
    import numpy as np

    from ..base.arrays import Vector

#: What a file can hold.
Holds = Literal["network", "mapping", "traffic", "programs", "jobs", "forwarding"]
HOLDS: tuple[Holds, ...] = get_args(Holds)

Source = str | Path


@overload
def read(source: Source, holds: Literal["network"], *, format: str | None = None) -> _core.Network: ...
@overload
def read(
    source: Source,
    holds: Literal["mapping"],
    *,
    network: NetworkLike,
    cores: int | None = None,
    node: str | None = None,
    format: str | None = None,
) -> Vector[np.uint32]: ...
@overload
def read(
    source: Source, holds: Literal["traffic"], *, ranks: int | None = None, format: str | None = None
) -> _core.Traffic: ...
@overload
def read(
    source: Source, holds: Literal["programs"], *, algorithms: Mapping[str, str] | str | None = None
) -> _core.Programs: ...
@overload
def read(
    source: Source,
    holds: Literal["jobs"],
    *,
    network: NetworkLike,
    cores: int | None = None,
    node: str | None = None,
    placement: str | None = None,
    first_node: int = 0,
    format: str | None = None,
) -> list[PlacedJob]: ...
@overload
def read(
    source: Source, holds: Literal["forwarding"], *, network: NetworkLike, format: str | None = None
) -> _core.Network: ...


def read(source: Source, holds: Holds, **options: object) -> object:
    """What a file holds.

    Parameters
    ----------
    source
        The path of a file; a list of jobs also as the text itself, if it has more than one line.
    holds
        What the file holds, which says what comes back and which options there are:

        - ``network``: a `Network`.
        - ``mapping``: the endpoint of every rank as an array of uint32, on ``network``; with ``cores`` above 1 the slot
          of every rank, where slot s is on endpoint s // cores. ``node``, such as ``"node(cores=8,nics=2)"``: what is
          behind the endpoints; those of its NICs are one host, and its seats are the default of ``cores``.
        - ``traffic``: a `Traffic`; ``ranks`` of the job, 1 to 2^24, by default as many as the file names.
        - ``programs``: `Programs` of a trace, one file or an index of files that lie with it or below; ``algorithms``
          by collective, such as ``{"alltoall": "alltoall:pairwise"}``, by default what MPICH would choose, with
          ``"smpi"`` what SimGrid's replay does.
        - ``jobs``: a list of `PlacedJob` on ``network``; ``cores`` of each endpoint where the list does not say,
          ``node`` as for a mapping, ``placement`` of jobs without a list of nodes, ``first_node``: the number of the
          node that is endpoint 0, in a network without names.
        - ``forwarding``: ``network`` with the tables of the file, for the routing ``tables``.
    format
        Registered name of the format (`netloom list formats`); by default told from content and ending.

    Examples
    --------
    >>> import netloom
    >>> netloom.write(netloom.torus(4, 4), "machine.graphml")
    [PosixPath('machine.graphml')]
    >>> netloom.read("machine.graphml", "network").switches
    16

    Raises
    ------
    NetloomError
        `NL-A007` for what nothing holds or an option that does not belong to it; `NL-X001`, `NL-X002` for a file that
        cannot be read; `NL-F...`, `NL-J...`, `NL-M...` for what is wrong in it, with line and value.

    Notes
    -----
    Nothing in a file is executed, and every format bounds what it takes (`docs/reference/formats.md`). Cost: the file.
    """
    given = Arguments("read")
    given.one_of("source", source, (str, Path), "the path of a file")
    if not isinstance(holds, str) or holds not in _READERS:
        given.one_of("holds", holds, (), f"one of {', '.join(HOLDS)}")
    given.done()
    reader, known = _READERS[holds]
    require_names(f"read, {holds}", options, known)
    if "network" in known:
        options["network"] = as_network(options.get("network"))
        given.one_of("network", options["network"], (_core.Network, str, Path), "a Network, call text or a file")
        given.done()
    return reader(source, **options)


def _network(source: Source, format: str | None = None) -> _core.Network:
    return read_network(source, str(source), format)


def _mapping(
    source: Source,
    *,
    network: NetworkLike,
    cores: int | None = None,
    node: str | None = None,
    format: str | None = None,
) -> Vector[np.uint32]:
    net = network_of(network)
    behind = node_of("read", node, net)
    cores = seats_of("read", cores, behind)
    on = net if cores == 1 else net.with_slots(cores, behind)
    return ndarray(read_mapping(Path(source), str(source), format or "auto", on, cores, behind))


def _jobs(
    source: Source,
    *,
    network: NetworkLike,
    cores: int | None = None,
    node: str | None = None,
    **options: object,
) -> list[PlacedJob]:
    behind = node_of("read", node, network_of(network))
    each = None if cores is None and behind is None else seats_of("read", cores, behind)
    return read_jobs(source, network, cores=each, node=behind, **options)  # type: ignore[arg-type]  # checked there


def _forwarding(source: Source, *, network: NetworkLike, format: str | None = None) -> _core.Network:
    return network_of(network).with_tables(read_tables(source), str(source), format)


#: What reads it, and its options.
_READERS: dict[str, tuple[Callable[..., object], tuple[str, ...]]] = {
    "network": (_network, ("format",)),
    "mapping": (_mapping, ("network", "cores", "node", "format")),
    "traffic": (read_traffic, ("ranks", "format")),
    "programs": (read_trace, ("algorithms",)),
    "jobs": (_jobs, ("network", "cores", "node", "placement", "first_node", "holding", "format")),
    "forwarding": (_forwarding, ("network", "format")),
}
