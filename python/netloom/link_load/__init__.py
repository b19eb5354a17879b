"""Link loads at machine scale: expected bytes on every link for one job or many, and who puts them there.

The second rung of fidelity: no simulated time, so that a machine of millions of ranks takes seconds to minutes. The
model is that of seed 004 §3.2.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import _core, api, matrices, plugin
from ..arguments import Arguments
from ..errors import Fault, NetloomError
from ..jobs import JobSpec, read_jobs
from .default import default_routing as default_routing
from .places import in_service_count as in_service_count
from .places import job_endpoints as job_endpoints
from .places import place_endpoints as place_endpoints
from .places import placed_endpoints as placed_endpoints
from .places import require_few
from .places import spread_ranks as spread_ranks
from .ranking import rank as rank
from .result import Loads

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Traffic = str | _core.Sends | _core.Schedule | _core.Traffic
_TRAFFIC = (str, _core.Sends, _core.Schedule, _core.Traffic)
_TRAFFIC_WORDS = "a pattern's call text, collective:algorithm, a file of traffic, a Sends, a Schedule or a Traffic"

VARIANTS = ("static-direct", "static-indirect", "adaptive-direct", "adaptive-indirect", "adaptive-hybrid")
#: The seed's abbreviations, which are accepted too.
SHORT = dict(zip(("SD", "SI", "AD", "AI", "AH"), VARIANTS, strict=True))


@dataclass(frozen=True, eq=False)
class LoadJob:
    """One job whose messages load the links.

    Parameters
    ----------
    traffic
        A pattern's call text (`"unstructured-mesh"`), `"collective:algorithm"`, a file of traffic, or what these make.
    endpoints
        Endpoint of each rank; ranks may share one.
    routing
        Call text of a routing, for this job alone; None for that of the call.
    variant
        One of `VARIANTS` or its abbreviation, for this job alone; None for that of the call.
    size_bytes
        Of a collective, in the collective's own meaning; None for that of the call.
    """

    name: str
    traffic: Traffic
    endpoints: ArrayLike
    routing: str | None = None
    variant: str | None = None
    size_bytes: int | None = None


def loads(
    net: api.NetworkLike,
    jobs: LoadJob | JobSpec | str | Path | Sequence[LoadJob | JobSpec],
    *,
    routing: str | None = None,
    variant: str = "static-direct",
    traffic: Traffic | None = None,
    size_bytes: int = 1,
    seed: int = 1,
    packet_bytes: int = 65536,
    fresh_paths: int = 4,
    direct_paths: int = 2,
    increments: int = 50,
    tolerance: float = 1e-3,
    rounds: int = 100,
    hottest: int = 5,
    top: int = 3,
    arrays: bool = True,
    progress: api.Progress | None = None,
) -> Loads:
    """Expected bytes on every link when all messages of all jobs are under way together.

    Parameters
    ----------
    jobs
        Jobs, or a list of them as `netloom.read_jobs` takes it.
    routing
        The candidate paths of jobs that do not say; by default `group-minimal` on dragonflies, `minimal` elsewhere, and
        `dimension-ordered(tie=split)` on grids with more than 4,096 shortest paths or 255 hops between two switches.
    variant
        How messages choose among them: `static-direct` (in the routing's shares), `static-indirect` (packet by packet
        over random switches), `adaptive-direct` (in proportion to the bandwidth that the paths get),
        `adaptive-indirect` (fresh random detours in every round), `adaptive-hybrid` (direct paths beside detours: UGAL
        with global knowledge); or SD, SI, AD, AI, AH.
    traffic, size_bytes
        Of jobs that do not say.
    seed
        Of random intermediate switches.
    packet_bytes
        Unit of `static-indirect`: each packet takes a detour of its own.
    fresh_paths, direct_paths
        Candidates per flow and round of the indirect variants; most direct ones among them in the hybrid.
    increments
        The bandwidth is exposed in that many steps where paths are drawn afresh. 50 in the seed.
    tolerance, rounds
        Rounds end when one adds less than this share to the bandwidth that all messages have, or at that many.
    hottest, top
        Links whose causes are listed, and ranks and message classes for each; 0 for none, which saves a pass.
    arrays
        False: only numbers, without a column per link.

    Returns
    -------
    Loads

    Raises
    ------
    NetloomError
        NL-E021, NL-E022, NL-E001 where places and ranks differ, and what jobs and routing report.

    Notes
    -----
    Messages of a job between two switches are merged; only adaptive jobs keep these flows, 40 bytes each. Cost:
    O(messages + flows * paths * hops), times rounds for adaptive jobs. The same on any number of threads.
    """
    given = Arguments("loads")
    variant = given.text("variant", variant, '"adaptive-hybrid"')
    whole = {
        "seed": given.natural("seed", seed, (1 << 63) - 1),
        "packet_bytes": given.natural("packet_bytes", packet_bytes, (1 << 63) - 1),
        "fresh_paths": given.natural("fresh_paths", fresh_paths),
        "direct_paths": given.natural("direct_paths", direct_paths),
        "increments": given.natural("increments", increments),
        "rounds": given.natural("rounds", rounds),
    }
    hottest, top = given.natural("hottest", hottest, 1000), given.natural("top", top, 1000)
    size_bytes = given.integer("size_bytes", size_bytes)
    given.one_of("tolerance", tolerance, (int, float), "a number in 0..1")
    given.done()
    machine = api.network(net)
    listed = _jobs(jobs, machine)
    routing = routing or default_routing(machine)
    rows = [_row(job, routing, variant, traffic, size_bytes) for job in listed]
    settings = whole | {"tolerance": float(tolerance)}
    try:
        found = _core.loads(machine, rows, settings, hottest, top, arrays, progress)
    except NetloomError as error:
        raise _of_whom(error, machine, listed) from None
    return Loads(machine, [row[0] for row in rows], [(row[3], row[4]) for row in rows], found)


def _of_whom(error: NetloomError, net: _core.Network, jobs: Sequence[LoadJob | JobSpec]) -> NetloomError:
    """With the job's name before it, where a job's own routing is at fault."""
    for job in jobs:
        if job.routing is None:
            continue
        try:
            net.routing(job.routing)
        except NetloomError as own:
            if own.faults == error.faults:
                return _named(own, f'job "{job.name[:60]}".routing')
    return error


def sends(traffic: Traffic, ranks: int, *, size_bytes: int = 1) -> _core.Sends:
    """The traffic as a stream of what each rank sends; patterns are never listed."""
    given = Arguments("loads")
    given.one_of("traffic", traffic, _TRAFFIC, _TRAFFIC_WORDS)
    given.done()
    if isinstance(traffic, _core.Sends):
        return traffic
    if isinstance(traffic, str) and not matrices.is_traffic_file(traffic) and _is_pattern(traffic):
        return _core.stream(traffic, ranks)
    made = api.workload(traffic, ranks, size_bytes=size_bytes) if isinstance(traffic, str) else traffic
    return _core.Sends.of_traffic(made) if isinstance(made, _core.Traffic) else _core.Sends.of_schedule(made)


def _is_pattern(text: str) -> bool:
    name = text.partition("(")[0]
    return ":" not in name and plugin.find("collectives", text) is None


def _jobs(jobs: Any, net: _core.Network) -> list[LoadJob | JobSpec]:
    if isinstance(jobs, (LoadJob, JobSpec)):
        return [jobs]
    if isinstance(jobs, (str, Path)):
        return list(read_jobs(jobs, net))
    listed = list(jobs) if isinstance(jobs, Iterable) and not isinstance(jobs, Mapping) else [jobs]
    given = Arguments("loads")
    for number, job in enumerate(listed):
        given.one_of(f"jobs[{number}]", job, (LoadJob, JobSpec), "a LoadJob, or what read_jobs gives")
    given.done()
    return listed


def _row(
    job: LoadJob | JobSpec,
    routing: str,
    variant: str,
    traffic: Traffic | None,
    size_bytes: int,
) -> tuple[str, _core.Sends, Any, str, str]:
    """A job as the core takes it."""
    given = Arguments("loads")
    name = given.text("name of a job", job.name)
    kind = given.text(f"variant of job {name}", job.variant or variant, '"adaptive-hybrid"')
    paths = given.text(f"routing of job {name}", job.routing or routing, '"minimal"')
    if isinstance(job, JobSpec):
        require_few(f'job "{name[:60]}"', job.ranks)
        places: Any = job.endpoint_of_rank()
        own, size = job.traffic or traffic, size_bytes
    else:
        places = given.endpoints(f"endpoints of job {name}", job.endpoints)
        own = job.traffic
        size = size_bytes if job.size_bytes is None else given.integer(f"size_bytes of job {name}", job.size_bytes)
    given.one_of(f"traffic of job {name}", own, _TRAFFIC, _TRAFFIC_WORDS)
    given.done()
    assert own is not None
    try:
        made = sends(own, len(places), size_bytes=size)
    except NetloomError as error:
        raise _named(error, f'job "{name[:60]}".traffic') from None
    return name, made, places, paths, SHORT.get(kind.upper(), kind)


def _named(error: NetloomError, place: str) -> NetloomError:
    """The same faults with a place before theirs."""
    return NetloomError([Fault(f.code, f"{place}: {f.place}", f.expected, f.got, f.hint) for f in error.faults])
