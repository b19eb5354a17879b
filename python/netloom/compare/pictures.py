"""The rows of a comparison as a radar and as a Pareto front."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..base.errors import Fault, NetloomError, printable
from ..report import Chart
from ..report.pictures import figure_of
from .rows import Compared, names, unit_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Simulated times are sums of floats: what differs behind this digit is equal.
DIGITS = 10


def chart(kind: str, rows: Sequence[Compared]) -> Chart:
    """`radar`: every measure relative to the best of the rows, or to their baseline. `pareto`: price and time.

    Without a workload the front has the average distance instead of time; where a price is unknown, it has the cables
    of the bisection instead of the price, as endpoints per cable. Both are better if less.

    Raises
    ------
    NetloomError
        NL-X105 with fewer than three measures, `NL-A007` where a front has no axis.
    """
    called = names(rows)
    if kind == "radar":
        base = _base(rows)
        spokes = {name: _relative(values, base) for name, values in _measures(rows).items()}
        data: dict[str, list[object]] = {
            "measure": [name for name in spokes for _ in called],
            "relative": [value for values in spokes.values() for value in values],
            "network": [name for _ in spokes for name in called],
        }
        return Chart(
            "All measures",
            "radar",
            data,
            x="measure",
            y="relative",
            series="network",
            caption="Each measure as best network / this network: 1, on the outside, is the best."
            if base is None
            else f"Each measure as {called[base]} / this network: 1 is {called[base]}, more is better.",
        )
    (x_label, x), (y_label, y) = front_of(rows)
    y_name = "time_s" if rows[0]["workloads"] else "hops"
    return Chart(
        "Pareto front",
        "pareto",
        {"price": x, y_name: y, "network": called},
        x="price",
        y=y_name,
        series="network",
        x_label=x_label,
        y_label=y_label,
        caption="Less is better on both axes. Filled points, joined by steps, are beaten by no other.",
    )


def picture(kind: str, rows: Sequence[Compared]) -> Figure:
    """The same as a matplotlib figure."""
    return figure_of(chart(kind, rows))


def front_of(rows: Sequence[Compared]) -> tuple[tuple[str, list[float]], tuple[str, list[float]]]:
    """Label and values of both axes of the front, rounded so that equal numbers are equal.

    Raises
    ------
    NetloomError
        `NL-A007` where neither a price nor a bisection is known of all.
    """
    (x_label, x), (y_label, y) = _price_of(rows), _time_of(rows)
    return (x_label, list(map(rounded, x))), (y_label, list(map(rounded, y)))


def rounded(value: float) -> float:
    """To `DIGITS` significant digits."""
    return float(f"{value:.{DIGITS - 1}e}")


def _measures(rows: Sequence[Compared]) -> dict[str, list[float]]:
    """Measures where less is better."""
    found: dict[str, list[float]] = {
        "diameter": [row["diameter"] for row in rows],
        "average distance": [row["aspl"] for row in rows],
        "switches per endpoint": [row["switches"] / max(row["endpoints"], 1) for row in rows],
        "bisection per endpoint": [1 / row["bisection_per_endpoint"] if _cut(row) else 0.0 for row in rows],
    }
    prices = [price for row in rows if (price := row["usd_per_endpoint"]) is not None]
    if len(prices) == len(rows):
        found["price per endpoint"] = prices
    for at, asked in enumerate(rows[0]["workloads"]):
        found[f"time of {printable(asked['workload'])}"] = [row["workloads"][at]["time_s"] for row in rows]
    return found


def _cut(row: Compared) -> bool:
    return bool(row["bisection_per_endpoint"] > 0)


def _base(rows: Sequence[Compared]) -> int | None:
    """Number of the baseline, if there is one."""
    return next((at for at, row in enumerate(rows) if row["network"] == row.get("baseline")), None)


def _relative(values: Sequence[float], base: int | None) -> list[float | None]:
    """Best, or that of the baseline, over value: 1 for it; None where that is beyond all numbers."""
    first = min(values) if base is None else values[base]
    return [1.0 if value == first else first / value if value else None for value in values]


def _price_of(rows: Sequence[Compared]) -> tuple[str, list[float]]:
    prices = [price for row in rows if (price := row["usd_per_endpoint"]) is not None]
    if len(prices) == len(rows):
        return f"price per endpoint ({unit_of(rows)})", prices
    if all(map(_cut, rows)):
        return "endpoints per cable of the bisection", [1 / row["bisection_per_endpoint"] for row in rows]
    raise NetloomError(
        [Fault("NL-A007", "--picture", "networks with a price or a bisection", "neither is known of all")]
    )


def _time_of(rows: Sequence[Compared]) -> tuple[str, list[float]]:
    if not rows[0]["workloads"]:
        return "average distance (hops)", [row["aspl"] for row in rows]
    times = [sum(asked["time_s"] for asked in row["workloads"]) for row in rows]
    if len(rows[0]["workloads"]) == 1:
        return f"time of {printable(rows[0]['workloads'][0]['workload'])}", times
    return "time of the workloads, one after the other", times
