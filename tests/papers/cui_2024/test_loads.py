"""Sections 3.2.2 and 4.3 of Cui 2024: extent of a tree placement, cables of a circulant that an alltoall uses."""

from __future__ import annotations

import numpy as np

import netloom


def test_x07_bruck_uses_every_cable_of_the_circulant() -> None:
    """Section 4.3.3: every cable of G(16, 4), in one direction, or in both where the jump is half of the ring."""
    net = netloom.network("circulant(16,pow2)")
    places = np.arange(net.endpoints)
    job = netloom.Job("alltoall:bruck", name="all", mapping=places, size_bytes=1024)
    carried = np.asarray(netloom.loads(net, job, hottest=0).link_bytes)[: len(net.tails)]
    tails, heads = np.asarray(net.tails), np.asarray(net.heads)
    used = carried > 0
    assert {frozenset(pair) for pair in zip(tails[used], heads[used], strict=True)} == {
        frozenset(pair) for pair in zip(tails, heads, strict=True)
    }
    halves = (heads - tails) % 16 == 8
    assert used[halves].all() and used[~halves].sum() == (~halves).sum() / 2


def test_x03_no_two_nodes_of_a_tree_are_farther_apart_than_twice_its_depth() -> None:
    """Section 3.2.2: the first node drawn is the root, and the depth the farthest node from it."""
    for seed in range(1, 6):
        net = netloom.network(f"random_shortcut(256,degree=8,seed={seed})")
        placed = netloom.place(net, 128, f"tree(seed={seed})")
        hops = net.hop_matrix()[np.ix_(placed, placed)]
        assert 0 < hops.max() <= 2 * hops[0].max()
