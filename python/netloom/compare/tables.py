"""The rows of a comparison as tables, and as columns of its chart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from ..base.errors import printable
from ..results import Column, Table
from ..results.rows import Cell
from .rows import Compared, names, unit_of

_NETWORKS = (
    Column("network", "", "call or file"),
    Column("endpoints", "", "endpoints"),
    Column("switches", "", "switches"),
    Column("radix", "ports", "most ports of a switch, those to endpoints included"),
    Column("diameter", "hops", "most hops between switches"),
    Column("aspl", "hops", "mean hops between switches"),
    Column("bisection", "cables", "cables between equal halves of the endpoints: the best cut found"),
    Column("bisection_lower", "cables", "a lower bound of the cut; the cut itself where it is exact"),
    Column("bisection_exact", "", "whether no smaller cut exists"),
    Column("bisection_per_endpoint", "cables", "cables of the best cut found per endpoint"),
    Column("usd", "USD", "switches and cables"),
    Column("usd_per_endpoint", "USD", "switches and cables per endpoint"),
    Column("price", "", "the cost model, or why the price is unknown"),
)
_RELATIVE = (
    Column("relative_price", "", "price over that of the baseline"),
    Column("phi", "", "performance over the weighted workloads; 1 is the baseline"),
    Column("efficiency", "", "phi over relative_price; empty for another number of endpoints"),
)
#: Columns in what the cost model counts, by default USD.
_PRICED = {"usd": "", "usd_per_endpoint": "", "rate_per_usd": "B/s/"}
_SIZES = ("network", "endpoints", "switches", "radix", "diameter", "aspl")
_PRICE = ("network", "bisection", "known", "bisection_per_endpoint", "usd", "usd_per_endpoint")
_WORKLOADS = (
    Column("network", "", "call or file"),
    Column("workload", "", "what is communicated"),
    Column("max_link_s", "s", "time that the worst link needs for its bytes"),
    Column("time_s", "s", "simulated time"),
    Column("bytes", "B", "of all messages"),
    Column("rate_bytes_per_s", "B/s", "bytes over time"),
    Column("rate_per_usd", "B/s/USD", "rate over the price of the network"),
)
_RELATIVE_RATES = (
    Column("weight", "", "how much the time counts in phi"),
    Column("relative_time", "", "time over that of the baseline"),
    Column("relative_rate", "", "rate over that of the baseline"),
    Column("relative_rate_per_usd", "", "rate over price, over that of the baseline"),
)
_SPREAD = (
    Column("least_s", "s", "least time over policies of routing and draws"),
    Column("most_s", "s", "most time over policies of routing and draws"),
)
_POLICIES = (
    Column("network", "", "call or file"),
    Column("workload", "", "what is communicated"),
    Column("policy", "", "of routing"),
    Column("routing", "", "on this network"),
    Column("variant", "", "how messages choose among its paths"),
    Column("runs", "", "draws of hashes, placements and failures"),
    Column("time_s", "s", "simulated time, mean over the runs"),
    Column("least_s", "s", "least of the runs"),
    Column("most_s", "s", "most of the runs"),
)


def networks_table(rows: Sequence[Compared]) -> Table:
    """One row per network."""
    related = _RELATIVE if any("baseline" in row for row in rows) else ()
    table = Table("compare", _in_unit([*_NETWORKS, *related], rows))
    for row in rows:
        cut = row["bisection"]
        more: dict[str, Cell] = {"relative_price": row.get("relative_price"), "phi": row.get("phi")}
        more["efficiency"] = row.get("efficiency")
        table.rows.append(
            (more if related else {})
            | {
                "network": row["network"],
                "endpoints": row["endpoints"],
                "switches": row["switches"],
                "radix": row["radix"],
                "diameter": row["diameter"],
                "aspl": row["aspl"],
                "bisection": cut["value"],
                "bisection_lower": cut.get("lower", cut["value"]),
                "bisection_exact": cut["exact"],
                "bisection_per_endpoint": row["bisection_per_endpoint"],
                "usd": row["usd"],
                "usd_per_endpoint": row["usd_per_endpoint"],
                "price": row["price"],
            }
        )
    return table


def _in_unit(columns: Sequence[Column], rows: Sequence[Compared]) -> list[Column]:
    """Columns of prices with what the cost model counts as their unit."""
    unit = unit_of(rows)
    return [replace(one, unit=_PRICED[one.name] + unit) if one.name in _PRICED else one for one in columns]


def relative_table(rows: Sequence[Compared]) -> Table:
    """Columns of `networks_table` that are relative to the baseline; no rows without one."""
    full = networks_table(rows)
    asked = [one for one in _RELATIVE if one.name == "relative_price" or rows[0]["workloads"]]
    return Table("relative", [_NETWORKS[0], *asked], full.rows if "baseline" in rows[0] else [])


def shown_tables(rows: Sequence[Compared]) -> tuple[Table, Table]:
    """`networks_table` in two parts that fit a page: sizes, and bisection with its bounds in words and price."""
    full = networks_table(rows)
    for cells in full.rows:
        exact = bool(cells["bisection_exact"])
        cells["known"] = "exact" if exact else f"{cells['bisection_lower']} to {cells['bisection']}"
    known = Column("known", "", "exact, or the bounds of the bisection")
    columns = {column.name: column for column in (*full.columns, known)}
    return (
        Table("sizes", [columns[name] for name in _SIZES], full.rows),
        Table("price", [columns[name] for name in _PRICE], full.rows),
    )


def workloads_table(rows: Sequence[Compared]) -> Table:
    """One row per network and workload."""
    ranged = any("least_s" in asked for row in rows for asked in row["workloads"])
    related = _RELATIVE_RATES if any("baseline" in row for row in rows) else ()
    table = Table("workloads", _in_unit([*_WORKLOADS, *related, *(_SPREAD if ranged else ())], rows))
    for row in rows:
        for asked in row["workloads"]:
            cells: dict[str, Cell] = {"network": row["network"], "workload": asked["workload"]}
            known: dict[str, object] = {**asked}
            named = [column.name for column in table.columns[len(cells) :]]
            table.rows.append(cells | {name: cast("Cell", known.get(name)) for name in named})
    return table


def policies_table(rows: Sequence[Compared]) -> Table:
    """One row per network, workload and policy of routing; none without the spread."""
    table = Table("policies", list(_POLICIES))
    for row in rows:
        for asked in row["workloads"]:
            for one in asked.get("policies", ()):
                cells: dict[str, Cell] = {"network": row["network"], "workload": asked["workload"]}
                cells |= {"policy": one["policy"], "routing": one["routing"], "variant": one["variant"]}
                cells |= {"runs": one["runs"], "time_s": one["time_s"]}
                table.rows.append(cells | {"least_s": one["least_s"], "most_s": one["most_s"]})
    return table


def relative_times(rows: Sequence[Compared]) -> dict[str, list[object]]:
    """Columns `network`, `workload` and `relative`: time over that of the fastest network; none where that is 0."""
    made: dict[str, list[object]] = {"network": [], "workload": [], "relative": []}
    for name, row in zip(names(rows), rows, strict=True):
        for at, asked in enumerate(row["workloads"]):
            least = min(other["workloads"][at]["time_s"] for other in rows)
            if least > 0:
                made["network"].append(name)
                made["workload"].append(printable(asked["workload"]))
                made["relative"].append(asked["time_s"] / least)
    return made
