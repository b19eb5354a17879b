"""What an experiment asks of packets that flows do not know: none of its runs can be left to flows then."""

from __future__ import annotations

from collections.abc import Iterator

from ..evaluate import evaluator
from ..evaluate.base import Options
from .schema import Experiment, Query, Study

#: The evaluators of packets and of flows.
PACKETS, FLOWS = "packet", "time"
#: Options that say how packets travel or are computed, without which flows answer the same question.
DROPPED = ("switch", "threads", "parallel", "links", "fast_within")
#: Columns that say what was left out.
ABOUT = ("fast_over", "fast_error", "fast_error_s")


def by_options(options: Options) -> str:
    """Why a run with these options of packets cannot be left to flows; "" if it can."""
    if options["fast"]:
        return "its packets are extrapolated already (option fast)"
    if options["stop_after_s"] is not None:
        return "its runs are stopped after a time (option stop_after_s)"
    known = {option.name for option in evaluator(FLOWS).options} | set(DROPPED)
    own = (o.name for o in evaluator(PACKETS).options if o.name not in known and options[o.name] != o.default)
    name = next(own, "")
    return f"only packets have {name}" if name else ""


def by_reading(name: str, study: Study) -> str:
    """Why the study cannot do with flows in an experiment: what it reads of it that only packets know; "" if it can."""
    packets, flows = evaluator(PACKETS), evaluator(FLOWS)
    columns = {column.name for column in packets.columns} - {column.name for column in flows.columns} - set(ABOUT)
    tables = packets.tables.keys() - flows.tables.keys()
    for experiment, table, column in _read(study):
        if experiment == name and (table in tables or (not table and column in columns)):
            return f"the study reads {table or column}, which only packets have"
    return ""


def _read(study: Study) -> Iterator[tuple[str, str, str]]:
    """Experiment, table and column of all that a study reads; lists of rows, which may have gaps, are not."""
    for experiment in study.experiment:
        yield from _read_in(experiment)
    for chart in study.chart:
        yield from ((one.experiment, one.table, one.column) for one in chart.measures)


def _read_in(spec: Experiment) -> Iterator[tuple[str, str, str]]:
    for chart in spec.chart:
        more = [chart.series] if isinstance(chart.series, str) else chart.series
        yield from ((spec.name, chart.table, column) for column in (chart.x, chart.y, chart.facet, *more))
    yield from ((spec.name, table.table, table.values) for table in spec.table)
    yield from ((spec.name, best.table, best.column) for best in spec.best)
    for compare in spec.compare:
        yield from ((spec.name, "", column) for column in (compare.column, compare.to))
    for claim in spec.claim:
        yield claim.of.experiment or spec.name, claim.of.table, claim.of.column
        if isinstance(claim.to, Query):
            table, column = claim.to.table or claim.of.table, claim.to.column or claim.of.column
            yield claim.to.experiment or claim.of.experiment or spec.name, table, column
    for reading in (*spec.correlate, *spec.saturation, *spec.combine):
        yield from ((spec.name, reading.table, column) for columns in reading.asked().values() for column in columns)
    if spec.performance is not None:
        yield from ((spec.name, "", column) for column in (spec.performance.time, spec.performance.bytes))
    if spec.emit is not None:
        yield spec.name, "", spec.emit.by
