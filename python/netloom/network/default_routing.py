"""The routing of those who do not name one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .. import _core

#: What the routing `minimal` takes between two switches.
MOST_PATHS, MOST_HOPS = 4096, 255


def default_routing(net: _core.Network) -> str:
    """`group-minimal` on dragonflies; `minimal`, but `dimension-ordered(tie=split)` on grids too large for it."""
    if net.family.startswith("dragonfly"):
        return "group-minimal"
    return "minimal" if _few_paths(net) else "dimension-ordered(tie=split)"


def _few_paths(net: _core.Network) -> bool:
    """False for a grid whose farthest switches have more hops or shortest paths between them than `minimal` lists."""
    if net.grid is None:
        return True
    sides, wraps, full = net.grid
    hops = [
        min(side - 1, 1) if full else side // 2 if wrap else side - 1 for side, wrap in zip(sides, wraps, strict=True)
    ]
    if sum(hops) > MOST_HOPS:
        return False
    ways = math.factorial(sum(hops)) // math.prod(map(math.factorial, hops))
    both = sum(wrap and not full and side > 2 and side % 2 == 0 for side, wrap in zip(sides, wraps, strict=True))
    return ways << both <= MOST_PATHS
