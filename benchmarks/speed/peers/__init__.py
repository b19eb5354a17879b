"""What people use today for all-pairs distances, each called in the fastest way it offers.

A peer is a module with `NAME`, `prepare(graph)` (untimed: the tool's own form of the graph), `whole(prepared)`,
`sample(prepared, sources)` and `matrix(prepared)`; what a tool cannot do is None. `WHOLE_LIMIT` is the largest number
of switches for which the whole call is made when time matters; above it `SAMPLE` sources stand for all.
The fastest peers run whole: what they offer for sources alone is up to five times slower per source.
`COMPLETE_LIMIT` is the largest that the whole call can do in minutes and 4 GiB, with `--complete`.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

MODULES = (
    "numpy_bitset",
    "igraph_paths",
    "rustworkx_matrix",
    "networkit_bfs",
    "scipy_dijkstra",
    "scipy_frontier",
    "networkx_bfs",
)


def peers() -> tuple[list[ModuleType], list[str]]:
    """The peers that can be imported, and the names of those that cannot."""
    found, missing = [], []
    for name in MODULES:
        try:
            found.append(import_module(f"{__name__}.{name}"))
        except ImportError as error:
            missing.append(f"{name} ({error.name or error})")
    return found, missing
