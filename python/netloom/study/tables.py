"""Results as tables: one row per run in the plan's order, derived columns, and what was skipped with its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..evaluate import Evaluator
from ..results import Column, Table
from ..results.rows import Cell
from . import readings
from .plan import Part
from .runs import Run
from .schema import Compare
from .sealed import UNUSED, Record
from .spared import Spared


@dataclass
class Outcome:
    """The results of an experiment.

    Parameters
    ----------
    table
        Axes, then the evaluation's columns, then derived ones.
    longer
        The evaluation's longer tables by name, each with the axes in front.
    skipped
        Runs that were refused, with code and reason.
    """

    part: Part
    table: Table
    skipped: Table
    longer: dict[str, Table] = field(default_factory=dict)
    #: The runs behind the rows of `table`.
    runs: list[Run] = field(default_factory=list)
    #: Inputs that were given and changed nothing: name and reason, and in how many runs.
    unused: Counter[tuple[str, str]] = field(default_factory=Counter)
    #: What `--fast` left to flows; None without it.
    spared: Spared | None = None

    def unused_words(self) -> list[str]:
        """A sentence for each input that changed nothing in some runs."""
        runs = len(self.table.rows)
        return [
            f"{name} has no effect in {f'{count} of {runs} runs' if count < runs else 'any run'}: {why}"
            for (name, why), count in self.unused.items()
        ]

    def named(self, name: str) -> Table | None:
        """The main table for "", else a longer one."""
        return self.longer.get(name) if name else self.table


def outcome_of(part: Part, records: Mapping[str, Record]) -> Outcome:
    """Gather the runs of one experiment. O(rows)."""
    name = part.spec.name
    axes = [axis_column(part.evaluation, axis) for axis in part.axes]
    table = Table(name, [*axes, *part.evaluation.columns])
    skipped = Table(f"{name}-skipped", [*axes, Column("code"), Column("reason")])
    outcome = Outcome(part, table, skipped)
    for run in part.runs:
        record = records[run.key]
        labels: dict[str, Cell] = dict(run.labels)
        if record["status"] != "done":
            code, place, expected, got, _ = record["faults"][0]
            reason = f"{place} must be {expected}, got {got}" if got else f"{place}: {expected}"
            skipped.rows.append(labels | {"code": code, "reason": reason})
            continue
        measured = part.measured
        table.rows.append(labels | record["row"] | (measured.mean(labels, record["row"]) if measured else {}))
        outcome.runs.append(run)
        outcome.unused.update(record.get(UNUSED, {}).items())
        for longer, rows in record["tables"].items():
            if longer not in outcome.longer:
                columns = [*axes, *part.evaluation.tables[longer]]
                outcome.longer[longer] = Table(f"{name}-{longer}", columns)
            more = measured.each(labels) if measured and longer == measured.table else {}
            outcome.longer[longer].rows.extend(labels | row | more.get(row.get("communicator"), {}) for row in rows)
    for compared, rows_of in part.evaluation.compared.items():
        rows = rows_of(table, outcome.longer, part.axes)
        if rows:
            # Rows that stand for several runs have no value of the axes by which these differ.
            own = {cell for row in rows for cell in row}
            columns = [*(axis for axis in axes if axis.name in own), *part.evaluation.tables[compared]]
            outcome.longer[compared] = Table(f"{name}-{compared}", columns, rows)
    for compare in part.spec.compare:
        _derive(table, part, compare)
    # A column that no run filled, such as an optimiser's where none ran, is dropped.
    filled = table.rows.filled()
    table.columns = [c for c in table.columns if c.name in filled or not table.rows]
    readings.add(outcome)
    return outcome


def axis_column(evaluation: Evaluator, axis: str) -> Column:
    """The column of an axis."""
    spec = evaluation.axis(axis)
    return Column(axis, "B" if spec and spec.kind == "bytes" else "", spec.help if spec else "axis of the study")


def _derive(table: Table, part: Part, compare: Compare) -> None:
    """Add a column that sets every row against the one that differs in the baseline's axes only, or against itself."""
    units = {"percent-less": "%", "ratio": "", "difference": table.unit(compare.column)}
    if compare.to:
        pairs = [(row.get(compare.column), row.get(compare.to)) for row in table.rows]
        about = f"{compare.column}: {compare.as_} against {compare.to}"
        table.add(
            Column(compare.name, units[compare.as_], about), [relate(compare.as_, one, other) for one, other in pairs]
        )
        return
    keys = [axis for axis in part.axes if axis not in compare.baseline and axis not in compare.ignoring]
    base: dict[object, Cell] = {}
    for row in table.where(compare.baseline).rows:
        base[tuple(row.get(key) for key in keys)] = row.get(compare.column)
    words = ", ".join(f"{key} = {value}" for key, value in compare.baseline.items())
    about = f"{compare.column}: {compare.as_} against {words}"
    values = [
        relate(compare.as_, row.get(compare.column), base.get(tuple(row.get(k) for k in keys))) for row in table.rows
    ]
    table.add(Column(compare.name, units[compare.as_], about), values)


def relate(how: str, value: object, reference: object) -> float | None:
    """`percent-less` is 100 (1 - value / reference); None where either is unknown or the reference is 0."""
    if not isinstance(value, (int, float)) or not isinstance(reference, (int, float)):
        return None
    if how == "difference":
        return value - reference
    if reference == 0:
        return None
    return 100.0 * (1.0 - value / reference) if how == "percent-less" else value / reference
