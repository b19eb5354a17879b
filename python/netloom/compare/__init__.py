"""Networks in one table: sizes, distances, bisection, price, worst link and time of chosen workloads.

>>> from netloom.compare import compare
>>> rows = compare(["torus(4,4)", "hypercube(4)"], ["alltoall:bruck"])
>>> [row["diameter"] for row in rows]
[4, 4]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..cost.of_network import price
from ..evaluate import evaluate
from ..network import NetworkLike, network
from ..network.endpoint_bisection import endpoint_bisection
from ..scenario import Scenario
from ..scenario.sizes import NAME as SIZE
from ..scenario.sizes import without_unused
from .rows import Asked, Compared

if TYPE_CHECKING:
    from .. import _core
    from .page import write_comparison

__all__ = ["compare", "write_comparison"]

Progress = Callable[[int, int], object]


def __getattr__(name: str) -> object:
    # Whoever only asks for rows needs no page.
    if name != "write_comparison":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .page import write_comparison

    return write_comparison


def compare(
    networks: Sequence[NetworkLike],
    workloads: Sequence[str] = (),
    *,
    progress: Progress | None = None,
    **inputs: object,
) -> list[Compared]:
    """One row per network, each workload evaluated by `loads` and `time`.

    Parameters
    ----------
    networks
        Networks, calls or files.
    workloads
        Collectives, patterns or applications.
    progress
        Called with what is done of all networks and workloads.
    **inputs
        Other inputs of the scenario, the same for all, such as `ranks`, `size_bytes`, `routing`.

    Returns
    -------
    list of dict
        `network`, `endpoints`, `switches`, `radix` (most ports of a switch, those to endpoints included), `diameter`,
        `aspl` (hops between switches), `bisection` (as `endpoint_bisection` of `netloom.describe`),
        `bisection_per_endpoint` (cables of the best cut found), `usd`, `usd_per_endpoint` and `price` (the cost model,
        or why the price is unknown: then both are None), and `workloads`: per workload `workload`, `max_link_s` (time
        that the worst link needs for its bytes) and `time_s`.

    Raises
    ------
    NetloomError
        What the networks and evaluators refuse.

    Notes
    -----
    Cost: `netloom.describe`, and one answer of `loads` and of `time` for each network and workload. A workload without
    `ranks` fills each network: networks of different sizes then do different amounts of work.
    """
    rows: list[Compared] = []
    said = [{"workload": workload, **inputs} for workload in workloads]
    each = [without_unused(one) for one in said]
    # A size that no workload uses is refused as for one.
    scenarios = each if any(SIZE in one for one in each) else said
    total = len(networks) * (1 + len(workloads))
    for source in networks:
        net = network(source)
        row = _facts(net)
        _tell(progress, len(rows) * (1 + len(workloads)) + 1, total)
        for scenario in scenarios:
            row["workloads"].append(_asked(net, scenario))
            _tell(progress, len(rows) * (1 + len(workloads)) + 1 + len(row["workloads"]), total)
        rows.append(row)
    return rows


def _tell(progress: Progress | None, done: int, total: int) -> None:
    if progress is not None:
        progress(done, total)


def _facts(net: _core.Network) -> Compared:
    import numpy as np

    found = net.metrics()
    cut = endpoint_bisection(net)
    cost, says = price(net)
    usd = None if cost is None else cost["total_usd"]
    ports = np.bincount(net.tails, minlength=net.switches) + np.bincount(net.endpoint_switch, minlength=net.switches)
    endpoints = max(net.endpoints, 1)
    return {
        "network": net.label,
        "endpoints": net.endpoints,
        "switches": net.switches,
        "radix": int(ports.max()) if len(ports) else 0,
        "diameter": found["diameter"],
        "aspl": found["aspl"] or 0.0,
        "bisection": cut,
        "bisection_per_endpoint": cut["value"] / endpoints,
        "usd": usd,
        "usd_per_endpoint": None if usd is None else usd / endpoints,
        "price": says,
        "workloads": [],
    }


def _asked(net: _core.Network, inputs: dict[str, object]) -> Asked:
    scenario, workload = Scenario.from_dict({"network": net, **inputs}), str(inputs["workload"])
    loads, time = evaluate(scenario, "loads"), evaluate(scenario, "time")
    return {"workload": workload, "max_link_s": loads["max_s"], "time_s": time["time_s"]}
