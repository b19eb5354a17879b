"""`python -m benchmarks.packets`: packet-hops per second, from 64 nodes up.

Exchanges of a periodic 3D stencil with 128 KiB per neighbour, in packets of 4 KiB through output-queued switches: in
two threads (wall time), then on one core (CPU time) in one part, and in as many as the size of the network asks for.
`curves`: uniform packets at 0.3 of the load through input-queued switches of a tree, 16 phits each. A packet-hop is a
link that a packet crosses, injection and ejection included. `--plot` draws the cost of one.

`parallel`: two parts in each way of simulating them together, in turns with one part: wall and CPU time as multiples
of it, medians, and counts of the last run.

`fast`: runs of which a part is simulated, next to the whole: processor time, error, and what the answer says of it.
`series`: the same of studies in which flows answer some of the sizes.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from benchmarks import table
from benchmarks.measure import pin
from benchmarks.packets import fast, series

if TYPE_CHECKING:
    from netloom.evaluate import Answer
    from netloom.results.rows import Cell

#: Sides of a torus; k of a k-ary tree of 3 levels, and cycles.
SIDES = ((4, 4, 4), (8, 8, 8), (16, 16, 16), (36, 36, 36))
TREES = ((4, 20_000), (8, 8000), (16, 3000))
LARGEST = (128, 64, 64)
WAYS = ("conservative", "optimistic", "optimistic(windows=1)", "optimistic(windows=64)")
TOGETHER = (
    "nodes", "way", "wall : one part", "CPU : one part", "million events per s", "synchronisations", "rollbacks",
    "efficiency", "mail", "cancelled",
)  # fmt: skip
COLUMNS = ("engine", "network", "nodes", "million packet-hops", "s", "million per s", "ns each")


def jobs(sides: tuple[int, int, int], repetitions: int) -> Callable[..., Answer]:
    import netloom

    call = ",".join(map(str, sides))
    load = {"workload": f'stencil({call},bytes="128 KiB")', "repetitions": repetitions, "calibration": "pure"}
    scenario = netloom.Scenario(netloom.network(f"torus({call})"), routing="dimension-ordered", **load)  # type: ignore[arg-type]

    def run(threads: int, parallel: str = "conservative", counts: bool = False) -> Answer:
        return netloom.evaluate(scenario, "packet", threads=threads, parallel=parallel, counts=counts)

    return run


def exchanges(sides: tuple[int, int, int], repetitions: int, parts: int) -> Callable[[], int]:
    run = jobs(sides, repetitions)
    return lambda: int(str(run(threads=parts).record["packet_hops"]))


def curves(k: int, cycles: int) -> Callable[[], int]:
    import netloom

    scenario = netloom.Scenario(
        f"k_ary_n_tree({k},3)", workload="uniform", routing="minimal", variant="adaptive-direct"
    )
    asked = {"loads": "0.3", "warm_up": cycles // 4, "cycles": cycles, "drain": 4000, "saturation": False}
    return lambda: int(str(netloom.evaluate(scenario, "throughput", **asked).record["packet_hops"]))  # type: ignore[arg-type]


def together(sides: tuple[int, int, int], turns: int, most: int) -> list[list[object]]:
    """One row per way in two parts; ways take turns, so that what else a machine does meets all of them."""
    nodes = sides[0] * sides[1] * sides[2]
    if nodes > most:
        return []
    run = jobs(sides, max(1, 20_000 // nodes))
    took: dict[str, list[tuple[float, float]]] = {}
    counts: dict[str, dict[str, Cell]] = {}
    for _ in range(turns):
        for way, parts, parallel in (("one part", 1, WAYS[0]), *((way, 2, way) for way in WAYS)):
            before = time.perf_counter(), time.process_time()
            answer = run(threads=parts, parallel=parallel, counts=True)
            took.setdefault(way, []).append((time.perf_counter() - before[0], time.process_time() - before[1]))
            counts[way] = dict(answer.tables["parallel"][0]) | {"events": answer.record["events"]}
    rows: list[list[object]] = []
    for way in WAYS:
        pairs = list(zip(took[way], took["one part"], strict=True))
        wall, cpu = (statistics.median(own[i] / one[i] for own, one in pairs) for i in (0, 1))
        count = counts[way]
        rate = float(str(count["events"])) / statistics.median(own[0] for own, _ in pairs) / 1e6
        kept = [count[name] for name in ("synchronisations", "rollbacks", "efficiency", "mail", "cancelled")]
        rows.append([nodes, way, wall, cpu, rate, *kept])
        print(rows[-1], file=sys.stderr)
    return rows


def measured(engine: str, network: str, nodes: int, work: Callable[[], int]) -> list[object]:
    clock = time.perf_counter if engine == "two threads" else time.process_time
    before = clock()
    hops = work()
    took = clock() - before
    return [engine, network, nodes, hops / 1e6, took, hops / took / 1e6, 1e9 * took / hops]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.packets", description=__doc__)
    parser.add_argument("what", nargs="?", choices=("all", "parallel", "fast", "series"), default="all")
    parser.add_argument("--turns", type=int, default=3, help="parallel: runs of each way")
    parser.add_argument("--nodes", type=int, default=1 << 16, help="parallel: networks of at most so many nodes")
    parser.add_argument("--large", action="store_true", help="also 524,288 nodes: some ten minutes")
    parser.add_argument("--plot", help="picture of the cost of a packet-hop")
    asked = parser.parse_args()
    if asked.what == "parallel":
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors", file=sys.stderr)
        print(table.text(TOGETHER, [row for sides in SIDES[1:] for row in together(sides, asked.turns, asked.nodes)]))
        return 0
    if asked.what == "fast":
        print(table.text(fast.COLUMNS, fast.rows()))
        return 0
    if asked.what == "series":
        print(table.text(series.COLUMNS, series.rows()))
        return 0
    rows = []
    for engine, parts in (("two threads", 2), ("one part", 1), ("parts", 0)):
        if engine == "one part":
            pin()
        for sides in (*SIDES, *([LARGEST] if asked.large and engine == "two threads" else [])):
            nodes = sides[0] * sides[1] * sides[2]
            times = max(3, 50_000 // nodes)
            rows.append(measured(engine, f"torus{sides}".replace(" ", ""), nodes, exchanges(sides, times, parts)))
            print(rows[-1], file=sys.stderr)
    for k, cycles in TREES:
        rows.append(measured("curves", f"k_ary_n_tree({k},3)", k**3, curves(k, cycles)))
        print(rows[-1], file=sys.stderr)
    print(table.text(COLUMNS, rows))
    if asked.plot:
        draw(rows, asked.plot)
    return 0


def draw(rows: list[list[object]], path: str) -> None:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 3.6), layout="constrained")
    for engine, colour, mark in (("one part", "#0072B2", "o"), ("parts", "#009E73", "^"), ("curves", "#D55E00", "s")):
        points = [(row[2], row[6]) for row in rows if row[0] == engine]
        axes.plot(*zip(*points, strict=True), marker=mark, color=colour, label=engine)
    axes.set(xscale="log", xlabel="nodes", ylabel="CPU time per packet-hop (ns)", ylim=(0, None))
    axes.legend(frameon=False)
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=150)


if __name__ == "__main__":
    sys.exit(main())
