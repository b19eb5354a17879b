"""Ours: is a learned time a better objective of a mapping than the most bytes on a link, at equal seconds?

On five machines and two workloads a model of time is learned from 84 drawn mappings, simulated by packets. Then five
searches have the same seconds on one thread: mappings drawn and ranked by the model, once a forest and once a linear
one, which goes on beyond its samples; the same ranked by the most bytes on a link; the search of moves that lowers the
most bytes on a link; the contest of all methods. The packet rung decides between what they find. Decided before it was
run: a model is better if its mapping is faster than that of the search for the most bytes by more than 2 % in most of
the ten cases.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import netloom
from netloom.base.threads import limit_threads
from netloom.evaluate.answers import PacketAnswer
from netloom.evaluate.ask import bound_job
from netloom.evaluate.features import OF_LOADS
from netloom.evaluate.learned.drawing import Drawing, start_of
from netloom.evaluate.learned.predictor import Predictor
from netloom.evaluate.learned.ranking import rank
from netloom.learning import Asked, Method, Samples, learn, write_model
from netloom.learning.samples import varying
from netloom.mapping.place import places_of
from netloom.scenario import Question, Scenario

from ..findings import Found
from ..measured import finding

TITLE = "Learned time as the objective of a mapping"
SAMPLES, SECONDS, SEED = 84, 10.0, 1
#: 256 nodes each; four ranks on each node.
MACHINES = {
    "torus": ("torus(4,4,4,4)", "dimension-ordered"),
    "tapered fat tree": ("xgft(m=[16,16],w=[1,8])", "d-mod-k"),
    "dragonfly": ("dragonfly(a=4,p=4,h=4,g=16)", "single-minimal"),
    "HyperX": ("hyperx(8,8,p=4)", "dimension-ordered"),
    "random regular": ("random_regular(64,degree=8,p=4,seed=1)", "single-minimal"),
}
WORKLOADS = {
    "2D halo": 'stencil(32,32,bytes="64 KiB")',
    "all-to-all of 16": 'many-to-many(16,8,8,axis=1,bytes="16 KiB")',
}
SWITCH = "output-queued(packet_bytes=4096)"
RUNS = len(MACHINES) * len(WORKLOADS) * (SAMPLES + 5)
#: Differences below this are a tie.
CLEAR = 0.02


def measure() -> Iterator[Found]:
    """One claim against each rival, and how much of the seconds goes into samples."""
    limit_threads(1)
    try:
        found = {
            f"{machine}, {load}": _times(machine, load) for machine in MACHINES for load in WORKLOADS
        }  # fmt: skip
    finally:
        limit_threads(None)
    rivals = {"link search": "the search for the most bytes", "bytes ranked": "ranking by the most bytes"}
    rivals["contest"] = "the contest of all methods"
    for model, rival in product(("learned", "learned linear"), rivals):
        cases = []
        for label, times in found.items():
            gain = 1 - times[model] / times[rival]
            text = f"{1e6 * times[model]:.4g} against {1e6 * times[rival]:.4g} µs ({100 * gain:+.1f} %)"
            cases.append((label, text, gain > CLEAR))
        better = sum(good for _, _, good in cases)
        expected = f"faster than {rivals[rival]} by more than 2 % in most of {len(cases)} cases"
        yield finding(
            f"{model} against {rival}", expected, cases,
            held=2 * better > len(cases), refuted=f"Better in {better} of {len(cases)} cases.",
        )  # fmt: skip
    spent = [times["samples_s"] for times in found.values()]
    text = f"{min(spent):.2g} to {max(spent):.2g} s for {SAMPLES} samples, {SECONDS:g} s of search"
    yield finding("samples of learned", "samples take less than the search", [("", text, max(spent) < SECONDS)])


def _times(machine: str, load: str) -> dict[str, float]:
    """Simulated seconds of what each search finds, and seconds of the processor for the samples."""
    network, routing = MACHINES[machine]
    scenario = Scenario.from_dict(
        {"network": network, "cores": 4, "workload": WORKLOADS[load], "routing": routing, "calibration": "pure"}
    )
    bound, begun = bound_job(scenario), time.process_time()
    drawing, start = Drawing(start_of(bound), SEED), start_of(bound)
    drawn = [start.slots, *(one.slots for _ in range(SAMPLES - 1) if (one := drawing.anew()) is not None)]
    answers = [_packets(scenario, bound, slots) for slots in drawn]
    samples_s = time.process_time() - begun
    values = np.array([[float(one[name]) for name in OF_LOADS] for one in answers])
    times = np.array([one.time_s for one in answers])
    origin = {"network": network, "workload": WORKLOADS[load]}
    made = {"samples_s": samples_s}
    with TemporaryDirectory() as folder:
        for name, features, method in (
            ("learned", OF_LOADS, Method()),
            ("learned linear", OF_LOADS, Method("linear")),
            ("bytes ranked", ("bytes_max",), Method("linear")),
        ):
            columns = [OF_LOADS.index(one) for one in features]
            samples, _ = varying(Samples("drawn", features, values[:, columns], "time_s", times, origin), named=False)
            path = Path(folder) / f"{name}.model"
            write_model(learn(samples, Asked(method)).model, path)
            found = rank(bound, Predictor(bound, str(path), extrapolate=True), 1 << 20, SECONDS, SEED, simulate=False)
            made[name] = _packets(scenario, bound, found.ranked[0].drawn.slots).time_s
    for name, objective in (("link search", "max-link-load"), ("contest", "auto")):
        optimiser = "best" if name == "contest" else "auto"
        searched = netloom.map_ranks(
            network, objective=objective, optimiser=optimiser, seconds=SECONDS, cores=4, workload=WORKLOADS[load],
            routing=routing, calibration="pure",
        )  # fmt: skip
        seats = None if searched.seats is None else searched.seats
        slots = searched.mapping * 4 + (0 if seats is None else seats)
        made[name] = _packets(scenario, bound, slots).time_s
    return made


def _packets(scenario: Scenario, bound: Question, slots: np.ndarray[tuple[int], np.dtype[np.uint32]]) -> PacketAnswer:
    mapping, seats = places_of(slots, bound.site.cores)
    moved = scenario.but(mapping=mapping) if seats is None else scenario.but(mapping=mapping, seats=seats)
    return netloom.evaluate(moved, "packet", switch=SWITCH, features=True)
