"""What an experiment's tables say as a whole: correlations, where a gain ends, how two causes combine.

Each kind is a module with the columns of its tables, their rows, and sentences. The rows are longer tables of the
experiment, so that charts, tables and claims can ask for them by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...results import Column, Table
from . import combination, correlation, saturation

if TYPE_CHECKING:
    from ...results.rows import Row
    from ..schema import Experiment, Reading
    from ..tables import Outcome

#: Columns of the tables, without those of `each`.
TABLES: dict[str, tuple[Column, ...]] = {
    "correlation": correlation.COLUMNS,
    "saturation": saturation.COLUMNS,
    "doublings": saturation.STEPS,
    "combination": combination.COLUMNS,
}


def tables_of(spec: Experiment) -> dict[str, list[str]]:
    """Names of the columns of the tables that an experiment asks for."""
    return {name: [*groups, *(column.name for column in TABLES[name])] for name, groups in _asked(spec).items()}


def add(outcome: Outcome) -> None:
    """Makes these tables of an experiment. O(rows log rows) for each."""
    made: dict[str, list[Row]] = {name: [] for name in _asked(outcome.part.spec)}
    for correlate in outcome.part.spec.correlate:
        made["correlation"] += correlation.rows(correlate, _table(outcome, correlate.table))
    for saturates in outcome.part.spec.saturation:
        for whole, steps in saturation.found(saturates, _table(outcome, saturates.table)):
            made["saturation"].append(whole)
            made["doublings"] += steps
    for combine in outcome.part.spec.combine:
        made["combination"] += combination.rows(combine, _table(outcome, combine.table))
    for name, groups in _asked(outcome.part.spec).items():
        columns = [Column(group, outcome.table.unit(group), "axis of the study") for group in groups]
        outcome.longer[name] = Table(f"{outcome.table.name}-{name}", [*columns, *TABLES[name]], made[name])


def sentences(outcome: Outcome) -> list[str]:
    """One for each correlation, each group that saturates or does not, and each combination of two causes."""
    spec, said = outcome.part.spec, []
    if spec.correlate:
        said += [_headed(spec.correlate, row, correlation.sentence(row)) for row in outcome.longer["correlation"].rows]
    if spec.saturation:
        said += [_headed(spec.saturation, row, saturation.sentence(row)) for row in outcome.longer["saturation"].rows]
    for combine in spec.combine:
        said += combination.sentences(combine, outcome.longer["combination"])
    return said


def _headed(asked: Sequence[Reading], row: Row, words: str) -> str:
    groups = dict.fromkeys(name for one in asked for name in one.each)
    return combination.headed({name: row[name] for name in groups if row.get(name) is not None}, words)


def _table(outcome: Outcome, name: str) -> Table:
    return outcome.named(name) or Table("", [])


def _asked(spec: Experiment) -> dict[str, list[str]]:
    """The tables asked for, each with the columns that its groups have."""
    kinds: dict[str, Sequence[Reading]] = {
        "correlation": spec.correlate,
        "saturation": spec.saturation,
        "doublings": spec.saturation,
        "combination": spec.combine,
    }
    groups = {name: [group for one in kind for group in one.each] for name, kind in kinds.items() if kind}
    return {name: list(dict.fromkeys(own)) for name, own in groups.items()}
