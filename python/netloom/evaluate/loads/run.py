"""From a scenario to the loads on its links."""

from __future__ import annotations

from typing import Any

from ... import _core
from ...errors import Fault, NetloomError
from ...jobs import PlacedJob
from ...mapping.place import require_few
from ...scenario import Bound
from .result import Loads

#: Options that the core takes as its settings.
SETTINGS = ("packet_bytes", "fresh_paths", "direct_paths", "increments", "tolerance", "rounds")
#: Links whose causes are listed, and causes of each.
MOST_LISTED = 1000
#: What jobs may say that has no meaning without time.
NO_TIME = {"start_s": 0.0, "repetitions": 1}


def loads(bound: Bound, options: dict[str, Any]) -> Loads:
    """Expected bytes on every link when all messages of all jobs are under way together.

    Notes
    -----
    Messages of a job between two switches are merged; only adaptive jobs keep these flows, 40 bytes each. Cost:
    O(messages + flows * paths * hops), times rounds for adaptive jobs. The same on any number of threads.
    """
    net = bound.network
    _require_few(options)
    bound.refuse_job_keys("loads", NO_TIME)
    jobs = bound.jobs
    with bound.alone():
        rows = [_row(bound, job) for job in jobs]
        settings = {key: options[key] for key in SETTINGS} | {"seed": bound.integer("seed")}
        try:
            found = _core.loads(
                net, rows, settings, options["hottest"], options["top"], options["arrays"], bound.progress
            )
        except NetloomError as error:
            raise _of_whom(error, net, jobs) from None
    return Loads(net, [row[0] for row in rows], [(row[3], row[4]) for row in rows], found, options)


def _require_few(options: dict[str, Any]) -> None:
    """A cause takes memory for each link that is listed."""
    faults = [
        Fault("NL-A007", f"loads.{name}", f"an integer in 0..{MOST_LISTED}", str(options[name]))
        for name in ("hottest", "top")
        if options[name] > MOST_LISTED
    ]
    if faults:
        raise NetloomError(faults)


def _row(bound: Bound, job: PlacedJob) -> tuple[str, _core.Sends, Any, str, str]:
    """A job as the core takes it."""
    require_few(f'job "{job.name[:60]}"', job.ranks)
    return job.name, bound.stream_of(job), job.places(), bound.routing_of(job.routing), bound.variant_of(job)


def _of_whom(error: NetloomError, net: _core.Network, jobs: list[PlacedJob]) -> NetloomError:
    """With the job's name before it, where a job's own routing is at fault."""
    for job in jobs:
        if job.routing in (None, "auto"):
            continue
        try:
            net.routing(str(job.routing))
        except NetloomError as own:
            if own.faults == error.faults:
                place = f'job "{job.name[:60]}".routing'
                return NetloomError(
                    [Fault(f.code, f"{place}: {f.place}", f.expected, f.got, f.hint) for f in own.faults]
                )
    return error
