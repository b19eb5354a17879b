"""Sections 3.2.2 and 8.1 of Jain 2016: hops of direct and indirect routes, costs and sums of link loads."""

from __future__ import annotations

import numpy as np

import netloom

from ..findings import load
from ..measured import measure


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


def test_sums_of_two_collectives_are_those_on_the_page() -> None:
    """Tables 8.2, 8.3 and 8.5: `link_usage.py` finds what is kept; only what has an erratum is not as printed."""
    kept, now = load("link_usage"), measure("link_usage")
    assert [(claim.id, claim.got, claim.verdict) for claim in kept.claims] == [
        (claim.id, claim.got, claim.verdict) for claim in now.claims
    ]
    assert {claim.id: claim.got for claim in now.claims if claim.verdict != "confirmed"} == {
        "E4-26": "10.67 times",
        "E4-32": "reduce: 0.9844 n; reduce-scatter: 0.9844 n; reduce, own part kept: 1.047 n",
        "E4-33": "collected at core 0: 0.158203; left in supernode 0: 0.0947266",
        "E4-36": "L1 most: 2.23 GB",
    }
