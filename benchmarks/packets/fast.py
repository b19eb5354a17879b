"""`python -m benchmarks.packets fast`: a part of a run next to the whole.

Patterns of chapter 6 of Jain 2016 on a torus, a dragonfly and a fat tree of 216 to 234 nodes: packets of 1 KiB, buffers
of 64 packets, 16 or 64 ranks a node, messages of 256 KiB to 1 MiB. Processor time in one thread.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import netloom

SWITCH = "output-queued(packet_bytes=1024,buffer_bytes=65536{more})"
OF_PART = ("times faster", "share %", "error %", "stated %")
COLUMNS = ("network", "pattern", "ranks a node", "KiB", "whole s", *(f"20th: {name}" for name in OF_PART), *OF_PART)
#: Network, routing, variant, placement.
NETWORKS = {
    "torus": ('torus(6,6,6,latency="30 ns")', "minimal", "adaptive-direct", "linear"),
    "torus, static": ('torus(6,6,6,latency="30 ns")', "dimension-ordered(tie=split)", "static-direct", "linear"),
    "dragonfly": ('dragonfly(a=6,p=3,h=3,g=13,latency="50 ns")', "group-minimal", "adaptive-hybrid", "random(seed=1)"),
    "fat tree": ('xgft(m=[6,6,6],w=[1,6,6],latency="60 ns")', "minimal", "adaptive-direct", "linear"),
}
#: Pattern, ranks a node, KiB of a message: so many that whole runs take half a minute or more.
PATTERNS = {
    "Perm": ("opposite(bytes={bytes})", 64, 1024),
    "4D Stencil": ("stencil(12,12,6,4,bytes={bytes})", 16, 512),
    "Spread": ("spread(least=15,most=20,seed=1,bytes={bytes})", 16, 256),
    "NN": ("near-neighbour(least=20,most=30,range=250,seed=1,bytes={bytes})", 16, 256),
}
NODES = 216


def scenario(network: str, pattern: str) -> netloom.Scenario:
    import netloom

    call, routing, variant, placement = NETWORKS[network]
    workload, cores, size = PATTERNS[pattern]
    return netloom.Scenario(
        call, routing=routing, variant=variant, placement=placement, workload=workload.format(bytes=size * 1024),
        ranks=NODES * cores, cores=cores, calibration="pure",
    )  # fmt: skip


def row(network: str, pattern: str, more: str = "") -> list[object]:
    """One case: whole, a 20th of it, and as much as makes the error small."""
    import netloom

    asked, switch = scenario(network, pattern), SWITCH.format(more=more)

    def timed(**options: bool | float) -> tuple[netloom.evaluate.Answer, float]:
        before = time.process_time()
        found = netloom.evaluate(asked, "packet", switch=switch, threads=1, **options)
        return found, time.process_time() - before

    whole, took = timed()
    _, cores, size = PATTERNS[pattern]
    made: list[object] = [network, pattern + more, cores, size, took]
    for within in (10.0, 0.1):
        part, spared = timed(fast=True, fast_within=within)
        error = float(str(part["time_s"])) / float(str(whole["time_s"])) - 1
        share, stated = (float(str(part[name])) for name in ("fast_share", "fast_error"))
        made += [took / spared, 100 * share, 100 * error, 100 * stated]
    return made


def rows(networks: Sequence[str] = tuple(NETWORKS), patterns: Sequence[str] = tuple(PATTERNS)) -> list[list[object]]:
    """All cases; the stencil also with the messages of a node one after another."""
    made = []
    for pattern in patterns:
        for network in networks:
            for more in ("", ",injection=fcfs") if pattern == "4D Stencil" else ("",):
                made.append(row(network, pattern, more))
                print(made[-1], file=sys.stderr, flush=True)
    return made
