"""`netloom describe`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .inputs import Asked, inputs
from .options import as_json, plugins
from .output import emit_facts, emit_json, progress

if TYPE_CHECKING:
    from ..base.records import Rails

EPILOG = """\b
Examples:
  netloom describe 'torus(8,8,8)'
  netloom describe 'dragonfly(a=16,p=1,h=4,g=64)' --json
  netloom describe machine.conf --from slurm
"""

#: What people see first; `--json` has everything.
SHOWN = {
    "network": "network",
    "switches": "switches",
    "endpoints": "endpoints",
    "switch_links": "cables between switches",
    "endpoint_links": "cables to endpoints",
    "degree_min": "degree, least",
    "degree_max": "degree, most",
    "diameter": "diameter (hops)",
    "aspl": "average distance (hops)",
    "endpoint_aspl": "average distance between endpoints (hops)",
    "moore_bound": "most switches for this degree and diameter (Moore bound)",
}


@click.command(epilog=EPILOG)
@inputs("network", "format", "fail", argument=True)
@click.option("--no-bisection", is_flag=True, help="Leave out the bisection, which costs most on large networks.")
@click.option("--cost/--no-cost", default=True, show_default=True, help="Price of switches and cables in cabinets.")
@plugins
@as_json
def command(asked: Asked, no_bisection: bool, cost: bool, json_: bool) -> None:
    """Size, distances, cut and price of a network."""
    net = asked.network
    facts: dict[str, Any] = {"network": net.label}
    with progress("distances", quiet=json_) as callback:
        facts |= net.metrics(progress=callback)
    if net.rails is not None:
        facts["rails"] = net.rails
    if not no_bisection:
        facts["bisection"] = net.bisection()
    if cost:
        facts["cost"] = price(net)
    if json_:
        emit_json(facts)
        return
    if facts.get("endpoint_aspl") == facts.get("aspl"):
        facts_shown = {key: value for key, value in facts.items() if key != "endpoint_aspl"}
    else:
        facts_shown = facts
    shown = {words: facts_shown[key] for key, words in SHOWN.items() if facts_shown.get(key) is not None}
    if net.rails is not None:
        shown |= rails(net.rails)
    if not no_bisection:
        shown["bisection (cables)"] = bisection(facts["bisection"])
    if cost and facts["cost"] is not None:
        shown["cable length (m)"] = round(facts["cost"]["cable_length_total_m"], 1)
        shown["price of switches and cables (USD)"] = f"{facts['cost']['total_usd']:,.0f} ({facts['cost']['model']})"
    emit_facts(shown)


def rails(what: Rails) -> dict[str, str]:
    """Rails, planes and oversubscription of a GPU cluster in words."""
    planes = {0: "none: rails meet over NVLink only", 1: "1, which joins all rails"}
    over = what["oversubscription"]
    return {
        "nodes": f"{what['nodes']} of {what['gpus_per_node']} GPUs, pods: {what['pods']}",
        "rails": f"{what['rails']}, with a leaf of {what['leaf_ports']} ports in every pod",
        "planes of spines": planes.get(what["planes"], f"{what['planes']}, one per rail")
        + (f"; {what['spines']} spines" if what["spines"] else ""),
        "oversubscription (NICs of a pod over its uplinks)": "no uplinks" if over is None else f"{over:g}",
    }


def bisection(cut: dict[str, Any]) -> str:
    """A number, or the bounds that are known."""
    low, high = cut.get("lower"), cut.get("upper")
    if low == high:
        return str(low)
    return f"{low} to {high}"


def price(net: Any) -> dict[str, Any] | None:
    """Cost of the network's parts under the default model; None where it says nothing of such a network.

    It has no price for NVLink and GPUs, which are switches and cables of a rail cluster.
    """
    if net.rails is not None:
        return None
    import numpy as np

    from ..base.errors import NetloomError
    from ..cost import total_cost

    speed = np.array([c["bandwidth_bytes_per_s"] for c in net.classes], dtype=float)
    try:
        return total_cost(
            net.tails,
            net.heads,
            net.switches,
            endpoint_switch=net.endpoint_switch,
            class_of=net.class_index,
            class_names=[str(c["name"]) for c in net.classes],
            bandwidth_bytes_per_s=speed[net.class_index] if len(speed) else 12.5e9,
        ).to_dict()
    except NetloomError:
        return None
