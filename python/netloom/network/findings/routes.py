"""Forwarding tables: switches without a table, pairs without a route, routes in a circle, deadlocks."""

from __future__ import annotations

from collections.abc import Iterator

from ... import _core
from ...base.quantities import counted
from .balance import unbalanced
from .base import NAMED, Fabric, Finding, some
from .following import Followed

AGAIN = "let the subnet manager route again, or load corrected tables with opensm -R file -U"
CUT = "give the whole file: dump the tables again, with all of these switches answering"


def routes(fabric: Fabric, name: str, followed: Followed) -> Iterator[Finding]:
    """What is wrong with the tables called `name`."""
    absent = followed.tables["absent"]
    if absent:
        verb = "has no whole table" if len(absent) == 1 else "have no whole tables"
        yield {
            "kind": "incomplete",
            "severity": "error",
            "where": some(fabric.switch_names[switch] for switch in absent),
            "what": f"{verb} in {name}, {counted(len(absent), 'switch')} of {fabric.net.switches}: "
            "the file is probably incomplete",
            "remedy": CUT,
        }
    yield from unroutable(fabric, followed, set(absent))
    yield from looped(fabric, followed)
    yield from deadlock(fabric, name)
    yield from unbalanced(fabric, followed)


def unroutable(fabric: Fabric, followed: Followed, absent: set[int]) -> Iterator[Finding]:
    for (switch, (before, after)), trouble in sorted(followed.missing.items()):
        names = some(fabric.endpoint_names[e] for e in sorted(set(trouble.endpoints)))
        yield {
            "kind": "unroutable",
            "severity": "error",
            "where": fabric.switch_names[switch],
            "what": f"{before} {names}{after}: {counted(trouble.pairs, 'pair')} of endpoints cannot communicate",
            "remedy": CUT if switch in absent else AGAIN,
        }


def looped(fabric: Fabric, followed: Followed) -> Iterator[Finding]:
    for switches, trouble in sorted(followed.circles.items()):
        shown = [fabric.switch_names[s] for s in [*switches[:8], switches[0]]]
        names = some(fabric.endpoint_names[e] for e in sorted(set(trouble.endpoints)))
        yield {
            "kind": "loop",
            "severity": "error",
            "where": " > ".join(shown) + (f" ({len(switches)} hops)" if len(switches) > 8 else ""),
            "what": f"packets to {names} go in this circle: "
            f"{counted(trouble.pairs, 'pair')} of endpoints cannot communicate",
            "remedy": AGAIN,
        }


def deadlock(fabric: Fabric, name: str) -> Iterator[Finding]:
    """A circle among the routes that arrive."""
    found = _core.tables_deadlock(fabric.net, name)
    if found["free"]:
        return
    cycle = [link for link, _ in found["cycle"]]
    more = f" ({len(cycle)} links)" if len(cycle) > 2 * NAMED + 2 else ""
    yield {
        "kind": "deadlock",
        "severity": "warning",
        "where": " > ".join(fabric.port(link) for link in cycle[: 2 * NAMED + 2]) + more,
        "what": f"packets on these {len(cycle)} links can wait for each other in a circle on one virtual lane",
        "remedy": "route with several lanes (opensm -R dfsssp or nue with QoS) or without circles (updn, ftree, or the "
        "tables of netloom convert -r 'up-down(choice=balanced)' --to opensm-lfts)",
    }
