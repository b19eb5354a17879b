"""`python -m benchmarks.learning`: all subsets of features rated; mappings ranked by a model next to simulating one.

The subsets are all of up to five of nineteen features, on drawn rows. The mappings are those of a 2D halo on the
Blue Gene/Q torus of 1,024 nodes with 16 ranks a node; the model is learned from `--samples` of them, with 16 packets a
message. The one simulation has packets of 512 bytes, as the machine has.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

import netloom
from benchmarks import table
from benchmarks.measure import machine
from netloom.base.quantities import parse_bytes
from netloom.evaluate.ask import bound_job
from netloom.evaluate.features import OF_LOADS
from netloom.evaluate.learned.drawing import Drawing, start_of
from netloom.evaluate.learned.predictor import Predictor
from netloom.evaluate.learned.ranking import rank
from netloom.learning import NINETEEN, Asked, Method, Samples, kendall_tau_b, learn, write_model
from netloom.learning.samples import varying
from netloom.mapping.place import places_of
from netloom.scenario import Scenario

if TYPE_CHECKING:
    from netloom.base.arrays import Endpoints
    from netloom.evaluate.answers import PacketAnswer

NETWORK = 'torus(4,4,4,8,2,bandwidth="2 GBps",latency="40 ns",endpoint_bandwidth="20 GBps",endpoint_latency=0)'
CORES, SEED = 16, 4


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learning", description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--search", type=int, default=5, help="most features of a subset")
    parser.add_argument("--mappings", type=int, default=2000)
    parser.add_argument("--samples", type=int, default=84)
    parser.add_argument("--size", default="1 MiB", help="of a message")
    parser.add_argument("--checked", type=int, default=20, help="ranked mappings that are simulated too")
    parser.add_argument("--only", choices=("subsets", "mappings"))
    given = parser.parse_args()
    print(machine())
    if given.only != "mappings":
        print(
            table.text(
                ("all subsets", "rows", "seconds", "CPU s", "held out RCC"), [_subsets(given.rows, given.search)]
            )
        )
    if given.only != "subsets":
        head = ("mappings", "seconds", "CPU s", "one simulation, s", "CPU s", "packet-hops", "tau-b", "of")
        print(table.text(head, [_mappings(given)]))


def _subsets(rows: int, most: int) -> list[str]:
    draws = np.random.Generator(np.random.PCG64(SEED))
    causes = draws.lognormal(size=(rows, 6))
    values = causes @ draws.random((6, len(NINETEEN))) * draws.lognormal(sigma=0.1, size=(rows, len(NINETEEN)))
    observed = values[:, 3] + values[:, 13] ** 1.5 + np.maximum(values[:, 18], 2 * values[:, 6])
    samples = Samples("drawn", tuple(NINETEEN.values()), values, "time_s", observed, {})
    begun, cpu = time.monotonic(), _cpu_s()
    found = learn(samples, Asked(Method(), search=most, workers=2))
    score = found.model.scores["rcc"].held_out
    return [f"up to {most}", f"{rows:,}", f"{time.monotonic() - begun:.0f}", f"{_cpu_s() - cpu:.0f}", f"{score:.4f}"]


def _mappings(given: argparse.Namespace) -> list[str]:
    scenario = Scenario.from_dict(
        {
            "network": NETWORK, "workload": f'stencil(128,128,bytes="{given.size}")', "cores": CORES,
            "routing": "dimension-ordered", "calibration": "pure",
        }
    )  # fmt: skip
    bound = bound_job(scenario)
    drawing, drawn = Drawing(start_of(bound), SEED), []
    while len(drawn) < given.samples and (one := drawing.anew()) is not None:
        drawn.append(one.slots)
    packet = parse_bytes(given.size, "--size") // 16
    answers = [_packets(scenario, slots, packet) for slots in drawn]
    values = np.array([[float(one[name]) for name in OF_LOADS] for one in answers])
    times = np.array([one.time_s for one in answers])
    with TemporaryDirectory() as folder:
        samples, _ = varying(Samples("drawn", OF_LOADS, values, "time_s", times, {}), named=False)
        write_model(learn(samples, Asked(Method())).model, Path(folder) / "halo.model")
        predictor = Predictor(bound, str(Path(folder) / "halo.model"), extrapolate=True)
        begun, cpu = time.monotonic(), _cpu_s()
        found = rank(bound, predictor, given.mappings, simulate=False)
        took = [time.monotonic() - begun, _cpu_s() - cpu]
    begun, cpu = time.monotonic(), _cpu_s()
    one = _packets(scenario, found.ranked[len(found.ranked) // 2].drawn.slots, 512)
    alone = [time.monotonic() - begun, _cpu_s() - cpu]
    every = max(1, len(found.ranked) // given.checked)
    checked = found.ranked[::every]
    simulated = np.array([_packets(scenario, each.drawn.slots, packet).time_s for each in checked])
    tau = kendall_tau_b(simulated, np.array([each.predicted_s for each in checked]))
    return [
        f"{len(found.ranked):,}", *(f"{number:.1f}" for number in (*took, *alone)), f"{one['packet_hops']:,}",
        f"{tau:.3f}", f"{len(checked)}",
    ]  # fmt: skip


def _packets(scenario: Scenario, slots: Endpoints, packet: int) -> PacketAnswer:
    mapping, seats = places_of(slots, CORES)
    moved = scenario.but(mapping=mapping) if seats is None else scenario.but(mapping=mapping, seats=seats)
    return netloom.evaluate(moved, "packet", switch=f"output-queued(packet_bytes={packet})", features=packet > 512)


def _cpu_s() -> float:
    """Of this process and of those that it has waited for."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


if __name__ == "__main__":
    main()
