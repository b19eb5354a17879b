"""Nodes of Kubernetes with labels as a network, and rank files with these labels."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import netloom
from netloom import _core
from netloom.base.errors import NetloomError
from netloom.network.kubernetes import LEVELS, as_slurm

BLOCK, RACK = LEVELS[-2:]


def nodes(*labelled: tuple[str, dict[str, str]]) -> bytes:
    items = [{"kind": "Node", "metadata": {"name": name, "labels": labels}} for name, labels in labelled]
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items}).encode()


def racks(*counts: int) -> bytes:
    """Two blocks with racks of the same names."""
    return nodes(
        *(
            (f"n{block}{rack}{host}", {BLOCK: f"b{block}", RACK: f"r{rack}", "kubernetes.io/hostname": "any"})
            for block in range(2)
            for rack, count in enumerate(counts)
            for host in range(count)
        )
    )


def test_levels_of_labels_are_levels_of_switches(tmp_path: Path) -> None:
    path = tmp_path / "nodes.json"
    path.write_bytes(racks(4, 4))
    found = netloom.network(path)
    # Four racks, two blocks, one above: nodes of a rack two links apart, of a block four, else six.
    assert (found.switches, found.endpoints) == (7, 16) and found.endpoint_names[0] == "n000"
    hops = [netloom.hops(found, mapping=[0, other], workload="shift(k=1,bytes=1)")["max_hops"] for other in (1, 4, 8)]
    assert hops == [0, 2, 4]
    assert set(found.switch_names) >= {"b0.r0", "b1.r1", "b0", "b1", "all"}


def test_racks_of_one_block_keep_their_own_names() -> None:
    made = as_slurm(nodes(("a", {RACK: "r0"}), ("b", {RACK: "r1"})), "nodes.json").decode()
    assert made.split() == ["SwitchName=r0", "Nodes=a", "SwitchName=r1", "Nodes=b", "SwitchName=all", "Switches=r0,r1"]
    one = as_slurm(nodes(("a", {BLOCK: "b", RACK: "r"}), ("c", {BLOCK: "b", RACK: "r"})), "x").decode()
    assert one == "SwitchName=r Nodes=a,c\n"


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        (b"{", "NL-F003", "no list of Kubernetes"),
        (b"[]", "NL-F003", "no list of Kubernetes"),
        (b'{"items": {}}', "NL-F004", "lists no nodes"),
        (b'{"items": [7]}', "NL-F014", "item 0 is no node"),
        (b'{"items": [{"metadata": {"name": "a b"}}]}', "NL-F014", "item 0"),
        (b'{"items": [{"kind": "Pod", "metadata": {"name": "a"}}]}', "NL-F014", "item 0"),
        (b"[" * 100_000, "NL-F003", "no list of Kubernetes"),
        (nodes(("a", {})), "NL-F010", "no node has a label"),
        (nodes(("a", {RACK: "r"}), ("b", {})), "NL-F010", f"1 of 2 nodes have no {RACK}, such as b"),
        (nodes(("a", {RACK: "r"}), ("a", {RACK: "r"})), "NL-F006", "stands twice"),
        (nodes(("a", {RACK: "r Nodes=x"})), "NL-F014", "which Kubernetes refuses"),
        (nodes(("a", {RACK: "r\nSwitchName=x"})), "NL-F014", "which Kubernetes refuses"),
    ],
)
def test_what_is_no_list_of_labelled_nodes_is_refused(data: bytes, code: str, words: str) -> None:
    with pytest.raises(NetloomError, match=words) as found:
        as_slurm(data, "nodes.json")
    assert found.value.faults[0].code == code and found.value.faults[0].place == "nodes.json"


def test_a_rank_file_has_the_labels_that_were_read(tmp_path: Path) -> None:
    path = tmp_path / "nodes.json"
    path.write_bytes(racks(2))
    net = netloom.network(path)
    made = _core.emit("kubernetes", net, [3, 0]).decode()
    first, second = made.split("- rank: ")[1:]
    assert first.startswith('0\n  node: "n101"') and f'"{BLOCK}": "b1"\n    "{RACK}": "b1.r0"' in first
    assert '"kubernetes.io/hostname": "n000"' in second


def test_gpus_of_rails_have_a_pod_and_a_slot() -> None:
    net = _core.Network.build("rail_cluster(nodes=4,gpus=2,pod=2)")
    made = _core.emit('kubernetes(block="fabric.topograph.run/tier-1")', net, [7, 0]).decode()
    assert made.splitlines()[:6] == [
        "- rank: 0",
        '  node: "node0004"',
        "  slot: 1",
        "  labels:",
        '    "fabric.topograph.run/tier-1": "pod-1"',
        '    "kubernetes.io/hostname": "node0004"',
    ]
