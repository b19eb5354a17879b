"""Whether a format can hold what a search may find."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.arrays import ndarray
from ..base.errors import Fault, NetloomError
from .commands import COMMANDS
from .place import in_turn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ..base.arrays import Endpoints

    #: The file of a format for the slots of every rank.
    Writer = Callable[[str, Endpoints], bytes]

#: Formats that list the cores of a node and leave the nodes to another file.
CORES_ONLY = ("map-cpu", "mask-cpu", "hydra-bind", "intel-pin")


def require_expressible(formats: Sequence[str], start: Endpoints, cores: int, alike: int, write: Writer) -> None:
    """Refuse formats that could not hold what a search finds, before the search.

    Parameters
    ----------
    cores
        Slots of each endpoint.
    alike
        Consecutive slots of an endpoint between which nothing tells ranks apart; those of a whole endpoint where only
        the host counts.
    write
        The file of a format for the slots of every rank.

    Raises
    ------
    NetloomError
        NL-F018 with the formats that can, and what else is wrong with a format.

    Notes
    -----
    Tries one mapping without any regularity: the ranks of the start in a scattered order. O(ranks log ranks).
    """
    tried = scattered(start, cores, alike)
    for text in formats:
        try:
            write(text, tried)
        except NetloomError as error:
            if all(fault.code == "NL-F018" for fault in error.faults):
                able = ", ".join(_able(tried, write))
                hint = f"these hold every result of a search: {able}; or search with --optimise enumeration or none"
                faults = [Fault(f.code, f.place, f.expected, f.got, hint) for f in error.faults]
                raise NetloomError(faults) from None
            raise


def require_orderly(formats: Sequence[str], start: Endpoints, write: Writer) -> None:
    """Refuse formats for a search that keeps the order of the places: tried in the start's order and in that of slots.


    Raises
    ------
    NetloomError
        What is wrong with a format. O(ranks log ranks).
    """
    import numpy as np

    for text in formats:
        try:
            write(text, start)
        except NetloomError:
            write(text, np.sort(ndarray(start)))


def scattered(start: Endpoints, cores: int, alike: int) -> NDArray[np.uint32]:
    """The slots of a start in an order that no rule describes; slots that are alike are taken in order of rank."""
    import numpy as np

    slots = np.sort(ndarray(start)).astype(np.uint32)
    # Multiplication by a number without common divisors permutes; squares break what is left of its rule.
    keys = (np.arange(len(slots), dtype=np.uint64) ** 2 * 40503 + 977) % 65521
    mixed: NDArray[np.uint32] = slots[np.argsort(keys, kind="stable")]
    if alike >= cores:
        return in_turn(mixed // cores, cores)
    return in_turn(mixed // alike, alike)


def _able(slots: NDArray[np.uint32], write: Writer) -> list[str]:
    able = []
    for name in (name for name in COMMANDS if name not in CORES_ONLY):
        try:
            write(name, slots)
        except NetloomError:
            continue
        able.append(name)
    return able
