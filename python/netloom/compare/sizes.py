"""What the sizes of a family cost, and how wide they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired

from .. import _core
from ..cost.of_network import price
from ..network.capacity import capacity
from ..network.size import Sized

#: Most cables of a network that is built in order to look at it.
MOST_CABLES = 1 << 15


class Priced(Sized):
    """A row of `size` with its price; None where the network is too large to be built for it, or has no price."""

    usd_per_endpoint: NotRequired[float | None]


def priced(rows: Sequence[Sized]) -> tuple[list[Priced], list[str]]:
    """Rows of `size` with taper, bisection and price, and what the prices leave out.

    Notes
    -----
    Each network of at most 2^15 cables is built. Cost: that of `capacity` and of `price`.
    """
    found: list[Priced] = []
    notes: dict[str, None] = {}
    for row in rows:
        made: Priced = {**row}  # type: ignore[typeddict-item]
        if row["switch_links"] <= MOST_CABLES:
            net = _core.Network.build(row["network"])
            if "taper" not in row:
                made = {**made, **capacity(net)}
            cost, says = price(net)
            made["usd_per_endpoint"] = None if cost is None else cost["total_usd"] / max(net.endpoints, 1)
            notes |= dict.fromkeys([f"price {says}"] if cost is None else cost["outside"])
        found.append(made)
    return found, list(notes)
