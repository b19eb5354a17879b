"""`cost`: cable lengths on a floor of cabinets, and what the network's parts cost."""

from __future__ import annotations

from ...results import Column
from ...scenario import Question
from ..answer import Row
from ..answers import CostAnswer
from ..base import Evaluator, Option, Options, axes

COLUMNS = (
    Column("switches", "", "number of switches"),
    Column("cables", "", "full-duplex cables between switches"),
    Column("cable_length_total_m", "m", "sum over all switch cables"),
    Column("cable_length_mean_m", "m", "per switch cable"),
    Column("cable_length_max_m", "m", "of the longest"),
    Column("cable_cost_usd", "USD", "price of the switch cables"),
    Column("switch_cost_usd", "USD", "price of the switches"),
    Column("total_usd", "USD", "price of switches and cables"),
)


def run(bound: Question, options: Options) -> CostAnswer:
    """Cost: O(links)."""
    import numpy as np

    from ...cost import cost_model, layout, total_cost
    from ...cost.price import DEFAULT_BANDWIDTH_BYTES_PER_S

    # What has failed was paid for as well.
    network, model = bound.site.whole, bound.text("model")
    inject = network.link_bandwidth_bytes_per_s[len(network.tails) :]
    speed = np.array([c["bandwidth_bytes_per_s"] for c in network.classes])
    prices = cost_model(bound.workshop.calls.folder / model if model.endswith(".toml") else model or None)
    cost = total_cost(
        network.tails,
        network.heads,
        network.switches,
        endpoint_switch=network.endpoint_switch,
        class_of=network.class_index,
        class_names=[str(c["name"]) for c in network.classes],
        bandwidth_bytes_per_s=speed[network.class_index],
        model=prices,
        floor=layout(network.switches, prices.floor, order=bound.text("cabinets"), seed=bound.integer("layout_seed")),
        endpoint_ports=bool(options["endpoint_ports"]),
        endpoint_cables=bool(options["endpoint_cables"]),
        endpoint_bandwidth_bytes_per_s=float(inject[0]) if len(inject) else DEFAULT_BANDWIDTH_BYTES_PER_S,
    )
    row: Row = {column.name: getattr(cost, column.name, None) for column in COLUMNS}
    return CostAnswer(row | {"switches": network.switches}, more=cost.to_dict(), says=lambda: [*cost.outside])


EVALUATOR = Evaluator(
    name="cost",
    summary="Cable lengths and price of a network laid out in cabinets",
    axes=axes("machine", "network", "format", "part", "fail", "cabinets", "model", "layout_seed"),
    columns=COLUMNS,
    options=(
        Option("endpoint_ports", True, "a switch needs a port for each of its endpoints"),
        Option("endpoint_cables", False, "the cables to the endpoints are paid for"),
    ),
    headline="total_usd",
    idle={"fail": lambda bound: "what has failed was paid for as well"},
    run=run,
    model="cabinets on a floor, prices of a cost model",
    assumptions=("Cables run along the aisles; power, labour and software are not priced.",),
)
