"""What netloom says of measured collectives: each row as a scenario on a machine, simulated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from .. import _core
from ..base.errors import Fault, NetloomError
from ..evaluate import bound_of, core, evaluator
from ..evaluate.ahead import flow_s, messages_of
from ..library import library as known
from ..library import of_text
from ..machine import load
from ..measured import POINT_TO_POINT, Measurement
from ..scenario import Axes, Calls, Scenario, Workshop
from ..scenario.background import flows
from ..scenario.usual import has_gpus
from ..workload import DEFAULT, programs
from .codes import NOTHING_USED

if TYPE_CHECKING:
    from pathlib import Path

    from ..base.records import Settings
    from ..machine import Machine
    from ..workload import Workload


#: No reason to leave a row out: the user said how much memory there is.
NO_MEMORY = "NL-X011"


@dataclass(frozen=True)
class Prepared:
    """A measurement with what its simulation needs, apart from settings."""

    row: Measurement
    #: The algorithm that is simulated: of a row with the library's own choice, what the library is thought to choose.
    call: str
    #: As the core takes it; a routing that is built serves all settings.
    asked: _core.Scenario
    settings: Settings
    #: What its simulation is thought to take, and its messages.
    seconds: float = 0.0
    messages: float = 0.0


class Predictor:
    """Simulated times of measurements on a machine, with its settings or with others.

    Parameters
    ----------
    machine
        A name, the path of a file, or a machine.
    inputs
        Of the scenario, in place of the machine's: `placement`, `variant`, `software.combine_s_per_byte`, ...
    workshop
        What other predictors of the machine have built.
    """

    def __init__(
        self,
        machine: str | Path | Machine,
        inputs: Mapping[str, object] | None = None,
        workshop: Workshop | None = None,
    ) -> None:
        #: The scenario of all rows, without workload and job.
        self.base = Scenario(machine=load(machine)).but(**cast("dict[str, Any]", dict(inputs or {})))
        #: Its name.
        self.machine = load(machine).name
        self.workshop = Workshop(Calls(self.base.folder)) if workshop is None else workshop
        self._of_gpus = self._scenario_of_gpus(dict(inputs or {}))
        self._time = evaluator("time")
        #: Rows that can be simulated.
        self.prepared: list[Prepared] = []
        #: Place and reason of the others.
        self.dropped: list[tuple[str, str]] = []

    def _scenario_of_gpus(self, inputs: dict[str, object]) -> Scenario | None:
        named = None if self.base.machine is None else self.base.machine.gpus
        return None if named is None else Scenario(machine=load(named)).but(**cast("dict[str, Any]", inputs))

    def prepare(self, rows: Sequence[Measurement], *, chosen: bool = True) -> None:
        """Builds the scenario of each row; what cannot be built goes to `dropped`. O(messages of each row).

        Parameters
        ----------
        chosen
            False: rows with the library's own choice are dropped too, since which algorithm ran is only thought.
        """
        for row in rows:
            library = self._library(row)
            is_left = row.algorithm in (DEFAULT, "") and row.collective not in POINT_TO_POINT
            if is_left and not (library and chosen and row.algorithm):
                self.dropped.append((row.place, f"the choice of {row.library or 'the library'} is not known"))
                continue
            base = self._base_for(row, library)
            if row.memory == "gpu" and not ranks_are_gpus(base):
                self.dropped.append((row.place, "buffers of GPUs, which are another machine"))
                continue
            try:
                self.prepared.append(self._prepared(row, base, library))
            except NetloomError as error:
                fault = error.faults[0]
                if fault.code == NO_MEMORY:
                    raise
                self.dropped.append((row.place, str(fault).splitlines()[0]))

    def _library(self, row: Measurement) -> str:
        """The library that chose: the one that the row names, or the machine's; "" if nothing is known of its rules."""
        return of_text(row.library) if row.library else str(self.base["library"])

    def _base_for(self, row: Measurement, library: str) -> Scenario:
        """The machine, or that of its GPUs for their buffers."""
        for_gpus = row.memory == "gpu" or bool(library and known(library).gpu)
        return self._of_gpus if for_gpus and self._of_gpus is not None else self.base

    def _prepared(self, row: Measurement, base: Scenario, library: str) -> Prepared:
        job: Axes = {"workload": _workload_of(row), "nodes": row.nodes, "ranks_per_node": row.ranks_per_node}
        if row.collective not in POINT_TO_POINT:
            job["size_bytes"] = row.bytes
        scenario = base.but(**job)
        if library and (row.algorithm == DEFAULT or known(library).gpu):
            scenario = scenario.but(library=library)
        bound = bound_of(self._time, scenario, self.workshop, lambda done, total: None)
        settings, background = bound.site.settings, flows(cast("Any", bound.value("background")))
        load, call = bound.workload, call_of(row)
        if row.collective not in POINT_TO_POINT:
            call = bound.chosen.call(call, bound.ranks, row.bytes)
        asked = core.several(bound, [load], background=background, machine=settings)
        return Prepared(row, call, asked, settings, flow_s(load, bound.ranks), messages_of(load))

    @property
    def settings(self) -> Settings:
        """The settings of the machine, as the core takes them."""
        return self.prepared[0].settings

    def times_s(self, settings: Mapping[str, object] | None = None) -> list[float]:
        """Simulated time of every prepared row, in their order."""
        return [time_s(one, settings) for one in self.prepared]


def call_of(row: Measurement) -> str:
    """The workload of a row; the test between two ranks that it is."""
    return row.collective if row.collective in POINT_TO_POINT else f"{row.collective}:{row.algorithm}"


def _workload_of(row: Measurement) -> Workload | str:
    """What the ranks of a row send: one message in a ping-pong, one from each rank to the next in sendrecv, ..."""
    if row.collective == "pingpong":
        ways: list[list[tuple[str | float, ...]]] = [[("send", 1, row.bytes)], [("receive", 0, row.bytes)]]
        return programs(ways + [[] for _ in range(row.ranks - 2)], "pingpong")
    if row.collective == "sendrecv":
        return f"shift(k=1,bytes={row.bytes})"
    if row.collective == "exchange":
        return _exchange(row)
    if row.collective in POINT_TO_POINT:
        hint = "give the times of osu_latency or of a collective"
        raise NetloomError([Fault(NOTHING_USED, row.place, "a stream of messages is not simulated", "", hint)])
    return call_of(row)


def _exchange(row: Measurement) -> Workload:
    """Each rank sends to both neighbours in a ring and receives from them, all started at once."""
    actions: list[list[tuple[str | float, ...]]] = []
    for rank in range(row.ranks):
        left, right = (rank - 1) % row.ranks, (rank + 1) % row.ranks
        receives = [("start_receive", left, row.bytes, 0), ("start_receive", right, row.bytes, 1)]
        sends = [("start_send", right, row.bytes, 0), ("start_send", left, row.bytes, 1)]
        actions.append([*receives, *sends, ("wait_all",)])
    return programs(actions, "exchange")


def ranks_are_gpus(scenario: Scenario) -> bool:
    """Whether the ranks of a machine are GPUs: its node or its network counts them."""
    return has_gpus(scenario["network"], scenario["node"])


def time_s(one: Prepared, settings: Mapping[str, object] | None = None) -> float:
    """Simulated time of a row with these settings of the core, by default those of its machine."""
    asked = one.asked if settings is None else one.asked.with_machine(settings)
    return core.number(_core.evaluate(asked, "time"), "time_s")
