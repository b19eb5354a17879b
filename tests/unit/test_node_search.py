"""Searches under a node: the numbers of the result are those that the evaluators give for its places."""

from __future__ import annotations

from typing import Any

import pytest

import netloom

LEVELS = 'sockets=2,cores=4,socket_bandwidth="10 Gbps",socket_latency="300 ns",core_bandwidth="100 Gbps"'
NODES = [f"node({LEVELS})", f"node({LEVELS},nics=2)", "node(gpus=4,nics=4)", "node(cores=4)"]


def asked(node: str) -> dict[str, Any]:
    # Shuffled, so that there is something to gain on every level.
    return {"workload": "stencil(4,8,bytes=100000)", "ranks": 32, "node": node, "order": "random(seed=3)"}


@pytest.mark.parametrize("node", NODES)
@pytest.mark.parametrize("net", ["torus(4,4)", "fat_tree(radix=8,levels=3)"])
@pytest.mark.parametrize("objective", ["auto", "time", "step-load", "inter-node", "hop-bytes", "max-link-load"])
def test_the_value_is_that_of_the_evaluator(net: str, node: str, objective: str) -> None:
    if net == "torus(4,4)" and "gpus" in node:
        net = "torus(8,4)"
    found = netloom.map_ranks(net, optimiser="auto(swaps=400)", objective=objective, **asked(node))
    at = asked(node) | {"mapping": found["mapping"], "seats": found["seats"]}
    del at["order"]
    if found["seats"] is None:
        del at["seats"]
    assert found["value"] < found["start_value"] or found["start_value"] == 0
    if found["decided_by"] == "time":
        assert round(netloom.simulate(net, **at)["time_s"] * 1e12) == found["value"]
    elif objective in ("inter-node", "hop-bytes"):
        name = {"inter-node": "inter_node_bytes", "hop-bytes": "hop_bytes"}[objective]
        assert netloom.hops(net, **at)[name] == found["value"]
    else:
        one_path = {} if objective == "step-load" else {"routing": "d-mod-k" if "tree" in net else "single-minimal"}
        loads = netloom.loads(net, **at, **one_path)
        if objective == "max-link-load":
            assert loads.classes["all"]["max_bytes"] == found["value"]
        else:
            rows = [*loads.classes.values(), *loads.levels]
            worst = max(float(row.get("max_s") or 0.0) for row in rows)  # type: ignore[arg-type]
            assert found["value"] == pytest.approx(worst * 1e12, rel=1e-5)


def test_ranks_move_to_the_socket_of_their_partners() -> None:
    # Rank r and r + 4 exchange 1 MB: over the sockets' 10 Gb/s at first, over the cores' 100 Gb/s in the end.
    given: dict[str, Any] = {"workload": "shift(k=4,bytes=1000000)", "ranks": 8, "calibration": "pure"}
    found = netloom.map_ranks("star(2)", node=f"node({LEVELS})", optimiser="auto(swaps=2000)", **given)
    seats = found["seats"]
    assert seats is not None and found["decided_by"] == "time"
    assert all(seats[r] // 4 == seats[(r + 4) % 8] // 4 for r in range(8))
    assert found["start_value"] == pytest.approx((4 * 8e6 / 10e9 + 600e-9) * 1e12)
    assert found["value"] == pytest.approx(8e6 / 100e9 * 1e12)


@pytest.mark.parametrize("objective", ["auto", "step-load", "inter-node"])
def test_levels_of_one_change_nothing(objective: str) -> None:
    def result(sockets: str, caches: str) -> tuple[list[int], float]:
        node = f'node({sockets}numa=2,{caches}cores=4,numa_bandwidth="10 Gbps")'
        made = netloom.map_ranks("torus(4,4)", objective=objective, optimiser="auto(swaps=500)", **asked(node))
        assert made["seats"] is not None
        return [*made["mapping"].tolist(), *made["seats"].tolist()], made["value"]

    assert result("", "") == result("sockets=1,", "caches=1,")


def test_gpus_of_one_node_are_no_hops_apart() -> None:
    # The two NICs of a node are on switches of their own.
    given: dict[str, Any] = {"workload": "stencil(2,bytes=1000)", "ranks": 2, "node": "node(gpus=2,nics=2)"}
    hops = netloom.hops("torus(4)", **given)
    assert (hops["hop_bytes"], hops["max_hops"], hops["inter_node_bytes"]) == (0, 0, 0)
    # The same for rounds that are never listed.
    everyone = netloom.hops(
        "torus(4)", workload="alltoall:pairwise", size_bytes=10, ranks=4, node="node(gpus=2,nics=2)"
    )
    # 0-2, 1-3 two hops, 0-3 and 1-2 one hop, both ways; 0-1 and 2-3 none.
    assert (everyone["total_hops"], everyone["hop_bytes"], everyone["messages"]) == (12, 120, 12)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"seats": [0, 1]}, "NL-A007 seats must be nothing without mapping"),
        ({"mapping": [0, 0], "seats": [0]}, "NL-A007 seats must be a seat below 8 for each of 2 ranks, got 1 seats"),
        ({"mapping": [0, 0], "seats": [0, 8]}, "NL-A007 seats must be a seat below 8 for each of 2 ranks, got 8"),
        ({"mapping": [0, 0], "seats": [3, 3]}, "NL-M002"),
        ({"mapping": [0, 0], "seats": "first"}, "NL-A007 scenario.seats"),
    ],
)
def test_seats_that_cannot_be_are_refused(more: dict[str, Any], says: str) -> None:
    for ask in (netloom.simulate, netloom.loads, netloom.map_ranks):
        with pytest.raises(netloom.NetloomError) as caught:
            ask("torus(4,4)", workload="shift(k=1)", ranks=2, node="node(cores=8)", **more)
        assert says in str(caught.value)
