"""Sections 4.5 and 5.3.2 of Cui 2024: closed forms of the simulated times on the circulant G(1024, 10)."""

from __future__ import annotations

import pytest

import netloom

#: 100 ns for each switch that a message passes, cables without delay, 100 Gbps.
NETWORK, SWITCH_S, BYTES_PER_S = "circulant(1024,pow2,latency=0)", 100e-9, 12.5e9
HOP_S = 2 * SWITCH_S


def time_s(workload: str, size_bytes: int, placement: str = "ring(start=0)", **options: object) -> float:
    found = netloom.simulate(
        NETWORK,
        workload=workload,
        ranks=512,
        placement=placement,
        size_bytes=size_bytes,
        calibration="pure",
        switch_latency=SWITCH_S,
        **options,  # type: ignore[arg-type]
    )
    return float(found["time_s"])


@pytest.mark.parametrize("size_bytes", [256, 65536, 1 << 20])
@pytest.mark.parametrize("placement", ["ring(start=0)", "circulant(start=0)"])
def test_allreduce_takes_nine_hops_and_transfers(size_bytes: int, placement: str) -> None:
    """K24: every message of recursive doubling takes one hop over its own link, for both placements."""
    exact = 9 * (HOP_S + size_bytes / BYTES_PER_S)
    assert time_s("allreduce:recursive-doubling", size_bytes, placement) == pytest.approx(exact, rel=1e-9)


def test_half_duplex_doubles_the_transfers_of_an_exchange() -> None:
    """K20: both ranks of a pair send at once, so a shared cable takes twice as long; the delays stay."""
    size = 1 << 20
    exact = 9 * (HOP_S + 2 * size / BYTES_PER_S)
    assert time_s("allreduce:recursive-doubling", size, duplex="half") == pytest.approx(exact, rel=1e-9)


def test_large_broadcast_takes_nine_hops_and_transfers() -> None:
    """K27: from 64 KiB on a sender waits for the end of its transfer, so the tree has nine steps."""
    size = 65536
    exact = 9 * (HOP_S + size / BYTES_PER_S)
    assert time_s("broadcast:binomial", size) == pytest.approx(exact, rel=1e-9)


def test_alltoall_takes_nine_steps_of_half_the_data() -> None:
    """K22: each step of Bruck's algorithm sends 256 of 512 blocks one hop on."""
    size = 1 << 20
    exact = 9 * (HOP_S + 256 * size / BYTES_PER_S)
    assert time_s("alltoall:bruck", size, "circulant(start=0)") == pytest.approx(exact, rel=1e-9)


def test_ten_repetitions_of_allreduce_take_ten_times_one() -> None:
    """The paper's time is that of ten repetitions; where every rank exchanges in every step none gets ahead."""
    once, ten = (time_s("allreduce:recursive-doubling", 4096, repetitions=n) for n in (1, 10))
    assert ten == pytest.approx(10 * once, rel=1e-9)


def test_ten_repetitions_of_a_short_broadcast_overlap() -> None:
    """Without a barrier the root starts the next broadcast before the last rank has the first."""
    once, ten = (time_s("broadcast:binomial", 256, repetitions=n) for n in (1, 10))
    assert ten < 5 * once
