"""Simulated time: flows that share links, and jobs whose ranks send, receive, wait and compute.

The third rung of fidelity: messages pay the latency of their route, then share the bandwidth of its links max-min
fairly with all that move at the same time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from numbers import Real
from typing import TYPE_CHECKING, Any

from . import _core, api, calibration
from .arguments import Arguments
from .arrays import ndarray
from .errors import Fault, NetloomError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from .arrays import Endpoints

    #: A list of link-id sequences, or (offsets, link ids): the links of flow `i` are `ids[offsets[i]:offsets[i + 1]]`.
    Routes = Sequence[Sequence[int]] | tuple[ArrayLike, ArrayLike]

Load = api.Workload | _core.Programs
_LOADS = (str, _core.Schedule, _core.Traffic, _core.Programs)
_LOADS_WORDS = "collective:algorithm, a pattern's or an application's call text, a Schedule, a Traffic or Programs"

#: SimGrid's `network/weight-S` and `network/TCP-gamma` in its SMPI model, bytes; the share of cross-traffic there.
WEIGHT_S_BYTES, TCP_WINDOW_BYTES, CROSS_TRAFFIC = 8775.0, 4194304.0, 0.05


def simulate_flows(
    bandwidth_bytes_per_s: ArrayLike,
    latency_s: ArrayLike,
    routes: Routes,
    size_bytes: ArrayLike,
    start_s: ArrayLike | float = 0.0,
    sharing: str = "equal",
    *,
    fat_links: ArrayLike | None = None,
    reverse_routes: Routes | None = None,
    cap_bytes_per_s: ArrayLike | None = None,
    weight: ArrayLike | None = None,
    weight_s_bytes: float = WEIGHT_S_BYTES,
    tcp_window_bytes: float | None = None,
    cross_traffic: float | None = None,
    progress: api.Progress | None = None,
) -> NDArray[np.float64]:
    """When every flow ends.

    A flow pays the latency of its whole route once, then shares bandwidth; alone it takes sum(latency) +
    bytes / min(bandwidth).

    Parameters
    ----------
    bandwidth_bytes_per_s, latency_s
        Per link, shape (links,): above 0, and at least 0.
    routes
        Links of every flow. An empty route takes no time.
    size_bytes, start_s
        Per flow, shape (flows,), at least 0; one number stands for all.
    sharing
        `"equal"`: plain max-min fairness. `"rtt"`: a flow weighs 1 / latency of its route (1 if that is 0), as in
        SimGrid's CM02. `"smpi"`: it weighs 1 / (latency + `weight_s_bytes` * sum of 1 / bandwidth), its rate is at most
        `tcp_window_bytes` / (2 * latency), and it takes `cross_traffic` of its rate on its `reverse_routes` too.
    fat_links
        Per link, true if every flow has it to itself (SimGrid's FATPIPE).
    reverse_routes
        The way back of every flow, for the cross-traffic.
    cap_bytes_per_s, weight
        Per flow: a rate that it never exceeds; a factor on its weight.
    tcp_window_bytes, cross_traffic
        By default SMPI's 4 MiB and 5 % with `sharing="smpi"`, none otherwise. A window of 0 is no bound.

    Returns
    -------
    ndarray of float64, shape (flows,)
        Seconds on the same clock as `start_s`.

    Raises
    ------
    NetloomError
        NL-E010, NL-E011 for every array that does not fit and every amount that cannot be.

    Notes
    -----
    Exact up to rounding: instants closer than 2^-50 of the time since 0 are one, a flow ends together with another one
    if 2^-40 of its duration is left, and a rate is off by at most 2^-50 times the flows on its bottleneck. Cost per
    start and end: the rates that it really changes, times the links of these flows.
    """
    import numpy as np

    given = Arguments("simulate_flows")
    sharing = given.text("sharing", sharing, '"equal"')
    given.done()
    is_smpi = sharing == "smpi"
    window = (TCP_WINDOW_BYTES if is_smpi else 0.0) if tcp_window_bytes is None else tcp_window_bytes
    cross = (CROSS_TRAFFIC if is_smpi else 0.0) if cross_traffic is None else cross_traffic
    size = _floats("size_bytes", size_bytes)
    ways = _routes("routes", routes)
    if size.ndim == 0:
        size = np.full(max(len(ways[0]) - 1, 0), float(size))
    start = _floats("start_s", start_s)
    start = np.full(len(size), float(start)) if start.ndim == 0 else start
    empty = np.zeros(0)
    found = _core.simulate_flows(
        _column("bandwidth_bytes_per_s", bandwidth_bytes_per_s),
        _column("latency_s", latency_s),
        ways,
        _column("size_bytes", size),
        _column("start_s", start),
        sharing,
        float(weight_s_bytes),
        float(window),
        float(cross),
        np.zeros(0, dtype=np.bool_) if fat_links is None else np.asarray(fat_links, dtype=np.bool_).ravel(),
        (np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.uint32))
        if reverse_routes is None
        else _routes("reverse_routes", reverse_routes),
        empty if cap_bytes_per_s is None else _column("cap_bytes_per_s", cap_bytes_per_s),
        empty if weight is None else _column("weight", weight),
        progress,
    )
    finish: NDArray[np.float64] = found["finish_s"]
    return finish


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


def _floats(name: str, value: ArrayLike | float) -> NDArray[np.float64]:
    import numpy as np

    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise NetloomError([Fault("NL-A007", f"simulate_flows.{name}", "numbers", repr(value))]) from None


def _column(name: str, value: ArrayLike) -> NDArray[np.float64]:
    import numpy as np

    array = _floats(name, value)
    if array.ndim != 1:
        shape = f"shape {array.shape}"
        raise NetloomError([Fault("NL-E010", f"simulate_flows.{name}", "one number per link or flow", shape)])
    return np.ascontiguousarray(array)


def _routes(name: str, routes: Routes) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]:
    """Offsets and link ids; what is no link id becomes one that does not exist, so that the core names it."""
    import numpy as np

    try:
        if isinstance(routes, tuple) and len(routes) == 2:
            given = [np.asarray(part) for part in routes]
        else:
            lengths = [len(route) for route in routes]
            given = [np.cumsum([0, *lengths], dtype=np.int64), np.array(list(chain.from_iterable(routes)))]
            if not len(given[1]):
                given[1] = np.zeros(0, dtype=np.int64)
        offsets, ids = (_whole(part) for part in given)
    except (TypeError, ValueError, OverflowError):
        expected = "a list of link-id sequences, or (offsets, link ids)"
        raise NetloomError([Fault("NL-A007", f"simulate_flows.{name}", expected, "something else")]) from None
    if len(ids) and (ids.min() < 0 or ids.max() >= 1 << 32):
        ids = np.where((ids < 0) | (ids >= 1 << 32), (1 << 32) - 1, ids)
    return np.maximum(offsets, 0).astype(np.uint64), ids.astype(np.uint32)


def _whole(values: NDArray[Any]) -> NDArray[np.int64]:
    """A list of numbers as integers; ValueError if that changes them."""
    import numpy as np

    whole = values.astype(np.int64, copy=False)
    if whole.ndim != 1 or (not np.can_cast(values.dtype, np.int64) and (whole != values).any()):
        raise ValueError
    return whole
