"""What is to be known of forwarding tables that are written for InfiniBand."""

from __future__ import annotations

from .. import _core
from ..base.errors import NetloomError
from .findings.base import Fabric, some

#: Links of a circle that are named.
CIRCLE = 6
#: Routings whose tables are free of circles, the second on every network: a tree's own levels may lack paths.
FREE = ("up-down(choice=balanced)", "up-down(choice=balanced,root=0)")


def written_notes(net: _core.Network, routing: _core.Routing, format: str) -> list[str]:
    """What who loads a routing's tables, as InfiniBand's, should know: LIDs without an entry, waiting in a circle."""
    if _core.parse_call(_core.canonical("formats", format))[0] != "opensm-lfts":
        return []
    notes, subnet = [], _core.subnet(net)
    if subnet is not None:
        without = [net.endpoint_names[e] for e, lid in enumerate(subnet["endpoint_lid"]) if not lid]
        without += [net.switch_names[s] for s, lid in enumerate(subnet["switch_lid"]) if not lid]
        if without:
            notes.append(f"no entries for {some(without)}, without a LID in {net.label}: list the fabric again")
    found = routing.deadlock(tables=True)
    if not found["free"]:
        fabric = Fabric(net)
        links = [link for link, _ in found["cycle"]]
        circle = " > ".join(fabric.port(link) for link in links[:CIRCLE]) + (" > ..." if len(links) > CIRCLE else "")
        notes.append(
            f"packets by these tables can wait for each other in a circle of {len(links)} links on one virtual lane "
            f"({circle}); the tables of -r '{free(net)}' have none"
        )
    return notes


def free(net: _core.Network) -> str:
    """A routing whose tables have no circle."""
    try:
        net.routing(FREE[0]).deadlock(tables=True)
    except NetloomError:
        return FREE[1]
    return FREE[0]
