"""Networks: from call text, from files, described."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NotRequired, cast

from .. import _core, plugin
from ..base import files, memory
from ..base.arguments import Arguments
from ..base.errors import Fault, NetloomError
from ..base.records import Bisection, Metrics
from . import kubernetes
from .endpoint_bisection import EndpointBisection, endpoint_bisection
from .graph import as_network

__all__ = ["NetworkLike", "as_network", "describe", "is_file", "network", "read_network"]

NetworkLike = _core.Network | str | Path
#: Endings of files of arrays.
MATRICES = (".npz", ".npy")
Progress = Callable[[int, int], object]


class Described(Metrics):
    """What `describe` gives; see there."""

    network: str
    bisection: NotRequired[Bisection]
    endpoint_bisection: NotRequired[EndpointBisection]


def network(source: NetworkLike, format: str | None = None, part: str | int | None = None) -> _core.Network:
    """A network from call text, a file, or itself.

    Parameters
    ----------
    source
        A `Network`, call text such as `"dragonfly(a=16,p=1,h=4,g=64)"`, the path of a network file, or a graph of
        NetworkX.
    format
        Registered name of the file's format; by default detected from the name and the first bytes.
    part
        Of a network whose parts no cable joins, such as planes or islands: the number of one, or the name of a switch
        or a host in it.

    Examples
    --------
    >>> import netloom
    >>> netloom.network("dragonfly(a=4,p=2,h=2,g=9)").endpoints
    72

    Raises
    ------
    NetloomError
        If the text names nothing, a parameter is out of range, or the file cannot be read.
    """
    if part is not None and part != "":
        return network(source, format).part(str(part))
    source = cast(NetworkLike, as_network(source))
    if isinstance(source, _core.Network):
        return source
    given = Arguments("network")
    given.one_of("source", source, (str, Path), "a Network, call text or the path of a file")
    if format is not None:
        given.text("format", format)
    given.done()
    memory.renew()
    text = str(source)
    if format is None and isinstance(source, str) and not is_file(text):
        if not plugin.is_known("topologies", text):
            files.refuse_folder(text)
        return plugin.build_network(text) or _core.Network.build(text)
    return read_network(text, text, format)


def read_network(path: str | Path, place: str, format: str | None = None) -> _core.Network:
    """A network from a file that messages call `place`."""
    try:
        data = files.read(path)
    except NetloomError as error:
        if format is None or is_file(place):
            raise
        hint = "check the path; a call such as torus(4,4) goes without a format (--from)"
        raise NetloomError([replace(fault, hint=hint) for fault in error.faults]) from None
    if format is None and place.rstrip().lower().endswith(MATRICES):
        hint = (
            "give a matrix of bytes as a workload (-t), and a network as a graph: networkx.write_graphml(graph, path)"
        )
        raise NetloomError([Fault("NL-F016", place, "is a matrix, which is traffic and no network", "", hint)])
    if kubernetes.is_asked(format, data):
        return _core.Network.read(kubernetes.as_slurm(data, place), place, "slurm")
    return _core.Network.read(data, place, format)


def is_file(text: str) -> bool:
    """Call text never names an existing file unless it looks like a path."""
    if "(" in text and text.rstrip().endswith(")"):
        return False
    looks_like_path = "/" in text or "\\" in text or Path(text).suffix != ""
    return files.is_file(text) or looks_like_path


def describe(
    source: NetworkLike, *, format: str | None = None, bisection: bool = True, progress: Progress | None = None
) -> Described:
    """Size, distances and cut of a network.

    Returns
    -------
    dict
        `network`, `switches`, `endpoints`, `switch_links` and `endpoint_links` (full-duplex cables, each once),
        `degree_min`, `degree_max` (switch-to-switch ports), `diameter`, `aspl` (mean over ordered pairs of distinct
        switches), `endpoint_diameter`, `endpoint_aspl` (over ordered pairs of distinct endpoints), `hop_histogram`,
        `moore_bound`, `links_per_level` (cables per link class) and, if requested, `bisection` (between halves of the
        switches) and `endpoint_bisection` (between halves of the endpoints).

    Examples
    --------
    >>> import netloom
    >>> netloom.describe("torus(4,4)")["diameter"]
    4

    Notes
    -----
    Cost: bit-parallel breadth-first search, O(switches² / 64 × degree × diameter); one source if the topology is known
    to be vertex-transitive.
    """
    net = network(source, format)
    result = cast("Described", {"network": net.label, **net.metrics(progress=progress)})
    if bisection:
        cut = net.bisection()
        result["bisection"] = cut
        result["endpoint_bisection"] = endpoint_bisection(net, cut)
    return result
