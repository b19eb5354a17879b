"""What is wrong with a fabric that was read from a file: its cables, its forwarding tables, its wiring."""

from __future__ import annotations

from ... import _core
from .base import Fabric, Finding
from .cables import degraded
from .cabling import miscabled
from .following import Followed, Routes
from .routes import routes
from .uplinks import uplinks

__all__ = ["Fabric", "Finding", "Followed", "Routes", "findings"]

#: The gravest first.
SEVERITIES = ("error", "warning")


def findings(
    net: _core.Network,
    tables: str | None = None,
    expect: _core.Network | None = None,
    followed: Followed | None = None,
) -> list[Finding]:
    """What is wrong with a network, the gravest first.

    Parameters
    ----------
    tables
        Name of forwarding tables that the network has; by default routes are not looked at.
    followed
        The routes of these tables, if they were followed before.
    expect
        A tree that the network was cabled as; by default cabling is not compared.

    Returns
    -------
    list of dict
        `kind` (`incomplete`, `unroutable`, `loop`, `deadlock`, `balance`; `degraded`, `rate`, `uplinks`; `miscabled`),
        `severity` (`error` or `warning`), `where`, `what`, `remedy`.

    Raises
    ------
    NetloomError
        NL-N012 for an expected network without levels.

    Notes
    -----
    `degraded`: a cable below what iblinkinfo says that it could carry, unless most could carry more. Where it does not
    say that a cable has what its ports can carry: below the most frequent bandwidth of cables at one of its switches
    (to endpoints, unless most cables between switches have its own); an endpoint's below that of the endpoints of its
    switch. `rate`: other endpoints whose links have not the most frequent bandwidth. `uplinks`: a switch with fewer
    cables upwards than most of its kind: the same level, rates, number of hosts or, above leaves, of cables downwards.
    `balance`: of cables upwards of one switch (all, without levels), or cables between the same two switches, one is
    taken by the routes to at least half as many endpoints again as an even share.
    `deadlock`: a cycle of the channel dependency graph with one virtual lane, of the routes that arrive.
    Cost O(entries · (log switches + hops)) for routes.
    """
    fabric = Fabric(net)
    found = [*degraded(fabric), *uplinks(fabric)]
    if tables is not None:
        found += routes(fabric, tables, Followed(fabric, tables) if followed is None else followed)
    if expect is not None:
        found += miscabled(fabric, Fabric(expect))
    return sorted(found, key=lambda finding: SEVERITIES.index(finding["severity"]))
