"""What a notebook shows of a network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.html import escaped, facts

if TYPE_CHECKING:
    from .. import _core


#: What has the bandwidth, where that is not each direction.
_PER = {"direction": "", "cable": ", half duplex", "flow": ", for each flow"}


def html(net: _core.Network) -> str:
    """Sizes, without distances, which may take long: `netloom.describe` has them. O(1)."""
    rows: dict[str, object] = {
        "switches": f"{net.switches:,}",
        "endpoints": f"{net.endpoints:,}",
        "cables between switches": f"{net.switch_links:,}",
        "routing": net.default_routing,
    }
    for kind in net.classes:
        speed = f"{kind['bandwidth_bytes_per_s'] * 8e-9:g} Gb/s, {kind['latency_s'] * 1e9:g} ns"
        rows[f"links: {kind['name']}"] = speed + _PER[kind["per"]]
    if net.failed is not None:
        rows["out of service"] = f"{len(net.failed['switches'])} switches, {len(net.failed['cables'])} cables"
    return f"<p><b>{escaped(net.label)}</b></p>{facts(rows)}"
