"""What a comparison comes to, in sentences that the rows decide."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.errors import NetloomError, printable
from ..base.quantities import time_text
from ..plot.front import unbeaten
from .pictures import front_of, rounded
from .rows import Compared, names


def verdict(rows: Sequence[Compared]) -> list[str]:
    """Per workload which network is fastest, which is cheapest per endpoint, and which no other beats in both.

    Notes
    -----
    Numbers that agree in ten digits tie. Cost: linear in rows and workloads, and the square of the rows for the front.
    """
    if not rows:
        return []
    said = [_fastest(rows, at) for at in range(len(rows[0]["workloads"]))]
    return [*said, _cheapest(rows), *([_front(rows)] if len(rows) > 1 else [])]


def notes(rows: Sequence[Compared]) -> list[str]:
    """What the numbers leave open: bisections that are bounds, prices that are not known."""
    said = []
    for name, row in zip(names(rows), rows, strict=True):
        if not row["bisection"]["exact"]:
            said.append(f"{name}: the bisection is that of the best cut found")
        if row["usd"] is None:
            said.append(f"{name}: price {row['price']}")
    return said


def _fastest(rows: Sequence[Compared], at: int) -> str:
    workload = printable(rows[0]["workloads"][at]["workload"])
    times = [rounded(row["workloads"][at]["time_s"]) for row in rows]
    best, least = _least(rows, times)
    if len(rows) == 1:
        return f"`{workload}` takes {time_text(least)} on {listed(best)}."
    if len(best) == len(rows):
        return f"`{workload}`: all networks tie at {time_text(least)}."
    if len(best) > 1:
        return f"`{workload}`: {listed(best)} tie as the fastest ({time_text(least)})."
    nearest = min(time for time in times if time > least)
    others, _ = _least(rows, [time if time > least else float("inf") for time in times])
    return (
        f"`{workload}` is fastest on {listed(best)}: {time_text(least)}, {_less(least, nearest)} than "
        f"on {listed(others)}, the next."
    )


def _cheapest(rows: Sequence[Compared]) -> str:
    known = [row["usd_per_endpoint"] for row in rows]
    prices = [float("inf") if price is None else rounded(price) for price in known]
    if None not in known:
        of = ""
    elif all(price is None for price in known):
        return "The price of no network is known."
    else:
        of = " among those whose price is known"
    best, least = _least(rows, prices)
    if len(rows) == 1:
        return f"{listed(best)} costs {least:,.2f} USD per endpoint."
    if len(best) == len(rows):
        return f"All networks tie at {least:,.2f} USD per endpoint."
    if len(best) > 1:
        return f"{listed(best)} tie as the cheapest per endpoint{of} ({least:,.2f} USD)."
    return f"{listed(best)} is the cheapest per endpoint{of} ({least:,.2f} USD)."


def _front(rows: Sequence[Compared]) -> str:
    try:
        (x_label, x), (y_label, y) = front_of(rows)
    except NetloomError:
        return "There is no Pareto front: neither a price nor a bisection is known of all networks."
    called = names(rows)
    best = [called[i] for i in sorted(unbeaten(x, y))]
    what = f"({x_label.rpartition(' (')[0] or x_label} against {y_label.rpartition(' (')[0] or y_label})"
    if len(best) == len(rows):
        return f"All networks are on the Pareto front {what}: none is beaten in both."
    if len(best) == 1:
        return f"{listed(best)} alone is on the Pareto front {what}: no other is better in either."
    return f"On the Pareto front {what} are {listed(best)}; each other network is beaten by one of them."


def _least(rows: Sequence[Compared], values: Sequence[float]) -> tuple[list[str], float]:
    """Who has the least value, and the value."""
    least = min(values)
    return [name for name, value in zip(names(rows), values, strict=True) if value == least], least


def _less(value: float, other: float) -> str:
    percent = 100 * (1 - value / other)
    return "less than 0.1 % less" if percent < 0.1 else f"{percent:.{0 if percent >= 10 else 1}f} % less"


def listed(words: Sequence[str]) -> str:
    """`` `a`, `b` and `c` ``, each as code."""
    quoted = [f"`{word}`" for word in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
