"""Section 5.6.2 of Jain 2016: packets on a torus next to closed forms and flows."""

from __future__ import annotations

import pytest

from .torus_benchmarks import (
    ADAPTIVE,
    BUFFERS,
    LATENCY_S,
    NEAR,
    PAIR_BYTES,
    PAIRS,
    PARTNERS,
    RATE,
    STATIC,
    node,
    pairs,
    permutation,
    ping_pong,
    seconds,
)


@pytest.mark.parametrize("hops", PARTNERS)
@pytest.mark.parametrize("size", [512, 128 << 10])
def test_p9_ping_pong_takes_a_latency_a_hop_and_the_bytes_of_one_link(hops: int, size: int) -> None:
    """Static routes: 2 (hops x 40 ns + bytes / 2 GB/s); adaptive ones use more links than one."""
    there_and_back = ping_pong(node(PARTNERS[hops]), size)
    static = seconds(there_and_back, STATIC, BUFFERS[0])
    assert static == pytest.approx(2 * (hops * LATENCY_S + size / RATE), rel=1e-9)
    adaptive = seconds(there_and_back, ADAPTIVE, BUFFERS[0])
    assert adaptive == static if hops == 1 or size == 512 else adaptive < static / 2


@pytest.mark.parametrize("name", PAIRS)
def test_p9_pairs_share_the_links_that_their_routes_have_in_common(name: str) -> None:
    """Static routes: the messages over the busiest link, one after another."""
    static = seconds(pairs(name), STATIC, BUFFERS[0])
    assert static == pytest.approx(PAIRS[name][0] * PAIR_BYTES / RATE, rel=0.001)


def test_p9_a_permutation_of_8192_ranks_takes_the_time_of_flows_where_messages_are_longer_than_packets() -> None:
    """Sixteen packets a message: within 5 %."""
    assert permutation(8 << 10, "static", BUFFERS[0]) == pytest.approx(permutation(8 << 10, "static", None), rel=NEAR)
