"""Sizes of a family near a number of endpoints, from closed forms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NotRequired, TypedDict

from .. import _core
from ..base.arguments import Arguments
from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from .candidates import FAMILIES, WHOLE, Candidate, proportioned
from .capacity import capacity

#: Most endpoints that can be requested: those of the largest network that can be built.
MOST = 1 << 26
#: Networks that are built in order to look at their bisection, the nearest first, and most cables of one.
LOOKED_AT, MOST_CABLES = 64, 1 << 18
#: Largest number of a proportion.
LARGEST = 64


class Sized(TypedDict):
    """A row of `size`; see there."""

    network: str
    endpoints: int
    switches: int
    radix: int
    switch_links: int
    diameter: int | None
    #: Where a taper or a bisection was asked for: see `capacity`.
    taper: NotRequired[float]
    bisection: NotRequired[float]
    bisection_per_endpoint: NotRequired[float]
    exact: NotRequired[bool]


def size(
    family: str,
    endpoints: int,
    *,
    radix: int | None = None,
    most: int = 10,
    taper: float | None = None,
    bisection: float | None = None,
    proportions: Sequence[int] | None = None,
) -> list[Sized]:
    """Networks of a family with about `endpoints` endpoints, the nearest first.

    Parameters
    ----------
    family
        Name of a topology.
    endpoints
        Wanted, from 2 to 2^26.
    radix
        Most ports of a switch; by default any.
    most
        Rows.
    taper
        Most bandwidth of a switch's endpoints over that of its cables to other switches: 1 is none, 2 is 2:1.
    bisection
        Least bandwidth between halves of the endpoints, as a share of what half of them inject: 1 is full.
    proportions
        Of a dragonfly: endpoints of a switch, switches of a group, global ports of a switch, such as ``(1, 3, 2)``. Its
        switches then have as few ports as reach the endpoints with all ports in use, and the rows use fewer of them.

    Returns
    -------
    list of dict
        `network` (a call), `endpoints`, `switches`, `radix` (ports of a switch that it needs), `switch_links` (cables
        between switches), `diameter` (hops; None where no formula is known). Of equally near ones the cheaper in
        switches first, then in cables. With `taper` or `bisection` also both of them, as found on the network,
        `bisection_per_endpoint` (cables of that cut over endpoints), and `exact` (False: the best cut found).

    Raises
    ------
    NetloomError
        NL-A002 for an unknown family, NL-A007 for numbers out of range.

    Notes
    -----
    Nothing is built unless a taper or a bisection is asked for: then the nearest 64 candidates are, up to 2^18 cables
    each, and others are no rows. The rows come from the family's formulas for a grid of its parameters, so that a
    family with many parameters has networks that are not listed. Cost O(candidates), some thousands.

    >>> size("fat_tree", 1024, radix=16)[0]["network"]
    'fat_tree(radix=16,levels=3,top="full")'
    """
    given = Arguments("size")
    for key, value in {"endpoints": endpoints, "most": most, "radix": MOST if radix is None else radix}.items():
        given.natural(key, value, MOST)
    for key, least in {"taper": taper, "bisection": bisection}.items():
        if least is not None:
            given.number(key, least)
    given.done()
    for key, share in {"taper": taper, "bisection": bisection}.items():
        if share is not None and not 0 < share < float("inf"):
            raise NetloomError([Fault("NL-A007", f"size.{key}", "a number > 0", str(share))])
    if endpoints < 2:
        raise NetloomError([Fault("NL-A007", "size.endpoints", "an integer >= 2", str(endpoints))])
    name = family.replace("-", "_").partition("(")[0]
    if name not in FAMILIES:
        hint = did_you_mean(family, FAMILIES, "families")
        raise NetloomError(
            [Fault("NL-A002", "size.family", "the name of a topology with parameters", repr(family), hint)]
        )
    rows: dict[str, Sized] = {}
    for call, ports in _candidates(name, endpoints, proportions):
        row = _row(name, call, ports)
        if row is not None and (radix is None or row["radix"] <= radix):
            rows[call] = row
    found = sorted(rows.values(), key=lambda row: _far(row, endpoints))
    if taper is None and bisection is None:
        return found[:most]
    return _wide(found, most, float("inf") if taper is None else taper, bisection or 0.0)


def _candidates(name: str, endpoints: int, proportions: Sequence[int] | None) -> Iterator[Candidate]:
    """Of the family, or by the rule of the proportions."""
    if proportions is None:
        return FAMILIES[name](endpoints)
    if name != "dragonfly":
        hint = "leave it out, or ask for a dragonfly"
        raise NetloomError([Fault("NL-A007", "size.proportions", "of a dragonfly", name, hint)])
    if len(proportions) != 3 or not all(isinstance(one, int) and 1 <= one <= LARGEST for one in proportions):
        expected = f"three integers from 1 to {LARGEST}, such as 1:3:2"
        raise NetloomError([Fault("NL-A007", "size.proportions", expected, ":".join(map(str, proportions)))])
    return proportioned(endpoints, proportions)


def _wide(rows: list[Sized], most: int, taper: float, bisection: float) -> list[Sized]:
    """Of the nearest rows those with that bandwidth, as many as are wanted."""
    wide: list[Sized] = []
    for row in [row for row in rows if row["switch_links"] <= MOST_CABLES][:LOOKED_AT]:
        if len(wide) == most:
            break
        found = capacity(_core.Network.build(row["network"]))
        if found["taper"] <= taper * (1 + 1e-9) and found["bisection"] >= bisection * (1 - 1e-9):
            wide.append({**row, **found})
    return wide


def _far(row: Sized, endpoints: int) -> tuple[int, int, int, str]:
    return abs(row["endpoints"] - endpoints), row["switches"], row["switch_links"], row["network"]


def _row(name: str, call: str, ports: int) -> Sized | None:
    """A candidate's closed forms; None if the family refuses it."""
    try:
        found = _core.expected(call)
    except NetloomError:
        return None
    degree = found["degree_max"]
    if not 0 < found["endpoints"] <= MOST or found["switches"] < 1 or degree is None:
        return None
    return {
        "network": call,
        "endpoints": found["endpoints"],
        "switches": found["switches"],
        "radix": max(degree, ports) if name in WHOLE else max(degree, ports + (1 if name == "star" else degree)),
        "switch_links": found["switch_links"],
        "diameter": found["diameter"],
    }
