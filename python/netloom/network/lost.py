"""What a file does not hold of the network that was written into it."""

from __future__ import annotations

from .. import _core


def lost_notes(net: _core.Network, again: _core.Network) -> list[str]:
    """At most one line: what `again`, read from a file of `net`, lacks. O(links + endpoints)."""
    lost = _core.lost(net, again)
    if net.default_routing != again.default_routing:
        lost.append(f"the default routing ({net.default_routing}; of the file: {again.default_routing})")
    return [f"the file does not hold: {', '.join(lost)}"] if lost else []
