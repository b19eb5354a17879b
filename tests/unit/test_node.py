"""Nodes behind endpoints: seats, NICs, and what each evaluator says of them."""

from __future__ import annotations

import pytest

import netloom

MIB = 1 << 20
TREE = "fat_tree(radix=16,levels=3,top=full)"
SHIFT = 'shift(k=512,bytes="1 MiB")'


def test_a_node_of_32_ranks_takes_32_times_one_ranks_time() -> None:
    node = "node(sockets=2,cores=16)"
    all_, one = (
        netloom.simulate(TREE, workload=f'shift(k={32 * k},bytes="1 MiB")', ranks=64 * k, node=node, cores=k)["time_s"]
        for k in (32, 1)
    )
    latency = one - MIB / 12.5e9
    assert all_ - latency == pytest.approx(32 * (one - latency))


def test_cores_are_the_seats_of_the_node() -> None:
    plain = netloom.loads(TREE, workload=SHIFT, ranks=1024, cores=32)
    made = netloom.loads(TREE, workload=SHIFT, ranks=1024, node='node(sockets=2,cores=16,socket_bandwidth="200 Gbps")')
    assert made.classes == plain.classes
    assert (made.inter_node_bytes, made.inside_bytes, plain.inside_bytes) == (1024 * MIB, 0, None)
    socket, core = made.levels
    assert (socket["level"], socket["max_bytes"], socket["max_s"]) == ("socket", 16 * MIB, 16 * MIB / 25e9)
    assert (core["level"], core["used"], core["max_s"]) == ("core", 2048, 0.0)


@pytest.mark.parametrize("order", ["draw", *(f"random(seed={seed})" for seed in range(6))])
def test_an_order_moves_ranks_between_sockets(order: str) -> None:
    slots = netloom.place(netloom.network("ring(4)").with_slots(4), 4, "linear", order)
    across = sum(slots[rank] // 2 != slots[(rank + 2) % 4] // 2 for rank in range(4))
    made = netloom.loads(
        "ring(4)", workload="shift(k=2,bytes=1000)", ranks=4, node="node(sockets=2,cores=2)", order=order
    )
    on_sockets = [row["mean_bytes"] * row["links"] for row in made.levels if row["level"] == "socket"]
    assert on_sockets == ([2000 * across] if across else [])
    assert (made.inside_bytes, made.inter_node_bytes) == (4000, 0)


def test_bytes_between_nodes_are_counted_without_a_node_too() -> None:
    for more in ({"cores": 4}, {"node": "node(cores=4)"}):
        answer = netloom.hops("torus(4,4)", workload="stencil(8,8)", **more)
        assert answer["inter_node_bytes"] == netloom.loads("torus(4,4)", workload="stencil(8,8)", **more).bytes_sent
    everyone = netloom.hops("torus(4,4)", workload="alltoall:pairwise", size_bytes=10, node="node(cores=4)")
    assert everyone["inter_node_messages"] == 64 * 60
    assert everyone["inter_node_bytes"] == 64 * 60 * 10


def test_two_nics_halve_the_time() -> None:
    times = []
    for nics, workload in ((1, "shift(k=8,bytes=1e9)"), (2, "shift(k=8,bytes=1e9)")):
        network = f"star({2 * nics},latency=0)"
        given = {"workload": workload.replace("1e9", "1000000000"), "node": f"node(gpus=8,nics={nics})"}
        times.append(netloom.simulate(network, **given)["time_s"])
    assert times[0] == pytest.approx(2 * times[1], rel=1e-4)


@pytest.mark.parametrize(
    ("node", "more", "says"),
    [
        ("node(cores=8)", {"cores": 9}, "NL-A007 cores must be at most the 8 seats of an endpoint"),
        ("node(cores=8)", {"ranks": 129}, "NL-J004 ranks must be at most 128 ranks"),
        ("node(cores=8,nics=3)", {}, "NL-A007 node.nics must be a divisor of its 8 seats"),
        ("node(cores=9,nics=3)", {}, "NL-A007 node.nics must be a divisor of the network's 16 endpoints"),
        ("node(cores=8,core_bandwidth=0)", {}, "NL-A007 node.core_bandwidth must be bytes per second above 0"),
        ("node(cores=8,gpu_latency=1)", {}, "NL-A007 node.gpu_latency must be nothing without gpus"),
        ("nod(cores=8)", {}, "NL-A002"),
    ],
)
def test_nodes_that_cannot_be_are_refused(node: str, more: dict[str, int], says: str) -> None:
    for ask in (netloom.hops, netloom.loads, netloom.simulate, netloom.map_ranks):
        with pytest.raises(netloom.NetloomError) as caught:
            ask("torus(4,4)", workload="shift(k=1)", node=node, **more)
        assert says in str(caught.value)
