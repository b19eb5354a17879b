"""Quality of a mapping: the same evaluator numbers before and after a search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from ..base.arrays import ndarray
from ..base.errors import Fault, NetloomError
from ..mapping.place import places_of
from ..plugin.rung import Worth
from ..scenario import Question, Scenario
from . import ahead, answer, bound_of, evaluator, settings
from .rungs import rung

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..base.arrays import Endpoints
    from ..results.rows import Cell
    from .answer import Answer
    from .loads.result import Loads

#: Axes that choose places.
CHOOSING = ("nodes", "ranks_per_node", "placement", "order", "search", "mapping", "mapping_format", "seats")


#: What is asked of a mapping if nobody says otherwise.
ASKED = ("time", "loads", "hops")


def measured(bound: Question, slots: Endpoints, notes: list[str], rungs: Sequence[str] = ASKED) -> Worth:
    """The scenario's numbers with this slot of every rank; None for what is unavailable or not asked.

    Parameters
    ----------
    slots
        Endpoints of `bound.site.slots`: each endpoint of the network has `bound.site.cores` of them.
    notes
        Gets a line, once, for what cannot be had.
    rungs
        The evaluators that are asked.

    Returns
    -------
    dict
        `time_s` (simulated time until the last rank ends), `inter_node_bytes` (that leave their node; without
        `node` every endpoint is one, on rail clusters the GPUs of a node), `max_link_s` (longest time that the bytes of
        one directed link take, injection, ejection and links inside nodes included), `hop_bytes`.
    """
    moved = _moved(bound, slots)
    found: Worth = dict.fromkeys(("time_s", "inter_node_bytes", "max_link_s", "hop_bytes"))
    for name in rungs:
        own, too_long = rung(name), ""
        if own.simulated and own.affordable is None:
            too_long = ahead.too_long(bound, lambda: bound_of(evaluator("time"), moved, bound.workshop, bound.progress))
        if too_long:
            _say(notes, f"no {name}: {too_long}")
        elif (made := _asked(bound, moved, name, notes, **own.worth_options or {})) is not None:
            found |= {own.decides: cast("float", made["time_s"])} if own.worth is None else own.worth(made)
    return found


def require_askable(bound: Question, slots: Endpoints) -> None:
    """Raises what is wrong with a scenario that the evaluators refuse."""
    row = evaluator("hops")
    axes = {axis.name for axis in row.axes}
    answer(row, _moved(bound, slots).only(*axes), bound.workshop, settings(row, {}), bound.progress)


def loads_of(bound: Question, slots: Endpoints, *, hottest: int = 0) -> Loads:
    """The loads of all links with this slot of every rank, with their arrays.

    Raises
    ------
    NetloomError
        `NL-A007` for a workload without loads.
    """
    notes: list[str] = []
    made = _asked(bound, _moved(bound, slots), "loads", notes, hottest=hottest, arrays=True)
    if made is None:
        raise NetloomError([Fault("NL-A007", "plot", "a workload with loads on links", notes[0])])
    return cast("Loads", made)


def _moved(bound: Question, slots: Endpoints) -> Scenario:
    mapping, seats = places_of(slots, bound.site.cores)
    moved = bound.scenario.without(*CHOOSING).but(mapping=mapping, ranks=bound.ranks)
    if bound.place.on_nodes is not None:
        moved = moved.but(cores=bound.site.cores)
    return moved if seats is None else moved.but(seats=seats)


def _asked(bound: Question, moved: Scenario, name: str, notes: list[str], **options: Cell) -> Answer | None:
    """The evaluator's answer, from the inputs that it takes."""
    row = evaluator(name)
    axes = (axis.name for axis in row.axes)
    asked = moved.only(*axes)
    try:
        return answer(row, asked, bound.workshop, settings(row, options), bound.progress)
    except NetloomError as error:
        _say(notes, f"no {name}: {str(error).splitlines()[0]}")
        return None


def _say(notes: list[str], line: str) -> None:
    if line not in notes:
        notes.append(line)


def link_seconds(bound: Question, slots: Endpoints) -> NDArray[np.float64]:
    """Seconds that the bytes of every directed link take: switch links, injection, ejection. O(messages · path)."""
    made = loads_of(bound, slots)
    speeds: NDArray[np.float64] = ndarray(bound.network.link_bandwidth_bytes_per_s)
    return made.link_bytes / speeds
