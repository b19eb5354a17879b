"""A node for the witness of simulated time: its levels, the links of their units, and memory."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .brute_force import Route, Site

Draw = np.random.Generator
#: Counts and levels: none, one or several units of each.
SHAPES = ((2, 1, 1, 1), (1, 2, 1, 1), (1, 1, 2, 1), (1, 1, 1, 2), (2, 2, 1, 1), (1, 2, 1, 2), (2, 1, 2, 1))
PARAMETERS = ("sockets", "numa", "caches", "cores")
UNITS = ("socket", "numa", "cache", "core")


@dataclass
class Level:
    """`count` units in each of the level around; bytes/s of their links and memory, None for unlimited."""

    parameter: str
    unit: str
    count: int
    bandwidth: float | None
    latency_s: float
    memory: float | None

    def arguments(self) -> list[str]:
        made = [f"{self.parameter}={self.count}"]
        made += [f"{self.unit}_bandwidth={self.bandwidth!r}"] * (self.bandwidth is not None)
        made += [f"{self.unit}_latency={self.latency_s!r}"] * (self.latency_s > 0)
        return made + [f"{self.unit}_memory={self.memory!r}"] * (self.memory is not None)


@dataclass
class Node:
    levels: list[Level]

    @property
    def seats(self) -> int:
        return int(np.prod([level.count for level in self.levels]))

    def call(self) -> str:
        return f"node({','.join(word for level in self.levels for word in level.arguments())})"

    def units(self, seat: int) -> list[int]:
        """The unit of a seat on every level."""
        inside, made = self.seats, []
        for level in self.levels:
            inside //= level.count
            made.append(seat // inside)
        return made


def draw_node(draw: Draw) -> Node:
    def some(low: float, high: float, share: float) -> float | None:
        return round(float(draw.uniform(low, high)), 3) if draw.random() < share else None

    levels = []
    for parameter, unit, count in zip(PARAMETERS, UNITS, SHAPES[draw.integers(len(SHAPES))], strict=True):
        memory = some(3e8, 3e9, 0.3)
        latency_s = float(draw.integers(0, 400)) * 1e-9 if draw.random() < 0.5 else 0.0
        levels.append(Level(parameter, unit, count, some(3e8, 3e9, 0.6), latency_s, memory))
    return Node(levels)


def within(site: Site, node: Node, seats: list[int]) -> Site:
    """The same site with that node behind every endpoint."""
    half, numbers = site.settings.get("duplex") == "half", dict[tuple[object, ...], int]()
    bandwidth = dict(site.bandwidth)

    def number(rate: float | None, *name: object) -> list[int]:
        """The link of that name; none if nothing bounds it."""
        if rate is None:
            return []
        made = numbers.setdefault(name, -1 - len(numbers))
        bandwidth[made] = rate
        return [made]

    def side(rank: int, other: int, way: str) -> tuple[list[int], float]:
        """Links on the side of a rank, and their latency: memory, and the links of units that the other is not in."""
        links, latency = [], 0.0
        apart = site.endpoint[rank] != site.endpoint[other]
        for level, unit, theirs in zip(node.levels, node.units(seats[rank]), node.units(seats[other]), strict=True):
            home = (site.endpoint[rank], level.unit, unit)
            links += number(level.memory, *home, "memory")
            if level.count > 1 and (apart or unit != theirs):
                links += number(level.bandwidth, *home, "" if half else way)
                latency += level.latency_s
        return links, latency

    def route(src: int, dst: int) -> Route:
        out, back = side(src, dst, "up"), side(dst, src, "down")
        between = Route([], 0.0) if site.endpoint[src] == site.endpoint[dst] else site.route(src, dst)
        return Route([*out[0], *between.links, *back[0]], out[1] + between.latency_s + back[1])

    def shared(src: int, dst: int) -> list[str]:
        pairs = zip(node.levels, node.units(seats[src]), node.units(seats[dst]), strict=True)
        return [level.unit for level, here, there in pairs if here == there and level.unit != "core"]

    def memory(rank: int) -> float:
        """Of every unit around a rank, the ranks in it over its memory."""
        times = [0.0]
        own = node.units(seats[rank])
        for number_of, level in enumerate(node.levels):
            others = [
                other
                for other, at in enumerate(site.endpoint)
                if at == site.endpoint[rank] and node.units(seats[other])[number_of] == own[number_of]
            ]
            times.append(len(others) / (level.memory or np.inf))
        return max(times)

    return replace(site, route=route, shared=shared, bandwidth=bandwidth, memory=memory)
