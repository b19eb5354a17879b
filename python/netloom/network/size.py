"""Sizes of a family near a number of endpoints, from closed forms."""

from __future__ import annotations

from typing import TypedDict

from .. import _core
from ..base.arguments import Arguments
from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from .candidates import FAMILIES, WHOLE

#: Most endpoints that can be requested: those of the largest network that can be built.
MOST = 1 << 26


class Sized(TypedDict):
    """A row of `size`; see there."""

    network: str
    endpoints: int
    switches: int
    radix: int
    switch_links: int
    diameter: int | None


def size(family: str, endpoints: int, *, radix: int | None = None, most: int = 10) -> list[Sized]:
    """Networks of a family with about so many endpoints, the nearest first.

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

    Returns
    -------
    list of dict
        `network` (a call), `endpoints`, `switches`, `radix` (ports of a switch that it needs), `switch_links` (cables
        between switches), `diameter` (hops; None where no formula is known). Of equally near ones the cheaper in
        switches first, then in cables.

    Raises
    ------
    NetloomError
        NL-A002 for an unknown family, NL-A007 for numbers out of range.

    Notes
    -----
    Nothing is built: the rows come from the family's formulas for a grid of its parameters, so that a family with many
    parameters has networks that are not listed. Cost O(candidates), some thousands.

    >>> size("fat_tree", 1024, radix=16)[0]["network"]
    'fat_tree(radix=16,levels=3,top="full")'
    """
    given = Arguments("size")
    for key, value in {"endpoints": endpoints, "most": most, "radix": MOST if radix is None else radix}.items():
        given.natural(key, value, MOST)
    given.done()
    if endpoints < 2:
        raise NetloomError([Fault("NL-A007", "size.endpoints", "an integer >= 2", str(endpoints))])
    name = family.replace("-", "_").partition("(")[0]
    if name not in FAMILIES:
        hint = did_you_mean(family, FAMILIES, "families")
        raise NetloomError(
            [Fault("NL-A002", "size.family", "the name of a topology with parameters", repr(family), hint)]
        )
    rows: dict[str, Sized] = {}
    for call, ports in FAMILIES[name](endpoints):
        row = _row(name, call, ports)
        if row is not None and (radix is None or row["radix"] <= radix):
            rows[call] = row
    return sorted(rows.values(), key=lambda row: _far(row, endpoints))[:most]


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
