"""Flows with fifty digits: slow, no rounding that matters, no shortcuts. The judge where two engines disagree.

Cost: every event shares all bandwidth anew, O(flows x bottlenecks x route length). A few hundred flows.
"""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np

from .cases import Case, Floats

DIGITS = 50
#: Two events nearer than this in seconds, or a flow with fewer bytes left, differ by rounding alone.
NOTHING = Decimal(10) ** -30


def rates(weights: dict[int, Decimal], routes: list[list[int]], bandwidth: list[Decimal]) -> dict[int, Decimal]:
    """Weighted max-min fair rates by progressive filling: the link that is full first fixes its flows, and so on."""
    users: dict[int, set[int]] = {}
    for flow in weights:
        for link in routes[flow]:
            users.setdefault(link, set()).add(flow)
    left = {link: bandwidth[link] for link in users}
    found: dict[int, Decimal] = {}
    while users:
        # The load is summed anew every time: subtracting would leave rounding where nothing should be left.
        level, full = min((left[link] / sum(weights[flow] for flow in users[link]), link) for link in users)
        for flow in list(users[full]):
            found[flow] = weights[flow] * level
            for link in routes[flow]:
                left[link] -= found[flow]
                users[link].discard(flow)
                if not users[link]:
                    del users[link]
    return found


def finish_s(case: Case, sharing: str) -> Floats:
    """Finish times of a case under "equal" or "rtt" sharing, each route without a link twice."""
    with localcontext() as context:
        context.prec = DIGITS
        bandwidth = [Decimal(b) for b in case.bandwidth_bytes_per_s.tolist()]
        latency = [Decimal(a) for a in case.latency_s.tolist()]
        routes = [case.route(flow).tolist() for flow in range(case.flows)]
        pays = [sum((latency[link] for link in route), Decimal(0)) for route in routes]
        coming = sorted((Decimal(start) + pays[f], f) for f, start in enumerate(case.start_s.tolist()))
        left = [Decimal(int(size)) for size in case.size_bytes]
        running: dict[int, Decimal] = {}
        found = np.empty(case.flows)
        now, at = Decimal(0), 0
        while at < len(coming) or running:
            rate = rates(running, routes, bandwidth)
            ends = [now + left[flow] / rate[flow] for flow in running]
            then = min([*ends, *(time for time, _ in coming[at : at + 1])])
            for flow in list(running):
                left[flow] -= rate[flow] * (then - now)
                if left[flow] <= NOTHING * bandwidth[routes[flow][0]]:
                    found[flow] = then
                    del running[flow]
            now = then
            while at < len(coming) and coming[at][0] <= now + NOTHING:
                flow = coming[at][1]
                running[flow] = 1 / pays[flow] if sharing == "rtt" else Decimal(1)
                at += 1
    return found
