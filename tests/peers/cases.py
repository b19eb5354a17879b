"""Flow sets that share links in every way that matters, from a seed.

Latencies are of a wide-area network (0.1 to 10 ms) unless a case says otherwise. The model knows no scale, but SimGrid
does: `maxmin/precision` is absolute on sums of 1/latency, and with latencies below 10 µs rounding alone exceeds it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import netloom

from . import platform, simgrid

#: Larger sets have a larger network and stretch over more time: SimGrid's effort grows with the square of the flows
#: that share at a time. Smaller ones must meet, also where SMPI's window bounds most of them.
LARGE = 3000
#: `network/TCP-gamma` of SMPI.
TCP_WINDOW_BYTES = 4_194_304

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Case:
    """Flows over explicit link lists: those of flow `f` are `links[offsets[f]:offsets[f + 1]]`."""

    name: str
    bandwidth_bytes_per_s: Floats
    latency_s: Floats
    offsets: Integers
    links: Integers
    size_bytes: Integers
    start_s: Floats

    @property
    def flows(self) -> int:
        return len(self.size_bytes)

    def route(self, flow: int) -> Integers:
        return self.links[self.offsets[flow] : self.offsets[flow + 1]]

    def route_latency_s(self) -> Floats:
        return np.add.reduceat(self.latency_s[self.links], self.offsets[:-1])

    def alone_s(self, sharing: str) -> Floats:
        """How long every flow would take with the links to itself."""
        rate = np.minimum.reduceat(self.bandwidth_bytes_per_s[self.links], self.offsets[:-1])
        latency = self.route_latency_s()
        if sharing == "smpi":
            rate = np.minimum(rate, TCP_WINDOW_BYTES / (2 * latency))
        return latency + self.size_bytes / rate

    def write(self, path: Path) -> None:
        """The text that `flows.cpp` reads."""
        lines = [str(len(self.latency_s))]
        lines += [
            f"{b!r} {a!r}" for b, a in zip(self.bandwidth_bytes_per_s.tolist(), self.latency_s.tolist(), strict=True)
        ]
        lines.append(str(self.flows))
        for flow, (start, size) in enumerate(zip(self.start_s.tolist(), self.size_bytes.tolist(), strict=True)):
            route = self.route(flow).tolist()
            lines.append(f"{start!r} {size} {len(route)} {' '.join(map(str, route))}")
        path.write_text("\n".join(lines) + "\n")


def theirs(case: Case, sharing: str, folder: Path, settings: Sequence[str] = ()) -> tuple[Floats, simgrid.Finished]:
    """Finish times under SimGrid, and what computing them cost."""
    path = folder / f"{case.name}.case"
    case.write(path)
    options = [f"--cfg={setting}" for setting in settings]
    done = simgrid.run([str(simgrid.flows_program()), str(path), sharing, "--log=root.thresh:warning", *options])
    return np.array(done.stdout.split(), dtype=np.float64), done


def ours(case: Case, sharing: str) -> Floats:
    return np.asarray(
        netloom.simulate_flows(
            case.bandwidth_bytes_per_s,
            case.latency_s,
            (case.offsets, case.links),
            case.size_bytes,
            case.start_s,
            sharing=sharing,
        )
    )


def difference(case: Case, a: Floats, b: Floats) -> Floats:
    """Per flow, how far two finish times are apart relative to the flow's duration in `b`."""
    return np.abs(a - b) / (b - case.start_s)


def _made(name: str, routes: Sequence[Sequence[int]], links: int, rng: np.random.Generator, **ranges: tuple) -> Case:
    """Random speeds, sizes over four decades and starts on given routes. Ranges are low and high of a log scale."""
    bandwidth = ranges.get("bandwidth", (1e8, 1e10))
    latency = ranges.get("latency", (1e-4, 1e-2))
    size = ranges.get("size", (1e4, 1e8))

    def decades(low: float, high: float, count: int) -> Floats:
        return np.exp(rng.uniform(np.log(low), np.log(high), count))

    sizes = decades(*size, len(routes)).astype(np.int64)
    speeds = decades(*bandwidth, links)
    lengths = np.array([len(route) for route in routes])
    flat = np.array([link for route in routes for link in route], dtype=np.int64)
    # Starts within the time that the fullest link needs, so that flows come while others run.
    busy = np.bincount(flat, np.repeat(sizes, lengths), links) / speeds
    return Case(
        name,
        speeds,
        decades(*latency, links),
        np.concatenate([[0], np.cumsum(lengths)]),
        flat,
        sizes,
        np.round(rng.uniform(0, ranges.get("spread", (0.5,))[0] * busy.max(), len(routes)), 9),
    )


def chain(flows: int, rng: np.random.Generator) -> Case:
    """A line of links; a flow takes any stretch of it, either way."""
    length = 40
    ends = np.sort(rng.choice(length + 1, (2 * flows, 2)), axis=1)
    ends = ends[ends[:, 0] < ends[:, 1]][:flows]
    back = rng.integers(0, 2, len(ends)) * length
    return _made("chain", [range(b + i, b + j) for (i, j), b in zip(ends, back, strict=True)], 2 * length, rng)


def incast(flows: int, rng: np.random.Generator) -> Case:
    """Senders of a switch each, eight receivers: many flows on few links."""
    senders, receivers = 64, 8
    routes = [
        [int(rng.integers(senders)), senders + int(rng.integers(receivers)), senders + receivers] for _ in range(flows)
    ]
    # Every other flow avoids the link that all share, so that it is not the only bottleneck.
    routes = [route if i % 2 else route[:2] for i, route in enumerate(routes)]
    return _made("incast", routes, senders + receivers + 1, rng)


def _on_network(name: str, text: str, routing: str, pairs: Sequence[tuple[int, int]], rng: np.random.Generator) -> Case:
    network = netloom.network(text)
    rule = network.routing(routing)
    routes = [platform.links_of(network, rule, a, b) for a, b in pairs]
    links = len(network.tails) + 2 * network.endpoints
    spread = 0.7 if len(pairs) > LARGE else 0.1
    return _made(name, routes, links, rng, bandwidth=(1e9, 4e9), spread=(spread,))


def _permutations(endpoints: int, flows: int, rng: np.random.Generator) -> list[tuple[int, int]]:
    """As many permutations of the endpoints as it takes, without the flows of an endpoint to itself."""
    pairs: list[tuple[int, int]] = []
    while len(pairs) < flows:
        pairs += [(i, int(j)) for i, j in enumerate(rng.permutation(endpoints)) if i != j]
    return pairs[:flows]


def torus(flows: int, rng: np.random.Generator) -> Case:
    """Permutations on a torus, dimension after dimension."""
    text = "torus(8,8,8)" if flows > LARGE else "torus(4,4,4)"
    endpoints = 512 if flows > LARGE else 64
    pairs = _permutations(endpoints, flows, rng)
    return _on_network("torus-permutations", text, "single-minimal", pairs, rng)


def random_graph(flows: int, rng: np.random.Generator) -> Case:
    """Pairs on a random graph, one shortest path each."""
    size = 1024 if flows > LARGE else 64
    text = f"random_regular({size},degree=5,seed=3)"
    pairs = [(int(a), int(b)) for a, b in rng.integers(0, size, (2 * flows, 2)) if a != b][:flows]
    return _on_network("random-graph", text, "single-minimal", pairs, rng)


def fat_tree(flows: int, rng: np.random.Generator) -> Case:
    """Permutations on a fat tree, D-mod-k: all uplinks and downlinks are shared."""
    radix = 16 if flows > LARGE else 8
    pairs = _permutations(radix**3 // 8, flows, rng)
    return _on_network("fat-tree", f"fat_tree(radix={radix},levels=3)", "d-mod-k", pairs, rng)


def equal_speeds(flows: int, rng: np.random.Generator) -> Case:
    """All links alike, all flows at once and of few sizes: ties everywhere, many flows end in the same instant."""
    network = netloom.network("torus(4,4,4)")
    rule = network.routing("single-minimal")
    pairs = _permutations(64, flows, rng)
    routes = [platform.links_of(network, rule, a, b) for a, b in pairs]
    links = len(network.tails) + 2 * network.endpoints
    lengths = np.array([len(route) for route in routes])
    return Case(
        "ties",
        np.full(links, 1e9),
        np.full(links, 1e-3),
        np.concatenate([[0], np.cumsum(lengths)]),
        np.array([link for route in routes for link in route]),
        rng.choice([1_000_000, 2_000_000, 4_000_000], flows),
        np.zeros(flows),
    )


def cluster(flows: int, rng: np.random.Generator) -> Case:
    """A machine's own scale: 100 Gbit/s, 100 ns a link, rounds of the shifts of an alltoall."""
    size = 1024 if flows > 1000 else 64
    network = netloom.network(f"circulant({size},pow2)")
    rule = network.routing("single-minimal")
    rounds = -(-flows // size)
    pairs = [(r, (r + 1 + 37 * k) % size) for k in range(rounds) for r in range(size)][:flows]
    routes = [platform.links_of(network, rule, a, b) for a, b in pairs]
    links = len(network.tails) + 2 * network.endpoints
    lengths = np.array([len(route) for route in routes])
    return Case(
        "cluster",
        np.full(links, 12.5e9),
        np.full(links, 1e-7),
        np.concatenate([[0], np.cumsum(lengths)]),
        np.array([link for route in routes for link in route]),
        rng.integers(1 << 8, 1 << 20, flows),
        np.round(rng.uniform(0, rounds * (1.5e-4 if flows > 1000 else 2e-5), flows), 12),
    )


FAMILIES: dict[str, Callable[[int, np.random.Generator], Case]] = {
    "chain": chain,
    "incast": incast,
    "torus": torus,
    "random-graph": random_graph,
    "fat-tree": fat_tree,
    "ties": equal_speeds,
    "cluster": cluster,
}


def make(family: str, flows: int, seed: int = 1) -> Case:
    return FAMILIES[family](flows, np.random.default_rng([seed, flows]))
