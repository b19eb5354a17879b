"""The packet study of Navaridas 2009 on 64 nodes: exact counts, and statements that do not depend on a reading."""

from __future__ import annotations

import pytest

import netloom

from . import packets

#: Messages, and packets times links with those of the nodes, counted by hand from section 4.3 on 8:4,2.
COUNTED = {
    "W2": (224, 107520),
    "W3": (288, 133120),
    "M2": (224, 107520),
    "M3": (288, 133120),
    "BU": (384, 184320),
    "BT": (63, 22400),
    "WF": (4480, 53760),
}


@pytest.mark.parametrize("workload", COUNTED)
def test_messages_and_packets_are_those_of_the_paper(workload: str) -> None:
    """Section 4.3 on 8:4,2: messages, and packets times links, counted by hand."""
    load = packets.WORKLOADS[workload](64)
    found = netloom.simulate(
        "thin_tree(8,4,2)",
        workload=load,
        ranks=64,
        routing="minimal",
        variant="adaptive-direct",
        size_bytes=packets.size(load),
        switch=packets.SWITCH,
        calibration="pure",
    )
    assert (found["messages"], found["packet_hops"]) == COUNTED[workload]


def test_thinner_trees_are_slower_and_light_workloads_hardly() -> None:
    """Section 5.2, statement S6: on 64 nodes phi falls with the tree's width; BT, W2 and W3 hardly slow down."""
    networks = packets.same_size(64)
    times = {network: {w: packets.cycles(network, w, 64) for w in packets.WORKLOADS} for network in networks}
    phi = packets.performance(times, networks)
    assert phi == sorted(phi) and phi[-1] == 1
    # S6: the tree to node 0 and the wavefronts hardly slow down on most thin trees.
    for workload in ("BT", "W2", "W3"):
        assert sum(times[network][workload] < 1.05 * times[networks[-1]][workload] for network in networks) >= 5
    # The tree to node 0 has no contention on any network: six rounds of 40 KiB in phits of 16 bytes, and a few links.
    for network in networks:
        assert 0 <= times[network]["BT"] - 6 * 2560 <= 6 * 8
    # Exchanges with far partners cannot be faster than their rounds, and collide on thin trees.
    assert 6 * 2560 <= times[networks[-1]]["BU"] <= times[networks[0]]["BU"] / 3
