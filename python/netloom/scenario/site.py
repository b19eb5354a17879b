"""The machine of a scenario as objects: network, node, routing, settings."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from .. import _core
from ..base.errors import Fault, NetloomError
from ..mapping.nodes import Nodes
from ..network.tables import with_tables
from ..plugin import in_core
from .canonical import variant_text
from .settings import settings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..base.records import Settings
    from ..jobs import PlacedJob
    from .inputs import Inputs


class Site:
    """Network, what failed of it, node, routing and settings, each created on demand.

    Parameters
    ----------
    routings
        Gives those of jobs that have their own.
    """

    def __init__(self, inputs: Inputs, routings: Callable[[], Sequence[str]]) -> None:
        self._inputs, self._routings = inputs, routings

    @cached_property
    def whole(self) -> _core.Network:
        """The network before anything failed."""
        source, part = self._inputs.value("network"), self._inputs.text("part")
        if isinstance(source, _core.Network):
            return source.part(part) if part else source
        if isinstance(source, Path):
            source = str(source)
        if not isinstance(source, str):
            raise NetloomError(
                [Fault("NL-A007", "network", "a Network, call text or the path of a file", repr(source))]
            )
        return self._inputs.workshop.network(source, self._inputs.text("format"), part)

    @cached_property
    def network(self) -> _core.Network:
        """The network without what failed."""
        said = self._inputs.value("fail")
        text = said if isinstance(said, str) else "\n".join(map(str, said))
        lines = str(self._inputs.workshop.calls.canonical("failures", text))
        source = self._inputs.value("network")
        if not lines:
            return self.whole
        if isinstance(source, str):
            return self._inputs.workshop.damaged(source, lines, self._inputs.text("format"), self._inputs.text("part"))
        return self.whole.without(lines, "fail")

    @cached_property
    def routed(self) -> _core.Network:
        """The network with the forwarding tables of its routings."""
        texts = [self._inputs.text("routing"), *self._routings()]
        return with_tables(self.network, texts, self._inputs.workshop.calls.folder)

    @cached_property
    def node(self) -> _core.Node | None:
        """The node behind each endpoint; None if not given."""
        text = self._inputs.text("node")
        return _core.Node(text).on(self.network) if text else None

    @cached_property
    def cores(self) -> int:
        """Ranks per endpoint: the value given, or the seats of its node, or those of the network's file, or what
        `ranks_per_node` needs."""
        seats = None if self.node is None else self.node.seats_per_endpoint
        if not self.cores_given:
            if seats is not None:
                return seats
            each = self._inputs.value("ranks_per_node")
            wanted = 1 if each == "all" else -(-self._inputs.integer("ranks_per_node") // self.nodes.endpoints)
            return max(self.network.seats, wanted)
        cores = max(self._inputs.integer("cores"), 1)
        if seats is not None and cores > seats:
            expected = f"at most the {seats} seats of an endpoint of {self._inputs.text('node')}"
            raise NetloomError([Fault("NL-A007", "cores", expected, str(cores))])
        return cores

    @cached_property
    def nodes(self) -> Nodes:
        """The nodes of the machine: hosts of several endpoints, or single endpoints."""
        return Nodes(self.network, self.node)

    @property
    def most_nodes(self) -> int:
        """Nodes that a job can get: those in service, at most as many as the machine has. Its network may have places
        for more."""
        machine, there = self._inputs.scenario.machine, self.nodes.count
        if machine is None or machine.nodes is None or machine.nodes >= there:
            return there
        source, form, part = (str(machine.inputs().get(name, "")) for name in ("network", "format", "part"))
        own = self._inputs.workshop.network(source, form, part)
        # Another network may have been given in its place.
        return machine.nodes if own.endpoints == self.network.endpoints else there

    @property
    def cores_given(self) -> bool:
        """The scenario, or its machine, says how many ranks an endpoint has."""
        return self._inputs.scenario.says("cores")

    @cached_property
    def slots(self) -> _core.Network:
        """The network whose endpoints a search moves: `cores` of them correspond to one of the network's."""
        source = self._inputs.value("network")
        if isinstance(source, str) and self.network is self.whole:
            node, form, part = (self._inputs.text(name) for name in ("node", "format", "part"))
            return self._inputs.workshop.slotted(source, self.cores, node, form, part)
        return self.network if self.cores == 1 else self.network.with_slots(self.cores, self.node)

    @cached_property
    def settings(self) -> Settings:
        """Settings of simulated time, as the core takes them."""
        return settings_of(self._inputs.scenario, self._inputs.workshop)

    def routing_of(self, said: str | None = None, default: str | None = None) -> str:
        """Call text of the routing: a job's own, the scenario's, `default`, or that of the network."""
        text = said if said is not None else self._inputs.text("routing")
        return in_core(text) if text != "auto" else default or self.network.default_routing

    @property
    def one_path(self) -> str:
        """The network's own routing if it has one path per pair, else `single-minimal`."""
        own = self.network.default_routing
        return own if self.network.routing(own).is_deterministic else "single-minimal"

    @property
    def variant(self) -> str:
        """How messages choose among their paths, where no job says otherwise."""
        return variant_text(self._inputs.text("variant"))

    def variant_of(self, job: PlacedJob) -> str:
        """How the messages of a job choose among their paths."""
        return variant_text(job.variant) if job.variant else self.variant
