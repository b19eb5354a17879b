"""`python -m benchmarks.validation.residuals`: does a learned correction of `time` help on a machine that it never saw?

Decided before any score was seen. Target: the logarithm of measured over predicted time. Each machine is left out as a
whole, with all its libraries, and is predicted by what the cells of all others teach; learners have the settings of
`netloom learn`. A correction is accepted if the median error falls on at least two thirds of the machines left out and
its mean over the machines falls too. A random division of all cells into five parts stands next to it: it shows what a
score is worth whose test rows come from machines that were learned from.

With --anew the cells are simulated again (a quarter of an hour); without, the kept ones are taken.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.validation import cells
from benchmarks.validation.cells import STAND_INS, Cell
from netloom.base import files
from netloom.learning import Method
from netloom.learning.scores import DRAWS, LEVEL, r2

Vector = NDArray[np.float64]
KEPT = Path(__file__).parent / "residuals.json"
MEASURED = Path(__file__).parents[3] / "shared" / "reference" / "measured"
SEED, FOLDS = 1, 5
#: Collectives and codes, each a feature of 0 and 1.
COLLECTIVES = ("allgather", "allreduce", "alltoall", "broadcast", "gather", "reduce", "reduce-scatter", "scatter")
CODES = ("mpi", "nccl", "pico")
NUMBERS = ("log bytes", "log ranks", "log nodes", "log ranks a node", "log predicted", "wires' share", "delays' share")
FEATURES = (*NUMBERS, *COLLECTIVES, *CODES)
LEARNED = ("linear", "extra-trees", "gradient-boosting")
PLAIN, CORRECTIONS = "time", ("one factor", "factor a collective", *LEARNED)
#: Share of the machines on which the median error must fall.
ACCEPTED = 2 / 3


@dataclass(frozen=True)
class Table:
    """Cells as arrays: what is known before measuring, and the target."""

    machines: NDArray[np.str_]
    #: Machine and number of nodes.
    jobs: NDArray[np.str_]
    collectives: NDArray[np.str_]
    features: NDArray[np.float64]
    residual: Vector


def table_of(found: Sequence[Cell], predicted: str = "predicted_s") -> Table:
    """With the costs of the shipped machines, or (`default_s`) with those of a machine that nobody has measured."""
    rows = []
    for cell in found:
        time_s: float = getattr(cell, predicted)
        shares = (cell.wires_s / time_s, 1.0 - cell.no_delay_s / cell.predicted_s)
        ranks = cell.nodes * cell.ranks_per_node
        logs = (np.log(value) for value in (max(cell.bytes, 1), ranks, cell.nodes, cell.ranks_per_node, time_s))
        kinds = (*(cell.collective == one for one in COLLECTIVES), *(cell.code == one for one in CODES))
        rows.append([*logs, *shares, *map(float, kinds)])
    residual = [np.log(cell.measured_s / getattr(cell, predicted)) for cell in found]
    machines, collectives = (np.array([getattr(cell, name) for cell in found]) for name in ("machine", "collective"))
    jobs = np.array([f"{cell.machine}, {cell.nodes}" for cell in found])
    return Table(machines, jobs, collectives, np.array(rows), np.array(residual))


def corrected(made: Table, train: NDArray[np.bool_] | NDArray[np.int_], test: NDArray[np.bool_], name: str) -> Vector:
    """What a correction thinks that the target of the test rows is."""
    known = made.residual[train]
    if name == PLAIN:
        return np.zeros(int(test.sum()))
    if name == "one factor":
        return np.full(int(test.sum()), np.median(known))
    if name == "factor a collective":
        kinds, usual = made.collectives[train], float(np.median(known))
        by = {kind: float(np.median(known[kinds == kind])) for kind in set(kinds)}
        return np.array([by.get(kind, usual) for kind in made.collectives[test]])
    learner = Method(learner=name, seed=SEED).made()
    learner.fit(made.features[train], known)
    return np.asarray(learner.predict(made.features[test]), dtype=float)


def without_each(made: Table, of: NDArray[np.str_], name: str, alike: bool = False) -> Vector:
    """Each row from the rows whose `of` is another; `alike`: drawn so that each other machine has as many."""
    thought = np.zeros(len(made.residual))
    for one in np.unique(of):
        test = of == one
        train = np.flatnonzero(~test)
        if alike:
            train = _drawn(made.machines, train)
        thought[test] = corrected(made, train, test, name)
    return thought


def _drawn(machines: NDArray[np.str_], train: NDArray[np.int_]) -> NDArray[np.int_]:
    draws = np.random.Generator(np.random.PCG64(SEED))
    groups = [train[machines[train] == one] for one in np.unique(machines[train])]
    most = max(map(len, groups))
    return np.concatenate([draws.choice(own, most, replace=len(own) < most) for own in groups])


def without_each_fold(made: Table, name: str) -> Vector:
    """Each row from four fifths of all rows, those of its own machine among them."""
    fold = np.random.Generator(np.random.PCG64(SEED)).permutation(len(made.residual)) % FOLDS
    thought = np.zeros(len(made.residual))
    for own in range(FOLDS):
        thought[fold == own] = corrected(made, fold != own, fold == own, name)
    return thought


def errors(left: Vector) -> Vector:
    """Shares by which predictions are off, of logarithms of measured over predicted time."""
    found: Vector = np.abs(np.exp(-left) - 1.0)
    return found


@dataclass(frozen=True)
class Scored:
    """A correction on one machine.

    Parameters
    ----------
    median, low, high
        Of the errors, shares, and its interval.
    change, change_low, change_high
        Of the median by the correction, and its interval.
    log_ratio
        Mean of the absolute logarithms of measured over predicted.
    bias
        Median of measured over predicted.
    """

    rows: int
    median: float
    low: float
    high: float
    change: float
    change_low: float
    change_high: float
    log_ratio: float
    bias: float


@dataclass(frozen=True)
class Verdict:
    """What the rule says: machines on which the median error fell, means over the machines."""

    lower_on: int
    machines: int
    mean: float
    log_ratio: float
    accepted: bool


@dataclass(frozen=True)
class Outcome:
    """A correction on all machines.

    Parameters
    ----------
    r2
        Share of the target's variance that it explains.
    """

    r2: float
    machines: dict[str, Scored]

    @property
    def verdict(self) -> Verdict:
        """The rule that was set before."""
        own = list(self.machines.values())
        lower = sum(one.change < 0 for one in own)
        accepted = lower >= ACCEPTED * len(own) and mean(one.change for one in own) < 0
        return Verdict(lower, len(own), mean(one.median for one in own), mean(one.log_ratio for one in own), accepted)


#: By way of leaving out and by correction.
Study = dict[str, dict[str, Outcome]]


def outcome(made: Table, thought: Vector) -> Outcome:
    """Of what is thought of each row; intervals by bootstrap over the cells of a machine."""
    found: dict[str, Scored] = {}
    for machine in dict.fromkeys(made.machines.tolist()):
        own = made.machines == machine
        before, left = made.residual[own], made.residual[own] - thought[own]
        draws = np.random.Generator(np.random.PCG64(SEED)).integers(0, len(left), (DRAWS, len(left)))
        plain, drawn = (np.median(errors(one)[draws], axis=1) for one in (before, left))
        now = float(np.median(errors(left)))
        change = now - float(np.median(errors(before)))
        log_ratio, bias = float(np.mean(np.abs(left))), float(np.exp(np.median(left)))
        found[machine] = Scored(len(left), now, *_interval(drawn), change, *_interval(drawn - plain), log_ratio, bias)
    return Outcome(r2(made.residual, thought), found)


def _interval(drawn: Vector) -> tuple[float, float]:
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


@dataclass(frozen=True)
class Way:
    """What is left out, of which cells, predicted with which costs."""

    words: str
    thought: Callable[[Table, str], Vector]
    predicted: str = "predicted_s"
    stand_ins: bool = True


def _by_machine(made: Table, name: str) -> Vector:
    return without_each(made, made.machines, name)


#: The first one decides; `no_stand_ins` and `nodes` were added after its scores had been seen.
WAYS = {
    "machines": Way("a machine", _by_machine),
    "machines_alike": Way(
        "a machine; the others drawn to as many rows each",
        lambda made, name: without_each(made, made.machines, name, alike=True),
    ),
    "no_stand_ins": Way("a machine of the first five; learned from the other four", _by_machine, stand_ins=False),
    "default_costs": Way("a machine; costs `mpi-rdma` and `gpu-rdma` for all", _by_machine, "default_s"),
    "nodes": Way("a node count of a machine", lambda made, name: without_each(made, made.jobs, name)),
    "rows": Way("random fifths of all rows", without_each_fold),
}


def study(
    found: Sequence[Cell], ways: Sequence[str] = tuple(WAYS), corrections: Sequence[str] = (PLAIN, *CORRECTIONS)
) -> Study:
    """All scores. Two minutes."""
    result: Study = {}
    for name in ways:
        way = WAYS[name]
        made = table_of([cell for cell in found if way.stand_ins or cell.machine not in STAND_INS], way.predicted)
        result[name] = {one: outcome(made, way.thought(made, one)) for one in corrections}
    return result


def read() -> Study:
    """The kept scores."""
    kept = json.loads(KEPT.read_text(encoding="utf-8"))["scores"]
    return {way: {name: _outcome(one) for name, one in by.items()} for way, by in kept.items()}


def _outcome(kept: dict[str, Any]) -> Outcome:
    return Outcome(kept["r2"], {machine: Scored(**one) for machine, one in kept["machines"].items()})


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.validation.residuals", description=__doc__)
    parser.add_argument("--anew", action="store_true", help="simulate all cells again")
    parser.add_argument("--measured", type=Path, default=MEASURED, metavar="FOLDER", help="the public measurements")
    asked = parser.parse_args()
    if asked.anew:
        if not asked.measured.is_dir():
            parser.error(f"there is no folder {asked.measured}: give the one with pico/ and nccl-h100-pairs/")
        cells.write(cells.made(asked.measured, lambda said: print(said, file=sys.stderr, flush=True)))
    import sklearn

    found = study(cells.read())
    kept = {"scikit_learn": sklearn.__version__, "scores": found}
    files.write(str(KEPT), (json.dumps(kept, indent=1, default=asdict) + "\n").encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
