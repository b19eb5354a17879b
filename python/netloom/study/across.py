"""Charts over several experiments: any columns of any evaluators, joined by the axes that the experiments share."""

from __future__ import annotations

from collections.abc import Mapping

from .. import report
from ..plot.style import axis_label
from ..report.pictures import shown
from ..results import Table
from .better import more_is_better
from .schema import Across, Measure
from .tables import Outcome

#: What a row is known by.
Key = tuple[object, ...]


def across(chart: Across, outcomes: Mapping[str, Outcome]) -> report.Section:
    """The chart, or a text that says why there is none."""
    found = [_values(measure, chart.by, outcomes) for measure in chart.measures]
    keys = [key for key in found[0] if all(key in values for values in found)]
    if not keys:
        return report.Text(chart.title, f"No value of {', '.join(chart.by)} has all of these measures.")
    names = {key: ", ".join(shown(cell) for cell in key) for key in keys}
    if chart.kind == "pareto":
        # The number keeps two measures of one column apart; the end of the name still tells its unit.
        x, y = (f"{i} {measure.column}" for i, measure in enumerate(chart.measures))
        data: dict[str, list[object]] = {
            x: [found[0][key] for key in keys],
            y: [found[1][key] for key in keys],
            "name": [names[key] for key in keys],
        }
        labels = [measure.label or axis_label(measure.column) for measure in chart.measures]
        return report.Chart(
            chart.title,
            "pareto",
            data,
            x=x,
            y=y,
            series="name",
            x_label=labels[0],
            y_label=labels[1],
            caption=chart.caption or "Less is better on both axes. Filled points are beaten by no other.",
        )
    base = tuple(chart.baseline) or None
    if base is not None and base not in names:
        return report.Text(chart.title, f"{', '.join(map(str, base))}, the baseline, has not all of these measures.")
    data = {"measure": [], "relative": [], "name": []}
    for measure, values in zip(chart.measures, found, strict=True):
        most = _most(measure, outcomes)
        best = values[base] if base else (max if most else min)(values[key] for key in keys)
        for key in keys:
            data["measure"].append(measure.label or axis_label(measure.column).partition(" (")[0])
            data["relative"].append(_relative(values[key], best, most, None if base else 1.0))
            data["name"].append(names[key])
    best_of = "the best of it: 1, on the outside, is the best."
    if base is not None:
        best_of = f"{names[base]}: more than 1 is better."
    caption = chart.caption or f"Each measure relative to {best_of}"
    return report.Chart(chart.title, "radar", data, x="measure", y="relative", series="name", caption=caption)


def _most(measure: Measure, outcomes: Mapping[str, Outcome]) -> bool:
    if measure.most is not None:
        return measure.most
    part = outcomes[measure.experiment].part
    return more_is_better(part.spec, part.evaluation, measure.table, measure.column)


def _values(measure: Measure, by: list[str], outcomes: Mapping[str, Outcome]) -> dict[Key, float]:
    table = (outcomes[measure.experiment].named(measure.table) or Table("", [])).where(measure.where)
    values = {key: group.aggregate(measure.column, measure.aggregate) for key, group in table.groups(by)}
    return {key: float(value) for key, value in values.items() if value is not None}


def _relative(value: float, best: float, most: bool, top: float | None) -> float | None:
    """1 for the best, or the baseline, less for worse; 0 where signs differ, None beyond all numbers; at most `top`."""
    if value == best:
        return 1.0
    over, under = (value, best) if most else (best, value)
    if not under:
        return None if top is None else 0.0
    return max(0.0, over / under) if top is None else min(top, max(0.0, over / under))
