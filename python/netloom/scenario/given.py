"""A mapping given in the scenario: a rank file, or a list of endpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..base.arguments import Arguments
from ..base.arrays import ndarray
from ..mapping.place import slots_of_mapping
from ..mapping.rank_files import read_mapping
from .refusals import refuse_beside_mapping

if TYPE_CHECKING:
    from ..base.arrays import Endpoints
    from .bound import Bound


class Given(NamedTuple):
    """Endpoint and slot of every rank; None without a mapping."""

    mapping: Endpoints | None
    slots: Endpoints | None


def given(bound: Bound) -> Given:
    """The mapping of the axes `mapping`, `mapping_format` and `seats`: on the slots of its file, on the seats that were
    said, or in turn.

    Raises
    ------
    NetloomError
        What is wrong with it; `NL-H003` for a placement or an order beside it.
    """
    said, seats, cores = bound.value("mapping"), bound.value("seats"), bound.cores
    if not isinstance(said, str) or said:
        refuse_beside_mapping(bound.scenario)
    if isinstance(said, str):
        path, form = bound.workshop.calls.folder / said, bound.text("mapping_format")
        slots = read_mapping(path, said, form, bound.slots, cores, bound.node) if said else None
        mapping = slots if slots is None or cores == 1 else ndarray(slots) // cores
        if slots is not None and isinstance(seats, str) and not seats:
            return Given(mapping, slots)
    else:
        arguments = Arguments("scenario")
        mapping = arguments.endpoints("mapping", said)
        arguments.done()
    return Given(mapping, slots_of_mapping(mapping, seats, cores))
