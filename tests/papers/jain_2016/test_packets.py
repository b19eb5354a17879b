"""Sections 5.3.3 and 5.6.2 of Jain 2016: channels of a dragonfly, and the accepted load of a fat-tree."""

from __future__ import annotations

from typing import Any

import pytest
from benchmarks.booksim.cases import Found, Run, measured, ours

import netloom

from .channels import SHAPES, by_global_links, by_links_of_its_kind, has_order, paths

#: Radix 8 and three levels: 64 endpoints.
FAT_TREE = [case for case in measured()[1] if (case[0].topology, case[0].k, case[0].n) == ("fattree", 4, 3)]


@pytest.mark.parametrize("case", FAT_TREE, ids=lambda case: str(case[0]))
def test_j60_a_fat_tree_accepts_what_booksim_says(case: tuple[Run, Found]) -> None:
    """Uniform traffic, packets of 1 and 16 flits, 1 to 8 channels, below and above saturation: within 3 %."""
    run, peer = case
    cycles = int(min(max(500 * run.packet_size / run.injection_rate, 10_000), 400_000))
    assert ours(run, 10_000, cycles, 0).accepted == pytest.approx(peer.accepted, rel=0.03)


@pytest.mark.parametrize("shape", SHAPES)
def test_p10_three_channels_are_enough_for_detours_through_a_group(shape: tuple[int, int, int]) -> None:
    """A link's channel is the number of global links before it: at most 3, in no cycle; two close one."""
    size, found = shape[0], paths(*shape)
    channels = [by_global_links(path, size) for path in found]
    assert max(channel for path in channels for _, channel in path) == 2
    assert has_order(channels)
    assert not has_order([[(link, min(channel, 1)) for link, channel in path] for path in channels])


@pytest.mark.parametrize("shape", SHAPES)
def test_p10_separate_counts_of_local_and_global_links_close_a_cycle(shape: tuple[int, int, int]) -> None:
    """A packet may skip a local link, so that local channel 0 comes before and after global channel 0."""
    size, found = shape[0], paths(*shape)
    assert not has_order([by_links_of_its_kind(path, size) for path in found])


def test_p10_detours_through_a_switch_are_refused_three_channels() -> None:
    """They take up to two hops inside the group between: four channels."""
    network = netloom.network("dragonfly(a=4,p=2,h=2,g=9)")
    scenario: dict[str, object] = {
        "network": network,
        "routing": "group-minimal",
        "workload": "uniform",
        "variant": "adaptive-hybrid",
    }
    options: dict[str, Any] = {"loads": "0.05", "warm_up": 100, "cycles": 500, "saturation": False}
    with pytest.raises(netloom.NetloomError, match="needs 4 virtual channels with detours"):
        netloom.evaluate(scenario, "throughput", switch="input-queued(channels=3)", **options)
    netloom.evaluate(scenario, "throughput", switch="input-queued(channels=4)", **options)
