"""Each cost of software alone, against its closed form, on both rungs of time."""

from __future__ import annotations

import pytest

from netloom import Scenario, evaluate

#: 8 endpoints on one switch: a message takes 2 links of 100 ns, and moves at 25 GB/s.
NETWORK = 'complete(1,p=8,endpoint_bandwidth="25 GBps",endpoint_latency="100 ns")'
RUNGS = ("time", "packet")
KIB = 1 << 10


def seconds(rung: str, workload: str, size: int | None, software: dict[str, object], **inputs: object) -> float:
    told = {"network": NETWORK, "ranks": 8, "workload": workload, "calibration": "pure"} | inputs
    told |= {} if size is None else {"size_bytes": size}
    time_s = evaluate(Scenario(**told, software=software, wire={"sharing": "equal"}), rung)["time_s"]
    assert isinstance(time_s, float)
    return time_s


@pytest.mark.parametrize("rung", RUNGS)
@pytest.mark.parametrize(
    ("workload", "size", "software", "added_s"),
    [
        # A ring of 8 takes 14 steps, of which 7 combine an eighth of the vector.
        ("allreduce:ring", 64 * KIB, {"message_latency": [[0, 2e-6, 1e-10]]}, 14 * (2e-6 + 1e-10 * 8 * KIB)),
        ("allreduce:ring", 64 * KIB, {"message_latency": [[8 * KIB, 2e-6, 0.0]]}, 0.0),
        ("allreduce:ring", 64 * KIB, {"inside_latency": [[0, 2e-6, 0.0]]}, 0.0),
        ("allreduce:ring", 64 * KIB, {"rendezvous_s": 1e-6, "sender_returns_below_bytes": 8 * KIB}, 14e-6),
        ("allreduce:ring", 64 * KIB, {"rendezvous_s": 1e-6, "sender_returns_below_bytes": 8 * KIB + 1}, 0.0),
        ("allreduce:ring", 64 * KIB, {"combine_s_per_byte": 1e-10}, 7 * 1e-10 * 8 * KIB),
        ("allreduce:ring", 64 * KIB, {"combine_s_per_byte": [[0, 1e-10], [64 * KIB - 1, 3e-10]]}, 7 * 3e-10 * 8 * KIB),
        ("allreduce:ring", 64 * KIB, {"copy_s_per_byte": 1e-10}, 1e-10 * 64 * KIB),
        ("allreduce:ring", 64 * KIB, {"combine_s_per_byte": 1e-10, "operation_factor": 2.5}, 7 * 2.5e-10 * 8 * KIB),
        ("allreduce:ring", 64 * KIB, {"operation_factor": 2.5}, 0.0),
        # Each of the 14 messages is copied into a buffer and out of it, unless it goes by rendezvous.
        ("allreduce:ring", 64 * KIB, {"eager_copy_s_per_byte": 1e-10}, 14 * 2 * 1e-10 * 8 * KIB),
        ("allreduce:ring", 64 * KIB, {"eager_copy_s_per_byte": [[8 * KIB, 1e-10]]}, 0.0),
        (
            "allreduce:ring",
            64 * KIB,
            {"eager_copy_s_per_byte": 1e-10, "sender_returns_below_bytes": 8 * KIB},
            0.0,
        ),
        ("allreduce:ring", 64 * KIB, {"call_overhead_s": 3e-6}, 3e-6),
        ("allreduce:ring", 64 * KIB, {"flow_cap": 5e9}, 14 * 8 * KIB * (1 / 5e9 - 1 / 25e9)),
        ("allreduce:ring", 64 * KIB, {"flow_cap": 50e9}, 0.0),
        # One message at a time: as flow_cap. Of seven at once the last starts six messages later.
        ("allreduce:ring", 64 * KIB, {"rank_cap": 5e9}, 14 * 8 * KIB * (1 / 5e9 - 1 / 25e9)),
        ("allreduce:ring", 64 * KIB, {"rank_cap": [[0, 5e9], [4 * KIB, 50e9]]}, 0.0),
        ("alltoall:linear", 1, {"rank_cap": 1e6}, 7e-6 - 7 / 25e9),
        ("alltoall:linear", 64 * KIB, {"inside_rank_cap": 5e9}, 0.0),
        # No two messages of a ring cross; recursive doubling swaps in each of its 3 steps.
        ("allreduce:ring", 64 * KIB, {"crossing_flow_cap": 5e9, "message_latency": [[0, 1e-9, 0.0]]}, 14e-9),
        (
            "allreduce:recursive-doubling",
            64 * KIB,
            {"crossing_flow_cap": 5e9, "message_latency": [[0, 1e-9, 0.0]]},
            3 * (1e-9 + 64 * KIB * (1 / 5e9 - 1 / 25e9)),
        ),
        # Bruck rotates its buffer of 8 blocks twice, packs and unpacks 4 blocks in each of its 3 steps.
        ("alltoall:bruck", 8 * KIB, {"copy_s_per_byte": 1e-10}, 1e-10 * 8 * KIB * (2 * 8 + 3 * 2 * 4)),
        # Its last block is alone in one piece.
        ("allgather:bruck", 8 * KIB, {"copy_s_per_byte": 1e-10}, 1e-10 * 8 * KIB * (1 + 8)),
        # Seven messages at once: the last starts six gaps after the first, and then has its links alone.
        ("alltoall:linear", 1, {"message_gap_s": 1e-6}, 6e-6 - 6 / 25e9),
        ("alltoall:linear", 1, {"nic_message_gap_s": 1e-6}, 6e-6 - 6 / 25e9),
        # Each of 14 messages in turn is served where it is sent and where it is received.
        ("allreduce:ring", 64 * KIB, {"endpoint_message_s": 1e-6}, 28e-6),
        # The messages of a barrier are empty.
        ("barrier:dissemination", 0, {"message_latency": [[0, 2e-6, 1e-10]]}, 3 * 2e-6),
    ],
)
def test_a_cost_alone(rung: str, workload: str, size: int, software: dict[str, object], added_s: float) -> None:
    free = seconds(rung, workload, size, {})
    # Packets take whole picoseconds, and a link sends one after the other.
    tolerance = 2e-9 if rung == "packet" else 1e-12
    assert seconds(rung, workload, size, software) - free == pytest.approx(added_s, rel=1e-6, abs=tolerance)


@pytest.mark.parametrize("rung", RUNGS)
def test_caps_do_not_add_up(rung: str) -> None:
    """A cap bounds each message: seven at once move as fast as the NIC."""
    free = seconds(rung, "alltoall:linear", 64 * KIB, {})
    assert seconds(rung, "alltoall:linear", 64 * KIB, {"flow_cap": 5e9}) == pytest.approx(free, rel=1e-6)
    alone = seconds(rung, "broadcast:linear", 64 * KIB, {"flow_cap": 5e9}, ranks=2)
    assert alone == pytest.approx(2e-7 + 64 * KIB / 5e9, rel=1e-3)


@pytest.mark.parametrize("rung", RUNGS)
def test_inside_a_node_other_costs_count(rung: str) -> None:
    """Ranks of one endpoint: the latency and the cap of the inside, not those between nodes."""
    software = {
        "message_latency": [[0, 1.0, 0.0]],
        "flow_cap": 1.0,
        "inside_latency": [[0, 2e-6, 0.0]],
        "inside_flow_cap": 4e9,
    }
    inputs = {"ranks": 2, "cores": 2, "network": NETWORK.replace("p=8", "p=1")}
    assert seconds(rung, "broadcast:linear", 64 * KIB, software, **inputs) == pytest.approx(2e-6 + 64 * KIB / 4e9)


#: Eight ranks on each node: 0 and 1 share a cache, 0 to 3 a NUMA domain, 0 to 3 of socket 0 too as it has one domain.
LEVELS = "node(sockets=2,numa=1,caches=2,cores=2)"


@pytest.mark.parametrize("rung", RUNGS)
@pytest.mark.parametrize(
    ("other", "software", "latency_s", "rate"),
    [
        (1, {"cache_message_latency": [[0, 1e-7, 0.0]], "cache_flow_cap": 8e9}, 1e-7, 8e9),
        (2, {"cache_message_latency": [[0, 1e-7, 0.0]], "cache_flow_cap": 8e9}, 2e-6, 4e9),
        # What is not said of a unit is as in the one around it.
        (1, {"numa_message_latency": [[0, 3e-7, 0.0]], "socket_flow_cap": 6e9}, 3e-7, 6e9),
        (3, {"numa_message_latency": [[0, 3e-7, 0.0]], "socket_flow_cap": 6e9}, 3e-7, 6e9),
        (4, {"numa_message_latency": [[0, 3e-7, 0.0]], "socket_flow_cap": 6e9}, 2e-6, 4e9),
        (3, {"socket_message_latency": [[0, 4e-7, 0.0], [64 * KIB - 1, 5e-7, 1e-12]]}, 5e-7 + 1e-12 * 64 * KIB, 4e9),
    ],
)
def test_costs_of_the_unit_that_two_ranks_share(
    rung: str, other: int, software: dict[str, object], latency_s: float, rate: float
) -> None:
    told = {"inside_latency": [[0, 2e-6, 0.0]], "inside_flow_cap": 4e9, **software}
    pair = {"ranks": 2, "mapping": [0, 0], "seats": [0, other], "cores": 8, "node": LEVELS}
    found = seconds(rung, f"shift(k=1,bytes={64 * KIB})", None, told, **pair)
    assert found == pytest.approx(latency_s + 64 * KIB / rate)


@pytest.mark.parametrize("rung", RUNGS)
def test_ranks_share_the_memory_of_their_domain(rung: str) -> None:
    """A message reads the memory of its source and writes that of its destination, also through the NIC."""
    size = 4096 * KIB
    node = 'node(numa=2,cores=2,numa_memory="10 GBps")'

    def shift(k: int, ranks: int, **places: list[int]) -> float:
        return seconds(rung, f"shift(k={k},bytes={size})", None, {}, ranks=ranks, cores=4, node=node, **places)

    # Within a domain once to read and once to write, and both ranks of it do so: four times.
    assert shift(1, 2, mapping=[0, 0], seats=[0, 1]) == pytest.approx(4 * size / 10e9, rel=1e-2)
    # From domain to domain, one each way: both memories are read and written once.
    assert shift(1, 2, mapping=[0, 0], seats=[0, 2]) == pytest.approx(2 * size / 10e9, rel=1e-2)
    # Between nodes: two ranks of a domain send and receive over a NIC of 25 GB/s, faster than the memory.
    eight = {"mapping": [0, 0, 1, 1], "seats": [0, 1, 0, 1]}
    assert shift(2, 4, **eight) == pytest.approx(2e-7 + 4 * size / 10e9, rel=1e-2)
    # From the two domains of a node to another one, which has each in a domain: the NIC bounds them.
    apart = {"mapping": [0, 0, 1, 1], "seats": [0, 2, 0, 2]}
    assert shift(2, 4, **apart) == pytest.approx(2e-7 + 2 * size / 10e9, rel=1e-2)


def test_the_critical_path_names_the_terms() -> None:
    software = {
        "message_latency": [[0, 2e-6, 0.0]],
        "rendezvous_s": 1e-6,
        "sender_returns_below_bytes": 0,
        "combine_s_per_byte": 1e-10,
        "copy_s_per_byte": 1e-11,
        "call_overhead_s": 3e-6,
    }
    scenario = Scenario(
        network=NETWORK,
        ranks=8,
        workload="allreduce:ring",
        size_bytes=64 * KIB,
        software=software,
        wire={"sharing": "equal"},
        calibration="pure",
    )
    found = evaluate(scenario, "time", critical_path=True)
    parts = {
        "software_s": 28e-6,
        "rendezvous_s": 14e-6,
        "combine_s": 7 * 1e-10 * 8 * KIB,
        "copy_s": 1e-11 * 64 * KIB,
        "call_s": 3e-6,
        "latency_s": 14 * 2e-7,
        "bandwidth_s": 14 * 8 * KIB / 25e9,
        "overhead_s": 0.0,
        "gap_s": 0.0,
    }
    for name, part in parts.items():
        assert found[name] == pytest.approx(part, rel=1e-9), name
    assert sum(parts.values()) == pytest.approx(found["time_s"])
