"""What netloom says of measured collectives: each row as a scenario on a machine, simulated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from .. import _core
from ..base.errors import NetloomError
from ..evaluate import bound_of, core, evaluator
from ..library import of_text
from ..machine import load
from ..measured import Measurement
from ..scenario import Calls, Scenario, Workshop
from ..workload import DEFAULT

if TYPE_CHECKING:
    from pathlib import Path

    from ..base.records import Settings
    from ..machine import Machine


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


class Predictor:
    """Simulated times of measurements on a machine, with its settings or with others.

    Parameters
    ----------
    machine
        A name, the path of a file, or a machine.
    inputs
        Of the scenario, in place of the machine's: `placement`, `variant`, `software.combine_s_per_byte`, ...
    """

    def __init__(self, machine: str | Path | Machine, inputs: Mapping[str, object] | None = None) -> None:
        self._base = Scenario(machine=load(machine)).but(**cast("dict[str, Any]", dict(inputs or {})))
        #: Its name.
        self.machine = load(machine).name
        self._workshop = Workshop(Calls(self._base.folder))
        self._time = evaluator("time")
        #: Rows that can be simulated.
        self.prepared: list[Prepared] = []
        #: Place and reason of the others.
        self.dropped: list[tuple[str, str]] = []

    def prepare(self, rows: Sequence[Measurement], *, chosen: bool = True) -> None:
        """Builds the scenario of each row; what cannot be built goes to `dropped`. O(messages of each row).

        Parameters
        ----------
        chosen
            False: rows with the library's own choice are dropped too, since which algorithm ran is only thought.
        """
        for row in rows:
            library = self._library(row) if chosen and row.algorithm == DEFAULT else ""
            if row.algorithm in (DEFAULT, "") and not library:
                self.dropped.append((row.place, f"the choice of {row.library or 'the library'} is not known"))
                continue
            if row.memory == "gpu":
                self.dropped.append((row.place, "buffers of GPUs, which are another machine"))
                continue
            try:
                self.prepared.append(self._prepared(row, library))
            except NetloomError as error:
                fault = error.faults[0]
                if fault.code == NO_MEMORY:
                    raise
                self.dropped.append((row.place, str(fault).splitlines()[0]))

    def _library(self, row: Measurement) -> str:
        """The library that chose: the one that the row names, or the machine's; "" if nothing is known of its rules."""
        return of_text(row.library) if row.library else str(self._base["library"])

    def _prepared(self, row: Measurement, library: str) -> Prepared:
        scenario = self._base.but(
            workload=call_of(row), size_bytes=row.bytes, nodes=row.nodes, ranks_per_node=row.ranks_per_node
        )
        if library:
            scenario = scenario.but(library=library)
        bound = bound_of(self._time, scenario, self._workshop, lambda done, total: None)
        settings = bound.site.settings
        load = bound.workload
        call = bound.chosen.call(call_of(row), bound.ranks, row.bytes)
        return Prepared(row, call, core.several(bound, [load], machine=settings), settings)

    @property
    def settings(self) -> Settings:
        """The settings of the machine, as the core takes them."""
        return self.prepared[0].settings

    def times_s(self, settings: Mapping[str, object] | None = None) -> list[float]:
        """Simulated time of every prepared row, in their order."""
        return [time_s(one, settings) for one in self.prepared]


def call_of(row: Measurement) -> str:
    """The workload of a row."""
    return f"{row.collective}:{row.algorithm}"


def time_s(one: Prepared, settings: Mapping[str, object] | None = None) -> float:
    """Simulated time of a row with these settings of the core, by default those of its machine."""
    asked = one.asked if settings is None else one.asked.with_machine(settings)
    return core.number(_core.evaluate(asked, "time"), "time_s")
