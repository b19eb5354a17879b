"""Rail clusters answer as NCCL's machines do: allreduce level by level in its closed form, at full size."""

from __future__ import annotations

import pytest

import netloom

GIB = 2**30
NVLINK, NIC = 450e9, 50e9  # bytes per second, per direction
#: The closed form has one path and no time of software.
WIRES = {"routing": "single-minimal", "calibration": "pure"}


def level_by_level(nodes: int, gpus: int, latency_s: float) -> float:
    """Seconds of `allreduce:blueconnect(nodes,gpus)` of 1 GiB.

    Reduce-scatter and allgather in the node take `gpus - 1` steps each of a share `1/gpus` over NVLink, two links
    of 100 ns.
    The ring of every rail takes `2 (nodes - 1)` steps of a share `1/(gpus nodes)`, each as long as its slowest message.
    """
    inside = 2 * (gpus - 1) * (GIB / gpus / NVLINK + 200e-9)
    return inside + 2 * (nodes - 1) * (GIB / gpus / nodes / NIC + latency_s)


def simulated(network: str, workload: str, **inputs: object) -> float:
    asked = {"network": network, "workload": workload, "size_bytes": GIB, **WIRES, **inputs}
    scenario = netloom.Scenario(**asked)
    return float(netloom.evaluate(scenario, "time")["time_s"])


@pytest.mark.parametrize(("nodes", "links"), [(32, 2), (128, 4)])
def test_allreduce_level_by_level(nodes: int, links: int) -> None:
    """One pod: two links of 130 ns per message of a rail. Four pods: four of them over a spine."""
    time_s = simulated(f"rail_cluster(nodes={nodes})", f"allreduce:blueconnect({nodes},8)")
    assert time_s == pytest.approx(level_by_level(nodes, 8, links * 130e-9), rel=1e-9)


def test_flat_ring_on_shuffled_ranks() -> None:
    """256 GPUs: each of the 510 steps takes at least n/256 over a NIC, in any order, more if it is shared."""
    network = "rail_cluster(nodes=32)"
    shuffled = simulated(network, "allreduce:ring", placement="random(seed=1)")
    assert shuffled > 510 * GIB / 256 / NIC
    assert shuffled > 4 * level_by_level(32, 8, 260e-9)


def test_four_groups_side_by_side() -> None:
    """Four groups of 256 GPUs, one per pod, do not disturb each other."""
    job = {"ranks": 256, "workload": "allreduce:blueconnect(32,8)", "size_bytes": GIB}
    jobs = [{"name": name, **job} for name in "abcd"]
    scenario = netloom.Scenario(network="rail_cluster(nodes=128)", jobs=jobs, **WIRES)
    answer = netloom.evaluate(scenario, "time")
    assert float(answer["time_s"]) == pytest.approx(level_by_level(32, 8, 260e-9), rel=1e-9)


def test_rails_of_a_network() -> None:
    rails = netloom.rail_cluster(nodes=128, oversubscription=2).rails
    assert rails is not None
    assert (rails["rails"], rails["planes"], rails["pods"], rails["nodes"], rails["gpus_per_node"]) == (8, 1, 4, 128, 8)
    assert (rails["leaf_ports"], rails["spines"], rails["oversubscription"]) == (48, 16, 2.0)
    assert netloom.torus(4, 4).rails is None
