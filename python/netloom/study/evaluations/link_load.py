"""`link-load`: bytes on every directed switch link under a routing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...results import Column
from .base import NETWORK, ORDER, PLACEMENT, RANKS, ROOT, SIZE, WORKLOAD, AxisSpec, Evaluation, Made

if TYPE_CHECKING:
    from ..scenario import Scenario

ROUTING = AxisSpec("routing", "routing", "single-minimal", "which paths messages take")

COLUMNS = (
    Column("max_bytes", "B", "on the most loaded link (seed 004, equation 2.6)"),
    Column("mean_bytes", "B", "over all directed switch links"),
    Column("links_used", "", "directed switch links that carry anything"),
    Column("links", "", "directed switch links"),
)


def run(scenario: Scenario, options: dict[str, Any]) -> Made:
    """Cost: O(messages × path length)."""
    import numpy as np

    found = scenario.link_loads()
    load = np.asarray(found["bytes"], dtype=float)
    return Made(
        {
            "max_bytes": float(load.max()) if load.size else 0.0,
            "mean_bytes": float(load.sum()) / load.size if load.size else 0.0,
            "links_used": int(np.count_nonzero(load)),
            "links": int(load.size),
        }
    )


EVALUATION = Evaluation(
    name="link-load",
    summary="Bytes on the links of the network under a routing",
    axes=(NETWORK, RANKS, PLACEMENT, ORDER, WORKLOAD, SIZE, ROOT, ROUTING),
    columns=COLUMNS,
    run=run,
    maps=True,
)
