"""Variants that cannot change anything: the routing leaves no choice, or flows make none."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .. import _core
    from ..scenario import Bound

#: Only choose among the paths of the routing, so that one path leaves them nothing to do.
AMONG_PATHS = ("hashed", "sprayed", "adaptive-direct")
#: Choose among them in flows; packets have an escape as well.
OF_FLOWS = ("adaptive-escape",)
#: Take the shares of the routing, as flows do anyway.
OF_PACKETS = ("sprayed",)


def without_effect(bound: Bound, packets: bool = False) -> list[str]:
    """A sentence for every variant that changes nothing with the routing of its job; `packets`: none are flows.

    Notes
    -----
    Cost: the routing, once more, for variants that only choose among its paths.
    """
    lines: dict[str, None] = {}
    for job in bound.jobs:
        routing = bound.routing_of(job.routing)
        lines |= dict.fromkeys(idle(bound.routed, routing, bound.variant_of(job), packets))
    return list(lines)


def idle(net: _core.Network, routing: str, variant: str, packets: bool = False) -> list[str]:
    """Why a variant changes nothing on a network with a routing; empty if it may."""
    name = variant.partition("(")[0]
    if name not in (AMONG_PATHS if packets else (*AMONG_PATHS, *OF_FLOWS)):
        return []
    if net.routing(routing).is_deterministic:
        other = "group-minimal" if net.family.startswith("dragonfly") else "minimal"
        return [f"Without effect: {name} chooses among the paths of {routing}, which has one; {other} has several."]
    if name in OF_PACKETS and not packets:
        return [f"Without effect: {name} is for packets; flows take all paths of {routing} at once."]
    return []
