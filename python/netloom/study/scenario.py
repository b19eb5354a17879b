"""One run's network, mapping and workload, made when asked for."""

from __future__ import annotations

from contextlib import nullcontext
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .. import _core, api, plugin
from ..errors import Fault, NetloomError
from ..quantities import parse_bytes
from . import codes
from .calls import Calls, is_known, is_optimiser, seconds
from .evaluations.base import Evaluation
from .values import Scalar
from .workshop import Workshop

if TYPE_CHECKING:
    from ..link_load.result import Loads

#: Where an optimiser starts, and what it lowers, unless the study says otherwise.
START, OBJECTIVE = "draw", "hops"


class Scenario:
    """The one argument of an evaluation.

    Parameters
    ----------
    values
        Value per axis, placeholders filled; axes that are left out take the evaluation's default.
    extra
        `start`, `objective` and `free` of an optimiser.
    progress
        Called with (done, total) by long work; may raise in order to stop it.
    """

    def __init__(
        self,
        evaluation: Evaluation,
        values: dict[str, Scalar],
        extra: dict[str, Scalar],
        workshop: Workshop,
        progress: api.Progress,
    ) -> None:
        self._values = {axis.name: values.get(axis.name, axis.default) for axis in evaluation.axes}
        self._extra, self._workshop, self.progress = extra, workshop, progress
        #: Options of the evaluation `time` that an optimiser of the order needs too.
        self._flops_per_s, self._algorithms = 1e11, ""
        #: What an optimiser found, or None.
        self.search: dict[str, Any] | None = None

    def text(self, axis: str) -> str:
        """An axis as call text."""
        return str(self._values[axis])

    @cached_property
    def network(self) -> _core.Network:
        """The network."""
        return self._workshop.network(self.text("network"))

    @cached_property
    def distance(self) -> Any:
        """Hops between switches, or None where the matrix would be too large."""
        return self._workshop.distance(self.text("network"), self.progress)

    @cached_property
    def ranks(self) -> int:
        """Number of ranks."""
        value = self._values["ranks"]
        return self.network.endpoints * self.cores if value == "all" else int(value or 0)

    @cached_property
    def root(self) -> int:
        """Root rank."""
        return int(self._values["root"] or 0)

    @cached_property
    def size_bytes(self) -> int:
        """Size of the collective."""
        value = self._values["size_bytes"]
        return parse_bytes(value if isinstance(value, (int, str)) else str(value))

    @cached_property
    def workload(self) -> api.Workload:
        """Schedule or traffic; the messages of an application without their order."""
        axis = "workload" if "workload" in self._values else "collective"
        return self._messages(self.text(axis), self.size_bytes)

    def _messages(self, text: str, size_bytes: int) -> api.Workload:
        if is_known("applications", text):
            return _core.Traffic.of_programs(self._workshop.programs(text, self.ranks, ""))
        return self._workshop.workload(text, self.ranks, self.root, size_bytes)

    @property
    def repetitions(self) -> int:
        """How often the workload is done."""
        return int(self._values["repetitions"] or 1)

    @cached_property
    def cores(self) -> int:
        """Ranks that share an endpoint."""
        return max(int(self._values.get("cores", 1) or 1), 1)

    @cached_property
    def slots(self) -> _core.Network:
        """The network whose endpoints the mapping names: `cores` of them stand for one of the network's."""
        return self._workshop.slotted(self.text("network"), self.cores)

    @property
    def is_schedule(self) -> bool:
        """True if the workload has steps."""
        return isinstance(self.workload, _core.Schedule)

    @cached_property
    def schedule(self) -> _core.Schedule:
        """The workload, which must be a schedule."""
        load = self.workload
        if not isinstance(load, _core.Schedule):
            raise NetloomError([Fault(codes.CALL, "workload", "a collective:algorithm", load.label)])
        return load

    @cached_property
    def mapping(self) -> Any:
        """Endpoint of every rank, uint32, shape (ranks,); with several cores per endpoint, slot of every rank."""
        order = self.text("order")
        if not is_optimiser(order):
            return self._place(order)
        start = self._place(str(self._extra.get("start", START)))
        objective = str(self._extra.get("objective", OBJECTIVE))
        free = bool(self._extra.get("free", False))
        load = self.workload
        if "workload" in self._extra:
            load = self._messages(str(self._extra["workload"]), int(self._extra.get("size_bytes", 1)))
        self.search = plugin.optimise(order, self.slots, start, load, objective)
        if self.search is None:
            timing = self._timing(objective)
            timed: api.Workload | _core.Programs = load
            if timing is not None and "workload" not in self._extra:
                timed = self._load()
            self.search = _core.optimise(
                self.slots, start, timed, order, objective, free, None, self.progress, self.distance, timing=timing
            )
        return self.search["mapping"]

    def _place(self, order: str) -> Any:
        return api.place(self.slots, self.ranks, self.text("placement"), order)

    def simulate(self, *, flops_per_s: float, algorithms: str, trace: bool) -> dict[str, Any]:
        """The workload in simulated time under the mapping."""
        from .. import flow

        # An optimiser of the order may have to know them.
        self._flops_per_s, self._algorithms = flops_per_s, algorithms
        return flow.simulate(
            self.network,
            workload=self._load(),
            mapping=self.mapping // self.cores,
            repetitions=self.repetitions,
            routing=self.text("routing"),
            trace=trace,
            progress=self.progress,
            **self._machine(),
        )

    def _load(self) -> api.Workload | _core.Programs:
        """The workload with the order of its messages, if it has one."""
        text = self.text("workload" if "workload" in self._values else "collective")
        if is_known("applications", text):
            return self._workshop.programs(text, self.ranks, self._algorithms)
        return self.workload

    def _machine(self) -> dict[str, Any]:
        """Settings of `netloom.simulate`; an evaluation without such axes has the default ones."""
        chosen = str(self._values.get("calibration", "pure"))
        return {
            "calibration": str(self._workshop.calls.folder / chosen) if chosen.endswith(".toml") else chosen,
            "duplex": str(self._values.get("duplex", "full")),
            "switch_latency_s": seconds(str(self._values.get("switch_latency", "0"))),
            "flops_per_s": self._flops_per_s,
        }

    def _timing(self, objective: str) -> tuple[_core.Network, dict[str, Any], str, int] | None:
        """What an optimiser simulates whose objective is time."""
        from .. import flow

        if not _core.needs_clock(objective):
            return None
        machine, times = self._machine(), self._values.get("repetitions", 1)
        settings = flow.settings(
            machine["calibration"], machine["duplex"], machine["switch_latency_s"], machine["flops_per_s"]
        )
        return self.network, settings, str(self._values.get("routing", "single-minimal")), int(times or 1)

    def hops(self) -> dict[str, Any]:
        """Hop counts of the workload under the mapping."""
        return _core.hops(self.network, self.mapping, self.workload, self.distance, self.progress)

    def contentions(self) -> int | None:
        """Messages of one step that share a link; None for traffic, which has no steps."""
        load = self.workload
        if not isinstance(load, _core.Schedule):
            return None
        return _core.contentions(self.network, self.mapping, load, self.text("routing"))

    def link_loads(self) -> dict[str, Any]:
        """Bytes per directed switch link."""
        return _core.link_loads(self.network, self.mapping, self.workload, self.text("routing"))

    def loads(self, **settings: Any) -> Loads:
        """Link loads of all jobs of the run; see `netloom.loads`."""
        from .. import link_load
        from .jobs import MANY_RANKS, listed

        net = self._workshop.damaged(self.text("network"), str(self.calls.canonical("failures", self.text("fail"))))
        jobs = listed(self, net, self._workshop)
        routing = self.text("routing")
        many = sum(job.ranks for job in jobs) > MANY_RANKS
        with self._workshop.alone(self.progress) if many else nullcontext():
            return link_load.loads(
                net,
                [job.load() for job in jobs],
                routing=None if routing == "auto" else routing,
                variant=self.text("variant"),
                seed=int(self._values["seed"] or 0),
                progress=self.progress,
                **settings,
            )

    @property
    def calls(self) -> Calls:
        """Canonical forms, and the folder of the study."""
        return self._workshop.calls

    def cost(self, **options: Any) -> Any:
        """`netloom.cost.Cost` of the network."""
        import numpy as np

        from ..cost import total_cost

        network = self.network
        speed = np.array([c["bandwidth_bytes_per_s"] for c in network.classes])
        model = self.text("model")
        return total_cost(
            network.tails,
            network.heads,
            network.switches,
            endpoint_switch=network.endpoint_switch,
            class_of=network.class_index,
            class_names=[str(c["name"]) for c in network.classes],
            bandwidth_bytes_per_s=speed[network.class_index],
            model=(self._workshop.calls.folder / model if model.endswith(".toml") else model or None),
            order=self.text("cabinets"),
            seed=int(self._values["layout_seed"] or 0),
            **options,
        )
