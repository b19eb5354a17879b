"""What an experiment says if its study asks for nothing: the least of its evaluator's main number, and a chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..evaluate.base import Evaluator
from ..plot.style import words_of
from .readings import tables_of
from .schema import Best, Chart, Experiment

#: Axes that are the question: a value is not better than another, it is something else.
ASKED = ("ranks", "size_bytes")
#: Most bars of an axis, and most series of bars side by side.
BARS, MOST_SERIES = 12, 8


def answered(spec: Experiment, evaluation: Evaluator, labels: Mapping[str, Sequence[object]]) -> Experiment:
    """The experiment, with an answer if it has none of its own.

    Parameters
    ----------
    labels
        Distinct values of each axis.
    """
    asked = (spec.best, spec.chart, spec.table, spec.claim, spec.compare, spec.drawing, spec.emit, tables_of(spec))
    if any(asked) or not evaluation.headline:
        return spec
    column = evaluation.headline
    return spec.model_copy(update={"best": [Best(column=column, each=_each(labels))], "chart": _charts(column, labels)})


def _each(labels: Mapping[str, Sequence[object]]) -> list[str]:
    """What is answered one by one: questions, and workloads too unless they are algorithms of one operation."""
    operations = {str(label).partition(":")[0] for label in labels.get("workload", ())}
    asked = ASKED if len(operations) < 2 else (*ASKED, "workload")
    return [name for name in labels if name in asked and len(labels[name]) > 1]


def _charts(column: str, labels: Mapping[str, Sequence[object]]) -> list[Chart]:
    """Bars over the axis with most values, side by side for another; none where they could not be told apart."""
    varied = sorted((name for name in labels if len(labels[name]) > 1), key=lambda name: -len(labels[name]))
    if not varied or len(labels[varied[0]]) > BARS:
        return []
    series = [name for name in varied[1:2] if len(labels[name]) <= MOST_SERIES]
    return [Chart(title=words_of(column).capitalize(), kind="bar", x=varied[0], y=column, series=series)]
