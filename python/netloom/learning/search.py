"""The best subset of features: all up to a size, in parallel, the cheap look first."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import TYPE_CHECKING

import numpy as np

from ..base.workers import Workers
from .learners import Method
from .scores import r2, rcc

if TYPE_CHECKING:
    from ..base.arrays import Matrix, Vector

#: Subsets that one process rates before it says how far it is.
BATCH = 32
#: Subsets that are rated before other processes start, and seconds of work that are worth their start.
FIRST, WORTH_S = 8, 10.0
#: From so many training rows on, all subsets are first rated on a part of the rows with fewer trees.
MANY_ROWS = 1000
FEW_ROWS, FEW_TREES = 600, 12
#: Subsets that are rated whole after that look, at least and as a share.
FINALISTS, FINAL_SHARE = 50, 0.01


@dataclass(frozen=True)
class Rated:
    """A subset with its scores on the test rows."""

    features: tuple[int, ...]
    rcc: float
    r2: float

    def score(self, by: str) -> float:
        """Its score by name; what has none is worst."""
        value = self.rcc if by == "rcc" else self.r2
        return value if value == value else -math.inf


@dataclass(frozen=True)
class Task:
    """Rows that subsets are rated on."""

    method: Method
    train: Matrix[np.float64]
    observed: Vector[np.float64]
    test: Matrix[np.float64]
    wanted: Vector[np.float64]

    def rated(self, features: tuple[int, ...]) -> Rated:
        """Fits on the training rows, and scores on the test rows."""
        at = list(features)
        made = self.method.made()
        made.fit(self.train[:, at], self.observed)
        predicted = made.predict(self.test[:, at])
        return Rated(features, rcc(self.wanted, predicted), r2(self.wanted, predicted))

    def cheaper(self, look: Method | None) -> Task:
        """Another learner, or fewer trees, and fewer rows: the first ones, since rows are in drawn order."""
        fewer = replace(self.method, trees=FEW_TREES) if self.method.learner != "linear" else self.method
        method, rows = look or fewer, slice(0, FEW_ROWS)
        return Task(method, self.train[rows], self.observed[rows], self.test[rows], self.wanted[rows])


_task: Task | None = None


def _begin(task: Task) -> None:
    global _task
    _task = task
    # A process has one thread: as many processes as there are cores work already.
    os.environ["OMP_NUM_THREADS"] = "1"


def _rate(batch: Sequence[tuple[int, ...]]) -> list[Rated]:
    assert _task is not None
    return [_task.rated(features) for features in batch]


def subsets(features: int, most: int) -> int:
    """How many subsets of at most `most` features there are."""
    return sum(math.comb(features, size) for size in range(1, min(most, features) + 1))


def _all(features: int, most: int) -> Iterator[tuple[int, ...]]:
    for size in range(1, min(most, features) + 1):
        yield from combinations(range(features), size)


def _batches(found: Iterator[tuple[int, ...]]) -> Iterator[list[tuple[int, ...]]]:
    while batch := list(islice(found, BATCH)):
        yield batch


@dataclass(frozen=True)
class Searched:
    """All subsets with their scores, in the order of their features.

    Attributes
    ----------
    whole
        Those rated with all rows and trees.
    looked
        How many were rated cheaply first; 0 where all were rated whole.
    """

    whole: list[Rated]
    looked: int

    def best(self, by: str) -> Rated:
        """The subset with the best score; of equal ones the smallest, then the first."""
        return max(self.whole, key=lambda one: (one.score(by), -len(one.features), [-at for at in one.features]))


def search(
    task: Task, most: int, workers: int, said: Callable[..., object] | None = None, look: Method | None = None
) -> Searched:
    """Rates every subset of up to `most` features. The result does not depend on the workers.

    Where there are many rows every subset is first rated on some of them with few trees; the best hundredth, and at
    least fifty, by either score, are rated whole. With `look`, a cheaper learner, this is done for few rows too.
    """
    features = task.train.shape[1]
    total = subsets(features, most)
    if (look is None and len(task.train) <= MANY_ROWS) or total <= FINALISTS:
        return Searched(_rated(task, _all(features, most), total, workers, said), 0)
    first = _rated(task.cheaper(look), _all(features, most), total, workers, said)
    kept = max(FINALISTS, round(total * FINAL_SHARE))
    chosen = {
        one.features
        for by in ("rcc", "r2")
        for one in sorted(first, key=lambda one: (-one.score(by), len(one.features), one.features))[:kept]
    }
    finalists = sorted(chosen, key=lambda one: (len(one), one))
    return Searched(_rated(task, iter(finalists), len(finalists), workers, said), total)


def _rated(
    task: Task,
    found: Iterator[tuple[int, ...]],
    total: int,
    workers: int,
    said: Callable[..., object] | None,
) -> list[Rated]:
    rated: list[Rated] = []
    begun = time.monotonic()
    for features in found:
        rated.append(task.rated(features))
        if said is not None:
            said(len(rated), total)
        # Other processes are worth their start where enough is left.
        each = (time.monotonic() - begun) / len(rated)
        if workers > 1 and len(rated) >= FIRST and each * (total - len(rated)) > WORTH_S:
            break
    if len(rated) == total:
        return rated
    pool = Workers(workers, _begin, task)
    try:
        for future in [pool.submit(_rate, some) for some in _batches(found)]:
            batch = pool.result(future)
            rated += batch
            if said is not None:
                said(len(rated), total)
    finally:
        pool.close()
    return rated
