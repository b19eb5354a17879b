"""Nodes behind endpoints: seats, NICs, and what each evaluator says of them."""

from __future__ import annotations

from pathlib import Path

import pytest

import netloom

MIB = 1 << 20
TREE = "fat_tree(radix=16,levels=3,top=full)"
SHIFT = 'shift(k=512,bytes="1 MiB")'


def test_a_node_of_32_ranks_takes_32_times_one_ranks_time() -> None:
    wires = {"node": "node(sockets=2,cores=16)", "calibration": "pure"}
    all_, one = (
        netloom.simulate(TREE, workload=f'shift(k={32 * k},bytes="1 MiB")', ranks=64 * k, cores=k, **wires)["time_s"]
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
        times.append(netloom.simulate(network, calibration="pure", **given)["time_s"])
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


NICS = "node(sockets=2,cores=2,nics=2)"


@pytest.mark.parametrize(
    ("network", "node", "second"),
    [
        ("torus(2,2,p=2)", NICS, "node0002 slot=0"),
        ("torus(2,2,p=2)", NICS, "node0001 slot=3"),
        ("torus(2,2)", "node(sockets=2,cores=2)", "node0001 slot=2"),
    ],
)
def test_a_rank_file_means_the_same_for_a_job_of_a_list(tmp_path: Path, network: str, node: str, second: str) -> None:
    """The NICs of a node are one host, and a slot is a core, as with `mapping` of the only job."""
    ranks, listed = tmp_path / "few", tmp_path / "jobs.toml"
    ranks.write_text(f"rank 0=node0001 slot=0\nrank 1={second}\n")
    listed.write_text(f'[[job]]\nmapping = "{ranks}"\n')
    shift = "shift(k=1,bytes=1000)"
    alone = netloom.loads(network, workload=shift, mapping=str(ranks), node=node)
    placed = netloom.read(listed, "jobs", network=network, node=node)
    silent = netloom.Job(workload="shift(k=1,bytes=0)", ranks=1)
    for jobs in (listed, [netloom.Job(mapping=str(ranks))], placed, [*placed, silent]):
        made = netloom.loads(network, workload=shift, jobs=jobs, node=node)
        assert (made.inside_bytes, made.levels) == (alone.inside_bytes, alone.levels)
        assert {name: row["total_bytes"] for name, row in made.classes.items()} == {
            name: row["total_bytes"] for name, row in alone.classes.items()
        }


def test_rank_files_are_read_and_written_with_the_node(tmp_path: Path) -> None:
    ranks, again = tmp_path / "few", tmp_path / "again"
    ranks.write_text("rank 0=node0001 slot=0\nrank 1=node0002 slot=0\nrank 2=node0002 slot=3\n")
    slots = netloom.read(ranks, "mapping", network="torus(2,2,p=2)", node=NICS)
    assert slots.tolist() == [0, 4, 7]
    netloom.write(slots, again, format="rankfile", network="torus(2,2,p=2)", node=NICS)
    assert again.read_text() == ranks.read_text()
    with pytest.raises(netloom.NetloomError, match=r"NL-A007 read\.node must be text"):
        netloom.read(ranks, "mapping", network="torus(2,2,p=2)", node=3)  # type: ignore[call-overload]
