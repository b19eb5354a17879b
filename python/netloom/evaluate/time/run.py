"""From a scenario to the time of its jobs, over one of the core's evaluators of time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import _core
from ...scenario import Bound
from ...scenario.background import flows
from ...workload import Workload, messages
from .. import core

if TYPE_CHECKING:
    from ...base.records import Found
    from ..base import Options


def simulated(bound: Bound, evaluator: str, options: Options) -> tuple[Found, list[Workload]]:
    """What one of the core's evaluators of time found, and the jobs' workloads."""
    jobs = bound.jobs
    loads: list[Workload] = []
    for number, job in enumerate(jobs):
        size = bound.size_bytes if job.size_bytes is None else job.size_bytes
        load = bound.work_of(bound.source_of(job), job.ranks, job.root, size, f"jobs[{number}].workload")
        loads.append(messages(load) if isinstance(load, _core.Sends) else load)
    asked = core.several(bound, loads, None, flows(bound.value("background")), bound.machine)
    trace = bool(options["critical_path"] or options["trace"])
    own = {name: value for name, value in options.items() if name not in ("critical_path", "trace")}
    settings = own | {"trace": trace, "seed": bound.integer("seed")}
    return _core.evaluate(asked, evaluator, settings, bound.progress), loads
