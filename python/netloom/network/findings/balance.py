"""Cables that far more routes take than others that lead as well."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ...base.errors import NetloomError
from ...base.quantities import counted
from .base import Fabric, Finding
from .following import Followed

#: Routings whose tables spread the routes, if these are free of deadlocks here.
SPREAD = ("single-minimal(tie=balanced)", "up-down(choice=balanced)")
#: As they would be loaded: with entries that no route needs.
WRITTEN = "opensm-lfts"
NAME = "balanced"


def unbalanced(fabric: Fabric, followed: Followed) -> Iterator[Finding]:
    """Cables with at least 1.5 times an even share of the endpoints that their group of cables leads to."""
    worst = list(uneven(fabric, followed))
    remedy = advice(fabric, len(worst)) if worst else ""
    for top, own, verb in worst:
        most, least = int(followed.taken[top]), int(followed.taken[own].min())
        yield {
            "kind": "balance",
            "severity": "warning",
            "where": fabric.cable(top),
            "what": f"has the routes of {fabric.switch_names[fabric.tails[top]]} to {counted(most, 'endpoint')}, "
            f"of {len(own)} cables{verb} the least used has {least}",
            "remedy": remedy,
        }


def uneven(fabric: Fabric, followed: Followed) -> Iterator[tuple[int, NDArray[np.int64], str]]:
    """The most used cable of each uneven group, its group, what the group is.

    Groups: the cables upwards of a switch (all, without levels, if it has endpoints), and cables that join the same two
    switches, in either direction. Both the tables and the routes that come to pass must be uneven: a manager spreads
    what it writes, of which some is not used, and fills in what no route needs.
    """
    offsets, taken = fabric.net.offsets, followed.taken

    def both(own: NDArray[np.int64]) -> bool:
        return is_uneven(taken[own]) and is_uneven(followed.entries[own])

    for switch in range(fabric.net.switches):
        own = np.arange(offsets[switch], offsets[switch + 1])
        if not fabric.has_levels and not fabric.per_switch[switch]:
            upwards = own[:0]
        else:
            upwards = own[fabric.rises[own]] if fabric.has_levels else own
        told = False
        if both(upwards):
            told = True
            yield int(upwards[taken[upwards].argmax()]), upwards, ""
        heads = fabric.heads[own]
        for head in map(int, np.unique(heads[1:][heads[1:] == heads[:-1]])):
            parallel = own[heads == head]
            if both(parallel) and not (told and parallel[0] in upwards):
                yield int(parallel[taken[parallel].argmax()]), parallel, f" to {fabric.switch_names[head]}"


def is_uneven(taken: NDArray[np.int64]) -> bool:
    if len(taken) < 2:
        return False
    most, least = int(taken.max()), int(taken.min())
    share = -(-int(taken.sum()) // len(taken))
    return most - least > 1 and 2 * most >= 3 * share


def advice(fabric: Fabric, found: int) -> str:
    """What spreads the routes of this network, without a new circle of waiting packets.

    Without circles on one lane some cables must take more off trees: routes may not turn upwards again, so that most of
    them pass near the root. Where our own balanced tables are no better, that is said.
    """
    manager = "a balanced order (opensm -X, ftree)" if fabric.has_levels else "opensm -R dfsssp or nue, with QoS"
    known = ""
    for call in SPREAD:
        try:
            routing = fabric.net.routing(call)
            if not routing.deadlock(tables=True)["free"]:
                continue
            routed = fabric.net.with_tables(routing.write(WRITTEN), NAME, WRITTEN)
        except NetloomError:
            continue
        after = len(list(uneven(fabric, Followed(Fabric(routed), NAME))))
        if after < found:
            left = f", which leaves {after} of these {found}" if after else ""
            command = f"netloom convert -r {shlex.quote(call)} --to opensm-lfts{left}"
            return f"route again with {manager}, or load the tables of {command}"
        lane = "" if fabric.has_levels else "with one virtual lane "
        known = f": {lane}netloom finds no tables with fewer such cables"
    return f"route again with {manager}{known}"
