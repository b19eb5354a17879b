"""Passes a bound scenario to the compiled core, and turns its answers into rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from .. import _core
from ..network.spread import all_paths
from ..results import Column
from ..results.rows import Cell, known_cell
from .answer import Row

if TYPE_CHECKING:
    from ..base.records import Found
    from ..jobs import PlacedJob
    from ..scenario import Question
    from ..scenario.background import Flow
    from ..workload import Workload


def alone(bound: Question, load: Workload, routing: str | None = None) -> _core.Scenario:
    """The only job of a scenario, its messages alone: no times, no choice among paths."""
    job = _core.Job("job", load, bound.mapping, bound.place.seats, routing=routing)
    return _core.Scenario(bound.site.routed, [job], machine=_combining(bound, [load]), node=bound.site.node)


def several(
    bound: Question,
    loads: Sequence[Workload],
    routing: str | None = None,
    background: Sequence[Flow] = (),
    machine: Mapping[str, object] | None = None,
    split: bool = False,
    placed: Sequence[PlacedJob] | None = None,
    network: _core.Network | None = None,
) -> _core.Scenario:
    """All jobs of a scenario, or those that are `placed`, with their workloads; `routing` replaces `auto`.

    With `split`, all shortest paths share every message, whatever the jobs say. `network` stands for the scenario's.
    """
    jobs = [
        _core.Job(
            job.name,
            load,
            job.places(),
            job.seats,
            routing=all_paths(bound.network) if split else bound.site.routing_of(job.routing, routing),
            variant=None if split else bound.site.variant_of(job),
            start=job.start_s or None,
            repetitions=_times(job),
        )
        for job, load in zip(bound.jobs if placed is None else placed, loads, strict=True)
    ]
    settings = _combining(bound, loads) if machine is None else machine
    routed = bound.site.routed if network is None else network
    return _core.Scenario(routed, jobs, list(background), settings, bound.site.node)


def numbered(bound: Question) -> _core.Network:
    """The network whose links answers number: with an endpoint inside each switch that takes part in the only job."""
    load = None if bound.several else bound.workload
    if isinstance(load, _core.Schedule) and load.switches:
        return several(bound, [load]).network
    return bound.network


def _combining(bound: Question, loads: Sequence[Workload]) -> Mapping[str, object] | None:
    """The settings where they count without times: which switches combine for a collective in the network."""
    return bound.site.settings if any(isinstance(load, _core.Schedule) and load.switches for load in loads) else None


def _times(job: PlacedJob) -> int | None:
    return None if job.repetitions == 1 else job.repetitions


def count(found: Found, name: str) -> int:
    """An integer of the core's record."""
    value = found["record"][name]
    assert isinstance(value, int)
    return value


def number(found: Found, name: str) -> float:
    """A number of the core's record."""
    value = found["record"][name]
    assert isinstance(value, (int, float))
    return float(value)


def rows(table: Mapping[str, Sequence[Cell]]) -> Iterator[Row]:
    """The columns of a table of the core as rows."""
    for cells in zip(*table.values(), strict=True):
        yield dict(zip(table, cells, strict=True))


@cache
def _fields(evaluator: str) -> tuple[Column, ...]:
    row = next(row for row in _core.evaluators() if row["name"] == evaluator)
    return tuple(Column(*field) for field in row["fields"])


def known(found: Found, table: str) -> list[Row]:
    """The rows of a table of the core, None where it knows no number; none if it made no such table."""
    return [{name: known_cell(cell) for name, cell in row.items()} for row in rows(found["tables"].get(table, {}))]


def table_columns(evaluator: str, table: str, *names: str) -> tuple[Column, ...]:
    """The columns of one of the core's tables, all or some of them."""
    row = next(row for row in _core.evaluators() if row["name"] == evaluator)
    _, fields = row["tables"][table]
    return tuple(Column(*field) for field in fields if not names or field[0] in names)


def columns(evaluator: str, *names: str, **renamed: str) -> tuple[Column, ...]:
    """The columns of the core's record, all or some of them; `renamed` gives ours by the core's name."""
    found = {column.name: column for column in _fields(evaluator)}
    wanted = names or tuple(found)
    return tuple(Column(renamed.get(name, name), found[name].unit, found[name].help) for name in wanted)
