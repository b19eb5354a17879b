"""What `throughput` measures: tables that agree with each other, with closed forms and with link loads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import netloom
from netloom import Scenario, evaluate
from netloom.evaluate import Answer

EVERY = 1 << 20
CUT = "input-queued(channels=2,buffer_packets={0},injection_packets={0})"
WORMHOLE = "input-queued(model=booksim,channels=2,buffer_flits=8,packet_flits={})"


def asked(net: str, load: str = "0.4", routing: str = "minimal", workload: Any = "uniform", **options: Any) -> Answer:
    scenario = Scenario(net, workload=workload, routing=routing)
    return evaluate(scenario, "throughput", loads=load, **({"saturation": False, "links": EVERY} | options))


#: Both with 2 classes on 2 channels; units of a packet.
UNITS = {CUT.format(4): 16, WORMHOLE.format(4): 4}


@pytest.fixture(scope="module", params=UNITS, ids=["cut-through", "wormhole"])
def switch(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def found(switch: str) -> Answer:
    return asked("torus(4,4)", "0.2,0.4", "dimension-ordered", switch=switch)


def column(found: Answer, table: str, name: str, load: float = 0.4) -> np.ndarray:
    return np.array([row[name] for row in found.tables[table] if row["offered"] == load], dtype=float)


def test_histogram_and_hops_count_the_packets_of_the_point(found: Answer) -> None:
    for point in found.tables["points"]:
        load = point["offered"]
        for table in ("histogram", "by_hops"):
            assert column(found, table, "packets", load).sum() == point["measured"]
        hops, packets = (column(found, "by_hops", name, load) for name in ("hops", "packets"))
        assert hops @ packets / packets.sum() == pytest.approx(point["mean_hops"], rel=1e-12)
        latency = column(found, "by_hops", "latency_mean", load) @ packets / packets.sum()
        assert latency == pytest.approx(point["latency_mean"], rel=1e-12)
        low, high = (column(found, "histogram", name, load) for name in ("from_cycles", "to_cycles"))
        assert (low[1:] == high[:-1]).all() and low[0] <= point["latency_p50"] and point["latency_max"] < high[-1]
        shares = np.cumsum(column(found, "histogram", "packets", load)) / point["measured"]
        bin_of_median = int(np.searchsorted(shares, 0.5))
        assert low[bin_of_median] <= point["latency_p50"] < high[bin_of_median]


def test_links_are_sorted_by_use_and_no_busier_than_time(found: Answer, switch: str) -> None:
    units, busy = column(found, "links", "units"), column(found, "links", "busy")
    assert (np.diff(units) <= 0).all() and 0 < busy.max() <= 1
    point = found.tables["points"][-1]
    assert units.max() == pytest.approx(busy[0] * point["window"], rel=0.01)
    # Every packet takes its hops, an injection and an ejection link; a few stand on both ends of the window.
    expected = point["packets"] * (point["mean_hops"] + 2) * UNITS[switch]
    assert units.sum() == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize("switch", [*UNITS, "output-queued(packet_bytes=256,buffer_bytes=4096)"])
def test_what_stands_in_switches_over_time_is_what_stands_behind_links(switch: str) -> None:
    """Summed over switches and time it is the mean of all buffers; of a bin it is no constant."""
    found = asked("torus(4,4)", "0.5", "dimension-ordered", switch=switch, occupancy=16, cycles=3000, warm_up=500)
    rows = found.tables["occupancy"]
    window = found.tables["points"][-1]["window"]
    amounts, spans = column(found, "occupancy", "amount", 0.5), column(found, "occupancy", "to_cycles", 0.5)
    spans = spans - column(found, "occupancy", "from_cycles", 0.5)
    assert spans[::16].sum() == window
    assert {row["switches"] for row in rows} == {1} and len(rows) % 16 == 0 and len(rows) >= 8 * 16
    of_ends = "from" if switch.startswith("output") else "to"
    at_switch = np.array([not row[of_ends].startswith("endpoint") for row in found.tables["links"]])
    held = column(found, "links", "buffer_mean", 0.5)
    assert amounts @ spans / window == pytest.approx(held[at_switch].sum(), rel=1e-3)
    assert amounts.reshape(-1, 16).sum(1).std() > 0


def test_occupancy_depends_on_nothing_but_the_seed() -> None:
    one, other = (asked("torus(4,4)", "0.5,0.2", occupancy=8, cycles=2000).tables["occupancy"] for _ in range(2))
    assert one == other
    assert not asked("torus(4,4)", "0.5", cycles=2000).tables["occupancy"]


def test_features_are_those_of_the_links(found: Answer) -> None:
    """Recomputed from the table of links: switch links come before those of endpoints."""
    (row,) = (row for row in found.tables["features"] if row["offered"] == 0.4)
    inner = column(found, "links", "link") < netloom.network("torus(4,4)").switch_links * 2
    units, packets = column(found, "links", "units")[inner], column(found, "links", "packets")[inner]
    held = column(found, "links", "buffer_mean")[inner]
    window = found.tables["points"][-1]["window"]
    for name, values in {"units": units, "stalls": held, "stallsp": held * window / packets}.items():
        above = values[values > values.mean()]
        top = np.sort(values)[-int(np.ceil(0.05 * len(values))) :]
        assert row[f"avg_{name}"] == pytest.approx(values.mean(), rel=1e-9)
        assert row[f"avg_{name}_ao"] == pytest.approx(above.mean(), rel=1e-9)
        assert row[f"avg_{name}_to"] == pytest.approx(top.mean(), rel=1e-9)
        assert row[f"max_{name}"] == pytest.approx(values.max(), rel=1e-9)
        assert row[f"links_ao_{name}"] == len(above)
    hops = np.repeat(column(found, "by_hops", "hops"), column(found, "by_hops", "packets").astype(int))
    above = hops[hops > hops.mean()]
    assert row["max_dilation"] == hops.max() and row["sum_dilation_ao"] == above.sum()
    assert row["avg_dilation_ao"] == pytest.approx(above.mean(), rel=1e-12)
    assert row["max_inj_fifo"] == found.tables["points"][-1]["queue_max"]


@pytest.mark.parametrize("places", [1, 4])
def test_waits_follow_from_queues_by_littles_law(places: int) -> None:
    """Latency = source wait + injection + per switch (stay - 15) + ejection, stays and waits being queues over rate."""
    found = asked("torus(4,4)", "0.3", "dimension-ordered", switch=CUT.format(places), cycles=400_000)
    (point,) = found.tables["points"]
    rate = point["born"] * 16 / 16
    source = point["queue_mean"] * 16 / rate
    stays = np.nansum([row["buffer_mean"] or 0 for row in found.tables["links"]]) / rate
    switches = point["mean_hops"] + 1
    waits = stays - 16 * switches
    assert point["latency_mean"] == pytest.approx(source + waits + point["mean_hops"] + 17, rel=0.005)
    if places == 1:
        # Nobody waits behind a head: a packet that waits at a switch stalls.
        assert point["stalls_per_packet"] == pytest.approx(waits, rel=0.005)
    else:
        assert 0 < point["stalls_per_packet"] < waits


def test_nothing_stalls_alone() -> None:
    for switch in (CUT.format(4), WORMHOLE.format(4), WORMHOLE.format(1)):
        found = asked("complete(1,p=2)", "0.5", switch=switch, source="on-off(burst=5)")
        (point,) = found.tables["points"]
        assert point["stalls_per_packet"] == 0
        assert {row["latency_mean"] for row in found.tables["by_hops"]} == {point["latency_max"]}
        assert point["latency_max"] == found["zero_load_latency"] and point["queue_max"] <= 1


def test_bursts_keep_the_load_and_wait_longer() -> None:
    incast = netloom.Traffic.from_flows("incast", 3, *map(np.array, ([1, 2], [0, 0], [1, 1], [1, 1])))
    plain, bursty = (
        asked("star(3)", workload=incast, source=source, cycles=500_000) for source in ("bernoulli", "on-off(burst=8)")
    )
    one, other = (answer.tables["points"][0] for answer in (plain, bursty))
    assert one["born"] == pytest.approx(0.4, rel=0.02) and other["born"] == pytest.approx(0.4, rel=0.04)
    assert other["latency_mean"] > 2 * one["latency_mean"]


def test_without_cycles_a_window_is_long_enough_for_its_packets() -> None:
    (low, high) = asked("torus(4,4)", "0.02,0.9", "dimension-ordered").tables["points"]
    assert low["window"] % 20_000 == 0 and 20_000 < low["window"] < 1_000_000
    born = low["born"] * low["window"]
    assert 10_000 <= born < 10_000 + 1.2 * 0.02 * 20_000
    assert high["window"] == 20_000
    (rare,) = asked("star(2)", "0.001").tables["points"]
    # Cycles in which nothing happens cost nothing. Two endpoints, 16 phits a packet.
    assert 10_000 <= rare["born"] * rare["window"] * 2 / 16 < 10_100
    (given,) = asked("torus(4,4)", "0.02", "dimension-ordered", cycles=5000).tables["points"]
    assert given["window"] == 5000


def test_a_window_given_is_the_one_that_was_found(found: Answer, switch: str) -> None:
    point = found.tables["points"][0]
    again = asked("torus(4,4)", "0.2", "dimension-ordered", switch=switch, cycles=point["window"])
    assert again.tables["points"] == [point]


def test_details_cost_nothing_but_time(found: Answer, switch: str) -> None:
    point = found.tables["points"][0]
    found_bare = asked("torus(4,4)", "0.2", "dimension-ordered", switch=switch, details=False)
    assert found_bare.tables["links"] == []
    bare = found_bare.tables["points"][0]
    unknown = {name for name, value in bare.items() if value is None and point[name] is not None}
    assert unknown == {"stalls_per_packet", "buffer_mean", "buffer_max", "queue_mean", "queue_max"}
    assert all(value == point[name] for name, value in bare.items() if value is not None)


def test_fairness_is_jains_index() -> None:
    """Two of three sources share a link below saturation of the third: all to endpoint 0 but one pair."""
    flows = ([1, 2, 3], [0, 0, 4], [1, 1, 1])
    load = netloom.Traffic.from_flows("unfair", 5, *map(np.array, (flows[0], flows[1], [1, 1, 1], flows[2])))
    found = evaluate(
        Scenario("star(5)", workload=load, routing="minimal"), "throughput", loads="1", saturation=False, drain=0
    )
    (point,) = found.tables["points"]
    assert point["least"] == pytest.approx(0.5, abs=0.01) and point["most"] == pytest.approx(1.0, abs=0.01)
    assert point["fairness"] == pytest.approx(4 / (3 * 1.5), abs=0.01)
    assert found["ideal"] == pytest.approx(0.5, rel=1e-9)


@pytest.mark.parametrize(
    ("net", "routing", "workload", "expected"),
    [
        ("star(16)", "minimal", "uniform", 1.0),
        ("thin_tree(4,2,3)", "minimal", "uniform", 0.25 / (48 / 63)),
        ("torus(8,8)", "dimension-ordered", "tornado", 1 / 4),
        ("ring(8)", "dimension-ordered(tie=split)", "uniform(self=true)", 1.0),
        ("mesh(8)", "dimension-ordered", "uniform(self=true)", 0.5),
    ],
)
def test_the_ideal_load_is_that_of_the_fullest_link(net: str, routing: str, workload: str, expected: float) -> None:
    found = asked(net, "0.1", routing, workload, cycles=1000)
    assert found["ideal"] == pytest.approx(expected, rel=1e-9)


def test_a_small_share_of_a_fast_injection_is_found() -> None:
    # NICs of 400 Gb/s behind GPUs of 26.8 Tb/s, where a packet takes a thousand cycles.
    net = netloom.network("rail_cluster(nodes=4,gpus=2)")
    found = netloom.evaluate({"network": net, "workload": "uniform"}, "throughput", loads="0.001")
    assert 0.3 * found["ideal"] < found["saturation"] < 1.1 * found["ideal"] < 0.1


@pytest.mark.parametrize("net", ["torus(8,8)", "mesh(6,6)", "hypercube(6)"])
def test_a_grid_whose_own_routing_needs_more_channels_takes_dimensions_in_order(net: str) -> None:
    quick = {"loads": "0.1", "saturation": False, "warm_up": 500, "cycles": 2000}
    found = evaluate(Scenario(net, workload="uniform"), "throughput", **quick)
    asked_for = evaluate(
        Scenario(net, workload="uniform", routing="dimension-ordered(tie=split)"), "throughput", **quick
    )
    assert found["routing"] == asked_for["routing"] and found.tables == asked_for.tables
    assert "too few virtual channels for minimal" in found.explain()[-1] and found.record == asked_for.record
    assert not any("channels" in line for line in asked_for.explain())
    enough = evaluate(Scenario(net, workload="uniform"), "throughput", switch="input-queued(channels=16)", **quick)
    assert enough["routing"] == "minimal" and enough.explain() == []
    for given in ({"routing": "minimal"}, {"variant": "adaptive-direct"}):
        with pytest.raises(netloom.NetloomError, match=r"NL-E019.*virtual channels"):
            evaluate(Scenario(net, workload="uniform", **given), "throughput", **quick)


def test_a_callback_may_ask_for_the_simulated_time() -> None:
    class Clock:
        at_s = 0.0
        said: list[tuple[float, int, int]]

        def __init__(self) -> None:
            self.said = []

        def simulated(self, at_s: float) -> None:
            self.at_s = at_s

        def __call__(self, done: int, total: int) -> None:
            self.said.append((self.at_s, done, total))

    clock = Clock()
    found = evaluate(Scenario("torus(8,8)", workload="uniform"), "throughput", loads="0.2,0.3", progress=clock)
    said = [row for row in clock.said if row[0] > 0]
    assert said and found["cycle_s"] is not None
    for at_s, done, _ in said:
        # The share done of all cycles is that of all simulated time.
        assert 0.9 * done * found["cycle_s"] - 1e-6 <= at_s <= done * found["cycle_s"] + 1e-12
    # Two points and eight steps of the search, 30,000 cycles each; what drains comes on top.
    _, done, total = said[-1]
    assert all(2 * 30_000 <= total <= 2 * 10 * 30_000 for _, _, total in said)
    assert 0.8 * said[0][2] <= done <= 2 * said[0][2] and done <= 1.2 * total
