"""Equations 2.1 to 2.6, table 3.1 and section 3.2.1 of Jain 2016."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import netloom

CASES = [
    ("torus(4,4,4)", "stencil(4,4,4,bytes=4096)", 64),
    ("dragonfly(a=8,p=1,h=4,g=8)", "uniform(messages=500,seed=7,bytes=100)", 48),
    ("random_shortcut(64,degree=5,seed=2)", "nearest-ring(bytes=3)", 50),
]


@settings(max_examples=60, deadline=None)
@given(case=st.sampled_from(CASES), seed=st.integers(0, 2**32 - 1))
def test_j01_three_metrics_are_proportional_for_a_fixed_pattern(case: tuple[str, str, int], seed: int) -> None:
    """Equations 2.3, 2.4 and 2.5 differ by the bytes sent and by the links: both the same for every mapping."""
    text, pattern, ranks = case
    network = netloom.network(text)
    load = netloom.workload(pattern, ranks)
    mapping = np.random.default_rng(seed).permutation(network.endpoints)[:ranks].astype(np.uint32)
    found = netloom.hops(network, workload=load, mapping=mapping)

    flows = load.table()
    switch = network.endpoint_switch[mapping]
    hops = network.hop_matrix().astype(np.int64)[switch[flows["src"]], switch[flows["dst"]]]
    sent = flows["bytes"].astype(np.int64)
    hop_bytes, total, links = int((hops * sent).sum()), int(sent.sum()), len(network.tails)
    assert found["hop_bytes"] == hop_bytes
    assert found["average_hops_per_byte"] * total == pytest.approx(hop_bytes, rel=1e-12)
    assert found["average_bytes_per_link"] * links == pytest.approx(hop_bytes, rel=1e-12)


PARTITIONS = {
    128: (1, 4, 4, 4, 2),
    256: (4, 4, 4, 4, 1),
    512: (4, 4, 4, 4, 2),
    1024: (4, 4, 4, 8, 2),
    2048: (4, 4, 4, 16, 2),
    4096: (4, 8, 4, 16, 2),
}


@pytest.mark.parametrize("nodes", PARTITIONS)
def test_j02_partition_shapes(nodes: int) -> None:
    """Table 3.1: the extents multiply to the nodes; the diameter is the sum of half extents."""
    dims = PARTITIONS[nodes]
    assert prod(dims) == nodes
    found = netloom.describe(f"torus({','.join(map(str, dims))})", bisection=False)
    assert found["switches"] == found["endpoints"] == nodes
    assert found["diameter"] == sum(d // 2 for d in dims)


def test_j04_the_large_dragonfly() -> None:
    """Section 3.2.1: 960 groups of 6 x 16 switches, four nodes of 24 cores each; 15 + 5 + 10 network ports."""
    network = netloom.network("dragonfly(group=[6,16],p=4,h=10,g=960)")
    assert network.switches == 960 * 96 == 92160
    assert network.endpoints == 960 * 384
    assert network.endpoints * 24 == 8_847_360
    ports = np.bincount(network.tails, minlength=network.switches)
    assert ports.max() == 15 + 5 + 10
    # Every group has 960 global ports and 959 others to reach: one port stays free.
    assert np.unique(ports, return_counts=True)[1].tolist() == [960, 960 * 95]
    assert np.unique(network.groups, return_counts=True)[1].tolist() == [96] * 960


def test_j05_five_hops_at_most() -> None:
    """Section 3.2.2: two hops in the first group, one between groups, two in the last; here with 40 such groups."""
    network = netloom.network("dragonfly(group=[6,16],p=1,h=10,g=40,global_parallel=1)")
    assert netloom.describe(network, bisection=False)["diameter"] == 5
