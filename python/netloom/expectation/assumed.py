"""Which algorithm ran where a log does not say: the quickest of those that libraries have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..validation.predict import ranks_are_gpus, time_s
from ..workload import DEFAULT

if TYPE_CHECKING:
    from ..measured import Measurement
    from ..validation import Predictor
    from ..validation.predict import Prepared

#: Algorithms of MPICH, Open MPI and NCCL, by collective; those with a star run over a channel for each GPU of a node.
USUAL: dict[str, tuple[str, ...]] = {
    "allreduce": ("recursive-doubling", "rabenseifner", "ring", "ring*", "double-tree*"),
    "allgather": ("recursive-doubling", "bruck", "ring", "ring*"),
    "reduce-scatter": ("recursive-halving", "pairwise", "ring", "ring*"),
    "alltoall": ("linear", "pairwise", "bruck"),
    "broadcast": ("binomial", "scatter-allgather", "scatter-ring", "double-tree", "chain*"),
    "reduce": ("binomial", "rabenseifner", "chain*"),
    "gather": ("binomial", "linear"),
    "scatter": ("binomial", "linear"),
    "barrier": ("dissemination", "recursive-doubling"),
    "scan": ("recursive-doubling",),
    "exscan": ("recursive-doubling",),
}
SAYS = "the log does not say which algorithm ran: the quickest of those that libraries have is expected"


@dataclass(frozen=True)
class Assumed:
    """A row as it is simulated.

    Attributes
    ----------
    row
        As the log has it.
    prepared
        With the algorithm that it is taken for.
    expected_s
        Simulated.
    """

    row: Measurement
    prepared: Prepared
    expected_s: float

    @property
    def is_assumed(self) -> bool:
        """Whether the log does not name the algorithm."""
        return self.row.algorithm != self.prepared.row.algorithm

    @property
    def curve(self) -> str:
        """Rows of one collective and algorithm, as the log has it."""
        return f"{self.row.collective}:{self.row.algorithm}" if self.row.algorithm else self.row.collective


def assume(predictor: Predictor, rows: Sequence[Measurement], progress: Callable[[int], object]) -> list[Assumed]:
    """Every row that can be simulated, with its time; the others are in `predictor.dropped`.

    Notes
    -----
    Cost: one simulation of a row whose algorithm is known, at most five of another.
    """
    are_gpus, found = ranks_are_gpus(predictor.base), []
    for done, row in enumerate(rows):
        progress(done)
        tried = []
        start = len(predictor.dropped)
        for one in candidates(row, are_gpus):
            before = len(predictor.prepared)
            predictor.prepare([one])
            tried += [Assumed(row, made, time_s(made)) for made in predictor.prepared[before:]]
        if tried:
            # Algorithms that do not run on as many ranks are no reason to leave the row out.
            del predictor.dropped[start:]
            found.append(min(tried, key=lambda one: one.expected_s))
        else:
            del predictor.dropped[start + 1 :]
    return found


def candidates(row: Measurement, are_gpus: bool) -> list[Measurement]:
    """The row as each algorithm that may have run: itself if it names one."""
    usual = USUAL.get(row.collective)
    if row.algorithm not in (DEFAULT, "") or usual is None:
        return [row]
    channels = row.ranks_per_node if are_gpus else 1
    return [
        replace(row, algorithm=f"{name[:-1]}(channels={channels},local={channels})" if name.endswith("*") else name)
        for name in usual
        if channels > 1 or not name.endswith("*")
    ]
