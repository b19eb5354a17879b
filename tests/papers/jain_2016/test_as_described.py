"""Section 8.1.2 of Jain 2016 to the letter: every node sends what it has, its own group's part included.

netloom's two-tier schedules leave a group's part at node `s mod 16` of group `s` where it is, since all nodes of the
group have it from the first step. Here that part travels too: 16 MiB to, or in a reduction from, the 15 other nodes.
Tables 8.4 and 8.5 print the loads of this variant; what netloom saves is the difference.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

import netloom

MIB, GIB = 1 << 20, 1 << 30
GROUPS, NODES, CORES = 64, 16, 16
TWO_TIER = f"two-tier({GROUPS},{NODES},{CORES})"


@pytest.fixture(scope="module")
def machine() -> netloom.Network:
    return netloom.network(f'dragonfly(a={NODES},p=1,h=4,g={GROUPS},arrangement="round-robin")')


def carried(net: netloom.Network, collective: str, size: int) -> npt.NDArray[np.float64]:
    """Bytes on the links between switches."""
    places = np.repeat(np.arange(net.endpoints), CORES)
    job = netloom.Job(f"{collective}:{TWO_TIER}", name="all", mapping=places, size_bytes=size)
    return np.asarray(netloom.loads(net, job, hottest=0).link_bytes[: len(net.tails)], dtype=np.float64)


def own_parts(net: netloom.Network, *, inwards: bool) -> npt.NDArray[np.float64]:
    """What a group's part adds on the direct links from its holder, or to it."""
    tails, heads = np.asarray(net.tails), np.asarray(net.heads)
    group = np.asarray(net.groups)
    local = group[tails] == group[heads]
    holder = group * NODES + group % NODES
    end = heads if inwards else tails
    return np.where(local & (end == holder[end]), NODES * MIB, 0.0)


def local_links(net: netloom.Network) -> npt.NDArray[np.bool_]:
    group = np.asarray(net.groups)
    return group[np.asarray(net.tails)] == group[np.asarray(net.heads)]


@pytest.mark.parametrize(("collective", "inwards"), [("allgather", False), ("reduce-scatter", True)])
def test_x34_every_link_carries_65_mib(machine: netloom.Network, collective: str, inwards: bool) -> None:
    """Tables 8.4 and 8.5: 65 MiB on every L1 link; netloom sends 16 MiB less on the links of the holders."""
    ours = carried(machine, collective, 65536)[local_links(machine)]
    described = ours + own_parts(machine, inwards=inwards)[local_links(machine)]
    assert set(described) == {65.0 * MIB}
    assert set(ours) == {49.0 * MIB, 65.0 * MIB}
    assert (ours < described).sum() == GROUPS * (NODES - 1)


def test_x34_the_reduce_carries_130_mib_at_most(machine: netloom.Network) -> None:
    """Table 8.5: 130 MiB at most; the printed least of 66 MB is not met: links that gather nothing carry 65 MiB."""
    ours = carried(machine, "reduce", GIB)[local_links(machine)]
    described = ours + own_parts(machine, inwards=True)[local_links(machine)]
    assert described.max() == 130 * MIB and described.min() == 65 * MIB
    assert ours.max() < described.max() and ours.sum() < described.sum()


def test_x34_a_broadcast_that_returns_uses_no_more_than_the_root_links(machine: netloom.Network) -> None:
    """Table 8.3 prints all 15,360 L1 links: step 4 as described adds the root's 15; those of relays stay idle."""
    ours = carried(machine, "broadcast", GIB)[local_links(machine)]
    assert (ours == 0).sum() == (NODES - 1) + (NODES - 1) * (NODES - 1)
    heads = np.asarray(machine.heads)[local_links(machine)]
    assert ((ours == 0) & (heads == 0)).sum() == NODES - 1
