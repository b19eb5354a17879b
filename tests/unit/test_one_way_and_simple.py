"""Two networks without the usual links: the butterfly, whose links go one way, and a latency with a bandwidth."""

from __future__ import annotations

import numpy as np
import pytest

import netloom
from netloom import _core
from netloom.base.errors import NetloomError
from netloom.evaluate.known_error import alone

PURE = {"calibration": "pure"}
ACROSS = {"workload": "shift(k=4,bytes=100000)", "ranks": 8}


def seconds(rung: str, network: str, **asked: object) -> float:
    return float(netloom.evaluate(netloom.Scenario(network=network, **asked, **PURE), rung).time_s)


@pytest.mark.parametrize(("k", "n"), [(2, 2), (2, 4), (3, 4), (4, 2), (2, 6)])
def test_transposed_addresses_meet_on_a_channel(k: int, n: int) -> None:
    """One path a pair: k^(n/2 - 1) of the messages meet."""
    half = k ** (n // 2)
    pairs = [(a * half + b, b * half + a) for a in range(half) for b in range(half) if a != b]
    src, dst = (np.array(ends, dtype=np.int64) for ends in zip(*pairs, strict=True))
    ones = np.ones(len(pairs), dtype=np.int64)
    traffic = netloom.Traffic.from_flows("transposed", k**n, src, dst, ones, 1000 * ones)
    found = netloom.loads(f"butterfly({k},{n})", workload=traffic)
    assert found["max_bytes"] == 1000 * k ** (n // 2 - 1)
    assert found["mean_hops"] == n + 1


def test_a_message_of_a_butterfly_takes_all_stages() -> None:
    call = 'butterfly(2,3,latency="100 ns",endpoint_latency="50 ns",bandwidth="8 Gbps")'
    for k in (1, 4):
        found = netloom.simulate(call, workload=f"shift(k={k},bytes=1000)", ranks=8, **PURE)
        assert found["time_s"] >= 2 * 50e-9 + 2 * 100e-9 + 1e-6
    # From the first to the last endpoint and back: no channel is shared.
    one = netloom.simulate(call, workload="shift(k=1,bytes=1000)", mapping=[0, 7], **PURE)
    assert one["time_s"] == pytest.approx(2 * 50e-9 + 2 * 100e-9 + 1e-6)


def test_packets_of_a_butterfly_take_as_long_as_flows_where_nothing_meets() -> None:
    # Terminals exchange the halves of their numbers' highest digit: no two messages share a channel.
    assert seconds("packet", "butterfly(2,3)", **ACROSS) == pytest.approx(
        seconds("time", "butterfly(2,3)", **ACROSS), rel=0.2
    )


@pytest.mark.parametrize("rung", ["time", "packet"])
@pytest.mark.parametrize("serial", ["false", "true"])
@pytest.mark.parametrize("ranks", [2, 5, 8])
def test_an_alltoall_takes_alpha_and_beta_for_each_partner(serial: str, ranks: int, rung: str) -> None:
    call = f'simple({ranks},alpha="3 us",bandwidth="8 Gbps",serial={serial})'
    found = seconds(rung, call, workload="alltoall:pairwise", size_bytes=20_000)
    assert found == pytest.approx((ranks - 1) * (3e-6 + 20e-6), rel=1e-12)


@pytest.mark.parametrize("rung", ["time", "packet"])
def test_only_a_serial_sender_shares_its_bandwidth(rung: str) -> None:
    call, each = 'simple(5,alpha="3 us",bandwidth="8 Gbps"', {"workload": "all-pairs(bytes=20000)"}
    assert seconds(rung, f"{call})", **each) == pytest.approx(3e-6 + 20e-6, rel=1e-12)
    assert seconds(rung, f"{call},serial=true)", **each) == pytest.approx(3e-6 + 4 * 20e-6, rel=1e-12)
    # What many send to one is not shared.
    src, ones = np.arange(1, 5), np.ones(4, dtype=np.int64)
    to_one = netloom.Traffic.from_flows("to one", 5, src, 0 * ones, ones, 20_000 * ones)
    assert seconds(rung, f"{call},serial=true)", workload=to_one) == pytest.approx(3e-6 + 20e-6, rel=1e-12)


@pytest.mark.parametrize("cut", ["cut-through", "store-and-forward"])
def test_packets_of_one_message_follow_each_other_and_those_of_others_do_not_wait(cut: str) -> None:
    """Drawn messages of one endpoint to others, at once, in packets of 1,000 bytes: each takes what it would alone."""
    drawn = np.random.default_rng(7)
    call = 'simple(9,alpha="2 us",bandwidth="3 GBps")'
    for _ in range(10):
        size = drawn.integers(1, 300_000, 8)
        ones = np.ones(8, dtype=np.int64)
        work = netloom.Traffic.from_flows("drawn", 9, 0 * ones, np.arange(1, 9), ones, size)
        scenario = netloom.Scenario(call, workload=work, **PURE)
        switch = f"output-queued(packet_bytes=1000,switching={cut})"
        found = netloom.evaluate(scenario, "packet", switch=switch)["finish_s"][1:]
        # With store and forward a packet goes over the second half of the way once it is at its middle.
        again = 0 if cut == "cut-through" else np.minimum(size, 1000)
        assert list(found) == pytest.approx(list(2e-6 + (size + again) / 3e9), rel=1e-7)


def test_links_between_switches_that_are_not_shared_and_slow_are_refused_by_packets() -> None:
    text = '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd"><platform version="4.1">'
    text += '<zone id="site" routing="Floyd">{}</zone></platform>'
    inner = "".join(f'<host id="h{i}" speed="1Gf"/><router id="r{i}"/>' for i in range(2))
    wires = [("h0", "r0", "SPLITDUPLEX"), ("h1", "r1", "SPLITDUPLEX"), ("r0", "r1", "FATPIPE")]
    routes = "".join(f'<route src="{a}" dst="{b}"><link_ctn id="{a}{b}"/></route>' for a, b, _ in wires)
    for speed, fits in (("8GBps", True), ("7GBps", False)):
        links = "".join(
            f'<link id="{a}{b}" bandwidth="{at}" latency="1us" sharing_policy="{how}"/>'
            for a, b, how in wires
            for at in [speed if how == "FATPIPE" else "8GBps"]
        )
        network = _core.Network.read(text.format(inner + links + routes).encode(), "site.xml", "simgrid")
        scenario = netloom.Scenario(network, workload="shift(k=1,bytes=80000)", **PURE)
        if fits:
            both = [netloom.evaluate(scenario, rung).time_s for rung in ("time", "packet")]
            assert both == pytest.approx([3e-6 + 10e-6] * 2, rel=1e-9)
            continue
        with pytest.raises(NetloomError, match="FATPIPE") as caught:
            netloom.evaluate(scenario, "packet")
        assert len(caught.value.faults) == 1
    for switch in ("input-queued", "input-queued(model=booksim)"):
        with pytest.raises(NetloomError, match="flows do not share"):
            netloom.evaluate(netloom.Scenario("simple(4)", workload="shift(1)", **PURE), "packet", switch=switch)


@pytest.mark.parametrize("evaluator", ["hops", "loads", "throughput"])
def test_what_counts_links_refuses_a_network_without_any(evaluator: str) -> None:
    scenario = netloom.Scenario(network="simple(4)", workload="alltoall:pairwise")
    with pytest.raises(NetloomError, match="NL-E030") as caught:
        netloom.evaluate(scenario, evaluator)
    assert len(caught.value.faults) == 1


def test_computing_shares_memory() -> None:
    """Four ranks of a domain, one of another: 1e9 operations of 4 bytes each at 8 GB/s."""
    work = netloom.programs([[("compute", 1e9)]] * 5)
    node = 'node(numa=2,cores=4,numa_memory="8 GBps",core_memory="4 GBps")'
    asked = {"workload": work, "cores": 8, "node": node, "flops_per_s": 2e9, "software": {"bytes_per_flop": 4}}
    packed = {"mapping": [0] * 5, "seats": [0, 1, 2, 3, 4]}
    for rung in ("time", "packet"):
        assert seconds(rung, "star(1)", **packed, **asked) == pytest.approx(4 * 4e9 / 8e9)
        # The memory of a core is what bounds two ranks or fewer of a domain.
        spread = {"mapping": [0, 0, 0, 1, 1], "seats": [0, 4, 5, 0, 4]}
        assert seconds(rung, "star(2)", **spread, **asked) == pytest.approx(4e9 / 4e9)
        few = {**asked, "software": {"bytes_per_flop": 0.5}}
        assert seconds(rung, "star(1)", **packed, **few) == pytest.approx(0.5)


def test_the_wires_alone_compute_too() -> None:
    settings = _core.machine_settings("machine", {"bytes_per_flop": 4, "call_overhead_s": 1e-6})
    assert alone(settings, None)["software"] == {"bytes_per_flop": 4}
