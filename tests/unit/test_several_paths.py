"""Simulated time over several paths: shares, hashes, adaptive shares, and the same bytes on links as link loads."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import netloom
from netloom import NetloomError

#: Non-blocking: every permutation goes at the speed of the NICs.
FULL = "fat_tree(radix=16,levels=3,top=full)"
SHIFT = 'shift(k=512,bytes="1 MiB")'
NIC_S = 2**20 / 12.5e9
NETWORKS = ("torus(4,4,p=2)", "dragonfly(a=4,p=2,h=2)", "fat_tree(radix=4,levels=3)", "hyperx(3,3,p=2)")
#: Closed forms know no time of software.
simulate = partial(netloom.simulate, calibration="pure")
VARIANTS = ("static-direct", "static-indirect", "adaptive-direct", "adaptive-indirect", "adaptive-hybrid")


@pytest.mark.parametrize("routing", ["auto", "minimal", "d-mod-k", "up-down"])
def test_a_shift_on_a_non_blocking_tree_takes_the_time_of_a_nic_on_both_rungs(routing: str) -> None:
    """Injection, two links up and two down, ejection: six times 100 ns."""
    loads = netloom.loads(FULL, workload=SHIFT, routing=routing)
    assert loads.classes["all"]["max_s"] == NIC_S == loads.classes["injection"]["max_s"]
    assert simulate(FULL, workload=SHIFT, routing=routing)["time_s"] == pytest.approx(NIC_S + 6e-7, rel=1e-12)


def test_the_first_of_the_shortest_paths_blocks_the_same_tree() -> None:
    assert simulate(FULL, workload=SHIFT, routing="single-minimal")["time_s"] > 60 * NIC_S
    assert simulate(FULL, workload=SHIFT, routing="d-mod-k(by=switch)")["time_s"] > 7 * NIC_S


@pytest.mark.parametrize("call", NETWORKS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_link_carries_what_link_loads_say(call: str, variant: str) -> None:
    asked: dict[str, Any] = {"workload": 'uniform(messages=3,bytes="4 KiB",seed=2)', "variant": variant}
    net = netloom.network(call)
    expected = netloom.loads(net, **asked).link_bytes
    found = netloom.evaluate(netloom.Scenario(net, calibration="pure", **asked), "time", trace=True)["trace"]
    carried = np.zeros(len(expected))
    carried[found["link_bins"]["links"]] = found["link_bins"]["bytes"].sum(axis=1)
    assert carried == pytest.approx(expected, rel=1e-6, abs=1e-3)


def test_two_paths_of_a_square_share_a_message() -> None:
    """Opposite corners of a ring of four: all send at once, every link carries the bytes of one message."""
    found = simulate("ring(4)", workload=netloom.workload('shift(k=2,bytes="1 MiB")', 4))
    assert found["time_s"] == pytest.approx(NIC_S + 4e-7, rel=1e-12)
    one = simulate("ring(4)", workload=netloom.workload('shift(k=2,bytes="1 MiB")', 4), routing="single-minimal")
    assert one["time_s"] == pytest.approx(2 * NIC_S + 4e-7, rel=1e-12)


def test_a_hash_takes_one_of_the_paths_and_depends_on_its_seed() -> None:
    ends = [
        simulate(FULL, workload=SHIFT, routing="minimal", variant=f"hashed(seed={seed})")["finish_s"]
        for seed in (1, 2, 1)
    ]
    assert np.array_equal(ends[0], ends[2]) and not np.array_equal(ends[0], ends[1])
    # 1,024 flows thrown at random: some link has several, none has as many as all of a leaf.
    assert all(2 * NIC_S < end.max() < 8 * NIC_S for end in ends)
    with pytest.raises(NetloomError, match="cannot use hashed"):
        netloom.loads(FULL, workload=SHIFT, variant="hashed")


def test_k_ranks_behind_one_nic_take_k_times_as_long() -> None:
    for cores in (1, 2, 8):
        made = simulate(FULL, workload=f'shift(k={512 * cores},bytes="1 MiB")', cores=cores)
        assert made["time_s"] == pytest.approx(cores * NIC_S + 6e-7, rel=1e-12)


def test_slots_of_a_file_share_the_nic_of_their_node(tmp_path: Path) -> None:
    """A shift to the next of 8 nodes: the 32 ranks of a node send through one link of 100 Gbps."""
    text = "SwitchName=a Nodes=n[1-4]\nSwitchName=b Nodes=n[5-8]\nSwitchName=c Switches=a,b\n"
    path = tmp_path / "topology.conf"
    path.write_text(text)
    net = netloom.network(path, format='slurm(slots=32,bandwidth="1 Tbps")')
    asked = {"workload": 'shift(k=32,bytes="1 MiB")'}
    said, read = simulate(net, cores=32, **asked), simulate(net, **asked)
    assert said["time_s"] == read["time_s"] > 32 * 2**20 / 125e9
    assert len(read["finish_s"]) == 256 and len(simulate(net, cores=1, ranks=8, **asked)["finish_s"]) == 8


def test_an_adaptive_job_sees_the_load_of_a_hashed_one() -> None:
    """With one path per pair a hash changes nothing: the neighbour adapts as to fixed shares."""
    net = netloom.network("dragonfly(a=4,p=2,h=2)")
    first = {"workload": 'shift(k=8,bytes="1 MiB")', "name": "a", "nodes": 36, "routing": "single-minimal"}
    second = {"workload": 'shift(k=9,bytes="1 MiB")', "name": "b", "nodes": 36, "variant": "adaptive-hybrid"}
    ends = [
        simulate(net, jobs=[{**first, "variant": variant}, second])["finish_s"]
        for variant in ("static-direct", "hashed")
    ]
    assert all(np.array_equal(one, other) for one, other in zip(*ends, strict=True))
