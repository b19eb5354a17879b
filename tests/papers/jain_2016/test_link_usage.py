"""Sections 3.2.2 and 8.1 of Jain 2016: hops of direct and indirect routes, costs and sums of link loads."""

from __future__ import annotations

import numpy as np
import pytest

import netloom
from netloom.evaluate.loads.result import Loads

MIB, GIB = 1 << 20, 1 << 30
GROUPS, NODES, CORES = 64, 16, 16


@pytest.fixture(scope="module")
def machine() -> netloom.Network:
    return netloom.network(f'dragonfly(a={NODES},p=1,h=4,g={GROUPS},arrangement="round-robin")')


def on_links(net: netloom.Network, traffic: str, size_bytes: int) -> Loads:
    """All cores of the machine, ranks in order."""
    places = np.repeat(np.arange(net.endpoints), CORES)
    return netloom.loads(net, netloom.Job(traffic, name="all", mapping=places, size_bytes=size_bytes), hottest=0)


def test_j05_ten_hops_at_most_through_another_switch() -> None:
    """Section 3.2.2: one packet of SI takes at most twice the five hops of SD; 200 pairs, here in 40 groups."""
    net = netloom.network("dragonfly(group=[6,16],p=1,h=10,g=40,global_parallel=1)")
    most = {"SD": 0.0, "SI": 0.0}
    for seed in range(200):
        ends = np.random.default_rng(seed).choice(net.endpoints, 2, replace=False)
        job = netloom.Job("broadcast:binomial", name="one message", mapping=ends, size_bytes=1)
        for variant in most:
            hops = netloom.loads(net, job, variant=variant, seed=seed, hottest=0, arrays=False).mean_hops
            most[variant] = max(most[variant], hops)
    assert most["SD"] == 5
    assert 8 <= most["SI"] <= 10


def test_j47_two_tier_costs_are_busiest_links(machine: netloom.Network) -> None:
    """Table 8.2 at sn = 64, nps = 16: n beta times what the busiest L1 and the busiest L2 link carry of n."""
    share = {}
    for collective, size in (("allgather", 65536), ("reduce-scatter", 65536), ("broadcast", GIB), ("scatter", 65536)):
        classes = on_links(machine, f"{collective}:two-tier({GROUPS},{NODES},{CORES})", size).classes
        share[collective] = [classes[name]["max_bytes"] / GIB for name in ("local", "global")]
    gathered = 1 / NODES + 1 / GROUPS + 1 / (GROUPS * NODES)
    assert sum(share["allgather"]) == sum(share["reduce-scatter"]) == gathered
    assert sum(share["broadcast"]) == 3 / NODES
    # The printed maximum leaves out what the root sends its neighbour for itself.
    assert max(share["scatter"]) - 1 / (GROUPS * NODES) == max(1 / NODES, 1 / GROUPS)


def test_j49_de_geijn_broadcast(machine: netloom.Network) -> None:
    """Table 8.3: scatter, then allgather round the ring: 1588 L1 and 95 L2 links, at most 1.1 and 1.09 GB (E4-25)."""
    scatter, ring = (on_links(machine, text, 65536).link_bytes for text in ("scatter:binomial", "allgather:ring"))
    both = (scatter + ring)[: len(machine.tails)]
    group = np.asarray(machine.groups)
    local = group[machine.tails] == group[machine.heads]
    for kind, used, least, most in ((local, 1588, 2 * MIB, 1.1e9), (~local, 95, 32 * MIB, 1.09e9)):
        carried = both[kind & (both > 0)]
        assert (len(carried), carried.min()) == (used, least)
        assert carried.max() == pytest.approx(most, rel=0.01)
