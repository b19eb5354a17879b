"""Orders of the levels of a hierarchy (Swartvagher 2023)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .. import _core
from ..base.errors import Fault, NetloomError

if TYPE_CHECKING:
    from ..base.records import OrderRow


def enumerate_orders(
    levels: str | Sequence[int],
    communicator: int | None = None,
    *,
    order: str | Sequence[int] | None = None,
    cores: int | None = None,
    sample: int | None = None,
    seed: int = 0,
    names: Sequence[str] | None = None,
) -> list[OrderRow]:
    """The orders in which the cores of a hierarchy can be numbered, and what each does to communicators.

    Parameters
    ----------
    levels
        Sizes of the levels, outermost first: "16,2,2,8" is 16 nodes of 2 sockets of 2 groups of 8 cores.
    communicator
        Ranks of a communicator: new rank r is in communicator r // communicator. Default: all that run.
    order
        Only this order. Its first level counts fastest; the reversed list of all levels changes nothing.
    cores
        Number of ranks that run, on the first cores of each order.
    sample
        Largest number of orders, drawn with `seed`; by default all, in lexicographic order.
    names
        What launchers take each level for: node, socket, numa, l3cache, l2cache, core, or "-". Default: these, as deep
        as the hierarchy is; with `cores` the levels of one node.

    Returns
    -------
    list of dict
        ``order``; ``ring_cost``, 1 for every step from a rank of the first communicator to the next and 1 for each
        level that it crosses; ``pairs_percent``, pairs of its ranks that meet inside each level, the lowest first;
        ``same_as``, the first order that puts communicators on the same cores in the same order, None if this is
        it; ``slurm_distribution`` and ``open_mpi_options``, what places the ranks so on full nodes, None where
        nothing does. With `order` also ``ranks``, the new rank of each old one. With `cores` also ``map_cpu``, the
        core of each rank; ``same_cores_as``, the first order with the same set; ``chosen_levels``, the hierarchy
        that the chosen cores form, for a reordering on these as a second step.

    Examples
    --------
    >>> import netloom
    >>> [row["order"] for row in netloom.enumerate_orders("2,4")]
    [[0, 1], [1, 0]]

    Raises
    ------
    NetloomError
        NL-A007 for levels, an order or a communicator that do not fit together, NL-A009 for too many orders.

    Notes
    -----
    Algorithms 1 to 3 of Swartvagher 2023. Cost: O(orders · ranks).
    """
    sizes = integers(levels, "levels")
    if names is None and cores is not None:
        names = [*_INSIDE[: len(sizes) - 1], *["-"] * (len(sizes) - 1 - len(_INSIDE)), "core"]
    asked = _core.Enumeration(sizes, communicator, cores, names)
    if order is None:
        return asked.entries(None, sample, seed)
    one = integers(order, "order")
    rows = asked.entries([one])
    rows[0]["ranks"] = list(asked.ranks(one))
    return rows


#: Levels of one node, outermost first.
_INSIDE = ("socket", "numa", "l3cache")


def integers(given: str | Sequence[int], place: str) -> list[int]:
    """`16,2,2,8`, with or without brackets, or a list.

    Raises
    ------
    NetloomError
        NL-A007.
    """
    if not isinstance(given, str):
        return [int(size) for size in given]
    text = given.strip()
    inner = text[1:-1] if text[:1] + text[-1:] in ("[]", "()") else text
    parts = [part.strip() for part in inner.split(",")]
    if all(part.isascii() and part.isdecimal() and len(part) < 18 for part in parts):
        return [int(part) for part in parts]
    hint = "for example 16,2,2,8" if place == "levels" else "for example 1,0,2,3"
    raise NetloomError([Fault("NL-A007", place, "integers with commas between them", given[:80] or '""', hint)])
