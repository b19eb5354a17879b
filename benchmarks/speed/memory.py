"""Child process of the memory measures: `python -m benchmarks.speed.memory TOOL NETWORK` prints bytes.

The number is the peak resident size less the size once the tool is imported: graph and matrix, not the interpreter.
"""

from __future__ import annotations

import sys
from importlib import import_module

from benchmarks.measure import pin, resident_bytes


def measure(tool: str, text: str) -> int:
    import numpy

    import netloom

    if tool == "netloom":
        netloom.network("ring(4)").hop_matrix()
        before = resident_bytes()
        result = netloom.network(text).without_structure().hop_matrix()
        assert isinstance(result, numpy.ndarray)
        return resident_bytes("VmHWM") - before
    peer = import_module(f"benchmarks.speed.peers.{tool}")
    from benchmarks.speed.graph import Graph

    peer.matrix(peer.prepare(Graph.of("ring(4)", netloom.network("ring(4)"))))
    # Built before the baseline: the peer's user has the edges from somewhere, and netloom's size is not the peer's.
    graph = Graph.of(text, netloom.network(text))
    before = resident_bytes()
    peer.matrix(peer.prepare(graph))
    return resident_bytes("VmHWM") - before


if __name__ == "__main__":
    pin()
    print(measure(sys.argv[1], sys.argv[2]))
