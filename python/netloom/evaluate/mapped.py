"""Quality of a mapping: the same evaluator numbers before and after a search."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ..base.errors import NetloomError
from ..mapping.place import places_of
from ..scenario import Bound, Scenario
from ..scenario.search import too_long_to_time
from . import answer, evaluator, settings

if TYPE_CHECKING:
    from ..base.arrays import Endpoints
    from ..results.rows import Cell
    from .answer import Answer
    from .answers import HopsAnswer, TimeAnswer
    from .loads.result import Loads

Worth = dict[str, int | float | None]
#: Axes that choose places.
CHOOSING = ("placement", "order", "search", "mapping", "mapping_format", "seats")


def measured(bound: Bound, slots: Endpoints, notes: list[str]) -> Worth:
    """The scenario's numbers with this slot of every rank; None for what is unavailable.

    Parameters
    ----------
    slots
        Endpoints of `bound.slots`: each endpoint of the network has `bound.cores` of them.
    notes
        Gets a line, once, for what cannot be had.

    Returns
    -------
    dict
        `time_s` (simulated time until the last rank ends), `inter_node_bytes` (that leave their node; without
        `node` every endpoint is one, on rail clusters the GPUs of a node), `max_link_s` (longest time that the bytes of
        one directed link take, injection, ejection and links inside nodes included), `hop_bytes`.
    """
    mapping, seats = places_of(slots, bound.cores)
    moved = bound.scenario.without(*CHOOSING).but(mapping=mapping, ranks=bound.ranks)
    if seats is not None:
        moved = moved.but(seats=seats)
    found: Worth = dict.fromkeys(("time_s", "inter_node_bytes", "max_link_s", "hop_bytes"))
    if too_long := too_long_to_time(bound.listed.messages, bound.repetitions):
        _say(notes, f"no time: {too_long}")
    elif (timed := _asked(bound, moved, "time", notes)) is not None:
        found["time_s"] = cast("TimeAnswer", timed)["time_s"]
    loads = cast("Loads | None", _asked(bound, moved, "loads", notes, hottest=0, arrays=False))
    if loads is not None:
        found["inter_node_bytes"] = loads.inter_node_bytes
        # Over links of all kinds; 0 where nothing is sent over any.
        classes = (float(links.get("max_s", 0.0)) for links in loads.classes.values())
        found["max_link_s"] = max(0.0, *classes, *(cast("float", level["max_s"]) for level in loads.levels))
    if (hops := _asked(bound, moved, "hops", notes)) is not None:
        found["hop_bytes"] = cast("HopsAnswer", hops)["hop_bytes"]
    return found


def _asked(bound: Bound, moved: Scenario, name: str, notes: list[str], **options: Cell) -> Answer | None:
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
