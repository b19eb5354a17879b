"""Flits against BookSim2: what its `iq` router accepted and how long packets took.

Some seventy runs that `tests/data/booksim.json` records: a fat tree, tori of two and three dimensions and a dragonfly,
packets of 1 and 16 flits, 1 to 8 channels. The bar is 3 %; both sides draw packets of their own, so windows are long
enough for a noise of less than 1 %.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from benchmarks.booksim.cases import Found, Run, measured, ours

WITHIN = 0.03
#: A run that accepts less than this of what is offered is saturated: its latency grows with its length.
SATURATED = 0.97
#: Nearer to saturation than this share of it latency depends on the length as well. Where no run was saturated, 0.95 is
#: taken for it.
SETTLED, UNKNOWN = 0.92, 0.95
RUNS = measured()[1]


def is_saturated(run: Run, found: Found) -> bool:
    return found.accepted < SATURATED * run.injection_rate


def is_settled(run: Run) -> bool:
    """False at loads near or beyond what the same switches accept at most."""
    alike = replace(run, injection_rate=0.0)
    most = [
        found.accepted
        for other, found in RUNS
        if replace(other, injection_rate=0.0) == alike and is_saturated(other, found)
    ]
    return run.injection_rate < SETTLED * min(most, default=UNKNOWN)


def nodes(run: Run) -> int:
    return 72 if run.topology == "dragonflynew" else int(run.k**run.n)


def name(case: tuple[Run, Found]) -> str:
    run, _ = case
    return f"{run.topology}{run.n}-{run.routing_function}-v{run.num_vcs}-p{run.packet_size}-{run.injection_rate}"


@pytest.mark.parametrize("case", RUNS, ids=map(name, RUNS))
def test_loads_and_latencies_are_those_of_booksim(case: tuple[Run, Found]) -> None:
    run, peer = case
    packets_per_cycle = nodes(run) * run.injection_rate / run.packet_size
    # Many nodes send enough in fewer cycles: twice as many change what is found by less than 1 %.
    warm_up, least = (2_000, 2_500) if nodes(run) > 100 else (10_000, 15_000)
    cycles = int(min(max(30_000 / packets_per_cycle, least), 400_000))
    settled = is_settled(run)
    found = ours(run, warm_up, cycles, 20_000 if settled else 0)
    assert found.accepted == pytest.approx(peer.accepted, rel=WITHIN)
    if settled:
        assert found.latency == pytest.approx(peer.latency, rel=WITHIN)
