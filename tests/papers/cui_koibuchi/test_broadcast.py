"""Cui and Koibuchi: a binomial broadcast whose ranks are reordered by simulated time (figures 2 and 4, small)."""

from __future__ import annotations

import numpy as np
import pytest

import netloom

SIZE, SWITCH_S, BYTES_PER_S = 65536, 100e-9, 12.5e9
NETWORK = "random_shortcut(64,degree=8,seed=1,latency=0)"


def test_no_order_beats_one_hop_per_message() -> None:
    """O01: with one hop per message 64 ranks need six transfers; two-opt stays above that and below its start."""
    found = netloom.map_ranks(
        NETWORK,
        workload="broadcast:binomial",
        size_bytes=SIZE,
        optimiser="two-opt(swaps=200,accept=ties,move=reversal,seed=1)",
        objective="time",
        switch_latency=SWITCH_S,
        duplex="half",
    )
    floor = 6 * (2 * SWITCH_S + SIZE / BYTES_PER_S)
    ideal = netloom.simulate(
        "circulant(64,pow2,latency=0)", workload="broadcast:binomial", size_bytes=SIZE, switch_latency=SWITCH_S
    )
    assert ideal["time_s"] == pytest.approx(floor, rel=1e-9)
    assert floor <= found["value"] * 1e-12 * (1 + 1e-9) <= found["start_value"] * 1e-12


@pytest.mark.parametrize("cores", [2, 4])
def test_cyclic_ranks_share_their_endpoint(cores: int) -> None:
    """O03: with ranks cyclic over endpoints `cores` trees run side by side, each with a share of the cable."""
    consecutive = np.repeat(np.arange(64), cores)
    times = [
        netloom.simulate(
            "circulant(64,pow2,latency=0)",
            workload="broadcast:binomial",
            size_bytes=SIZE,
            mapping=mapping,
            switch_latency=SWITCH_S,
        )["time_s"]
        for mapping in (consecutive, np.tile(np.arange(64), cores))
    ]
    transfer = SIZE / BYTES_PER_S
    assert times[0] == pytest.approx(6 * (2 * SWITCH_S + transfer), rel=1e-9)
    assert times[1] == pytest.approx(6 * (2 * SWITCH_S + cores * transfer), rel=1e-9)
