"""Our best mapping beside those of Scotch and TreeMatch: five numbers of each, by netloom's evaluators."""

from __future__ import annotations

import json
import resource
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality import matrices, scotch
from netloom import _core
from netloom.base.arrays import ndarray
from netloom.evaluate.ask import bound_job
from netloom.evaluate.contest import contest
from netloom.evaluate.mapped import Worth, measured
from netloom.scenario import Question, Scenario
from netloom.scenario.search import search

COLUMNS = ["case", "mapping", "MB between nodes", "MB x hops", "worst link, µs", "time, µs", "CPU s"]
TREEMATCH = "treematch"
Mapping = NDArray[np.int64]


@dataclass(frozen=True)
class Case:
    """A job on a machine.

    Attributes
    ----------
    sizes, costs
        The tree of its seats, for mappers that take trees; empty for other networks.
    dims
        Of a torus.
    matrix, side, seed, shuffled
        Traffic of one of `matrices.MATRICES` instead of a workload, with `side` squared rows or about as many, made
        with this seed; its ranks in random order.
    built
        The construction that is compared alone, and its objective.
    """

    name: str
    network: str
    ranks: int
    workload: str
    cores: int = 1
    size_bytes: int = 1
    placement: str = "linear"
    matrix: str = ""
    side: int = 512
    seed: int = 1
    shuffled: bool = False
    sizes: tuple[int, ...] = ()
    costs: tuple[int, ...] = ()
    dims: tuple[int, ...] = ()
    built: tuple[str, str] = ("bisection", "inter-node")


#: Ratings by case and mapping.
RATED: dict[tuple[str, bytes], Worth] = {}

TREE = {"network": "fat_tree(radix=16,levels=2)", "ranks": 1024, "cores": 32, "sizes": (4, 8, 32), "costs": (40, 20, 1)}
IRREGULAR = {
    "network": "random_shortcut(1024,degree=19,seed=1)", "ranks": 512, "placement": "linear",
    "built": ("bisection", "hop-bytes"),
}  # fmt: skip
COLLECTIVES = ("broadcast:binomial", "allreduce:recursive-doubling", "alltoall:bruck")
CASES = [
    Case(
        "4D stencil on a torus, 8,192",
        "torus(8,8,8,16)",
        8192,
        'stencil(16,8,8,8,bytes="64 KiB")',
        dims=(8, 8, 8, 16),
        built=("grid", "hop-bytes"),
    ),
    *[
        Case(f"{name}, irregular, 512", workload=name, size_bytes=65536, **IRREGULAR)  # type: ignore[arg-type]
        for name in COLLECTIVES
    ],
    Case("2D stencil on a fat tree, 32 per node", workload='stencil(32,32,bytes="64 KiB")', **TREE),  # type: ignore[arg-type]
    *[Case(f"matrix: {name}", workload="", matrix=name, **TREE) for name in matrices.MATRICES],  # type: ignore[arg-type]
]


def rows(lines: Path, repeats: int) -> Iterator[list[Any]]:
    """A row for each mapping of each case, medians of its repetitions."""
    done = compared(CASES, lines, repeats)
    for case in CASES:
        for name in mappers(case):
            of = [line for line in done if (line["case"], line["mapping"]) == (case.name, name)]
            medians = (statistics.median(line[key] for line in of) for key in ("inter", "hops", "link", "time", "cpu"))
            yield [case.name, name, *medians]


def compared(cases: list[Case], lines: Path, repeats: int) -> list[dict[str, Any]]:
    """The numbers of every mapping of each case; what has its line in the file is not made again.

    The mappers take turns, so that a busy machine is the same for all of them.
    """
    done = [json.loads(line) for line in lines.read_text().splitlines()] if lines.exists() else []
    have = {(line["case"], line["mapping"], line["repeat"]) for line in done}
    for repeat in range(repeats):
        for case in cases:
            for name, mapper in mappers(case).items():
                if (case.name, name, repeat) not in have:
                    found = {"case": case.name, "mapping": name, "repeat": repeat} | judged(case, mapper)
                    done.append(found)
                    with lines.open("a") as out:
                        out.write(json.dumps(found) + "\n")
    return done


def mappers(case: Case) -> dict[str, Callable[[Question, Case], Mapping]]:
    """What takes this case: ranks in order, ours, and the others where their machine model holds it."""
    made: dict[str, Callable[[Question, Case], Mapping]] = {
        "in order": lambda bound, case: ndarray(bound.place.start).astype(np.int64),
        "netloom": ours,
        "netloom, with its checks": checked,
        "netloom, one construction": built,
    }
    if not case.sizes and not case.dims:
        made["netloom, few hops"] = taken
        made["netloom, hop-bytes"] = fewest_hops
    if scotch.available():
        made["Scotch"] = of_scotch
    if case.sizes and shutil.which(TREEMATCH):
        made["TreeMatch"] = of_treematch
    return made


def ours(bound: Question, case: Case) -> Mapping:
    """What `netloom map` takes; any endpoint where Scotch may take any too."""
    found = contest(bound, free=not case.sizes and not case.dims, check=False)
    return ndarray(found.best.slots).astype(np.int64)


def checked(bound: Question, case: Case) -> Mapping:
    """The same with what `netloom map` simulates to say how much is gained, and how sure that is."""
    found = contest(bound, free=not case.sizes and not case.dims)
    return ndarray(found.best.slots).astype(np.int64)


def taken(bound: Question, case: Case) -> Mapping:
    """What `netloom map --free --take "loads, few hops"` takes."""
    found = contest(bound, free=True, check=False)
    return ndarray(found.taking("loads, few hops", "take").best.slots).astype(np.int64)


def fewest_hops(bound: Question, case: Case) -> Mapping:
    """What `netloom map --free --objective hop-bytes` takes."""
    return ndarray(search(bound, "auto", "hop-bytes", free=True).slots).astype(np.int64)


def built(bound: Question, case: Case) -> Mapping:
    """What one quick method makes, which simulates nothing."""
    found = search(bound, *case.built, free=not case.sizes and not case.dims)
    return ndarray(found.slots).astype(np.int64)


def judged(case: Case, mapper: Callable[[Question, Case], Mapping]) -> dict[str, float | None]:
    """The numbers of one mapping; CPU seconds are those of the mapper and of what it runs."""
    bound = bound_job(scenario(case))
    assert bound.place.start is not None
    before = spent()
    slots = mapper(bound, case)
    cpu = spent() - before
    # A simulation of many messages at once takes a minute, and our mappings are the same each time.
    key = (case.name, slots.tobytes())
    if key not in RATED:
        RATED[key] = measured(bound, slots.astype(np.uint32), [])
    worth = RATED[key]
    scale = {"inter_node_bytes": 1e-6, "hop_bytes": 1e-6, "max_link_s": 1e6, "time_s": 1e6}
    found = {key: None if worth[key] is None else worth[key] * by for key, by in scale.items()}  # type: ignore[operator]
    names = {"inter": "inter_node_bytes", "hops": "hop_bytes", "link": "max_link_s", "time": "time_s"}
    return {short: found[key] for short, key in names.items()} | {"cpu": cpu}


def spent() -> float:
    """CPU seconds of this process and of the programs that it ran."""
    own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def scenario(case: Case) -> Scenario:
    """The question, with the traffic of a matrix where the case names one."""
    load: Any = case.workload
    if case.matrix:
        pairs, sent = matrices.traffic(case.matrix, case.ranks, case.side, case.seed)
        if case.shuffled:
            pairs = np.random.default_rng(case.seed).permutation(case.ranks)[pairs]
        ones = np.ones(len(sent), np.int64)
        load = _core.Traffic.from_flows(case.name, case.ranks, pairs[:, 0], pairs[:, 1], ones, sent)
    return Scenario(
        case.network, workload=load, ranks=case.ranks, cores=case.cores, size_bytes=case.size_bytes,
        placement=case.placement, calibration="pure",
    )  # fmt: skip


def guest(bound: Question) -> tuple[scotch.Edges, NDArray[np.int64]]:
    """Bytes between ranks, both directions together."""
    load = bound.messages
    table = (load if isinstance(load, _core.Traffic) else _core.Traffic.of_schedule(load)).table()
    pairs = np.stack([table["src"], table["dst"]], axis=1).astype(np.int64)
    sent = table["bytes"].astype(np.int64)
    apart = pairs[:, 0] != pairs[:, 1]
    return scotch.merged(np.sort(pairs[apart], axis=1), sent[apart])


def of_scotch(bound: Question, case: Case) -> Mapping:
    """On the tree of the seats, on the torus, or on any graph."""
    edges, weights = guest(bound)
    seats = np.sort(ndarray(bound.place.start)).astype(np.int64)
    if case.sizes:
        return seats[scotch.onto_tree(case.ranks, edges, weights, case.sizes, case.costs)]
    if case.dims:
        best = min(scotch.onto_torus(case.ranks, edges, case.dims), key=lambda m: hops_of(bound, scotch.one_each(m)))
        return scotch.one_each(best)
    net = bound.network
    ends = np.stack([net.tails[: 2 * net.switch_links], net.heads[: 2 * net.switch_links]], axis=1).astype(np.int64)
    cables = np.unique(np.sort(ends, axis=1), axis=0)
    return scotch.onto_graph(case.ranks, edges, net.switches, cables)


def hops_of(bound: Question, mapping: Mapping) -> float:
    return float(measured(bound, mapping.astype(np.uint32), [], ("hops",))["hop_bytes"] or 0.0)


def of_treematch(bound: Question, case: Case) -> Mapping:
    """On the tree of the seats, by the program of `treematch.c`."""
    edges, weights = guest(bound)
    text = "\n".join(f"{a} {b} {w}" for (a, b), w in zip(edges.tolist(), weights.tolist(), strict=True))
    tree = [str(n) for pair in zip(case.sizes, case.costs, strict=True) for n in pair]
    command = [TREEMATCH, str(case.ranks), *tree]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True, timeout=600)
    leaves = np.array(done.stdout.split(), np.int64)
    return np.sort(ndarray(bound.place.start)).astype(np.int64)[leaves]


def main() -> None:
    """`python -m benchmarks.quality.rivals LINES REPEATS`."""
    import sys

    from benchmarks import table

    begun = time.monotonic()
    made = list(rows(Path(sys.argv[1]), int(sys.argv[2])))
    print(table.text(COLUMNS, made))
    print(f"{time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
