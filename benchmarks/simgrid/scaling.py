"""`python -m benchmarks.simgrid.scaling PICTURE.png`: cost of an event against what it touches.

Flow sets from 256 to 65,536 flows in which an event (a start or an end of flows) changes one rate, a few, or all. If
the cost of an event grows with what it touches, and not with what is there, all points lie on one line.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import table
from benchmarks.measure import pin
from netloom import _core

BANDWIDTH, LATENCY = 12.5e9, 1e-7


@dataclass
class Point:
    """One flow set: events, rates changed and processor time per event."""

    name: str
    flows: int
    events: int
    changes: float
    entries: float
    microseconds: float


def measure(name: str, links: int, routes: list[list[int]], size: NDArray[Any], start: NDArray[Any]) -> Point:
    """The quickest of three runs."""
    offsets = np.concatenate([[0], np.cumsum([len(route) for route in routes])]).astype(np.uint64)
    ids = np.concatenate([np.asarray(route) for route in routes]).astype(np.uint32)
    empty, nothing = np.zeros(0), (np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.uint32))
    seconds = []
    for _ in range(3):
        began = time.process_time()
        found = _core.simulate_flows(
            np.full(links, BANDWIDTH), np.full(links, LATENCY), (offsets, ids), size, start, "equal", 0.0, 0.0, 0.0,
            np.zeros(0, dtype=np.bool_), nothing, empty, empty, None,
        )  # fmt: skip
        seconds.append(time.process_time() - began)
    events = found["solves"]
    return Point(
        name, len(size), events, found["changes"] / events, found["entries"] / events, min(seconds) / events * 1e6
    )


def sets() -> list[Point]:
    """Flows that meet nobody, that meet in groups of 16, that cross a torus, that all end at one link."""
    draw = np.random.default_rng(1)
    points = []
    for flows in (256, 1024, 4096, 16384, 65536):
        size = draw.uniform(1e4, 1e6, flows)
        late = draw.uniform(0, 1e-3, flows)
        points.append(measure("alone", flows, [[i] for i in range(flows)], size, late))
        points.append(measure("groups of 16", flows, [[i // 16] for i in range(flows)], size, late * 0))
        if flows <= 4096:
            points.append(measure("one link", flows + 1, [[i, flows] for i in range(flows)], size, late * 0))
        side = 32
        routes = []
        for src, dst in draw.integers(0, side * side, (flows, 2)):
            (x, y), (u, v) = divmod(int(src), side), divmod(int(dst), side)
            route = []
            while x != u:
                step = 1 if (u - x) % side <= side // 2 else -1
                route.append(((x * side + y) * 4) + (0 if step > 0 else 1))
                x = (x + step) % side
            while y != v:
                step = 1 if (v - y) % side <= side // 2 else -1
                route.append(((x * side + y) * 4) + (2 if step > 0 else 3))
                y = (y + step) % side
            routes.append([*route, 4 * side * side + int(src)])
        if flows <= 16384:
            points.append(measure("torus 32 x 32", 5 * side * side, routes, size, late * flows / 4096))
    return points


def draw_points(points: list[Point], path: str) -> None:
    """Time per event over what it touches, both logarithmic."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    fig, axes = plt.subplots(figsize=(6.4, 4.4), constrained_layout=True)
    markers = dict(zip(dict.fromkeys(p.name for p in points), "osD^", strict=False))
    colours = dict(zip(markers, ("#0072B2", "#E69F00", "#009E73", "#CC79A7"), strict=False))
    for name, marker in markers.items():
        mine = [p for p in points if p.name == name]
        axes.loglog(
            [p.changes + p.entries for p in mine], [p.microseconds for p in mine], marker, color=colours[name],
            label=name, markersize=7, markerfacecolor="none", markeredgewidth=1.6,
        )  # fmt: skip
    axes.set_xlabel("rates changed, and flows looked at on every link that changes, per event")
    axes.set_ylabel("processor time per event (µs)")
    axes.set_title("An event costs what it touches: sets of 256 to 65,536 flows", fontsize=11)
    axes.grid(True, which="major", alpha=0.3)
    axes.legend(frameon=False, title="flows that meet")
    fig.savefig(path, dpi=150)


def main() -> None:
    pin()
    points = sets()
    rows = [[p.name, p.flows, p.events, p.changes, p.entries, p.microseconds] for p in points]
    print(table.text(("flows that meet", "flows", "events", "rates changed", "flows looked at", "µs per event"), rows))
    if len(sys.argv) > 1:
        draw_points(points, sys.argv[1])


if __name__ == "__main__":
    main()
