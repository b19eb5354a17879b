"""Time that the ranks of a recorded run spend in each call of MPI: the mean, the least and the most over ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...results import Column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..answer import Row
    from .of_core import Trace

#: What a rank does outside of all calls.
COMPUTE = "compute"
COLUMNS = (
    Column("job", "", "name"),
    Column("call", "", "of MPI: send, isend, waitall, allreduce, ...; compute: outside of all calls"),
    Column("mean_s", "s", "time of a rank in it, mean over the ranks of the job"),
    Column("least_s", "s", "of the rank that spends least"),
    Column("most_s", "s", "of the rank that spends most"),
    Column("most_rank", "", "that rank"),
    Column("share_percent", "%", "of the time of all ranks until their ends"),
)


def calls(trace: Trace, jobs: Sequence[tuple[str, int]]) -> list[Row]:
    """A row for each job and call that takes time, the longest first. O(intervals + ranks x calls).

    What a rank does on a thread of its own counts as its wait for it, `join`.

    Parameters
    ----------
    jobs
        Name and number of ranks of each.
    """
    import numpy as np

    names, given = trace["calls"], trace["intervals"]
    cell = given["rank"].astype(np.int64) * len(names) + given["call"].astype(np.int64)
    took = given["end_s"].astype(np.float64) - given["start_s"].astype(np.float64)
    spent = np.bincount(cell, weights=took, minlength=trace["ranks"] * len(names)).reshape(-1, len(names))
    rows: list[Row] = []
    first = 0
    for name, ranks in jobs:
        own = spent[first : first + ranks]
        first += ranks
        whole = float(own.sum())
        order = np.argsort(-own.sum(axis=0), kind="stable")
        for number in (int(at) for at in order if own[:, at].any()):
            column = own[:, number]
            rows.append(
                {
                    "job": name,
                    "call": names[number] or COMPUTE,
                    "mean_s": float(column.mean()),
                    "least_s": float(column.min()),
                    "most_s": float(column.max()),
                    "most_rank": int(column.argmax()),
                    "share_percent": 100 * float(column.sum()) / whole,
                }
            )
    return rows
