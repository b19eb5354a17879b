"""`throughput` against closed forms: latency at zero load, ideal loads of thin trees, clocks."""

from __future__ import annotations

import numpy as np
import pytest

import netloom
from netloom import Scenario, evaluate
from netloom.evaluate import Answer

QUIET = {"loads": "0", "warm_up": 0, "cycles": 1, "saturation": False}
#: `simple` has no links.
FAMILIES = [row["example"] for row in netloom.catalogue("topologies") if row["name"] != "simple"]
#: Latency of a packet that meets no other, by hops between switches and cycles of a phit on the slowest link.
SWITCHES = {
    "input-queued(channels=64)": lambda hops, slow: hops + 2 + 16 * slow - 1,
    "input-queued(channels=64,packet_phits=1)": lambda hops, slow: hops + 2 + slow - 1,
    "input-queued(model=booksim,channels=64,packet_flits=5,stages=plain,link_latency=1)": lambda hops, _: (
        2 + 4 * (hops + 1) + 4
    ),
}


@pytest.mark.parametrize("switch", SWITCHES)
@pytest.mark.parametrize("example", FAMILIES)
def test_latency_at_zero_load_is_the_formula_on_every_family(example: str, switch: str) -> None:
    network = netloom.network(example)
    last = network.endpoints - 1
    for to in {last, last // 2} - {0}:
        load = netloom.Traffic.from_flows("one", network.endpoints, *(np.array([n]) for n in (0, to, 1, 16)))
        hops = netloom.hops(network, workload=load)["max_hops"]
        rates = network.link_bandwidth_bytes_per_s
        slow = float(rates[-1] / rates.min()) if hops else 1.0
        # Links of a butterfly go one way.
        routing = "destination-tag" if network.family == "butterfly" else "single-minimal"
        scenario = Scenario(network, workload=load, routing=routing)
        if "booksim" in switch and slow != 1:
            with pytest.raises(netloom.NetloomError, match="differ in bandwidth"):
                evaluate(scenario, "throughput", switch=switch, **QUIET)
            continue
        found = evaluate(scenario, "throughput", switch=switch, **QUIET)
        assert found["zero_load_latency"] == SWITCHES[switch](hops, slow)


def curve(net: str, switch: str, loads: str, **inputs: object) -> Answer:
    scenario = Scenario(net, workload="uniform", routing="minimal", **inputs)
    return evaluate(scenario, "throughput", loads=loads, switch=switch, saturation=False, drain=0)


@pytest.mark.parametrize("tree", [(8, 2, 2), (8, 4, 2), (8, 6, 2), (4, 2, 3), (4, 3, 3), (6, 3, 2)])
def test_thin_trees_approach_their_ideal_and_never_pass_it(tree: tuple[int, int, int]) -> None:
    """Navaridas 2009, table 1: (k'/k)^(n-1), for traffic that all crosses the top; uniform traffic crosses it less."""
    k, up, n = tree
    net, top = f"thin_tree({k},{up},{n})", (up / k) ** (n - 1)
    crosses = (k**n - k ** (n - 1)) / (k**n - 1)
    found = curve(net, "input-queued(channels=4)", "0.9,1.0", variant="adaptive-direct")
    # Of all levels the one to the top is the fullest.
    assert found["ideal"] == pytest.approx(top / crosses, rel=1e-9)
    for point in found.tables["points"]:
        assert 0.87 * found["ideal"] < point["accepted"] <= found["ideal"]


@pytest.mark.parametrize("model", ["packet_phits=16", "model=booksim,packet_flits=4"])
def test_twice_the_bandwidth_is_half_the_cycle(model: str) -> None:
    nets = [f'torus(4,4,bandwidth="{rate} Gbps")' for rate in (80, 160)]
    one, two = (curve(net, f"input-queued(channels=4,{model})", "0.2,0.7") for net in nets)
    assert one.tables == two.tables
    assert one["cycle_s"] == 2 * two["cycle_s"]
