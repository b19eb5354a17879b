"""A routing that needs few virtual channels, where the network's own needs more than the switch has."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..base.errors import NetloomError

if TYPE_CHECKING:
    from ..base.records import Found
    from ..scenario import Question

#: On a grid.
BY_DIMENSION = "dimension-ordered(tie=split)"
#: Packets could wait for each other forever.
UNSAFE = "NL-E019"


def with_enough(bound: Question, by: Callable[[str | None], Found]) -> tuple[Found, str | None]:
    """What `by` finds with the network's own routing; else, on a grid, dimension by dimension.

    A routing or a variant that somebody asked for is never replaced.

    Parameters
    ----------
    by
        Asks the core, with a routing in place of `auto`.

    Returns
    -------
    found, routing
        The routing is None if nothing was replaced.

    Raises
    ------
    NetloomError
        `NL-E019` if a routing that was asked for could deadlock, or there is no other; those of the core.
    """
    try:
        return by(None), None
    except NetloomError as error:
        open_ = [job for job in bound.jobs if bound.site.routing_of(job.routing, BY_DIMENSION) == BY_DIMENSION]
        adapts = any(bound.site.variant_of(job) not in ("", "static-direct") for job in open_)
        if not open_ or adapts or bound.network.grid is None or error.faults[0].code != UNSAFE:
            raise
    return by(BY_DIMENSION), BY_DIMENSION


def sentence(own: str) -> str:
    """What the answer says of the routing `own` that was replaced."""
    return f"the switch has too few virtual channels for {own}: packets go dimension by dimension"
