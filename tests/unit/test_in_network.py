"""Collectives in which switches combine and multiply: closed forms, loads, costs, refusals, NCCL's choice."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import netloom
from netloom import NetloomError
from netloom.cli import main
from netloom.library import Communicator, choose
from netloom.scenario import Scenario

#: One switch, eight endpoints: 1 GB/s, nothing else costs anything.
STAR = "complete(1,p=8,bandwidth=1GB/s,endpoint_latency=0)"
WIRE = {"combining_switches": "all"}
COMBINE = {"wire": WIRE, "calibration": "pure"}
N = 1 << 20


def seconds(call: str, size: int = N, network: str = STAR, **given: object) -> float:
    model = given.pop("model", "flow")
    inputs = {"network": network, "workload": call, "size_bytes": size, **COMBINE, **given}
    return float(netloom.evaluate(Scenario(**inputs), "packet" if model == "packet" else "time")["time_s"])


@pytest.mark.parametrize("segments", [1, 4, 16])
def test_segments_follow_each_other(segments: int) -> None:
    """Up, down, and each further segment behind the one before."""
    part_s = N / segments / 1e9
    options = f"segments={segments}"
    assert seconds(f"allreduce:in-network({options})") == pytest.approx((segments + 1) * part_s)
    assert seconds(f"broadcast:in-network({options})") == pytest.approx((segments + 1) * part_s)
    assert seconds(f"reduce:in-network({options})") == pytest.approx((segments + 1) * part_s)
    # Seven blocks come for each that goes.
    assert seconds(f"allgather:in-network({options})", N // 8) == pytest.approx((segments * 7 + 1) * part_s / 8)
    assert seconds(f"reduce-scatter:in-network({options})", N // 8) == pytest.approx((segments * 7 + 1) * part_s / 8)


def test_owners_move_their_block_once_more() -> None:
    part_s = N / 1e9
    # Up; the block of each to it; from it; down to all.
    assert seconds("allreduce:in-network(segments=1,turn=owners)") == pytest.approx((1 + 1 / 8 + 1 / 8 + 1) * part_s)


def test_a_barrier_takes_the_latency_up_and_down() -> None:
    network = STAR.replace("endpoint_latency=0", "endpoint_latency=1us")
    assert seconds("barrier:in-network", 0, network) == pytest.approx(2e-6)


@pytest.mark.parametrize("model", ["flow", "packet"])
def test_both_rungs_see_the_links_of_the_tree(model: str) -> None:
    """The vector up and down each link: half of a ring, for any number of ranks."""
    given = {"network": "fat_tree(radix=8,levels=3)", "model": model}
    ring, tree = seconds("allreduce:ring", 1 << 24, **given), seconds("allreduce:in-network", 1 << 24, **given)
    # Packets hold shallow buffers: what the ring pays for its neighbours, the tree pays for its steps.
    assert 0.45 < tree / ring < 0.7


def test_links_carry_the_vector_once_each_way() -> None:
    found = netloom.loads(
        "rail_cluster(nodes=2,gpus=4,pod=2)", workload="allreduce:in-network(channels=4)", size_bytes=N, wire=WIRE
    )
    classes = found.classes
    # A GPU passes on what is combined in its node and the half of it that its rail carries.
    assert classes["injection"]["max_bytes"] == classes["ejection"]["max_bytes"] == N
    assert classes["injection"]["links"] == 8
    assert classes["nvlink"]["max_bytes"] == N + N // 4
    assert classes["rail"]["max_bytes"] == N // 4


def test_hops_are_those_of_the_trees() -> None:
    found = netloom.hops(
        "rail_cluster(nodes=2,gpus=4,pod=2)", workload="allreduce:in-network(segments=1)", size_bytes=8, wire=WIRE
    )
    # Eight GPUs and two nodes up and down; a node is two links from the leaf.
    assert (found["messages"], found["total_hops"]) == (20, 2 * (8 + 2 * 2))


def test_switches_cost_no_software() -> None:
    software = {"message_latency": [[0, 1e-3, 0.0]], "combine_s_per_byte": 1e-6, "copy_s_per_byte": 1e-6}
    plain = seconds("allreduce:in-network(segments=1)")
    assert seconds("allreduce:in-network(segments=1)", software=software) == pytest.approx(plain + 1e-3)
    overheads = {"nonblocking_send_overhead": [[0, 2e-3, 0.0]], "receive_overhead": [[0, 3e-3, 0.0]]}
    assert seconds("allreduce:in-network(segments=1)", software=overheads) == pytest.approx(plain + 5e-3)


def test_ranks_behind_one_endpoint_share_its_link() -> None:
    given = {"network": STAR, "node": "node(cores=4)", "ranks": 32}
    assert seconds("allreduce:in-network(segments=1)", **given) == pytest.approx(2 * 4 * N / 1e9)


def test_several_ranks_end_and_no_switch_is_one_of_them() -> None:
    found = netloom.simulate(STAR, workload="allreduce:in-network", size_bytes=N, **COMBINE)
    assert len(found.finish_s) == 8


@pytest.mark.parametrize(
    ("code", "given"),
    [
        ("NL-N018", {"wire": {}}),
        ("NL-N018", {"network": "rail_cluster(nodes=2)", "wire": {"combining_switches": "nodes"}}),
        ("NL-N018", {"network": "torus(4,4)", "wire": {"combining_switches": "nodes"}}),
        ("NL-E030", {"background": [{"src": 0, "dst": 1}]}),
    ],
)
def test_what_cannot_be_is_refused(code: str, given: dict[str, object]) -> None:
    with pytest.raises(NetloomError, match=code):
        seconds("allreduce:in-network", **given)


def test_searches_and_programs_refuse_it() -> None:
    for ask in (
        lambda: netloom.map_ranks(STAR, workload="allreduce:in-network", size_bytes=N, **COMBINE),
        lambda: netloom.simulate(STAR, workload="is(class=S)", algorithms="allreduce:in-network", **COMBINE),
    ):
        with pytest.raises(NetloomError, match="NL-E030"):
            ask()


def test_a_table_of_algorithms_leaves_it_out_where_no_switch_combines() -> None:
    timing = netloom.time_collective(STAR, "allreduce", sizes=[N], calibration="pure")
    assert "no switch" in timing.left_out["allreduce:in-network"]
    there = netloom.time_collective(STAR, "allreduce", sizes=[N], **COMBINE)
    row = next(row for row in there.table.rows if row["algorithm"] == "allreduce:in-network")
    assert row["winner"] and 90 < float(row["bound_percent"]) < 100


def test_nccl_takes_the_switch_of_the_node_where_the_machine_has_it() -> None:
    at = Communicator(8, 8, 8, 50e9, 450e9, combines=True)
    found = choose("nccl", "allreduce", 1 << 30, at)
    assert found.call() == "allreduce:in-network(segments=64,turn=owners,channels=16,protocol=simple)"
    assert choose("nccl", "allreduce", 1 << 30, Communicator(8, 8, 8, 50e9, 450e9)).algorithm == "ring"
    asked = Scenario(machine="dgx-h100", nodes=1, workload="allreduce", size_bytes=1 << 30)
    quick = netloom.evaluate(asked, "time")["time_s"]
    ring = netloom.evaluate(asked.but(workload="allreduce:ring"), "time")["time_s"]
    assert 0.6 < quick / ring < 0.8


def test_traces_number_the_switches_after_the_ranks() -> None:
    found = netloom.simulate(
        "rail_cluster(nodes=2,gpus=4,pod=2)", workload="allreduce:in-network", size_bytes=N, trace=True, **COMBINE
    )
    # Two NVLink switches and one leaf.
    assert found["trace"]["ranks"] == 8 + 3
    assert set(found["trace"]["messages"]["dst"].tolist()) == set(range(11))
    assert found["critical_path"]["total_s"] == found["time_s"]
    loads = netloom.loads(STAR, workload="allreduce:in-network", size_bytes=N, wire=WIRE)
    assert loads.network.endpoints == 9 and any("Ranks from 8 on are the switches" in line for line in loads.explain())


def test_a_page_and_pictures_of_it_are_made(tmp_path: Path) -> None:
    words = ["simulate", "-n", STAR, "-c", "allreduce:in-network", "--size", "64KiB", "-q"]
    words += ["--set", "wire.combining_switches=all", "--report", str(tmp_path / "p.html")]
    with pytest.raises(SystemExit) as left:
        main([*words, "--pictures", str(tmp_path / "pictures")])
    assert not left.value.code
    assert (tmp_path / "p.html").stat().st_size > 10_000
    assert {path.stem for path in (tmp_path / "pictures").iterdir()} >= {"timeline", "links", "critical-path"}


def test_the_network_with_its_switches_is_kept_whole() -> None:
    network = netloom.loads(STAR, workload="allreduce:in-network", size_bytes=N, wire=WIRE).network
    again = pickle.loads(pickle.dumps(network))
    speeds = network.link_bandwidth_bytes_per_s.tolist()
    # The port inside the switch is as fast as its eight links together.
    assert again == network and again.link_bandwidth_bytes_per_s.tolist() == speeds and max(speeds) == 8 * min(speeds)
