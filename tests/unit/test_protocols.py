"""Protocols of GPU libraries: a closed form for each of their terms, alone and together."""

from __future__ import annotations

import pytest

import netloom

#: Two endpoints with 10 GB/s; over four links it is 1 µs from one to the other.
STAR = 'star(2,bandwidth="10 GBps",latency="0.25 us")'
LATENCY_S, BYTES_PER_S = 1e-6, 1e10
SIZE = 1 << 20
#: Bytes on the wire: a flag of 4 bytes with each 4, one of 8 with each 120, none.
WIRE = {"ll": 2 * SIZE, "ll128": SIZE - (-SIZE // 15), "simple": SIZE}


def time_s(call: str, **software: object) -> float:
    found = netloom.simulate(
        STAR, workload=call, size_bytes=SIZE, ranks=2, calibration="pure", library="", software=software
    )
    return float(found["time_s"])


@pytest.mark.parametrize("protocol", WIRE)
def test_a_message_takes_the_bytes_that_its_protocol_sends(protocol: str) -> None:
    wanted = LATENCY_S + WIRE[protocol] / BYTES_PER_S
    assert time_s(f"broadcast:linear(protocol={protocol})") == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("protocol", WIRE)
def test_each_term_alone(protocol: str) -> None:
    call = f"broadcast:linear(protocol={protocol})"
    free, wire = time_s(call), WIRE[protocol] / BYTES_PER_S
    rows = [[0, 3e-6, 1e-11]]
    assert time_s(call, **{f"{protocol}_latency": rows}) == pytest.approx(free + 3e-6 + 1e-11 * SIZE, rel=1e-9)
    assert time_s(call, **{f"{protocol}_gap": [[0, 2e-6, 0.0]]}) == pytest.approx(free + 2e-6, rel=1e-9)
    assert time_s(call, **{f"{protocol}_flow_cap": 5e9}) == pytest.approx(LATENCY_S + 2 * wire, rel=1e-9)
    assert time_s(call, launch_s=4e-6) == pytest.approx(free + 4e-6, rel=1e-9)


@pytest.mark.parametrize("protocol", WIRE)
def test_costs_of_mpi_and_of_other_protocols_do_not_count(protocol: str) -> None:
    call = f"broadcast:linear(protocol={protocol})"
    others = {f"{other}_{term}": [[0, 1.0, 0.0]] for other in WIRE if other != protocol for term in ("latency", "gap")}
    plain = {"message_latency": [[0, 1.0, 0.0]], "rendezvous_s": 1.0, "message_gap_s": 1.0, "call_overhead_s": 1.0}
    overheads = ("send_overhead", "nonblocking_send_overhead", "receive_overhead")
    plain |= {name: [[0, 1.0, 0.0]] for name in overheads}
    assert time_s(call, **others, **plain, flow_cap=1.0) == time_s(call)


def test_messages_of_a_connection_move_one_after_the_other_while_their_latencies_pass_together() -> None:
    """Eight pieces from one rank to the other: latency of the protocol once, gap and way of each."""
    latency, gap = 7e-6, 2e-6
    software = {"simple_latency": [[0, latency, 0.0]], "simple_gap": [[0, gap, 0.0]]}
    found = time_s("broadcast:chain(segments=8,protocol=simple)", **software)
    assert found == pytest.approx(latency + 8 * (gap + LATENCY_S) + SIZE / BYTES_PER_S, rel=1e-9)


def test_a_library_of_gpus_combines_while_it_receives() -> None:
    call = "allreduce:ring(protocol=simple)"
    assert time_s(call, combine_s_per_byte=1e-6, copy_s_per_byte=1e-6) == time_s(call)


def test_a_ring_over_rails_is_as_fast_as_its_nics() -> None:
    """Eight channels on eight rails: each NIC carries 2 (n - 1) / n of an eighth of the vector."""
    nodes, size = 4, 1 << 30
    found = netloom.simulate(
        f"rail_cluster(nodes={nodes})", workload="allreduce:ring(channels=8,local=8)", size_bytes=size,
        calibration="pure",
    )  # fmt: skip
    ranks = 8 * nodes
    assert found["time_s"] == pytest.approx(2 * (ranks - 1) / ranks * size / 8 / 50e9, rel=0.01)
