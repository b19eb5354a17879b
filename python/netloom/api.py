"""What people script with: the four questions as functions over plain texts, arrays and dicts.

Every function takes a network as an object, as call text (`"torus(8,8,8)"`) or as a file name, and a workload as an
object or as call text (`"allreduce:ring"`, `"stencil(8,8,8)"`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _core, files, matrices, plugin
from .arguments import Arguments
from .arrays import ndarray
from .errors import Fault, NetloomError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .arrays import Endpoints
    from .calibration import Calibration

    Ranks = NDArray[np.uint32]

NetworkLike = _core.Network | str | Path
Workload = _core.Schedule | _core.Traffic
Progress = Callable[[int, int], object]

_LOADS = "collective:algorithm, a pattern's call text, a file of traffic, a Schedule or a Traffic"


def network(source: NetworkLike, format: str | None = None) -> _core.Network:
    """A network from call text, a file, or itself.

    Parameters
    ----------
    source
        `_core.Network`, call text such as `"dragonfly(a=16,p=1,h=4,g=64)"`, or the path of a network file.
    format
        Registered name of the file's format; by default told from the name and the first bytes.

    Raises
    ------
    NetloomError
        If the text names nothing, a parameter is out of range, or the file cannot be read.
    """
    if isinstance(source, _core.Network):
        return source
    given = Arguments("network")
    given.one_of("source", source, (str, Path), "a Network, call text or the path of a file")
    if format is not None:
        given.text("format", format)
    given.done()
    text = str(source)
    if format is None and isinstance(source, str) and not _is_file(text):
        return plugin.build_network(text) or _core.Network.build(text)
    return _core.Network.read(files.read(text), text, format)


def _is_file(text: str) -> bool:
    """Call text never names an existing file unless it looks like a path."""
    if "(" in text and text.rstrip().endswith(")"):
        return False
    looks_like_path = "/" in text or "\\" in text or Path(text).suffix != ""
    try:
        return Path(text).is_file() or looks_like_path
    except (OSError, ValueError):
        return False


def workload(source: Workload | str, ranks: int, *, root: int = 0, size_bytes: int = 0) -> Workload:
    """A collective's schedule, a traffic pattern or the traffic of a file on `ranks` ranks.

    Parameters
    ----------
    source
        `"collective:algorithm"`, a pattern's call text, or a file of traffic, known by its ending: `.csv`, `.mtx`,
        `.npy` (see `read_traffic`).
    root
        Root rank of a rooted collective.
    size_bytes
        See the collective's `size_meaning`; patterns take their own `bytes`.
    """
    given = Arguments("workload")
    given.one_of("source", source, (str, _core.Schedule, _core.Traffic), _LOADS)
    ranks, root = given.integer("ranks", ranks), given.integer("root", root)
    size_bytes = given.integer("size_bytes", size_bytes)
    given.done()
    if not isinstance(source, str):
        return source
    if matrices.is_traffic_file(source):
        return matrices.read_traffic(source, ranks=ranks)
    made = plugin.build_schedule(source, ranks, root, size_bytes)
    if made is not None:
        return made
    if ":" in source.partition("(")[0]:
        return _core.Schedule.build(source, ranks, root, size_bytes)
    return _core.Traffic.pattern(source, ranks)


def describe(source: NetworkLike, *, format: str | None = None, bisection: bool = True) -> dict[str, Any]:
    """Size, distances and cut of a network.

    Returns
    -------
    dict
        `network`, `switches`, `endpoints`, `switch_links` and `endpoint_links` (full-duplex cables, each once),
        `degree_min`, `degree_max` (switch-to-switch ports), `diameter`, `aspl` (mean over ordered pairs of distinct
        switches), `endpoint_diameter`, `endpoint_aspl` (over ordered pairs of distinct endpoints), `hop_histogram`,
        `moore_bound`, `levels` (cables per link class) and, if asked for, `bisection`.

    Notes
    -----
    Cost: bit-parallel breadth-first search, O(switches² / 64 × degree × diameter); one source if the topology is known
    to be vertex-transitive.
    """
    net = network(source, format)
    result: dict[str, Any] = {"network": net.label}
    result.update(net.metrics())
    if bisection:
        result["bisection"] = net.bisection()
    return result


def place(
    net: NetworkLike, ranks: int, placement: str = "linear", order: str = "draw", *, progress: Progress | None = None
) -> Ranks:
    """Endpoint of every rank: a placement, then an order on it.

    Returns
    -------
    ndarray of uint32, shape (ranks,)
    """
    return ndarray(placed(net, ranks, placement, order))


def placed(net: NetworkLike, ranks: int, placement: str = "linear", order: str = "draw") -> Endpoints:
    """As `place`, in the core's own column: for commands, which need no NumPy for it."""
    net = network(net)
    given = Arguments("place")
    ranks = given.integer("ranks", ranks)
    placement, order = given.text("placement", placement), given.text("order", order)
    given.done()
    if plugin.find("placements", placement) is None and plugin.find("orders", order) is None:
        return _core.place(net, ranks, placement, order)
    slots: Endpoints | None = plugin.place(placement, net, ranks)
    if slots is None:
        slots = _core.place(net, ranks, placement, "draw")
    return ordered(net, slots, order)


def ordered(net: _core.Network, slots: Endpoints, order: str) -> Endpoints:
    """Which rank on which of the slots: a plug-in's order or a registered one, on a column or an ndarray."""
    if plugin.find("orders", order) is None:
        return _core.reorder(net, slots, order)
    made = plugin.order(order, net, ndarray(slots))
    assert made is not None
    return made


def hops(
    net: NetworkLike,
    *,
    workload: Workload | str,
    ranks: int | None = None,
    placement: str = "linear",
    order: str = "draw",
    mapping: Sequence[int] | Ranks | None = None,
    root: int = 0,
    size_bytes: int = 0,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Hop counts of a workload on a network.

    Parameters
    ----------
    ranks
        Number of ranks; by default one per endpoint.
    mapping
        Endpoint of every rank; replaces `placement` and `order`.

    Returns
    -------
    dict
        `messages`, `total_hops`, `mean_hops`, `max_hops`, `steps` (list of `{messages, hops}`; schedules only),
        `histogram`, `bytes`, `hop_bytes`, `average_hops_per_byte`, `average_bytes_per_link` (Jain 2016, equations
        2.1-2.5).
    """
    net = network(net)
    if mapping is None:
        count = net.endpoints if ranks is None else ranks
        endpoints = placed(net, count, placement, order)
    else:
        endpoints = _mapping("hops", mapping)
        count = len(endpoints)
    load = globals()["workload"](workload, count, root=root, size_bytes=size_bytes)
    return _core.hops(net, endpoints, load, progress=progress)


def link_loads(
    net: NetworkLike,
    mapping: Sequence[int] | Ranks,
    workload: Workload | str,
    routing: str = "single-minimal",
    *,
    root: int = 0,
    size_bytes: int = 1,
) -> dict[str, Any]:
    """Bytes on every directed switch link, and their maximum (Jain 2016, equation 2.6)."""
    net = network(net)
    given = Arguments("link_loads")
    endpoints, routing = given.endpoints("mapping", mapping), given.text("routing", routing)
    given.done()
    load = globals()["workload"](workload, len(endpoints), root=root, size_bytes=size_bytes)
    return _core.link_loads(net, endpoints, load, routing)


def map_ranks(
    net: NetworkLike,
    *,
    workload: Workload | _core.Programs | str,
    ranks: int | None = None,
    placement: str = "linear",
    order: str = "draw",
    mapping: Sequence[int] | NDArray[Any] | None = None,
    optimiser: str = "auto",
    objective: str = "hops",
    free: bool = False,
    seconds: float | None = None,
    root: int = 0,
    size_bytes: int = 1,
    repetitions: int = 1,
    routing: str = "single-minimal",
    calibration: str | Calibration = "pure",
    duplex: str = "full",
    switch_latency_s: float = 0.0,
    flops_per_s: float = 1e11,
    algorithms: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Improve where ranks run.

    Parameters
    ----------
    workload
        `"collective:algorithm"`, a pattern, an application (`"ft(class=A)"`), or such an object.
    mapping
        Where the search starts, in place of `placement` and `order`: endpoint of every rank.
    free
        True: any endpoint of the network may be used, not only those of the placement.
    seconds
        Time budget; without one the optimiser's own number of evaluations decides, and the result is reproducible.
    routing
        For objectives over links and for `time`: one path per pair.
    repetitions, calibration, duplex, switch_latency_s, flops_per_s, algorithms
        For the objective `time`, as in `netloom.simulate`.

    Returns
    -------
    dict
        `mapping` (ndarray, endpoint of every rank), `value` (of `time`: picoseconds), `start_value`, `bound` (no
        mapping can be better; 0 if nothing is known), `evaluations`, `accepted`, `trace` (list of (evaluations, best
        value)), `method`.
    """
    from . import flow

    net = network(net)
    given = Arguments("map_ranks")
    routing, duplex = given.text("routing", routing), given.text("duplex", duplex)
    repetitions = given.integer("repetitions", repetitions)
    optimiser, objective = given.text("optimiser", optimiser), given.text("objective", objective)
    free, seconds = given.flag("free", free), given.seconds("seconds", seconds)
    given.done()
    if mapping is None:
        count = (workload.ranks if isinstance(workload, _core.Programs) else net.endpoints) if ranks is None else ranks
        start = place(net, count, placement, order)
    else:
        start = _mapping("map_ranks", mapping)
        count = len(start)
    load = _messages(workload, count, root, size_bytes, algorithms)
    if not isinstance(load, _core.Programs):
        made = plugin.optimise(optimiser, net, start, load, objective)
        if made is not None:
            return made
    timing = None
    if _core.needs_clock(objective):
        machine = flow.settings(calibration, duplex, switch_latency_s, flops_per_s)
        timing = (net, machine, routing, repetitions)
    return _core.optimise(
        net, start, load, optimiser, objective, free, seconds, progress, routing=routing, timing=timing
    )


def _messages(
    source: Workload | _core.Programs | str,
    ranks: int,
    root: int,
    size_bytes: int,
    algorithms: Mapping[str, str] | None,
) -> Workload | _core.Programs:
    from . import flow

    if isinstance(source, _core.Programs):
        return source
    if isinstance(source, str) and flow.is_application(source):
        return flow.application(source, ranks, algorithms)
    return workload(source, ranks, root=root, size_bytes=size_bytes)


def verify(schedule: str | _core.Schedule, ranks: int = 0, *, root: int = 0, size_bytes: int = 1) -> dict[str, Any]:
    """Prove a schedule by executing it on symbolic data.

    Returns
    -------
    dict
        `steps`, `messages`, `max_bytes_sent`, `total_bytes`, `max_ports`.

    Raises
    ------
    NetloomError
        Saying which rank lacks which block at which step.
    """
    given = Arguments("verify")
    given.one_of("schedule", schedule, (str, _core.Schedule), "collective:algorithm or a Schedule")
    given.done()
    if isinstance(schedule, str):
        made = workload(schedule, ranks, root=root, size_bytes=size_bytes)
        if not isinstance(made, _core.Schedule):
            fault = Fault(
                "NL-A002", "schedule", f'"{schedule}" is a traffic pattern', "", "name a collective:algorithm"
            )
            raise NetloomError([fault])
        schedule = made
    return schedule.verify()


def emit(format: str, net: NetworkLike, mapping: Sequence[int] | Ranks, **options: Any) -> bytes:
    """A mapping as the file that a launcher takes: `rankfile`, `slurm-arbitrary`, `cray`, ..."""
    given = Arguments("emit")
    format = given.text("format", format)
    given.done()
    return _core.emit(options_call(format, options), network(net), _mapping("emit", mapping))


def _mapping(owner: str, mapping: Any) -> Any:
    given = Arguments(owner)
    endpoints = given.endpoints("mapping", mapping)
    given.done()
    return endpoints


def options_call(name: str, options: Mapping[str, Any]) -> str:
    """`name(key=value, ...)` in the call grammar."""
    if not options:
        return name
    quoted = ",".join(f"{k}={_value(v)}" for k, v in options.items())
    return f"{name}({quoted})"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(_value, value)) + "]"
    return str(value)
