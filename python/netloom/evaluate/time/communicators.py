"""Communicators that run side by side, each in a collective: the time of a call and its bandwidth."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING

from ... import _core
from ...results import Column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...base.arrays import Column as Ends
    from ...jobs import PlacedJob
    from ...workload import Workload
    from ..answer import Row

#: Of the main table.
BANDWIDTH = Column(
    "bandwidth_bytes_per_s",
    "B/s",
    "of a collective: ranks times its size, over the time of a call; the mean over communicators",
)
COLUMNS = (
    Column("job", "", "name"),
    Column("communicator", "", "number, from 0"),
    Column("collective", "", "what it calls"),
    Column("communicator_ranks", "", "its ranks"),
    Column("communicator_bytes", "B", "its ranks times the size of the collective: the axis of figures of bandwidth"),
    Column("time_s", "s", "time of a call, until its last rank has ended"),
    Column("rank_0_s", "s", "time of a call, until its rank 0 has ended"),
    Column("bandwidth_bytes_per_s", "B/s", "communicator_bytes / time_s"),
)


def communicators(jobs: Sequence[PlacedJob], loads: Sequence[Workload], ends: Sequence[Ends]) -> list[Row]:
    """A row for each, where jobs do nothing but call one collective in each communicator; else none. O(actions).

    The bytes are those of Swartvagher 2023, section 4.1.1: ranks x count x type, where the count is that of MPI's call.
    """
    rows: list[Row] = []
    for job, load, end in zip(jobs, loads, ends, strict=True):
        found = _of(load, job.ranks)
        if found is None:
            return []
        for number, (collective, ranks, size, calls, members) in enumerate(found):
            own = [float(end[rank]) for rank in members]
            done = [(last - job.start_s) / (calls * job.repetitions) if calls else nan for last in (max(own), own[0])]
            # A comparison with NaN, of a rank that was stopped, is no bound.
            took, first = (None if any(rank != rank for rank in own) else time_s for time_s in done)
            volume = ranks * size
            rows.append(
                {
                    "job": job.name,
                    "communicator": number,
                    "collective": collective,
                    "communicator_ranks": ranks,
                    "communicator_bytes": volume,
                    "time_s": took,
                    "rank_0_s": first,
                    "bandwidth_bytes_per_s": volume / took if took and volume else None,
                }
            )
    return rows


def _of(load: Workload, ranks: int) -> list[tuple[str, int, int, int, Sequence[int]]] | None:
    """Collective, ranks, size, calls and members of each."""
    if isinstance(load, _core.Schedule):
        return [(load.collective, ranks, load.size_bytes, 1, range(ranks))]
    return load.communicators() if isinstance(load, _core.Programs) else None  # type: ignore[return-value]


def mean_bandwidth(rows: Sequence[Row]) -> float | None:
    """None where one is not known."""
    found = [row["bandwidth_bytes_per_s"] for row in rows]
    known = [one for one in found if isinstance(one, float)]
    return sum(known) / len(known) if known and len(known) == len(found) else None
