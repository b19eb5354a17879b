"""Matrices of the rates of pairs: slow nodes, directions, groups and pairs are named, and nothing on a sound one."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from netloom import NetloomError
from netloom.expectation import Against, Expectation, expect

NODES, EACH = 10, 8
#: Rate of a pair as a share of sound ones, by sender and receiver.
Share = Callable[[int, int], float]


def matrix(path: Path, share: Share, nodes: int = NODES, noise: float = 0.02) -> Path:
    draw = random.Random(3)
    rows = [
        " ".join("-" if a == b else f"{46 * share(a, b) * draw.gauss(1.0, noise):.3f}" for b in range(nodes))
        for a in range(nodes)
    ]
    path.write_text("# GB/s\n" + "\n".join(f"n{a:02} {row}" for a, row in enumerate(rows)) + "\n")
    return path


def slow(*which: int, share: float = 0.6) -> Share:
    return lambda a, b: share if a in which or b in which else 1.0


def told(found: Expectation) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.what, one.nodes) for one in found.findings]


def test_a_sound_matrix_has_no_findings(tmp_path: Path) -> None:
    found = expect(matrix(tmp_path / "m.txt", lambda a, b: 1.0))
    assert told(found) == [] and found.counts()["healthy"] == NODES * (NODES - 1)


@pytest.mark.parametrize("node", range(NODES))
def test_the_slow_node_is_named(node: int, tmp_path: Path) -> None:
    found = expect(matrix(tmp_path / "m.txt", slow(node)))
    assert told(found) == [("slow-node", (f"n{node:02}",))]
    assert found.findings[0].explains == pytest.approx(1.0)
    assert found.counts()["unhealthy"] == 2 * (NODES - 1)


def test_several_slow_nodes_the_slowest_first(tmp_path: Path) -> None:
    found = expect(matrix(tmp_path / "m.txt", lambda a, b: 0.5 if 4 in (a, b) else 0.8 if 7 in (a, b) else 1.0))
    assert told(found) == [("slow-node", ("n04",)), ("slow-node", ("n07",))]


def test_one_direction_of_a_node(tmp_path: Path) -> None:
    assert told(expect(matrix(tmp_path / "m.txt", lambda a, b: 0.5 if a == 3 else 1.0))) == [("slow-sender", ("n03",))]
    assert told(expect(matrix(tmp_path / "m.txt", lambda a, b: 0.5 if b == 3 else 1.0))) == [
        ("slow-receiver", ("n03",))
    ]


def test_a_group_behind_a_congested_spine(tmp_path: Path) -> None:
    found = expect(matrix(tmp_path / "m.txt", lambda a, b: 0.5 if (a < 4) != (b < 4) else 1.0))
    assert told(found) == [("congested-spine", ("n00", "n01", "n02", "n03"))]


def test_a_single_pair(tmp_path: Path) -> None:
    found = expect(matrix(tmp_path / "m.txt", lambda a, b: 0.4 if {a, b} == {2, 5} else 1.0))
    assert told(found) == [("slow-pair", ("n02", "n05"))]


def test_a_matrix_of_ranks_names_the_node_or_the_rank(tmp_path: Path) -> None:
    """Ten nodes of eight ranks; rates inside a node are another matter."""

    def node_6(a: int, b: int) -> float:
        return 5.0 if a // EACH == b // EACH else 0.6 if 6 in (a // EACH, b // EACH) else 1.0

    path = matrix(tmp_path / "m.txt", node_6, NODES * EACH)
    found = expect(path, options={"nodes": NODES, "ranks_per_node": EACH})
    assert told(found) == [("slow-node", ("node 6",))]
    path = matrix(tmp_path / "m.txt", slow(13), NODES * EACH)
    found = expect(path, options={"nodes": NODES, "ranks_per_node": EACH})
    assert [(one.what, one.place) for one in found.findings] == [("slow-rank", "rank n13 of node 1")]
    with pytest.raises(NetloomError, match="NL-X010"):
        expect(path, options={"nodes": 9, "ranks_per_node": EACH})


def test_the_same_node_of_several_matrices_is_one_finding(tmp_path: Path) -> None:
    draw = random.Random(1)
    lines = ["collective,gpus_per_node,node_a,node_b,busbw_GB_per_s"]
    for collective, each, rate in (("alltoall", 8, 90.0), ("sendrecv", 8, 46.0), ("sendrecv", 1, 40.0)):
        for a in range(NODES):
            for b in range(a):
                share = 0.7 if 5 in (a, b) and each == EACH else 1.0
                lines.append(f"{collective},{each},h{b},h{a},{rate * share * draw.gauss(1.0, 0.01):.3f}")
    (tmp_path / "p.csv").write_text("\n".join(lines) + "\n")
    found = expect(tmp_path / "p.csv")
    assert told(found) == [("slow-node", ("h5",))]
    assert "in 2 matrices" in found.findings[0].says
    # A pair that was measured once is one row.
    assert len(found.pairs) == 3 * NODES * (NODES - 1) // 2


def test_a_machine_gives_the_bound(tmp_path: Path) -> None:
    rails = tmp_path / "rails.toml"
    rails.write_text("network = 'rail_cluster(nodes=10,gpus=8)'\n[wire]\nsharing = 'equal'\n")
    found = expect(matrix(tmp_path / "m.txt", slow(2)), Against(rails))
    assert found.pairs[0].bound_bytes_per_s == pytest.approx(50e9, rel=0.01)
    assert told(found) == [("slow-node", ("n02",))]
    found = expect(matrix(tmp_path / "m.txt", lambda a, b: 0.25), Against(rails))
    assert [one.what for one in found.findings] == ["all-pairs-slow"]
    assert found.findings[0].explains == pytest.approx(1 - 46 * 0.25 / 50, abs=0.02)


def test_two_nodes_do_not_tell_which_is_slow(tmp_path: Path) -> None:
    (tmp_path / "m.txt").write_text("# GB/s\na - 40\nb 41 -\n")
    assert any("do not tell which" in note for note in expect(tmp_path / "m.txt").notes)


def test_levels_of_a_small_matrix_by_hand() -> None:
    from netloom.expectation.levels import levels

    one, half = 0.0, math.log(0.5)
    found = levels([[None, one, half], [one, None, half], [half, half, None]])
    assert (found.sound, found.senders, found.receivers) == (0.0, (0.0, 0.0, half), (0.0, 0.0, half))
    assert found.between(0, 1) == one and found.between(0, 2) == half
