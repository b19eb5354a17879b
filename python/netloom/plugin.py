"""Things of your own beside the registered ones: subclass, `register`, use by name like any other.

    >>> import netloom
    >>> from netloom import plugin
    >>> class Prism(plugin.Topology):
    ...     "Two rings of n switches, spoke by spoke connected."
    ...     name = "prism"
    ...     example = "prism(5)"
    ...     def build(self, n):
    ...         rings = [(r * n + i, r * n + (i + 1) % n) for r in (0, 1) for i in range(n)]
    ...         return plugin.NetworkSpec(switches=2 * n, edges=rings + [(i, n + i) for i in range(n)])
    >>> _ = plugin.register(Prism)
    >>> netloom.describe("prism(5)")["diameter"]
    3

`netloom.contract.check(Prism)` runs the checks that the registered topologies pass. On the command line, `--plugin
file.py` loads the file's classes; a study names its files under `plugins`.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from .errors import Fault, NetloomError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._core import Network, Schedule, Traffic

CODES = [
    (
        "NL-G001",
        "Plug-in class is incomplete",
        "It has no name, or is not a subclass of a class of `netloom.plugin`.",
        "Subclass Topology, Placement, Order, Collective, Pattern or Optimiser and give it a `name`.",
    ),
    (
        "NL-G002",
        "Plug-in name is taken",
        "Something registered already has this name or alias.",
        "Choose another `name`.",
    ),
    (
        "NL-G003",
        "Arguments do not fit the plug-in",
        "The call gives a parameter that the class's method does not take, or lacks one that it needs.",
        "Call it with the parameters of the method's signature.",
    ),
    (
        "NL-G004",
        "Plug-in failed",
        "The class's own code raised an exception.",
        "Correct the class; the message names the line.",
    ),
    (
        "NL-G005",
        "Plug-in returned something invalid",
        "What it returned breaks a promise, for example a placement that uses an endpoint twice.",
        "Run `netloom.contract.check` on the class.",
    ),
    (
        "NL-G006",
        "Plug-in file cannot be loaded",
        "The file does not exist, is not Python, or defines no plug-in class.",
        "Check the path; the message names the line of a syntax error.",
    ),
]

#: One transfer of a collective: source rank, destination rank, blocks that it carries, combine (True) or store (False).
Transfer = tuple[int, int, Sequence[int], bool]


@dataclass(frozen=True)
class NetworkSpec:
    """What a topology returns.

    Parameters
    ----------
    switches
        Number of switches.
    edges
        Cables as pairs of switch numbers, shape (m, 2); a pair may repeat (parallel cables).
    endpoints_per_switch
        Endpoints on every switch, unless `endpoint_switch` is given.
    endpoint_switch
        Switch of every endpoint.
    bandwidth_bytes_per_s, latency_s
        Of every link.
    """

    switches: int
    edges: Any
    endpoints_per_switch: int = 1
    endpoint_switch: Sequence[int] | None = None
    bandwidth_bytes_per_s: float = 12.5e9
    latency_s: float = 100e-9


class Plugin:
    """What all plug-ins have: a name as written in calls, an example call, and a docstring as summary."""

    name: ClassVar[str] = ""
    example: ClassVar[str] = ""
    kind: ClassVar[str] = ""
    method: ClassVar[str] = ""


class Topology(Plugin):
    """A network generator."""

    kind = "topologies"
    method = "build"

    def build(self, *args: Any, **kwargs: Any) -> NetworkSpec:
        """The cables of `name(*args, **kwargs)`; positional and keyword parameters as the subclass names them."""
        raise NotImplementedError


class Placement(Plugin):
    """Which endpoints a job gets."""

    kind = "placements"
    method = "place"

    def place(self, network: Network, ranks: int, *args: Any, **kwargs: Any) -> Sequence[int]:
        """`ranks` different endpoints, in the order in which they are drawn."""
        raise NotImplementedError


class Order(Plugin):
    """Which rank goes to which of the endpoints."""

    kind = "orders"
    method = "order"

    def order(self, network: Network, slots: NDArray[np.uint32], *args: Any, **kwargs: Any) -> Sequence[int]:
        """The endpoints of ranks 0, 1, ...: a permutation of `slots`."""
        raise NotImplementedError


class Collective(Plugin):
    """A collective algorithm; `name` is `collective:algorithm`, for example `allreduce:mine`."""

    kind = "collectives"
    method = "steps"

    def steps(self, ranks: int, root: int, size_bytes: int, *args: Any, **kwargs: Any) -> Sequence[Sequence[Transfer]]:
        """The transfers of every step. Blocks are numbered as in `netloom.Schedule.from_transfers`."""
        raise NotImplementedError


class Pattern(Plugin):
    """A traffic pattern."""

    kind = "patterns"
    method = "flows"

    def flows(self, ranks: int, *args: Any, **kwargs: Any) -> Iterable[tuple[int, int, int, int]]:
        """`(source rank, destination rank, messages, bytes)` rows."""
        raise NotImplementedError


@dataclass(frozen=True)
class Problem:
    """What an optimiser gets.

    Parameters
    ----------
    network
        The network.
    start
        Endpoint of every rank; the result must use the same endpoints.
    workload
        Schedule or traffic.
    objective
        Name of the objective; only `hops` can be evaluated by `value`.
    distance
        Hops between switches, shape (switches, switches).
    """

    network: Network
    start: NDArray[np.uint32]
    workload: Schedule | Traffic
    objective: str
    distance: NDArray[np.uint8]

    def value(self, mapping: Sequence[int] | NDArray[Any]) -> int:
        """Total hops of a mapping. O(messages)."""
        import numpy as np

        from . import _core

        array = np.asarray(mapping)
        return int(_core.hops(self.network, array, self.workload, self.distance)["total_hops"])


class Optimiser(Plugin):
    """A search for a better mapping."""

    kind = "optimisers"
    method = "improve"

    def improve(self, problem: Problem, *args: Any, **kwargs: Any) -> Sequence[int]:
        """The endpoint of every rank: a permutation of `problem.start`."""
        raise NotImplementedError


KINDS: tuple[type[Plugin], ...] = (Topology, Placement, Order, Collective, Pattern, Optimiser)

_registered: dict[str, dict[str, type[Plugin]]] = {kind.kind: {} for kind in KINDS}

P = TypeVar("P", bound=type[Plugin])


def register(cls: P) -> P:
    """Make a class known by its name. Usable as a decorator; registering the same class again replaces it.

    Raises
    ------
    NetloomError
        `NL-G001` without a name or base class, `NL-G002` if the core has the name.
    """
    from .registries import catalogue

    if not (inspect.isclass(cls) and issubclass(cls, Plugin) and cls.kind):
        raise NetloomError([Fault("NL-G001", repr(cls), "is no subclass of a class of netloom.plugin")])
    head = _head(cls.name)
    if not cls.name or head != cls.name.strip():
        raise NetloomError([Fault("NL-G001", f"{cls.__name__}.name", "a name without arguments", repr(cls.name))])
    if cls.kind == "collectives" and ":" not in cls.name:
        hint = "the collective decides what the schedule must achieve"
        raise NetloomError([Fault("NL-G001", f"{cls.__name__}.name", "collective:algorithm", repr(cls.name), hint)])
    taken = {name for row in catalogue(cls.kind) for name in (row["name"], *row["aliases"])}
    if cls.name in taken:
        raise NetloomError([Fault("NL-G002", cls.name, "is the name of a registered one of " + cls.kind)])
    _registered[cls.kind][cls.name] = cls
    return cls


def find(kind: str, text: str) -> type[Plugin] | None:
    """The plug-in class that a call text names, or None."""
    classes = _registered.get(kind)
    return classes.get(_head(text)) if classes else None


def names(kind: str) -> list[str]:
    """Names of the registered plug-ins of a kind."""
    return sorted(_registered.get(kind, ()))


def rows(kind: str) -> list[dict[str, Any]]:
    """The plug-ins of a kind as catalogue rows."""
    made = []
    for name in names(kind):
        cls = _registered[kind][name]
        summary = (inspect.getdoc(cls) or "").partition("\n")[0]
        made.append(
            {
                "name": name,
                "aliases": [],
                "summary": summary,
                "params": [],
                "signature": name + str(_own_signature(cls)),
            }
            | {"example": cls.example or name, "restrictions": "", "source": "plug-in"}
        )
    return made


def fingerprint() -> str:
    """A digest of the registered classes' source, so that a changed plug-in means a changed run."""
    digest = hashlib.sha256()
    for classes in _registered.values():
        for name in sorted(classes):
            try:
                source = inspect.getsource(inspect.getmodule(classes[name]) or classes[name])
            except (OSError, TypeError):
                source = classes[name].__qualname__
            digest.update(f"{name}\0{source}\0".encode())
    return digest.hexdigest() if any(_registered.values()) else ""


def load(path: str | Path) -> list[type[Plugin]]:
    """Run a Python file and register its plug-in classes.

    Raises
    ------
    NetloomError
        `NL-G006`; also what `register` raises.
    """
    place = str(path)
    if not Path(path).is_file():
        raise NetloomError([Fault("NL-G006", place, "there is no such file", "", "give the path of a Python file")])
    name = "netloom_plugin_" + hashlib.sha256(str(Path(path).resolve()).encode()).hexdigest()[:12]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise NetloomError([Fault("NL-G006", place, "is not a Python file", "", "its name must end in .py")])
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise NetloomError([Fault("NL-G006", place, _what(error, place))]) from error
    own = _classes(module)
    if not own:
        hint = "subclass a class of netloom.plugin and give it a name"
        raise NetloomError([Fault("NL-G006", place, "defines no plug-in class", "", hint)])
    return [register(cls) for cls in own]


def _classes(module: ModuleType) -> list[type[Plugin]]:
    own = [
        c for c in vars(module).values() if inspect.isclass(c) and issubclass(c, Plugin) and c not in (*KINDS, Plugin)
    ]
    return [c for c in own if c.name]


def build_network(text: str) -> Network | None:
    """The network of a plug-in's call text; None if no plug-in has the name."""
    cls = find("topologies", text)
    if cls is None:
        return None
    import numpy as np

    from . import _core

    spec = _run(cls, text)
    if not isinstance(spec, NetworkSpec):
        raise _invalid(text, "a NetworkSpec", spec)
    edges = _integers(text, "edges", list(spec.edges) if not isinstance(spec.edges, np.ndarray) else spec.edges)
    if edges.size == 0:
        edges = edges.reshape(0, 2)
    if edges.ndim != 2 or edges.shape[1] != 2:
        raise _invalid(text, "edges of shape (m, 2)", edges.shape)
    if not isinstance(spec.switches, int) or not 1 <= spec.switches < 2**31:
        raise _invalid(text, "a number of switches in 1..2^31", spec.switches)
    if spec.endpoint_switch is None:
        if not isinstance(spec.endpoints_per_switch, int) or not 0 <= spec.endpoints_per_switch <= 2**16:
            raise _invalid(text, "endpoints_per_switch in 0..65536", spec.endpoints_per_switch)
        if spec.switches * spec.endpoints_per_switch >= 2**31:
            raise _invalid(text, "fewer than 2^31 endpoints", spec.switches * spec.endpoints_per_switch)
        endpoints = np.repeat(np.arange(spec.switches, dtype=np.int64), spec.endpoints_per_switch)
    else:
        endpoints = _integers(text, "endpoint_switch", spec.endpoint_switch)
    bandwidth, latency = float(spec.bandwidth_bytes_per_s), float(spec.latency_s)
    return _core.Network.from_edges(text, spec.switches, edges, endpoints, bandwidth, latency)


def build_schedule(text: str, ranks: int, root: int, size_bytes: int) -> Schedule | Traffic | None:
    """The schedule or traffic of a plug-in's call text; None if no plug-in has the name."""
    from . import _core

    cls = find("collectives", text)
    if cls is not None:
        collective = cls.name.partition(":")[0]
        steps = _run(cls, text, ranks, root, size_bytes)
        try:
            plain = [
                [(int(s), int(d), [int(b) for b in blocks], bool(c)) for s, d, blocks, c in step] for step in steps
            ]
        except (TypeError, ValueError):
            raise _invalid(text, "steps of (source, destination, blocks, combine)", steps) from None
        return _core.Schedule.from_transfers(collective, ranks, root, size_bytes, plain)
    cls = find("patterns", text)
    if cls is None:
        return None
    table = _integers(text, "flows", list(_run(cls, text, ranks))).reshape(-1, 4)
    if table.size and (table[:, :2].min() < 0 or table[:, :2].max() >= ranks or table[:, 2:].min() < 0):
        raise _invalid(text, f"ranks in 0..{ranks} (exclusive) and counts >= 0", "rows outside")
    src, dst, messages, size = table.T
    return _core.Traffic.from_flows(text, ranks, src.copy(), dst.copy(), messages.copy(), size.copy())


def place(text: str, network: Network, ranks: int) -> NDArray[np.uint32] | None:
    """The endpoints that a plug-in's placement draws; None if no plug-in has the name."""
    cls = find("placements", text)
    if cls is None:
        return None
    return _mapping(text, _run(cls, text, network, ranks), ranks, network.endpoints)


def order(text: str, network: Network, slots: NDArray[np.uint32]) -> NDArray[np.uint32] | None:
    """The endpoints in the order of a plug-in; None if no plug-in has the name."""
    cls = find("orders", text)
    if cls is None:
        return None
    made = _mapping(text, _run(cls, text, network, slots.copy()), len(slots), network.endpoints)
    if sorted(made.tolist()) != sorted(slots.tolist()):
        raise _invalid(text, "a permutation of the slots it was given", "other endpoints")
    return made


def optimise(
    text: str, network: Network, start: NDArray[np.uint32], workload: Schedule | Traffic, objective: str
) -> dict[str, Any] | None:
    """The result of a plug-in's optimiser, as `netloom.map_ranks` returns it; None if no plug-in has the name."""
    cls = find("optimisers", text)
    if cls is None:
        return None
    if objective != "hops":
        raise _invalid(text, "used with the objective hops", objective)
    problem = Problem(network, start.copy(), workload, objective, network.hop_matrix())
    mapping = _mapping(text, _run(cls, text, problem), len(start), network.endpoints)
    if sorted(mapping.tolist()) != sorted(start.tolist()):
        raise _invalid(text, "a permutation of the start mapping", "other endpoints")
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


def _head(text: str) -> str:
    return text.partition("(")[0].strip()


def _own_signature(cls: type[Plugin]) -> inspect.Signature:
    signature = inspect.signature(getattr(cls, cls.method))
    given = {"topologies": 0, "placements": 2, "orders": 2, "collectives": 3, "patterns": 1, "optimisers": 1}[cls.kind]
    return signature.replace(
        parameters=list(signature.parameters.values())[1 + given :], return_annotation=inspect.Signature.empty
    )


def _run(cls: type[Plugin], text: str, *first: Any) -> Any:
    """Call the class's method with the arguments of the call text; its exceptions become faults."""
    from . import _core

    _, args, kwargs = _core.parse_call(text)
    method = getattr(cls(), cls.method)
    try:
        inspect.signature(method).bind(*first, *args, **kwargs)
    except TypeError as error:
        hint = f"{cls.name}{_own_signature(cls)}"
        raise NetloomError([Fault("NL-G003", text, str(error), "", hint)]) from None
    try:
        return method(*first, *args, **kwargs)
    except NetloomError:
        raise
    except Exception as error:
        raise NetloomError([Fault("NL-G004", text, _what(error))]) from error


def _what(error: Exception, place: str = "") -> str:
    """`ValueError: message (file.py:12)`, the line being the innermost one of the user's own file."""
    if isinstance(error, SyntaxError):
        return f"SyntaxError: {error.msg} (line {error.lineno})"
    at, trace = "", error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if Path(code.co_filename).parent != Path(__file__).parent and "importlib" not in code.co_filename:
            at = f" ({Path(code.co_filename).name}:{trace.tb_lineno})"
        trace = trace.tb_next
    message = " ".join(str(error).split())
    return f"{type(error).__name__}: {message}{at}"


def _invalid(text: str, expected: str, got: Any) -> NetloomError:
    shown = str(got) if isinstance(got, (int, float, str, tuple)) else type(got).__name__
    return NetloomError([Fault("NL-G005", text, expected, shown, "run netloom.contract.check on the class")])


def _integers(text: str, what: str, values: Any) -> NDArray[np.int64]:
    import numpy as np

    try:
        array = np.asarray(values)
        if array.size == 0:
            return array.astype(np.int64)
        if array.dtype.kind not in "iu" or array.dtype.itemsize > 8:
            raise TypeError
        return np.ascontiguousarray(array.astype(np.int64))
    except (TypeError, ValueError, OverflowError):
        raise _invalid(text, f"{what} of integers", values) from None


def _mapping(text: str, values: Any, ranks: int, endpoints: int) -> NDArray[np.uint32]:
    import numpy as np

    array = _integers(text, "endpoints", values if isinstance(values, np.ndarray) else list(values)).reshape(-1)
    if len(array) != ranks:
        raise _invalid(text, f"{ranks} endpoints", len(array))
    if len(array) and not 0 <= int(array.min()) <= int(array.max()) < endpoints:
        raise _invalid(text, f"endpoints in 0..{endpoints} (exclusive)", int(array.max()))
    if len(np.unique(array)) != len(array):
        raise _invalid(text, "endpoints that are all different", "one twice")
    return array.astype(np.uint32)
