"""The search for a better mapping of a scenario's job: one place, so that no caller forgets routing or calibration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import _core, plugin
from ..base.arrays import ndarray
from ..workload import Workload, messages

if TYPE_CHECKING:
    from ..base.arrays import Endpoints
    from .bound import Bound


@dataclass(frozen=True, eq=False)
class Search:
    """What an optimiser found.

    Attributes
    ----------
    slots
        Slot of every rank: its endpoint times the cores of an endpoint, plus the core.
    value, start_value
        The objective after and before; of `time`: picoseconds.
    bound
        No mapping can be better; None or 0 if nothing is known.
    trace
        (evaluations, best value so far).
    """

    slots: Endpoints
    value: float
    start_value: float
    bound: float | None
    evaluations: int | None
    accepted: int | None
    trace: list[tuple[int, float]]
    method: str

    def numbers(self) -> dict[str, float | None]:
        """The columns that a table of runs has of a search."""
        return {
            "start_value": self.start_value,
            "value": self.value,
            "bound": self.bound,
            "evaluations": self.evaluations,
        }


def search(
    bound: Bound,
    optimiser: str,
    objective: str = "hops",
    free: bool = False,
    seconds: float | None = None,
    load: Workload | None = None,
) -> Search:
    """Improve the mapping of the only job.

    Parameters
    ----------
    free
        True: any endpoint of the network may be used, not only those of the placement.
    seconds
        Time budget; without one the optimiser's own number of evaluations decides, and the result is reproducible.
    load
        What is optimised for in place of the job's workload.

    Raises
    ------
    NetloomError
        What is wrong with the optimiser, its objective, or what the objective needs.
    """
    own = load if load is not None else bound.workload
    if plugin.find("optimisers", optimiser) is not None:
        given = own if isinstance(own, _core.Schedule) else messages(own)
        made = plugin.optimise(optimiser, bound.slots, ndarray(bound.start), given, objective)
        assert made is not None
        return Search(
            made["mapping"],
            *(made["value"], made["start_value"], made["bound"], made["evaluations"], made["accepted"]),
            *(made["trace"], made["method"]),
        )
    if isinstance(own, _core.Sends):
        own = messages(own)
    timed = _core.needs_clock(objective)
    routing = bound.routing_of(default=None if timed else bound.one_path)
    cores, slots = bound.cores, bound.start
    repetitions = bound.repetitions if timed else 1
    job = _core.Job(
        "job",
        own,
        slots if cores == 1 else ndarray(slots) // cores,
        None if cores == 1 else ndarray(slots) % cores,
        cores=cores,
        routing=routing,
        repetitions=repetitions,
    )
    asked = _core.Scenario(bound.network, [job], machine=bound.machine)
    found = _core.search(asked, optimiser, objective, free, seconds, bound.progress)
    places, seats = found["mapping"], found["seats"]
    return Search(
        slots=places if cores == 1 else ndarray(places) * cores + ndarray(seats),
        value=found["value"],
        start_value=found["start_value"],
        bound=found["bound"],
        evaluations=found["evaluations"],
        accepted=found["accepted"],
        trace=found["trace"],
        method=found["method"],
    )
