"""Networks to NetworkX and back, through the format `node-link`, which holds everything."""

from __future__ import annotations

import json
import sys
from types import ModuleType
from typing import TYPE_CHECKING

from .. import _core
from ..base.errors import Fault, NetloomError

if TYPE_CHECKING:
    from networkx import Graph


def to_networkx(net: _core.Network) -> Graph:
    """`Network.to_networkx`: a MultiGraph with switches and endpoints as nodes."""
    networkx = _networkx("to_networkx")
    made: Graph = networkx.node_link_graph(json.loads(net.write("node-link")), edges="edges")
    return made


def from_networkx(graph: Graph) -> _core.Network:
    """`Network.from_networkx`."""
    networkx = _networkx("from_networkx")
    if not isinstance(graph, networkx.Graph):
        expected = "a graph of NetworkX"
        raise NetloomError([Fault("NL-A007", "from_networkx.graph", expected, type(graph).__name__)])
    try:
        text = json.dumps(networkx.node_link_data(graph, edges="edges"), default=_plain)
    except (TypeError, ValueError) as error:
        expected = "nodes and attributes that are texts, numbers or tuples of these"
        raise NetloomError([Fault("NL-A007", "from_networkx.graph", expected, str(error)[:80])]) from None
    return _core.Network.read(text.encode(), str(graph.graph.get("name") or "graph"), "node-link")


def as_network(value: object) -> object:
    """A graph of NetworkX as the network that it describes; anything else as it is.

    Raises
    ------
    NetloomError
        `NL-A007` for a matrix, with the call that makes a graph of it: what its numbers mean is not known.
    """
    networkx, numpy = sys.modules.get("networkx"), sys.modules.get("numpy")
    if networkx is not None and isinstance(value, networkx.Graph):
        return from_networkx(value)
    sparse = hasattr(value, "tocoo") and hasattr(value, "shape")
    if sparse or (numpy is not None and isinstance(value, numpy.ndarray)):
        how = "parallel_edges=True, create_using=networkx.MultiGraph"
        made = f"networkx.from_{'scipy_sparse' if sparse else 'numpy'}_array(matrix, {how})"
        hint = f"{made} is a network with these numbers of cables between switches; a matrix of bytes is a workload"
        expected = "a Network, a graph of NetworkX, call text or the path of a file"
        raise NetloomError([Fault("NL-A007", "network", expected, "a matrix", hint)])
    return value


def _plain(value: object) -> object:
    """Numbers of NumPy as those of Python."""
    if hasattr(value, "item"):
        found: object = value.item()
        return found
    raise TypeError(f"{type(value).__name__} {value!r}")


def _networkx(place: str) -> ModuleType:
    try:
        import networkx
    except ImportError:
        hint = "pip install 'netloom[graph]'"
        raise NetloomError([Fault("NL-A007", place, "the package networkx", "nothing", hint)]) from None
    found: ModuleType = networkx
    return found
