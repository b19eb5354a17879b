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
        calibration="pure",
        switch_latency=SWITCH_S,
        duplex="half",
    )
    floor = 6 * (2 * SWITCH_S + SIZE / BYTES_PER_S)
    ideal = netloom.simulate(
        "circulant(64,pow2,latency=0)", workload="broadcast:binomial", size_bytes=SIZE, calibration="pure",
        switch_latency=SWITCH_S,
    )  # fmt: skip
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
            calibration="pure",
            switch_latency=SWITCH_S,
        )["time_s"]
        for mapping in (consecutive, np.tile(np.arange(64), cores))
    ]
    transfer = SIZE / BYTES_PER_S
    assert times[0] == pytest.approx(6 * (2 * SWITCH_S + transfer), rel=1e-9)
    assert times[1] == pytest.approx(6 * (2 * SWITCH_S + cores * transfer), rel=1e-9)


@pytest.mark.parametrize("switches", [64, 256])
@pytest.mark.parametrize("placement", ["linear", "random(seed=1)"])
def test_x11_hops_fall_with_the_time_from_random_places_and_rise_from_consecutive_ones(
    switches: int, placement: str
) -> None:
    """Section III: the search scores time. Ranks in the order of the ring have few hops to lose. Three networks."""
    hops = np.zeros(2, dtype=np.int64)
    for seed in (1, 2, 3):
        network = f"random_shortcut({switches},degree=8,seed={seed},latency=0)"
        start = netloom.place(network, switches, placement)
        found = netloom.map_ranks(
            network,
            workload="broadcast:binomial",
            size_bytes=SIZE,
            placement=placement,
            optimiser=f"two-opt(swaps=1000,accept=ties,move=reversal,seed={seed})",
            objective="time",
            calibration="simgrid-smpi",
            switch_latency=SWITCH_S,
            duplex="half",
        )
        assert found["value"] < found["start_value"]
        for i, mapping in enumerate((start, found["mapping"])):
            hops[i] += netloom.hops(network, workload="broadcast:binomial", mapping=mapping)["total_hops"]
    assert (hops[1] > hops[0]) if placement == "linear" else (hops[1] < hops[0]), hops
