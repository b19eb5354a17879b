"""Networks in one table: sizes, distances, bisection, price, worst link and time of chosen workloads.

>>> from netloom.compare import compare
>>> rows = compare(["torus(4,4)", "hypercube(4)"], ["alltoall:bruck"])
>>> [row["diameter"] for row in rows]
[4, 4]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ..base.ahead import announced
from ..base.errors import Fault, NetloomError
from ..base.stopping import Stopped
from ..cost.model import cost_model
from ..cost.of_network import price
from ..network import NetworkLike
from ..network.endpoint_bisection import endpoint_bisection
from ..scenario.sizes import NAME as SIZE
from ..scenario.sizes import without_unused
from .ahead import estimate
from .baseline import baseline as relative_to
from .baseline import rates, relate
from .candidates import candidates
from .policy import DEFAULT, in_part, require_policy
from .rows import Compared
from .ties import mark
from .timed import damaged, timed

if TYPE_CHECKING:
    from pathlib import Path

    from .. import _core
    from ..machine import Machine
    from .page import write_comparison

__all__ = ["compare", "write_comparison"]

Progress = Callable[[int, int], object]
#: Inputs that say something of networks without a workload.
OF_NETWORKS = ("format", "part", "fail", "model")


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
    machines: Sequence[str | Path | Machine] = (),
    baseline: str | None = None,
    weights: Mapping[str, float] | None = None,
    spread: bool = True,
    progress: Progress | None = None,
    **inputs: object,
) -> list[Compared]:
    """One row per network, each workload evaluated by `loads` and `time` under one policy of routing for all networks.

    Parameters
    ----------
    networks
        Networks, calls or files.
    workloads
        Collectives, patterns or applications.
    machines
        Each is a row too: its network, with its node and costs, called by its name. Next to one machine, the networks
        stand in the place of its own; next to several there are none.
    baseline
        One of them, to which times, rates and prices are relative.
    weights
        By workload, how much its time counts in `phi`: a number >= 0, 1 for those without.
    spread
        Whether the other policies are simulated as well, so that a lead can be told from what routing decides.
    progress
        Called with what is done of all networks and workloads.
    **inputs
        Other inputs of the scenario, the same for all, such as `ranks`, `size_bytes`, `fail`, `node`, `calibration`;
        `part`, of each network that no cable joins into one, of all networks if there is none;
        `routing`, a policy (``"adaptive"``, the default, ``"hashed"``, ``"one-path"``, ``"spray"``), ``"auto"`` for
        each network's own, or a routing; `variant`, in place of that of the policy; and `model`, the cost model.

    Returns
    -------
    list of dict
        `network`, `endpoints`, `switches`, `radix` (most ports of a switch, those to endpoints included), `diameter`,
        `aspl` (hops between switches), `bisection` (as `endpoint_bisection` of `netloom.describe`),
        `bisection_per_endpoint` (cables of the best cut found), `usd`, `usd_per_endpoint` and `price` (the cost model,
        or why the price is unknown: then both are None), `price_unit` (USD, or what the cost model counts), `policy`,
        `routing`, `variant`, `draws`, `error` (median share by which such predictions were off, where known), and
        `workloads`: per workload `workload`, `max_link_s` (time that the worst link needs for its bytes; None for
        hashes), `time_s` (means over the draws), `bytes` (of all messages), `rate_bytes_per_s` (over `time_s`),
        `rate_per_usd` (that over the price), `tie` (within the error of the fastest, where that is known), `least_s`
        and `most_s` over all policies and draws, and `policies` one by one. With `baseline` also its name and
        `relative_price`, for each workload `relative_time`, `relative_rate` and `relative_rate_per_usd`, and with
        workloads `phi` (see `netloom.cost.performance`) and `efficiency` (see `netloom.cost.efficiency`; None where the
        baseline has another number of endpoints).

    Raises
    ------
    NetloomError
        What the networks and evaluators refuse; `NL-A003` for inputs that need a workload, where there is none; what
        `baseline` and `weights` must be, and networks of several sizes next to a baseline without `ranks`.

    Notes
    -----
    Draws: hashes have three seeds; ranks that do not fill one of the networks are placed at random three times on all,
    unless the inputs place them; random failures are drawn with three seeds. Cost: `netloom.describe`, and for each
    network, workload and draw one answer of `loads`, and one of `time` for each policy (one in all without `spread`).
    A workload without `ranks` fills each network: networks of different sizes then do different amounts of work.
    """
    require_used(workloads, inputs)
    policy = require_policy(str(inputs.get("routing", DEFAULT)))
    # A model that does not exist is refused, where a network without a price is only said to have none.
    cost_model(str(inputs.get("model") or "") or None)
    rows: list[Compared] = []
    all_of = _without_unused([{"workload": workload, **inputs} for workload in workloads])
    asked = candidates(networks, machines, inputs)
    typed = [str(one) for one in (*machines, *networks)]
    to = relative_to(baseline, weights, list(zip(asked, typed, strict=True)), workloads, inputs)
    part = bool(workloads) and any(in_part(damaged(one.net, one.inputs), one.inputs) for one in asked)
    total = len(asked) * (1 + len(workloads))
    with announced(*estimate([(one.net, one.asking(all_of)) for one in asked], spread)):
        try:
            for one in asked:
                done = len(rows) * (1 + len(workloads))
                row = _facts(damaged(one.net, one.inputs), inputs, one.label)
                _tell(progress, done + 1, total)
                for scenario in one.asking(all_of):
                    found, about = timed(one.net, scenario, policy, spread, part)
                    rates(found, row["usd"])
                    row["workloads"].append(found)
                    row |= about
                    _tell(progress, done + 1 + len(row["workloads"]), total)
                if machines and not one.label:
                    # A network in the place of the machine's: nobody has measured that.
                    row.pop("error", None)
                rows.append(row)
        except Stopped:
            if not rows:
                raise
    mark(rows)
    relate(rows, to)
    return rows


def _without_unused(said: list[dict[str, object]]) -> list[dict[str, object]]:
    """Without a size where a workload uses none; one that no workload uses is refused as for one."""
    each = [without_unused(one) for one in said]
    return each if any(SIZE in one for one in each) else said


def require_used(workloads: Sequence[str], inputs: Mapping[str, object]) -> None:
    """Refuses inputs that only a workload uses, where there is none."""
    idle = [name for name in inputs if name not in OF_NETWORKS]
    if not workloads and idle:
        sentence, hint = "needs a workload, and none is given", "give one, such as alltoall:bruck"
        raise NetloomError([Fault("NL-A003", f"scenario.{name}", sentence, "", hint) for name in idle])


def _tell(progress: Progress | None, done: int, total: int) -> None:
    if progress is not None:
        progress(done, total)


def _facts(net: _core.Network, inputs: Mapping[str, object], label: str) -> Compared:
    import numpy as np

    found = net.metrics()
    cut = endpoint_bisection(net)
    cost, says = price(net, str(inputs.get("model") or "") or None)
    usd = None if cost is None else cost["total_usd"]
    ports = np.bincount(net.tails, minlength=net.switches) + np.bincount(net.endpoint_switch, minlength=net.switches)
    endpoints = max(found["endpoints"], 1)
    return {
        "network": label or net.label,
        "endpoints": found["endpoints"],
        "switches": found["switches"],
        "radix": int(ports.max()) if len(ports) else 0,
        "diameter": found["diameter"],
        "aspl": found["aspl"] or 0.0,
        "bisection": cut,
        "bisection_per_endpoint": cut["value"] / endpoints,
        "usd": usd,
        "usd_per_endpoint": None if usd is None else usd / endpoints,
        "price": says,
        "price_unit": "" if cost is None else cost["unit"],
        "price_notes": [] if cost is None else list(cost["outside"]),
        "workloads": [],
    }
