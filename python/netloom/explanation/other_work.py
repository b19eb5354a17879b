"""Other workloads and mappings for the run: computing in balance, the fastest algorithms, a mapping from a search."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from .. import _core
from ..base.arrays import ndarray
from ..base.errors import NetloomError
from ..base.registries import catalogue
from ..evaluate import bound_of, evaluator
from ..evaluate.time.alone import loads_of
from ..mapping.place import places_of
from ..scenario.search import search
from ..tuning.bound import Where
from ..tuning.budget import Effort
from ..tuning.machine import machine_of
from ..tuning.tables import algorithms_of, simulated, timed, winners
from ..tuning.taking import Allowance
from ..workload import by_collective
from ..workload.traces import ONE, TraceCall, read_record, recognised, said_part, trace_call
from .routes import LeftOut, first_line

if TYPE_CHECKING:
    from ..jobs import PlacedJob
    from ..scenario import Question, Scenario
    from ..workload import Workload
    from .parts import Floats

#: Most ranks whose computing is scaled one by one.
BALANCED = 4096
#: Evaluations of each method of the search.
SWAPS = 2000


def trace_of(bound: Question) -> TraceCall | None:
    """The trace that is the only job's workload; None of another workload."""
    if bound.several:
        return None
    source = bound.work.source_of(bound.jobs[0])
    if not isinstance(source, str):
        return None
    call = trace_call(source)
    if call is None and recognised(source) is not None:
        call = TraceCall(source, None, ONE)
    return call


def balanced(bound: Question, computing_s: Floats) -> tuple[list[Workload], int]:
    """The same trace with the mean of the computing on every rank that computes, and how many do not.

    Raises
    ------
    LeftOut
        Where that cannot be had.
    """
    call = trace_of(bound)
    if call is None:
        raise LeftOut("only the computing of one trace can be scaled rank by rank")
    works = computing_s > 0
    if not works.any():
        raise LeftOut("no rank computes")
    if len(computing_s) > BALANCED:
        raise LeftOut(f"more than {BALANCED:,} ranks")
    factors = np.where(works, computing_s[works].mean() / np.where(works, computing_s, 1.0), 1.0)
    for first, last, own in call.scale[0]:
        factors[first : last + 1] *= own
    each = ";".join(f"{rank}={float(factor)!r}" for rank, factor in enumerate(factors))
    path = call.path.replace("\\", "\\\\").replace('"', '\\"')
    text = f'{call.format or "trace"}("{path}",compute="{each}",bytes={call.scale[1]!r}{said_part(call.scale[2])})'
    return _loads(bound, bound.scenario.but(workload=text)), int((~works).sum())


def _loads(bound: Question, scenario: Scenario) -> list[Workload]:
    try:
        return loads_of(bound_of(evaluator("time"), scenario, bound.workshop, bound.progress))
    except NetloomError as error:
        raise LeftOut(first_line(error)) from None


def placed(bound: Question) -> PlacedJob:
    """The only job with the mapping that a short search finds.

    Raises
    ------
    LeftOut
        Where nothing can be searched.
    """
    if bound.several:
        raise LeftOut("a search moves the ranks of one job, and there are several")
    try:
        found = search(bound, f"best(swaps={SWAPS})")
    except NetloomError as error:
        raise LeftOut(first_line(error)) from None
    mapping, seats = places_of(found.slots, bound.site.cores)
    return replace(bound.jobs[0], mapping=ndarray(mapping), seats=None if seats is None else ndarray(seats))


def sizes_of(bound: Question, load: Workload, calls: set[str]) -> dict[str, int]:
    """Bytes of a call of each collective: of a schedule its size, of a trace the mean.

    Raises
    ------
    LeftOut
        Where these are not known, or nothing calls a collective.
    """
    if isinstance(load, _core.Schedule):
        return {load.collective: load.size_bytes}
    called = calls & {str(row["name"]).partition(":")[0] for row in catalogue("collectives")}
    if not called:
        raise LeftOut("no collective is called")
    call = trace_of(bound)
    if call is None:
        raise LeftOut("the sizes of calls are known of one trace or one collective")
    sums = read_record(call.path, format=call.format, scale=call.scale).survey["calls"]
    made = {name: round(one.bytes / one.calls) for name, one in sums.items() if name in called and one.calls}
    if not made:
        raise LeftOut("the record does not say how long its collectives' messages are")
    return made


def fastest(bound: Question, collective: str, size_bytes: int) -> tuple[str, int]:
    """The fastest algorithm of all ranks at a size, and of how many.

    Raises
    ------
    LeftOut
        Where none can be timed.
    """
    where = Where(bound.mapping, bound.integer("root"), bound.site.node, bound.place.seats)
    try:
        names = algorithms_of(collective)
        allowance = Allowance(Effort.of(bound, names, [size_bytes]), True)
        made = timed(
            bound.network, collective, where=where, sizes=[size_bytes], algorithms=names,
            clock=simulated(machine_of(bound.scenario)), allowance=allowance,
        )  # fmt: skip
    except NetloomError as error:
        raise LeftOut(first_line(error)) from None
    return winners(made)[0][1], len(made.table.rows)


def with_algorithm(bound: Question, load: Workload, collective: str, algorithm: str) -> list[Workload]:
    """The workload with another algorithm of a collective."""
    if isinstance(load, _core.Schedule):
        if algorithm == load.label.partition(",")[0]:
            raise LeftOut(f"{algorithm} is the fastest already")
        return _loads(bound, bound.scenario.but(workload=algorithm))
    given = bound.text("algorithms")
    chosen = {**(by_collective(given) if given else {}), collective: algorithm}
    return _loads(bound, bound.scenario.but(algorithms="; ".join(sorted(chosen.values()))))
