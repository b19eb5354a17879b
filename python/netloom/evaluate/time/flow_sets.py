"""Sets of flows over bare links: when each ends. The solver of simulated time by itself, from arrays to an array."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, TypedDict, Unpack

from ... import _core
from ...base.arguments import Arguments, require_names
from ...base.errors import Fault, NetloomError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    #: A list of link-id sequences, or (offsets, link ids): the links of flow `i` are `ids[offsets[i]:offsets[i + 1]]`.
    Routes = Sequence[Sequence[int]] | tuple[ArrayLike, ArrayLike]

#: SimGrid's `network/weight-S` and `network/TCP-gamma` in its SMPI model, bytes; the share of cross-traffic there.
WEIGHT_S_BYTES, TCP_WINDOW_BYTES, CROSS_TRAFFIC = 8775.0, 4194304.0, 0.05


class FlowOptions(TypedDict, total=False):
    """Other arguments of `simulate_flows`: more about links and flows, and sharing parameters."""

    fat_links: ArrayLike | None
    reverse_routes: Routes | None
    cap_bytes_per_s: ArrayLike | None
    weight: ArrayLike | None
    weight_s_bytes: float
    tcp_window_bytes: float | None
    cross_traffic: float | None


def simulate_flows(
    bandwidth_bytes_per_s: ArrayLike,
    latency_s: ArrayLike,
    routes: Routes,
    size_bytes: ArrayLike,
    start_s: ArrayLike | float = 0.0,
    sharing: str = "equal",
    *,
    progress: Callable[[int, int], object] | None = None,
    **options: Unpack[FlowOptions],
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
        Per flow, shape (flows,), at least 0; one number applies to all.
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
    require_names("simulate_flows", options, FlowOptions.__annotations__)
    tcp_window_bytes, cross_traffic = options.get("tcp_window_bytes"), options.get("cross_traffic")
    fat_links, reverse_routes = options.get("fat_links"), options.get("reverse_routes")
    cap_bytes_per_s, weight = options.get("cap_bytes_per_s"), options.get("weight")
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
        float(options.get("weight_s_bytes", WEIGHT_S_BYTES)),
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
    """Offsets and link ids; an invalid id becomes a nonexistent one, so that the core reports it."""
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


def _whole(values: NDArray[np.generic]) -> NDArray[np.int64]:
    """A list of numbers as integers; ValueError if that changes them."""
    import numpy as np

    whole = values.astype(np.int64, copy=False)
    if whole.ndim != 1 or (not np.can_cast(values.dtype, np.int64) and (whole != values).any()):
        raise ValueError
    return whole
