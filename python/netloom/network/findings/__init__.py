"""What is wrong with a fabric that was read from a file: its cables, its forwarding tables, its wiring."""

from __future__ import annotations

from ... import _core
from .base import Fabric, Finding
from .cables import degraded, uplinks
from .cabling import miscabled
from .routes import routes

__all__ = ["Finding", "findings"]

#: The gravest first.
SEVERITIES = ("error", "warning")


def findings(net: _core.Network, tables: str | None = None, expect: _core.Network | None = None) -> list[Finding]:
    """What is wrong with a network, the gravest first.

    Parameters
    ----------
    tables
        Name of forwarding tables that the network has; by default routes are not looked at.
    expect
        A tree that the network was cabled as; by default cabling is not compared.

    Returns
    -------
    list of dict
        `kind` (`unroutable`, `loop`, `deadlock`, `balance`; `degraded`, `rate`, `uplinks`; `miscabled`), `severity`
        (`error` or `warning`), `where`, `what`, `remedy`.

    Raises
    ------
    NetloomError
        NL-N012 for an expected network without levels.

    Notes
    -----
    `degraded`: a cable below what iblinkinfo says that it could carry, unless most could carry more, or below the most
    frequent bandwidth of the cables at one of its switches (to endpoints, unless most cables between switches have its
    own); an endpoint's below that of the endpoints of its switch. `rate`: other endpoints whose links have not the most
    frequent bandwidth. `uplinks`: a switch with fewer cables upwards than most of its level. `balance`: of a switch's
    cables upwards (all, without levels) one is taken by at least half as many endpoints again as an even share.
    `deadlock`: a cycle of the channel dependency graph with one virtual lane. Cost O(entries log switches) for routes.
    """
    fabric = Fabric(net)
    found = [*degraded(fabric), *uplinks(fabric)]
    if tables is not None:
        found += routes(fabric, tables)
    if expect is not None:
        found += miscabled(fabric, Fabric(expect))
    return sorted(found, key=lambda finding: SEVERITIES.index(finding["severity"]))
