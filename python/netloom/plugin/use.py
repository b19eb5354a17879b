"""Plug-ins at work: their results are checked before anything else sees them."""

from __future__ import annotations

import inspect
import re
import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypedDict

from ..base.errors import Fault, NetloomError
from .classes import NetworkSpec, Plugin, Problem
from .registry import find, own_signature, what

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .._core import Network, Schedule, Traffic
    from ..results.rows import Cell
    from ..scenario import Question, Search

#: A place among a schedule's steps as the core writes it, and the parts of a transfer.
_STEPS = re.compile(r"steps(?:\[(\d+)\])?(?:\[(\d+)\])?(?:\[(\d+)\])?")
_PARTS = ("source", "destination", "blocks", "combine")


class Improved(TypedDict):
    """What `optimise` gives, as `netloom.map_ranks` does; `trace` is of (evaluations, best value)."""

    mapping: NDArray[np.uint32]
    value: int
    start_value: int
    bound: None
    evaluations: None
    accepted: None
    trace: list[tuple[int, float]]
    method: str


def build_network(text: str) -> Network | None:
    """The network of a plug-in's call text; None if no plug-in has the name."""
    cls = find("topologies", text)
    if cls is None:
        return None
    import numpy as np

    from .. import _core

    spec = run_class(cls, text)
    if not isinstance(spec, NetworkSpec):
        raise invalid(text, "a NetworkSpec", spec)
    edges = integers(text, "edges", list(spec.edges) if not isinstance(spec.edges, np.ndarray) else spec.edges)
    if edges.size == 0:
        edges = edges.reshape(0, 2)
    if edges.ndim != 2 or edges.shape[1] != 2:
        raise invalid(text, "edges of shape (m, 2)", edges.shape)
    if not isinstance(spec.switches, int) or not 1 <= spec.switches < 2**31:
        raise invalid(text, "a number of switches in 1..2^31", spec.switches)
    if spec.endpoint_switch is None:
        if not isinstance(spec.endpoints_per_switch, int) or not 0 <= spec.endpoints_per_switch <= 2**16:
            raise invalid(text, "endpoints_per_switch in 0..65536", spec.endpoints_per_switch)
        if spec.switches * spec.endpoints_per_switch >= 2**31:
            raise invalid(text, "fewer than 2^31 endpoints", spec.switches * spec.endpoints_per_switch)
        endpoints = np.repeat(np.arange(spec.switches, dtype=np.int64), spec.endpoints_per_switch)
    else:
        endpoints = integers(text, "endpoint_switch", spec.endpoint_switch)
    bandwidth, latency = float(spec.bandwidth_bytes_per_s), float(spec.latency_s)
    return _core.Network.from_edges(text, spec.switches, edges, endpoints, bandwidth, latency)


def build_schedule(text: str, ranks: int, root: int, size_bytes: int) -> Schedule | Traffic | None:
    """The schedule or traffic of a plug-in's call text; None if no plug-in has the name."""
    from .. import _core

    cls = find("collectives", text)
    if cls is not None:
        return _schedule(cls, text, ranks, root, size_bytes)
    cls = find("patterns", text)
    if cls is None:
        return None
    table = integers(text, "flows", list(run_class(cls, text, ranks))).reshape(-1, 4)
    if table.size and (table[:, :2].min() < 0 or table[:, :2].max() >= ranks or table[:, 2:].min() < 0):
        raise invalid(text, f"ranks in 0..{ranks} (exclusive) and counts >= 0", "rows outside")
    src, dst, messages, size = table.T
    return _core.Traffic.from_flows(text, ranks, src.copy(), dst.copy(), messages.copy(), size.copy())


def _schedule(cls: type[Plugin], text: str, ranks: int, root: int, size_bytes: int) -> Schedule:
    """The steps of a plug-in's collective as the core reads them, its complaints with the places of the class."""
    from .. import _core

    steps = run_class(cls, text, ranks, root, size_bytes)
    try:
        return _core.Schedule.from_transfers(cls.name.partition(":")[0], ranks, root, size_bytes, steps, text)
    except NetloomError as error:
        raise NetloomError([_at_the_class(text, fault) for fault in error.faults]) from None
    except (Exception, SystemExit) as error:  # a generator is code of the class's own
        raise NetloomError([Fault("NL-G004", text, what(error))]) from error


def _at_the_class(text: str, fault: Fault) -> Fault:
    """`steps[1][0][2]` in words."""
    found = _STEPS.fullmatch(fault.place)
    if found is None or fault.code != "NL-A007":
        return fault
    step, transfer, part = found.groups()
    place = text + (f", step {step}" if step else "") + (f", transfer {transfer}" if transfer else "")
    expected = fault.expected
    if part == "2":
        expected = "a list of integers as blocks" if expected.startswith("a list") else "integers as blocks"
    elif part:
        expected += f" as {_PARTS[int(part)]}"
    return invalid(place, expected, fault.got).faults[0]


def place(
    text: str, network: Network, ranks: int, available: NDArray[np.uint32] | None = None
) -> NDArray[np.uint32] | None:
    """The endpoints that a plug-in's placement draws; None if no plug-in has the name.

    Parameters
    ----------
    available
        Endpoints that are free, ascending; None for all that are in service.
    """
    cls = find("placements", text)
    if cls is None:
        return None
    import numpy as np

    from ..base.arrays import in_service

    takes = takes_available(cls)
    free = in_service(network) if available is None else available
    if free is None and takes:
        free = np.arange(network.endpoints, dtype=np.uint32)
    made = _mapping(
        text, run_class(cls, text, network, ranks, available=free if takes else None), ranks, network.endpoints
    )
    taken = np.setdiff1d(made, free) if free is not None else made[:0]
    if len(taken):
        hint = f"{cls.__name__}.place gets the free endpoints as `available`"
        if not takes:
            hint = "where jobs or failures take endpoints, its method place needs `*, available`, the free ones"
        raise NetloomError([Fault("NL-G005", text, "endpoints that are free", str(int(taken[0])), hint)])
    return made


def takes_available(cls: type[Plugin]) -> bool:
    """True for a placement whose method asks for the free endpoints."""
    parameter = inspect.signature(getattr(cls, cls.method)).parameters.get("available")
    return parameter is not None and parameter.kind is inspect.Parameter.KEYWORD_ONLY


def order(text: str, network: Network, slots: NDArray[np.uint32]) -> NDArray[np.uint32] | None:
    """The endpoints in the order of a plug-in; None if no plug-in has the name."""
    cls = find("orders", text)
    if cls is None:
        return None
    made = _mapping(text, run_class(cls, text, network, slots.copy()), len(slots), network.endpoints)
    if sorted(made.tolist()) != sorted(slots.tolist()):
        raise invalid(text, "a permutation of the slots it was given", "other endpoints")
    return made


def optimise(
    text: str,
    network: Network,
    start: NDArray[np.uint32],
    workload: Schedule | Traffic,
    objective: str,
    seats: int = 1,
    seconds: float | None = None,
) -> Improved | None:
    """The result of a plug-in's optimiser, as `netloom.map_ranks` returns it; None if no plug-in has the name."""
    until = None if seconds is None else time.monotonic() + seconds
    cls = find("optimisers", text)
    if cls is None:
        return None
    if objective != "hops":
        raise invalid(text, "used with the objective hops", objective)
    problem = Problem(network, start.copy(), workload, objective, network.hop_matrix(), seats, until)
    mapping = _mapping(text, run_class(cls, text, problem), len(start), network.endpoints)
    if sorted(mapping.tolist()) != sorted(start.tolist()):
        raise invalid(text, "a permutation of the start mapping", "other endpoints")
    before, after = problem.value(start), problem.value(mapping)
    return {
        "mapping": mapping,
        "value": after,
        "start_value": before,
        "bound": None,
        "evaluations": None,
        "accepted": None,
        "trace": [(0, before), (1, after)],
        "method": text,
    }


def decide(text: str, bound: Question, free: bool, seconds: float | None) -> Search:
    """The result of an optimiser that takes the whole scenario."""
    cls = find("optimisers", text)
    assert cls is not None
    made: Search = run_class(cls, text, bound, free, seconds)
    return made


def run_class(cls: type[Plugin], text: str, *first: object, available: NDArray[np.uint32] | None = None) -> Any:
    """Call the class's method with the arguments of the call text; its exceptions become faults."""
    from .. import _core

    _, args, kwargs = _core.parse_call(text)
    if available is not None:
        import numpy as np

        # A call may narrow them, as that of a registered placement.
        own = integers(text, "available", kwargs["available"]) if "available" in kwargs else available
        kwargs["available"] = available[np.isin(available, own)]
    method = getattr(cls(), cls.method)
    try:
        inspect.signature(method).bind(*first, *args, **kwargs)
    except TypeError as error:
        hint = f"{cls.name}{own_signature(cls)}"
        raise NetloomError([Fault("NL-G003", text, str(error), "", hint)]) from None
    try:
        return method(*first, *args, **kwargs)
    except NetloomError:
        raise
    except (Exception, SystemExit) as error:
        raise NetloomError([Fault("NL-G004", text, what(error))]) from error


def invalid(text: str, expected: str, got: object) -> NetloomError:
    shown = str(got) if isinstance(got, (int, float, str, tuple)) else type(got).__name__
    return NetloomError([Fault("NL-G005", text, expected, shown, "run netloom.contract.check on the class")])


def integers(text: str, what: str, values: object) -> NDArray[np.int64]:
    import numpy as np

    try:
        array = np.asarray(values)
        if array.size == 0:
            return array.astype(np.int64)
        if array.dtype.kind not in "iu" or array.dtype.itemsize > 8:
            raise TypeError
        return np.ascontiguousarray(array.astype(np.int64))
    except (TypeError, ValueError, OverflowError):
        raise invalid(text, f"{what} of integers", values) from None


def _mapping(text: str, values: object, ranks: int, endpoints: int) -> NDArray[np.uint32]:
    import numpy as np

    if not isinstance(values, Iterable):
        raise invalid(text, "endpoints of integers", values)
    array = integers(text, "endpoints", values if isinstance(values, np.ndarray) else list(values)).reshape(-1)
    if len(array) != ranks:
        raise invalid(text, f"{ranks} endpoints", len(array))
    if len(array) and not 0 <= int(array.min()) <= int(array.max()) < endpoints:
        raise invalid(text, f"endpoints in 0..{endpoints} (exclusive)", int(array.max()))
    if len(np.unique(array)) != len(array):
        raise invalid(text, "endpoints that are all different", "one twice")
    return array.astype(np.uint32)


def run_own(cls: type[Plugin], text: str, *first: object) -> Mapping[str, Cell]:
    """The numbers that a plug-in's evaluator gives; what its code raises becomes a fault at the place of the class."""
    made = run_class(cls, text, *first)
    if not isinstance(made, Mapping):
        raise invalid(text, "a mapping from column to number", made)
    return made
