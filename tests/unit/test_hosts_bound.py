"""Collectives and their bound on machines with nodes."""

from __future__ import annotations

import pytest

import netloom

GIB = 1 << 30
NVLINK = 450e9
NODE = 'node(gpus=8,gpu_bandwidth="3.6 Tbps",nics=8)'


def test_a_ring_in_one_node_takes_its_links() -> None:
    """2 * 7/8 of the bytes over the link of each GPU: what the bound asks for, too."""
    wires = {"node": NODE, "calibration": "pure"}
    timing = netloom.time_collective("star(8)", "allreduce", sizes=[GIB], algorithms=["allreduce:ring"], **wires)
    (row,) = timing.table.rows
    assert row["time_s"] == pytest.approx(2 * 7 / 8 * GIB / NVLINK, rel=1e-3)
    assert row["bound_s"] == pytest.approx(2 * 7 / 8 * GIB / NVLINK, rel=1e-3)
    assert float(row["bound_percent"] or 0) == pytest.approx(100.0, abs=0.1)
    simulated = netloom.simulate("star(8)", workload="allreduce:ring", size_bytes=GIB, **wires)
    assert row["time_s"] == pytest.approx(simulated["time_s"], rel=1e-12)


@pytest.mark.parametrize(
    "node", ["node(cores=4,core_bandwidth=1e9)", "node(sockets=2,cores=4,socket_bandwidth=4e9,nics=2)"]
)
@pytest.mark.parametrize("collective", ["allreduce", "allgather", "alltoall", "broadcast", "gather"])
@pytest.mark.parametrize("order", ["draw", "random(seed=3)"])
def test_the_bound_holds(node: str, collective: str, order: str) -> None:
    """No algorithm in any order of ranks is faster."""
    timing = netloom.time_collective("torus(2,3,p=2)", collective, sizes=[100_000], node=node, order=order)
    rows = timing.table.rows
    assert all(float(row["bound_percent"] or 0) <= 100 * (1 + 1e-9) for row in rows)
    assert max(float(row["bound_percent"] or 0) for row in rows) > 0


def test_seats_count() -> None:
    """Neighbours in a socket, or across: the same endpoints, other seats."""
    node = "node(sockets=2,cores=2,socket_bandwidth=1e8)"
    given = {"sizes": [1 << 20], "algorithms": ["allgather:ring"], "node": node}
    near = netloom.time_collective("star(1)", "allgather", **given).table.rows[0]["time_s"]
    far = netloom.time_collective("star(1)", "allgather", order="mixed-radix(0,1,levels=[2,2])", **given).table.rows[0]
    assert near is not None and far["time_s"] is not None
    assert netloom.simulate("star(1)", workload="allgather:ring", size_bytes=1 << 20, node=node)["time_s"] == near


def test_a_bound_without_endpoint_links_is_refused_with_a_node() -> None:
    with pytest.raises(netloom.NetloomError, match=r"NL-A007 cut_bound\.endpoint_links"):
        netloom.cut_bound("star(2)", [0, 0, 1, 1], "allreduce", 8, endpoint_links=False, node="node(cores=2)")
    found = netloom.cut_bound("star(2)", [0, 0, 1, 1], "broadcast", 10**6, node="node(cores=2)")
    # One copy over the link between the nodes.
    assert found["time_s"] == pytest.approx(10**6 / netloom.network("star(2)").link_bandwidth_bytes_per_s[0])
    assert found["exact"]
