"""Simulated time of jobs whose ranks send, receive, wait and compute.

The third rung of fidelity: messages pay the latency of their route, then share the bandwidth of its links max-min
fairly with all that move at the same time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

from . import _core, api, calibration
from .arguments import Arguments
from .arrays import ndarray
from .errors import Fault, NetloomError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .arrays import Endpoints

Load = api.Workload | _core.Programs
_LOADS = (str, _core.Schedule, _core.Traffic, _core.Programs)
_LOADS_WORDS = "collective:algorithm, a pattern's or an application's call text, a Schedule, a Traffic or Programs"


@dataclass(frozen=True)
class Job:
    """One of several jobs on a network.

    Parameters
    ----------
    workload
        As in `netloom.simulate`.
    mapping
        Endpoint of every rank; several ranks may share one.
    start_s
        When its ranks begin.
    repetitions
        How often it is done, one after another without a barrier.
    """

    workload: Load | str
    mapping: Sequence[int] | Endpoints
    start_s: float = 0.0
    repetitions: int = 1
    root: int = 0
    size_bytes: int = 0


def simulate(
    net: api.NetworkLike,
    *,
    workload: Load | str | None = None,
    ranks: int | None = None,
    placement: str = "linear",
    order: str = "draw",
    mapping: Sequence[int] | NDArray[Any] | None = None,
    root: int = 0,
    size_bytes: int = 0,
    repetitions: int = 1,
    jobs: Sequence[Job] | None = None,
    background: Iterable[Mapping[str, float]] = (),
    routing: str = "single-minimal",
    calibration: str | calibration.Calibration = "pure",
    duplex: str = "full",
    switch_latency_s: float = 0.0,
    flops_per_s: float = 1e11,
    algorithms: Mapping[str, str] | None = None,
    trace: bool = False,
    progress: api.Progress | None = None,
) -> dict[str, Any]:
    """Run a collective, a traffic, an application or several jobs in simulated time.

    Parameters
    ----------
    workload
        `"collective:algorithm"`, a pattern, an application (`"ft(class=A)"`), or such an object. Every rank of a
        collective posts the receives of a step, then its sends, and waits for all of them. The flows of a traffic
        start together.
    ranks, placement, order, mapping, root, size_bytes
        As in `netloom.hops`; a mapping may name an endpoint several times.
    repetitions
        How often the workload is done, one after another without a barrier.
    jobs
        In place of `workload`: jobs side by side.
    background
        Flows that no job waits for: mappings with `src`, `dst` (endpoints) and, if wanted, `bytes` (by default it never
        ends), `start_s`, `cap_bytes_per_s`.
    calibration
        `"pure"` (no correction), `"simgrid-pure"`, `"simgrid-smpi"`, a file, or a `Calibration`.
    duplex
        `"full"`: both directions of a cable have its bandwidth; `"half"`: they share it.
    switch_latency_s
        Added per switch that a message passes.
    flops_per_s
        Speed of a rank.
    algorithms
        Which algorithm an application uses for a collective, such as `{"alltoall": "alltoall:pairwise"}`; by default
        what MPICH would choose.
    trace
        Also record every message, what every rank does, and the bytes on links over time.

    Returns
    -------
    dict
        `time_s` (end of the last rank), `finish_s` (ndarray, end of every rank; a list of them for `jobs`), `messages`,
        `bytes`, `mop_per_s` (applications: counted operations / time / 10^6), and the work it took: `solves`,
        `fillings`, `entries`, `changes`. With `trace`: `trace` and `critical_path`, as `netloom.plot.timeline` and
        `netloom.plot.critical` take them.

    Raises
    ------
    NetloomError
        NL-E012 for a deadlock, naming the ranks of the cycle; NL-E013 for a send or receive without partner; NL-E014
        for a message longer than its receive; NL-E005 if the routing has several paths per pair; NL-E010, NL-E011 for
        amounts that cannot be.

    Notes
    -----
    Cost per message: its path, and the rates that its start and end change. A message of `B` bytes alone takes
    latency factor * latency + (`B` + envelope) / (bandwidth factor * least bandwidth); see `Calibration`.
    """
    net = api.network(net)
    given = Arguments("simulate")
    routing, duplex = given.text("routing", routing), given.text("duplex", duplex)
    trace = given.flag("trace", trace)
    for at, load in enumerate([job.workload for job in jobs or ()] if workload is None else [workload]):
        given.one_of(f"jobs[{at}].workload" if jobs else "workload", load, _LOADS, _LOADS_WORDS)
    if (workload is None) == (jobs is None):
        given.faults.append(Fault("NL-A007", "simulate.workload, jobs", "exactly one of the two", "both or none"))
    given.done()
    if jobs is None:
        assert workload is not None
        if mapping is None:
            count = _ranks_of(workload, net.endpoints if ranks is None else ranks)
            mapping = api.place(net, count, placement, order)
        listed = [Job(workload, mapping, 0.0, repetitions, root, size_bytes)]
    else:
        listed = list(jobs)
    found = run(
        net, listed, settings(calibration, duplex, switch_latency_s, flops_per_s), background=background,
        routing=routing, algorithms=algorithms, trace=trace, progress=progress,
    )  # fmt: skip
    ends = [ndarray(job) for job in found["finish_s"]]
    found["finish_s"] = ends[0] if jobs is None else ends
    return found


def run(
    net: _core.Network,
    jobs: Sequence[Job],
    machine: Mapping[str, Any],
    *,
    background: Iterable[Mapping[str, float]] = (),
    routing: str = "single-minimal",
    algorithms: Mapping[str, str] | None = None,
    trace: bool = False,
    progress: api.Progress | None = None,
) -> dict[str, Any]:
    """As `simulate` with `jobs`; every `finish_s` is a column of the core, for which no NumPy is needed.

    Parameters
    ----------
    machine
        What `settings` made.
    """
    loads = [_load(job, algorithms or {}) for job in jobs]
    found = _core.simulate(
        net,
        [_job(at, job, load) for at, (job, load) in enumerate(zip(jobs, loads, strict=True))],
        routing,
        machine,
        [_background(at, flow) for at, flow in enumerate(background)],
        trace,
        progress,
    )
    counted = sum(load.counted_operations for load in loads if isinstance(load, _core.Programs))
    repeated = jobs[0].repetitions if len(jobs) == 1 else 1
    found["mop_per_s"] = counted * repeated / found["time_s"] / 1e6 if counted and found["time_s"] > 0 else None
    return found


def settings(
    chosen: str | calibration.Calibration, duplex: str, switch_latency_s: float, flops_per_s: float
) -> dict[str, Any]:
    """What the core needs besides network, routing and jobs."""
    core = calibration.load(chosen).to_core()
    return {
        **{key: [tuple(row) for row in value] if isinstance(value, list) else value for key, value in core.items()},
        "duplex": duplex,
        "switch_latency_s": _number("switch_latency_s", switch_latency_s),
        "flops_per_s": _number("flops_per_s", flops_per_s),
    }


def programs(actions: Sequence[Sequence[tuple[Any, ...]]], label: str = "programs") -> _core.Programs:
    """Programs of your own: per rank its actions, in order.

    Parameters
    ----------
    actions
        Per rank a list of tuples: `("send", rank, bytes[, tag])`, `("receive", rank, bytes[, tag])`,
        `("start_send", ...)`, `("start_receive", ...)`, `("sendrecv", to, bytes, from, bytes[, tag])`,
        `("wait", back)` for the request that was started `back` requests ago, `("wait_all",)`, `("compute", flops)`,
        `("sleep", seconds)`, and `("repeat", n, times)` for the next `n` actions. `sendrecv` counts as four.
    """
    rows = [[tuple(action) for action in body] for body in actions]
    return _core.Programs.from_actions(label, rows)


def application(text: str, ranks: int, algorithms: Mapping[str, str] | None = None) -> _core.Programs:
    """A registered application (`netloom list applications`), such as `"ft(class=A)"`, on `ranks` ranks."""
    return _core.Programs.application(text, ranks, dict(algorithms or {}))


def by_collective(calls: Iterable[str]) -> dict[str, str]:
    """Calls such as `"alltoall:bruck"` or `"smpi:allreduce:rdb"` by their collective; `"smpi"` by itself."""
    words = {call.strip(): call.partition("(")[0].strip().split(":") for call in calls if call.strip()}
    return {parts[-2] if len(parts) > 1 else parts[0]: call for call, parts in words.items()}


def is_application(text: str) -> bool:
    """True if call text names an application."""
    from .registries import catalogue

    name = text.partition("(")[0].strip()
    return any(name == row["name"] or name in row["aliases"] for row in catalogue("applications"))


def _load(job: Job, algorithms: Mapping[str, str]) -> Load:
    if isinstance(job.workload, str) and is_application(job.workload):
        return application(job.workload, len(job.mapping), algorithms)
    if isinstance(job.workload, _core.Programs):
        return job.workload
    return api.workload(job.workload, len(job.mapping), root=job.root, size_bytes=job.size_bytes)


def _ranks_of(workload: Load | str, ranks: int) -> int:
    return ranks if isinstance(workload, str) else workload.ranks


def _job(at: int, job: Job, load: Load) -> tuple[Any, ...]:
    given = Arguments(f"simulate.jobs[{at}]")
    mapping = given.endpoints("mapping", job.mapping)
    repetitions = given.integer("repetitions", job.repetitions)
    if not 0 <= repetitions < 1 << 32:
        given.faults.append(
            Fault("NL-A007", f"simulate.jobs[{at}].repetitions", "from 1 to 2^32 - 1", str(repetitions))
        )
    given.done()
    return load, mapping, _number("start_s", job.start_s), repetitions


def _background(at: int, flow: Mapping[str, float]) -> tuple[int, int, float, float, float]:
    place = f"simulate.background[{at}]"
    known = {"src", "dst", "bytes", "start_s", "cap_bytes_per_s"}
    if not isinstance(flow, Mapping) or not {"src", "dst"} <= set(flow) <= known:
        raise NetloomError([Fault("NL-A007", place, "a mapping with src, dst, and of " + ", ".join(known), repr(flow))])
    given = Arguments(place)
    ends = [given.integer(end, flow[end]) for end in ("src", "dst")]
    given.done()
    # What is no endpoint becomes one that does not exist, so that the core names it.
    ends = [end if 0 <= end < 1 << 32 else (1 << 32) - 1 for end in ends]
    amounts = [_number(f"background[{at}].{key}", flow.get(key, default)) for key, default in _BACKGROUND.items()]
    return ends[0], ends[1], amounts[0], amounts[1], amounts[2]


_BACKGROUND = {"bytes": float("inf"), "start_s": 0.0, "cap_bytes_per_s": float("inf")}


def _number(name: str, value: Any) -> float:
    # NumPy's numbers are Real too; its booleans are not.
    if isinstance(value, Real) and not isinstance(value, bool):
        return float(value)
    raise NetloomError([Fault("NL-A007", f"simulate.{name}", "a number", repr(value))])
