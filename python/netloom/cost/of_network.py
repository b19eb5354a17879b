"""The price of a network's parts, or why it is unknown."""

from __future__ import annotations

from typing import Any

from .. import _core, plugin
from ..base.errors import NetloomError
from .model import CostModel, cost_model
from .parts import Parts
from .price import total_cost

#: What a network file does not say.
_LENGTHS = ("cable_length_total_m", "cable_length_mean_m", "cable_length_max_m")
#: Families whose switches are not what is bought.
_UNPRICED = {
    "butterfly": "its terminals are switches of the model, and no model of prices has switches whose links go one way",
    "simple": "it has no topology, and so no switches and cables",
}


def price(net: _core.Network, model: str | CostModel | None = None) -> tuple[dict[str, Any] | None, str]:
    """Cost of the parts under a model, or the default one, and the model's name; None and the reason if it is unknown.

    A network that was read from a file says nothing of where its switches stand, so its cables have no length and no
    price: the floor of cabinets is a model of generated networks only. A model that prices no cable prices it too. What
    has failed was paid for as well.
    """
    prices = cost_model(model)
    if net.failed is not None:
        try:
            whole = net.failed["whole"]
            net = plugin.build_network(whole) or _core.Network.build(whole)
        except NetloomError:
            return None, "unknown: that of the network in full service is not known here"
    if not net.family and prices.prices_cables:
        return None, "unknown: the cables of a network file have no lengths"
    if net.family in _UNPRICED:
        return None, f"unknown: {_UNPRICED[net.family]}"
    if net.rails is not None:
        return None, "unknown: GPUs and NVLink have no price in the cost model"
    try:
        cost = total_cost(Parts.of(net), model=prices)
    except NetloomError as error:
        return None, f"unknown: {error.faults[0].expected}"
    found = cost.to_dict()
    return found if net.family else found | dict.fromkeys(_LENGTHS), cost.model
