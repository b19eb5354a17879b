"""Section 5.3.3 of Jain 2016: virtual channels of a dragonfly of complete groups, by how a packet's links are counted.

A packet takes at most three local and two global links, with a detour through a group. It may skip a local link, where
its switch has the global link itself: a separate count of local links then starts later.
"""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise, product

import netloom

from ..findings import Found
from ..measured import finding

TITLE = "Virtual channels of a dragonfly"
#: Switches of a group, global links of a switch, groups.
SHAPES = ((4, 2, 9), (4, 1, 5))
RUNS = 2 * len(SHAPES)
CHANNELS = 3
Link = tuple[int, int]
Step = tuple[Link, int]


def paths(size: int, ports: int, groups: int) -> list[list[Link]]:
    """The links of paths between switches of different groups, direct ones and those through each third group."""
    network = netloom.network(f"dragonfly(a={size},p=1,h={ports},g={groups})")
    links = list(zip(network.tails.tolist(), network.heads.tolist(), strict=True))
    gates = {(a // size, b // size): (a, b) for a, b in links if a // size != b // size}

    def path(src: int, dst: int, between: list[int]) -> list[Link]:
        stops = [src]
        for pair in pairwise([src // size, *between, dst // size]):
            stops += gates[pair]
        return [hop for hop in pairwise([*stops, dst]) if hop[0] != hop[1]]

    found = []
    for src, dst in product(range(size * groups), repeat=2):
        ends = (src // size, dst // size)
        if ends[0] != ends[1]:
            found += [path(src, dst, [])]
            found += [path(src, dst, [group]) for group in range(groups) if group not in ends]
    return found


def are_global(path: list[Link], size: int) -> list[bool]:
    """Which links of a path lead between groups."""
    return [a // size != b // size for a, b in path]


def by_global_links(path: list[Link], size: int) -> list[Step]:
    """A link's channel is the number of global links before it: local links that are skipped count as taken."""
    kinds = are_global(path, size)
    return [(link, sum(kinds[:at])) for at, link in enumerate(path)]


def by_links_of_its_kind(path: list[Link], size: int) -> list[Step]:
    """It is the number of links of the same kind, local or global, before it."""
    kinds = are_global(path, size)
    return [(link, kinds[:at].count(kinds[at])) for at, link in enumerate(path)]


def has_order(found: list[list[Step]]) -> bool:
    """Whether channels wait for each other in no cycle."""
    before: dict[Step, set[Step]] = {}
    for path in found:
        for first, then in pairwise(path):
            before.setdefault(then, set()).add(first)
    try:
        TopologicalSorter(before).prepare()
    except CycleError:
        return False
    return True


def measure() -> Iterator[Found]:
    """P10: whether channels wait for each other in a cycle, by each count."""
    counts = {"P10 separate counts": by_links_of_its_kind, "P10 skipped links counted": by_global_links}
    for name, channel_of in counts.items():
        cases = []
        for size, ports, groups in SHAPES:
            steps = [channel_of(path, size) for path in paths(size, ports, groups)]
            used = 1 + max(channel for path in steps for _, channel in path)
            free = has_order(steps)
            text = f"{used} channels, {'no cycle' if free else 'a cycle'}"
            cases.append((f"{groups} groups of {size}", text, used <= CHANNELS and free))
        why = "Channel 0 of local links comes before and after channel 0 of global ones, for packets that skip one."
        yield finding(name, f"{CHANNELS} channels at most, no cycle", cases, refuted=why)
