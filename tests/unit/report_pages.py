"""A page with every kind of section and chart, for tests of pages."""

from __future__ import annotations

import numpy as np

from netloom.plot.kinds import KINDS, Kind
from netloom.report import Chart, Claim, Claims, First, NetworkView, Number, Pair, Runs, Section, Table, Text

RUNS = {
    "size_bytes": [256, 4096, 65536] * 2,
    "algorithm": ["ring"] * 3 + ["bruck"] * 3,
    "time_s": [1e-6, 2e-6, 5e-5, 3e-6, 1e-6, 1e-3],
    "price_usd": [100.0, 120.0, 90.0, 200.0, 250.0, 80.0],
    "run": [0, 1, 2, 3, 4, 5],
}
MEASURES = {
    "measure": ["time", "price", "hops"] * 2,
    "relative": [1.0, 0.5, 0.8, 0.4, 1.0, 1.0],
    "network": ["torus"] * 3 + ["fat tree"] * 3,
}


def chart(kind: Kind) -> Chart:
    """A small chart of a kind."""
    title, runs = f"{kind.name} of times", {"runs": "run", "source": "times"}
    if kind.polar:
        return Chart(title, kind.name, MEASURES, x="measure", y="relative", series="network")
    if kind.cells:
        return Chart(title, kind.name, RUNS, x="size_bytes", y="algorithm", value="time_s", **runs)
    x = "price_usd" if kind.name == "pareto" else "size_bytes"
    log = "" if kind.name in ("pareto", "area") else "xy"
    return Chart(title, kind.name, RUNS, x=x, y="time_s", series="algorithm", log=log, **runs)


def network(label: str = "ring", scale: float = 1.0) -> NetworkView:
    at = np.arange(12)
    tails, heads = np.concatenate([at, (at + 1) % 12]), np.concatenate([(at + 1) % 12, at])
    load = scale * 1e6 * np.arange(24)
    notes = {11: "job weather: 80 %, most from rank 3 to 7"}
    return NetworkView(
        label, 12, tails, heads, groups=at // 6, load=load, load_label="bytes", load_unit="B", notes=notes
    )


def sections() -> list[Section]:
    claims = [
        Claim("A1", "Rings are fast. " * 20, "1 µs", "2 µs", "refuted", "Jain 2016, table 3.4", "slow links"),
        Claim("A2", "Trees are slow.", "3", "3", "confirmed", "Jain 2016, figure 2.1"),
        Claim("A3", "Both are equal.", "0", "", "open"),
    ]
    wide = [f"column_{i}" for i in range(14)]
    return [
        Claims("Findings", claims),
        Text("Why", "Because `of` it.\n\n- one\n- two"),
        *[chart(kind) for kind in KINDS],
        Table.of("Runs", {key: value for key, value in RUNS.items() if key != "run"}),
        Table("Wide", wide, [[i * k for i in range(14)] for k in range(8)], hidden=wide[10:], folded=True),
        Pair("Pair", [network("before"), network("after", 0.5)]),
    ]


def first() -> First:
    numbers = [Number("time", 2.7e-3, "s", before=5.07e-3, note="torus"), Number("price", 1320334.0, "USD")]
    return First("The ring is best: 2.7 ms, 47 % less.", [*numbers, Number("claims", "1 of 3")], network())


def runs() -> dict[str, Runs]:
    inputs = [
        {"network": "torus(4,4)", "workload": "allreduce:ring", "size_bytes": size} for size in RUNS["size_bytes"]
    ]
    sizes = [{"size": size} for size in RUNS["size_bytes"]]
    return {"times": Runs("time", [{"trace": True}] * len(sizes), inputs, sizes)}
