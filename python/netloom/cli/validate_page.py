"""The page of `netloom validate`: predicted over measured times, errors by size and nodes, every row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..report import AnswerPage, Chart, Number
from .pages import facts

if TYPE_CHECKING:
    from ..validation import Validation


def page(found: Validation) -> AnswerPage:
    """Of a validation."""
    total = found.score
    rows = [
        {
            "place": one.row.place,
            "collective": one.row.collective,
            "algorithm": one.row.algorithm,
            "nodes": one.row.nodes,
            "ranks_per_node": one.row.ranks_per_node,
            "size_bytes": one.row.bytes,
            "measured_s": one.row.time_s,
            "predicted_s": one.predicted_s,
            "error_percent": 100 * one.error,
        }
        for one in found.compared
    ]
    data = {name: [row[name] for row in rows] for name in rows[0]}
    answer = (
        f"Half of {total.rows} measured times are within {100 * total.median:.1f} % of what netloom says of "
        f"`{found.machine}`, nine tenths within {100 * total.p90:.1f} %."
    )
    numbers = [
        Number("median error", f"{100 * total.median:.1f} %"),
        Number("90 % below", f"{100 * total.p90:.1f} %"),
        Number("predicted / measured", f"{total.bias:.3f}", note="median"),
    ]
    if total.regret is not None:
        numbers.append(Number("regret", f"{total.regret:.3f}", note=f"mean of {len(total.choices)} choices"))
    pictures = [
        Chart(
            "Predicted over measured", "scatter", data, x="measured_s", y="predicted_s", series="collective", log="xy",
            x_label="measured", y_label="predicted", caption="A point on the diagonal is predicted exactly.",
        ),
        Chart(
            "Error by size", "scatter", data, x="size_bytes", y="error_percent", series="collective", log="x",
            y_label="error (%)",
        ),
        Chart(
            "Error by nodes", "scatter", data, x="nodes", y="error_percent", series="collective", log="x",
            y_label="error (%)",
        ),
    ]  # fmt: skip
    choices = [
        {"collective": one.collective, "nodes": one.nodes, "size_bytes": one.bytes, "chosen": one.chosen,
         "best": one.best, "regret": one.regret}
        for one in total.choices
    ]  # fmt: skip
    says = [f"Not used: {count} rows: {reason}." for reason, count in found.reasons().items()]
    record = {"rows": total.rows, "median_error": total.median, "p90_error": total.p90, "regret": total.regret}
    tables = {"by algorithm": found.by_algorithm(), "choices": choices, "rows": rows}
    return AnswerPage(
        f"Predictions of {found.machine} held against measurements", answer, numbers, pictures, record, tables,
        [*found.notes, *says], (), facts(),
    )  # fmt: skip
