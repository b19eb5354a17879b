"""The matrix of hop distances, one byte each: time, and memory above an interpreter that has the tool imported."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import netloom
from benchmarks.measure import command, cpu, python
from benchmarks.speed import memory, peers
from benchmarks.speed.graph import Graph
from benchmarks.speed.line import Line
from benchmarks.speed.options import Options

# What netloom promises for 4,096 switches of degree 19.
MARK_S, MARK_BYTES = 0.1, 40 * 2**20


def lines(options: Options) -> Iterator[Line]:
    switches = 1024 if options.quick else 4096
    text = f"random_regular({switches},degree=19,seed=1)"
    network = netloom.network(text).without_structure()
    graph = Graph.of(text, network)
    ours = cpu(network.hop_matrix, options.runs)
    case = f"uint8 hop matrix, random_regular({switches},degree=19)"
    found = [peer for peer in peers.peers()[0] if peer.matrix is not None and switches <= max(peer.WHOLE_LIMIT, 4096)]
    for peer in found:
        prepared = peer.prepare(graph)
        timing = cpu(lambda peer=peer, prepared=prepared: peer.matrix(prepared), options.runs, limit_s=5.0)
        if not np.array_equal(timing.answer, ours.answer):
            raise SystemExit(f"{case}: {peer.NAME} gives another matrix")
        yield Line(case, "s", ours.seconds, peer.NAME, timing.seconds, "" if timing.runs > 1 else "1 run", MARK_S)
    our_bytes = peak_bytes("netloom", text)
    for peer in found:
        theirs = peak_bytes(peer.__name__.rpartition(".")[2], text)
        yield Line(f"memory of the {case[6:]}", "bytes", our_bytes, peer.NAME, theirs, "peak above imports", MARK_BYTES)


def peak_bytes(tool: str, text: str) -> int:
    """Peak of a fresh process that builds the tool's graph and the matrix, less its size after the imports."""
    return int(command(python(memory.__name__, tool, text)).stdout)
