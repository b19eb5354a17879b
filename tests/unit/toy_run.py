"""A toy store-and-forward run, so that the pictures have something to show: a binomial broadcast between computations.

Every rank computes, waits for its message and passes it on, one after the other through its own link; the path back is
followed with the toy's own knowledge of who waited for whom.
"""

from __future__ import annotations

from typing import Any

import numpy as np

NONE = 2**32 - 1
LATENCY, OVERHEAD, BANDWIDTH = 1e-6, 0.4e-6, 1e9
BYTES = 16_384


def run(ranks: int, rounds: int = 3, seed: int = 1) -> tuple[dict[str, Any], dict[str, Any]]:
    """Trace and critical path of `rounds` times computing and broadcasting, each time from another rank."""
    random = np.random.default_rng(seed)
    clock = np.zeros(ranks)
    intervals: list[tuple[int, str, float, float, int]] = []
    messages: list[tuple[int, int, float, float, float, float]] = []

    def spend(rank: int, activity: str, until: float, message: int = NONE) -> None:
        if until > clock[rank]:
            intervals.append((rank, activity, float(clock[rank]), float(until), message))
            clock[rank] = until

    for turn in range(rounds):
        for rank in range(ranks):
            spend(rank, "compute", clock[rank] + float(random.uniform(5e-6, 25e-6)))
        step = 1 << max(0, (ranks - 1).bit_length() - 1)
        while step:
            for place in range(0, ranks - step, 2 * step):
                rank, to = (place + 5 * turn) % ranks, (place + step + 5 * turn) % ranks
                number, reached = len(messages), float(clock[rank])
                spend(rank, "overhead", clock[rank] + OVERHEAD, number)
                start = float(clock[rank])
                finish = start + LATENCY + BYTES / BANDWIDTH
                messages.append((rank, to, reached, float(clock[to]), start, finish))
                spend(rank, "wait-send", finish, number)
                spend(to, "wait-receive", finish, number)
                spend(to, "overhead", finish + OVERHEAD, number)
            step //= 2
    order = sorted(range(len(intervals)), key=lambda i: intervals[i][3])
    rows = [intervals[i] for i in order]
    src, dst, posted, waited, start, finish = (np.array(c) for c in zip(*messages, strict=True))
    end = float(clock.max())
    bins = 64
    width = end / (bins - 3)
    carried = np.zeros((ranks, bins))
    for s, _, _, _, begin, done in messages:
        edges = np.clip((np.arange(bins + 1) * width - begin - LATENCY) / (done - begin - LATENCY), 0, 1)
        carried[s] += np.diff(edges) * BYTES
    used = np.flatnonzero(carried.any(axis=1))
    trace = {
        "ranks": ranks,
        "messages": {
            "src": src.astype(np.uint32),
            "dst": dst.astype(np.uint32),
            "bytes": np.full(len(src), BYTES, dtype=np.uint64),
            "job": np.zeros(len(src), dtype=np.uint32),
            "posted_send_s": posted,
            "posted_receive_s": waited,
            "start_s": start,
            "flow_s": start + LATENCY,
            "finish_s": finish,
        },
        "intervals": {
            "rank": np.array([r[0] for r in rows], dtype=np.uint32),
            "activity": np.array([r[1] for r in rows]),
            "start_s": np.array([r[2] for r in rows]),
            "end_s": np.array([r[3] for r in rows]),
            "message": np.array([r[4] for r in rows], dtype=np.uint32),
        },
        "link_bins": {"width_s": width, "bins": bins, "links": used.astype(np.uint32), "bytes": carried[used]},
    }
    return trace, _path(rows, messages, int(clock.argmax()), end)


def _path(rows: list[Any], messages: list[Any], rank: int, at: float) -> dict[str, Any]:
    """Back from the last rank: a wait to receive leads to the sender, all else to its own start."""
    ended = {(r[0], r[3]): r for r in rows}
    segments: list[tuple[int, str, float, float]] = []
    while at > 0:
        _, activity, start, _, number = ended[rank, at]
        if activity in ("wait-receive", "wait-send"):
            sender, _, _, _, began, finish = messages[number]
            segments.append((rank, "bandwidth", began + LATENCY, finish))
            segments.append((rank, "latency", began, began + LATENCY))
            rank, at = sender, began
        else:
            segments.append((rank, activity, start, at))
            at = start
    segments.reverse()
    names = ("rank", "kind", "start_s", "end_s")
    return {"segments": {name: np.array(c) for name, c in zip(names, zip(*segments, strict=True), strict=True)}}
