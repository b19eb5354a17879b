"""From a scenario to the time of its jobs: a message pays its route's latency, then shares the bandwidth of links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ... import _core
from ...base.arguments import Arguments
from ...base.errors import Fault, NetloomError
from ...base.quantities import parse_bytes
from ...scenario import Bound
from ...workload import Workload, messages
from .. import core

if TYPE_CHECKING:
    from ...base.records import Found

_BACKGROUND = {"bytes": float("inf"), "start_s": 0.0, "cap_bytes_per_s": float("inf")}


def simulated(bound: Bound, trace: bool) -> tuple[Found, list[Workload]]:
    """What the core found, and the jobs' workloads."""
    jobs = bound.jobs
    loads: list[Workload] = []
    for number, job in enumerate(jobs):
        size = bound.size_bytes if job.size_bytes is None else job.size_bytes
        load = bound.work_of(bound.source_of(job), job.ranks, job.root, size, f"jobs[{number}].workload")
        loads.append(messages(load) if isinstance(load, _core.Sends) else load)
    given = bound.value("background") or ()
    listed = [_background(at, flow) for at, flow in enumerate(given)]
    asked = core.several(bound, loads, None, listed, bound.machine)
    settings = {"trace": trace, "seed": bound.integer("seed")}
    return _core.evaluate(asked, "time", settings, bound.progress), loads


def _background(at: int, flow: Mapping[str, object]) -> tuple[int, int, float, float, float]:
    place = f"background[{at}]"
    known = {"src", "dst", *_BACKGROUND}
    if not isinstance(flow, Mapping) or not {"src", "dst"} <= set(flow) <= known:
        raise NetloomError([Fault("NL-A007", place, "a mapping with src, dst, and of " + ", ".join(known), repr(flow))])
    given = Arguments(place)
    ends = [given.integer(end, flow[end]) for end in ("src", "dst")]
    amounts = [_amount(given, key, flow.get(key, default), place) for key, default in _BACKGROUND.items()]
    given.done()
    # What is no endpoint becomes one that does not exist, so that the core names it.
    ends = [end if 0 <= end < 1 << 32 else (1 << 32) - 1 for end in ends]
    return ends[0], ends[1], amounts[0], amounts[1], amounts[2]


def _amount(given: Arguments, key: str, value: object, place: str) -> float:
    if key == "bytes" and isinstance(value, str):
        return float(parse_bytes(value, f"{place}.bytes"))
    return given.number(key, value)
