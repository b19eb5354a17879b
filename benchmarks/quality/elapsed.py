"""Elapsed time as the objective: what simulating every move buys over counting hops, at equal CPU time."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from typing import Any

from netloom import map_ranks, network, simulate

#: Cui and Koibuchi §III: broadcast of 64 KiB, reversals, what is not slower is kept; 100 ns per switch.
WORKLOAD, SIZE, SWITCH_S = "broadcast:binomial", 65536, 1e-7
#: Network, ranks; the first is Cui 2024's.
CASES = [
    ("random_shortcut(1024,degree=19,seed={seed})", 512),
    *[(f"random_regular({n},degree=8,seed={{seed}})", n) for n in (64, 128, 256, 512)],
]
FILTERED = "time(filter=hops,margin={margin})"
#: Name, then one (method, objective, share of the CPU time) after another.
METHODS: list[tuple[str, list[tuple[str, str, float]]]] = [
    ("hops, reversals", [("two-opt(move=reversal,accept=ties", "hops", 1)]),
    ("hops, default", [("auto(", "hops", 1)]),
    ("time, reversals", [("two-opt(move=reversal,accept=ties", "time", 1)]),
    ("time, exchanges", [("two-opt(accept=ties", "time", 1)]),
    ("time, guided", [("guided(", "time", 1)]),
    ("filtered, reversals", [("two-opt(move=reversal,accept=ties", FILTERED.format(margin=0), 1)]),
    ("filtered, exchanges", [("two-opt(accept=ties", FILTERED.format(margin=0), 1)]),
    (
        "hops, then time, exchanges",
        [("auto(", "hops", 0.5), ("two-opt(accept=ties", "time", 0.5)],
    ),
    (
        "hops, then filtered exchanges",
        [("auto(", "hops", 0.5), ("two-opt(accept=ties", FILTERED.format(margin=1), 0.5)],
    ),
]
COLUMNS = ["network", "ranks", "method", "time, us: median", "gain", "us per move", "moves", "CPU s"]
#: Moves of the first run, of which the number for the CPU time is found; the share of that time that is enough.
TRIAL = {"hops": 20_000, "time": 50}
ENOUGH, MOST = 0.8, 1 << 32


def rows(seeds: int, seconds: float) -> Iterator[list[Any]]:
    """One row per case and method: time reached, gain over ranks in order, CPU per move."""
    for text, ranks in CASES:
        nets = [network(text.format(seed=seed)) for seed in range(1, seeds + 1)]
        before = [timed(net, list(range(ranks))) for net in nets]
        yield [text, ranks, "start", f"{statistics.median(before) * 1e6:.3f}", "", "", "", ""]
        for name, stages in METHODS:
            found = [search(net, ranks, stages, seconds, seed) for seed, net in enumerate(nets)]
            gain = statistics.median(1 - after[0] / start for after, start in zip(found, before, strict=True))
            moves, spent = (statistics.median(f[k] for f in found) for k in (1, 2))
            reached = statistics.median(f[0] for f in found)
            each = spent / max(moves, 1) * 1e6
            yield [
                text,
                ranks,
                name,
                f"{reached * 1e6:.3f}",
                f"{gain:.1%}",
                f"{each:,.1f}",
                f"{moves:,.0f}",
                f"{spent:.2f}",
            ]


def timed(net: Any, mapping: Any) -> float:
    """Simulated seconds of the broadcast."""
    made = simulate(
        net, workload=WORKLOAD, size_bytes=SIZE, mapping=mapping, calibration="pure", switch_latency=SWITCH_S,
        routing="single-minimal",
    )  # fmt: skip
    return float(made["time_s"])


def search(
    net: Any, ranks: int, stages: list[tuple[str, str, float]], seconds: float, seed: int
) -> tuple[float, int, float]:
    """Seconds reached, moves of the last stage, CPU seconds of all stages."""
    mapping, spent, moves = list(range(ranks)), 0.0, 0
    for method, objective, share in stages:
        moves = TRIAL[objective.partition("(")[0]]
        found, took = run(net, mapping, method, objective, moves, seed)
        # What a short run costs is mostly its preparation: more moves until the time is used.
        while took < ENOUGH * seconds * share and moves < MOST:
            moves = int(moves * min(max(seconds * share / took, 1.2), 8))
            found, took = run(net, mapping, method, objective, moves, seed)
        mapping, spent = found["mapping"].tolist(), spent + took
    return timed(net, mapping), moves, spent


def run(net: Any, mapping: Any, method: str, objective: str, moves: int, seed: int) -> tuple[dict[str, Any], float]:
    """The search's result and its CPU seconds."""
    comma = "" if method.endswith("(") else ","
    begin = time.process_time()
    found = map_ranks(
        net,
        workload=WORKLOAD,
        size_bytes=SIZE,
        mapping=mapping,
        optimiser=f"{method}{comma}swaps={moves},seed={seed})",
        objective=objective,
        calibration="pure",
        switch_latency=SWITCH_S,
    )
    return found, time.process_time() - begin
