"""Bytes between nodes of a rail cluster: the same from every question, and from the list of messages."""

from __future__ import annotations

import numpy as np
import pytest

import netloom

GPUS = 4


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("cores", [1, 2])
def test_gpus_of_a_node_are_in_one_machine(seed: int, cores: int) -> None:
    rng = np.random.default_rng(seed)
    net = netloom.network(f"rail_cluster(nodes=4,gpus={GPUS})")
    seats = rng.permutation(16 * cores)[:10]
    mapping = seats // cores
    src, dst, size = rng.integers(10, size=40), rng.integers(10, size=40), rng.integers(1, 9000, size=40)
    src, dst, size = (column[src != dst] for column in (src, dst, size))
    traffic = netloom.Traffic.from_flows("drawn", 10, src, dst, np.ones_like(src), size)
    expected = int(size[mapping[src] // GPUS != mapping[dst] // GPUS].sum())
    carried = int(size[mapping[src] != mapping[dst]].sum())
    given = {"workload": traffic, "mapping": mapping, "cores": cores}
    loads = netloom.loads(net, **given)
    assert (loads.inter_node_bytes, loads.bytes_sent) == (expected, carried)
    hops = netloom.hops(net, **given)
    assert hops["inter_node_bytes"] == expected
    assert hops["inter_node_messages"] == np.count_nonzero(mapping[src] // GPUS != mapping[dst] // GPUS)
    found = netloom.map_ranks(net, objective="inter-node", **given)
    assert found["start_value"] == expected
    after = np.asarray(found["mapping"]) // GPUS
    assert found["value"] == int(size[after[src] != after[dst]].sum()) <= expected
