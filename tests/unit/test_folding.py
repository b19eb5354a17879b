"""What repeats is simulated once: the same answers through every door, and what the answer says of it."""

from __future__ import annotations

import numpy as np
import pytest

from netloom import Scenario, evaluate

RING = {"workload": "allreduce:ring", "size_bytes": 1 << 20}


@pytest.mark.parametrize(
    ("network", "inputs"),
    [
        ("fat_tree(radix=8,levels=3)", {**RING, "repetitions": 10}),
        ("torus(8,8,4)", RING),
        ("rail_cluster(nodes=64,gpus=4,pod=8)", RING),
        ("torus(16,16)", {"workload": "allreduce:ring(channels=4,local=4)", "size_bytes": 1 << 20}),
        ("ring(256,p=2)", {"workload": "allgather:ring", "size_bytes": 4096}),
        ("star(256)", {"workload": "allreduce:recursive-doubling", "size_bytes": 65536, "repetitions": 100}),
        (
            "star(256)",
            {"workload": "allreduce:ring", "size_bytes": 65536, "node": "node(cores=2)", "calibration": "pure"},
        ),
    ],
)
def test_every_rank_ends_as_if_all_were_simulated(network: str, inputs: dict[str, object]) -> None:
    folded = evaluate(Scenario(network=network, **inputs), "time")
    every = evaluate(Scenario(network=network, **inputs), "time", fold=False)
    assert every["folded_ranks"] is None
    assert every["periods_skipped"] == 0
    assert folded["folded_ranks"] or folded["periods_skipped"]
    np.testing.assert_allclose(folded["finish_s"], every["finish_s"], rtol=1e-12, atol=0)
    assert (folded["messages"], folded["bytes"]) == (every["messages"], every["bytes"])
    assert len(folded["finish_s"]) == len(every["finish_s"])


def test_ranks_of_a_symmetric_machine_are_one() -> None:
    """On a star of switches with one endpoint each nothing tells the ranks of a ring apart."""
    found = evaluate(Scenario(network="complete(256)", calibration="pure", **RING), "time")
    assert found["folded_ranks"] == 1
    # 510 steps, of which all but the first and a few at the end are like an earlier one.
    assert found["periods_skipped"] > 450
    links = 3 * 1e-7 + (1 << 20) / 256 / 12.5e9
    assert found["time_s"] == pytest.approx(510 * links, rel=1e-12)


@pytest.mark.parametrize(
    "inputs",
    [
        # Every message is alone on its pair, sizes differ, orders are random, messages are few, several jobs.
        {"network": "star(256)", "workload": "alltoall:pairwise", "size_bytes": 64},
        {"network": "complete(251)", "workload": "allreduce:ring", "size_bytes": 1 << 20},
        {"network": "torus(16,16)", "order": "random(seed=1)", **RING},
        {"network": "torus(4,4)", **RING},
    ],
)
def test_where_nothing_repeats_every_rank_is_simulated(inputs: dict[str, object]) -> None:
    assert evaluate(Scenario(**inputs, calibration="pure"), "time")["folded_ranks"] is None


def test_a_recorded_run_has_every_rank() -> None:
    found = evaluate(Scenario(network="complete(256)", calibration="pure", **RING), "time", critical_path=True)
    assert found["folded_ranks"] is None
    assert found["periods_skipped"] == 0
