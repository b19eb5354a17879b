"""Latency at zero load: the mean over all pairs and paths of a pattern, not that of a sample."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import netloom


def quiet(network: str, workload: object, switch: str, **asked: object) -> tuple[float, int]:
    scenario = netloom.Scenario(network, workload=workload, **asked)  # type: ignore[arg-type]
    found = netloom.evaluate(scenario, "throughput", switch=switch, loads="0.01", saturation=False, cycles=1000)
    return float(found.zero_load_latency or 0), int(found.zero_load_exact or 0)


def test_a_shift_on_a_line_has_the_mean_of_its_pairs() -> None:
    # Ranks 0, 1, 2 go two links; 3 and 4 go three, back to 0 and 1.
    hops = Fraction(2 * 3 + 3 * 2, 5)
    assert quiet("mesh(5)", "shift(k=2)", "input-queued(packet_phits=1)") == (pytest.approx(float(hops + 2)), 1)
    assert quiet("mesh(5)", "shift(k=2)", "input-queued") == (pytest.approx(float(hops + 17)), 1)


@pytest.mark.parametrize("network", ["torus(4,4)", "fat_tree(radix=4,levels=2)", "random_regular(12,degree=3,seed=1)"])
def test_uniform_traffic_has_the_mean_distance(network: str) -> None:
    net = netloom.network(network)
    ends = np.asarray(net.endpoint_switch)
    far = np.asarray(net.hop_matrix())[np.ix_(ends, ends)]
    mean = far.sum() / (len(ends) * (len(ends) - 1))
    found = quiet(network, "uniform", "input-queued(packet_phits=4,channels=16)", routing="minimal")
    assert found == (pytest.approx(mean + 2 + 3), 1)


def test_shares_of_destinations_count() -> None:
    columns = np.array([(0, 1, 100), (0, 4, 300), (1, 0, 50)], np.int64).T
    load = netloom.Traffic.from_flows("flows", 5, columns[0], columns[1], np.ones(3, np.int64), columns[2])
    # Both sources send at the same rate: the first 1 link with 1/4, 4 links with 3/4; the second 1 link.
    mean = ((1 / 4 + 4 * 3 / 4) + 1) / 2
    assert quiet("mesh(5)", load, "input-queued(packet_phits=1)") == (pytest.approx(mean + 2), 1)


def test_paths_of_unequal_length_count_by_their_shares() -> None:
    """A way of two links and one of three: as many packets take each as the routing says."""
    found, exact = quiet("torus(4,4)", "shift(k=5)", "input-queued(packet_phits=1,channels=8)", routing="valiant")
    routes = netloom.network("torus(4,4)").routing("valiant")
    paths = [routes.paths(a, (a + 5) % 16) for a in range(16)]
    mean = sum(path["fraction"] * len(path["links"]) for pair in paths for path in pair) / 16
    assert exact == 1 and found == pytest.approx(mean + 2)


@pytest.mark.parametrize("switch", ["output-queued(packet_bytes=256)", "input-queued(model=booksim)"])
def test_other_switch_models_agree_with_packets_one_by_one(switch: str) -> None:
    """One pair has one latency, which a curve at next to no load measures too."""
    columns = np.array([(0, 3, 100)], np.int64).T
    load = netloom.Traffic.from_flows("flows", 4, columns[0], columns[1], np.ones(1, np.int64), columns[2])
    scenario = netloom.Scenario("mesh(4)", workload=load)
    found = netloom.evaluate(scenario, "throughput", switch=switch, loads="0.001", saturation=False)
    assert found.zero_load_exact == 1
    assert found.zero_load_latency == pytest.approx(float(found.tables["points"][0]["latency_mean"] or 0), abs=0.6)


def test_a_sample_says_that_it_is_one() -> None:
    scenario = netloom.Scenario("torus(4,4)", workload="uniform", variant="static-indirect")
    asked = {"switch": "input-queued(channels=8)", "loads": "0.01", "saturation": False, "cycles": 1000}
    found = netloom.evaluate(scenario, "throughput", **asked)
    assert found.zero_load_exact == 0 and any("estimated" in line for line in found.explain())
