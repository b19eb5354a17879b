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
    from ...cost import Parts, cost_model, layout, total_cost

    # What has failed was paid for as well.
    network, model = bound.site.whole, bound.text("model")
    prices = cost_model(bound.workshop.calls.folder / model if model.endswith(".toml") else model or None)
    floor = layout(network.switches, prices.floor, order=bound.text("cabinets"), seed=bound.integer("layout_seed"))
    cost = total_cost(
        Parts.of(network),
        model=prices,
        floor=floor,
        endpoint_ports=bool(options["endpoint_ports"]),
        endpoint_cables=bool(options["endpoint_cables"]),
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
