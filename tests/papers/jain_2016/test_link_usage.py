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


def test_x33_rabenseifner_reduce(machine: netloom.Network) -> None:
    """Table 8.5: pairwise reduce-scatter, then binomial gather: all as printed in GB but L1's maximum of 3 GB."""
    scatter, gather = (
        on_links(machine, text, 65536).link_bytes for text in ("reduce-scatter:pairwise", "gather:binomial")
    )
    both = (scatter + gather)[: len(machine.tails)]
    group = np.asarray(machine.groups)
    local = group[machine.tails] == group[machine.heads]
    found = {kind: both[links] / 1e9 for kind, links in (("L1", local), ("L2", ~local))}
    assert [len(found[kind][found[kind] > 0]) for kind in ("L1", "L2")] == [15360, 4032]
    assert [round(float(end)) for kind in ("L1", "L2") for end in (found[kind].min(), found[kind].max())] == [
        2,
        2,
        4,
        5,
    ]


def test_x35_the_worst_links(machine: netloom.Network) -> None:
    """Section 8.1.3: broadcast from 1.1 GB to 128 MB; the ring's worst link is below that of recursive doubling."""
    scatter, ring = (on_links(machine, text, 65536).link_bytes for text in ("scatter:binomial", "allgather:ring"))
    tiers = on_links(machine, f"broadcast:two-tier({GROUPS},{NODES},{CORES})", GIB).link_bytes
    doubling = on_links(machine, "allgather:recursive-doubling", 65536).link_bytes
    cables = slice(0, len(machine.tails))
    assert (scatter + ring)[cables].max() / tiers[cables].max() == pytest.approx(1.1e9 / (128 * MIB), rel=0.05)
    assert ring[cables].max() < doubling[cables].max()
