"""The bisection between halves of the endpoints, as a record of plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, NotRequired, TypedDict

if TYPE_CHECKING:
    from .. import _core
    from ..base.records import Bisection


class Interval(TypedDict):
    """A number, or the bounds that are known of it."""

    value: float
    exact: bool
    lower: NotRequired[float]
    upper: NotRequired[float]


class EndpointBisection(Interval):
    """What `endpoint_bisection` gives; see there."""

    bytes_per_s: Interval
    cut_from_switch: int
    method: str


def endpoint_bisection(net: _core.Network, switches: Bisection | None = None) -> EndpointBisection:
    """Cables between two equal halves of the endpoints, and their bandwidth.

    Parameters
    ----------
    switches
        The network's `bisection()`, if it is there already: it need not be computed again.

    Returns
    -------
    dict
        `value` (cables of the best cut found), `exact`, and `lower`, `upper` where it is not; `bytes_per_s`, a mapping
        of the same keys, in one direction; `cut_from_switch`; `method`.

    Notes
    -----
    Endpoints stay with their switch. Only where whole switches make no equal halves are endpoints cut from theirs, as
    few as possible, each at the cost of its cable (`cut_from_switch`, which `value` includes). For trees it is half of
    the cables of the thinnest level: k'^(n-1) k/2 for the thin tree (Navaridas 2009).
    """
    known = None
    if switches is not None:
        known = (
            *(switches["upper"], switches["lower"], switches["exact"], switches["method"]),
            switches["equal_endpoints"],
        )
    found = net.endpoint_bisection(known)
    cables = _interval(*(found["cables"]), whole=True)
    return {
        **cables,
        "bytes_per_s": _interval(*found["bytes_per_s"]),
        "cut_from_switch": found["cut_from_switch"],
        "method": found["method"],
    }


def _interval(lower: float, upper: float, exact: bool, whole: bool = False) -> Interval:
    low, high = (int(lower), int(upper)) if whole else (lower, upper)
    return {"value": high, "exact": True} if exact else {"value": high, "exact": False, "lower": low, "upper": high}
