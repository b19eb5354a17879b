"""Base classes of plug-ins, one per kind."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ..base.errors import Fault, NetloomError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from .._core import Network, Schedule, Traffic
    from ..scenario import Question
    from .rung import Rung

#: One transfer of a collective: source rank, destination rank, blocks that it carries, combine (True) or store (False).
Transfer = tuple[int, int, Sequence[int], bool]


@dataclass(frozen=True)
class NetworkSpec:
    """The return value of a topology.

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
    edges: Iterable[Sequence[int]]
    endpoints_per_switch: int = 1
    endpoint_switch: Sequence[int] | None = None
    bandwidth_bytes_per_s: float = 12.5e9
    latency_s: float = 100e-9


class Plugin:
    """Common to all plug-ins: a name as written in calls, an example call, and a docstring as summary."""

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
        """`ranks` different endpoints, in the order in which they are drawn.

        A method with the keyword-only parameter `available` is given the endpoints that are free (ndarray of uint32,
        ascending) and uses no others; without it, it places a job on the whole machine.
        """
        raise NotImplementedError


class Order(Plugin):
    """Which rank goes to which of the endpoints."""

    kind = "orders"
    method = "order"

    def order(self, network: Network, slots: NDArray[np.uint32], *args: Any, **kwargs: Any) -> Sequence[int]:
        """The endpoints of ranks 0, 1, ...: a permutation of `slots`."""
        raise NotImplementedError


class Routing(Plugin):
    """Which way packets take: at each switch the next one, by destination, as in forwarding tables.

    Attributes
    ----------
    by_endpoint
        True: a destination is an endpoint, and packets to two endpoints of one switch may take different ways; else it
        is a switch with endpoints.
    gives_links
        True: next hops are numbers of directed links (`network.tails`, `network.heads`), which tells parallel cables
        apart; else they are switches, and of parallel cables the first is taken.
    networks
        Calls of networks of the kind that it is for, on which `netloom.contract.check` tries it; by default of several.
    vc
        Virtual channel of a packet: ``"one"``, always the same, or ``"hops"``, the hops that it has made, with which no
        routes can wait for each other in a circle.
    """

    kind = "routings"
    method = "next_hops"
    by_endpoint: ClassVar[bool] = False
    gives_links: ClassVar[bool] = False
    networks: ClassVar[tuple[str, ...]] = ()
    vc: ClassVar[str] = "one"

    def next_hops(self, network: Network, destination: int, *args: Any, **kwargs: Any) -> Sequence[int]:
        """For every switch its next switch on the way to `destination`, -1 where there is none.

        Called once for each destination, on the network without what failed. What it gives for the switch of the
        destination does not count. Every switch with endpoints needs a way that ends.
        """
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
    seats
        Consecutive endpoints that are the seats of one node, and share its links.
    until
        When the time budget is spent, by `time.monotonic`; None without one.
    """

    network: Network
    start: NDArray[np.uint32]
    workload: Schedule | Traffic
    objective: str
    distance: NDArray[np.uint8]
    seats: int = 1
    until: float | None = None

    def require_time(self) -> None:
        """To be called now and then by a search that may be long.

        Raises
        ------
        NetloomError
            `NL-O009` if the time budget is spent.
        """
        if self.until is not None and time.monotonic() > self.until:
            words = "the search ended before it had found a mapping"
            raise NetloomError([Fault("NL-O009", "seconds", words, "", "give more time")])

    def value(self, mapping: ArrayLike) -> int:
        """Total hops of a mapping. O(messages)."""
        import numpy as np

        from .. import _core

        job = _core.Job("job", self.workload, np.asarray(mapping))
        hops = _core.evaluate(_core.Scenario(self.network, [job]), "hops")["record"]["total_hops"]
        assert isinstance(hops, int)
        return hops


class Optimiser(Plugin):
    """A search for a better mapping.

    Attributes
    ----------
    takes_scenario
        True: `improve` gets the scenario, whether any endpoint may be used, and a time budget in place of the
        problem, and gives a `netloom.scenario.Search`: for optimisers that ask evaluators.
    """

    kind = "optimisers"
    method = "improve"
    takes_scenario: ClassVar[bool] = False

    def improve(self, problem: Problem, *args: Any, **kwargs: Any) -> Sequence[int]:
        """The endpoint of every rank: a permutation of `problem.start`."""
        raise NotImplementedError


class Evaluator(Plugin):
    """Your own question about a scenario: used by `netloom.evaluate`, studies and `netloom evaluate`.

    Attributes
    ----------
    inputs
        Inputs of the scenario that it uses, see `netloom.scenario.AXES`.
    columns
        (name, unit, meaning) of each number that it gives.
    options
        (name, default, meaning) of settings that are the same for all runs of a study.
    model, assumptions
        What answers, and what it takes for granted, a sentence each.
    rung
        Makes it one of the models that `compare-models`, `map` and `simulate --model` know; None if it is none.
    """

    kind = "evaluators"
    method = "evaluate"
    inputs: ClassVar[tuple[str, ...]] = ("network", "ranks", "cores", "placement", "order", "workload", "size_bytes")
    columns: ClassVar[tuple[tuple[str, str, str], ...]] = ()
    options: ClassVar[tuple[tuple[str, bool | int | float | str, str], ...]] = ()
    model: ClassVar[str] = ""
    assumptions: ClassVar[tuple[str, ...]] = ()
    rung: ClassVar[Rung | None] = None

    def evaluate(self, bound: Question, options: Mapping[str, Any]) -> Mapping[str, str | int | float | bool | None]:
        """The numbers of `columns` by name, for the network, the mapping and the workload of `bound`."""
        raise NotImplementedError


KINDS: tuple[type[Plugin], ...] = (
    Topology,
    Placement,
    Order,
    Routing,
    Collective,
    Pattern,
    Optimiser,
    Evaluator,
)
