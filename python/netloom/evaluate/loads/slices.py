"""The links of a torus or mesh plane by plane of its last two dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..answer import Row
from .of_core import numbers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ... import _core
    from .result import Loads

    Ints = NDArray[np.int64]

#: Most planes, and most switches on a side of one.
MAX_PLANES = 8
MAX_SIDE = 64
#: Most links of a table; fewer planes where they are large.
MAX_LINKS = 65_536
#: Columns of `rows`.
COLUMNS = ("plane", "class", "direction", "row", "column", "to_row", "to_column", "bytes", "planes", "between_bytes")


@dataclass(frozen=True)
class Slices:
    """Links inside planes.

    Parameters
    ----------
    names
        Of the planes shown: their coordinates in the dimensions before the last two, `(2, *, *)`; `plane` of the only
        one.
    planes
        How many the network has; those with the greatest load are shown.
    shape
        Rows and columns of a plane.
    plane
        Of each link, as a position in `names`.
    tails, heads
        Row and column of the switches that each link leaves and enters; shape (links, 2).
    up
        True for links that count their dimension up, those that close a ring included.
    carried
        Bytes on each link.
    between
        The greatest load of a link between planes; None if there is none.
    """

    names: list[str]
    planes: int
    shape: tuple[int, int]
    plane: Ints
    tails: Ints
    heads: Ints
    up: NDArray[np.bool_]
    carried: NDArray[np.float64]
    between: float | None


def no_torus(net: _core.Network) -> str:
    """Why a network is neither torus nor mesh; nothing if it is one."""
    if net.grid is None:
        return f"{net.label} has no grid"
    if len(net.tails) > 2 * sum(side > 1 for side in net.grid[0]) * net.switches:
        return f"{net.label} has more links than a torus"
    return ""


def refusal(net: _core.Network) -> tuple[str, int]:
    """Why a network has no planes to show: a sentence, and the length of a side if that is the reason; else nothing."""
    if net.grid is not None and max(_sides(net.grid[0])[-2:]) > MAX_SIDE:
        return f"more than {MAX_SIDE} switches on a side of a plane", max(_sides(net.grid[0])[-2:])
    return no_torus(net), 0


def sliced(loads: Loads, most_links: int | None = None) -> tuple[Slices, Ints]:
    """The planes with the greatest loads, in their order, and the number of each link; see `refusal`. O(links)."""
    import numpy as np

    net = loads.network
    assert net.grid is not None
    sides = _sides(net.grid[0])
    rows, columns = sides[-2:]
    size = rows * columns
    count = int(np.prod(sides[:-2]))
    tails, heads = net.tails.astype(np.int64), net.heads.astype(np.int64)
    carried = loads.link_bytes[: len(tails)]
    inside = tails // size == heads // size
    most = np.zeros(count)
    np.maximum.at(most, tails[inside] // size, carried[inside])
    shown = MAX_PLANES if most_links is None else max(1, min(MAX_PLANES, most_links // (4 * size)))
    kept = np.sort(np.argsort(-most, kind="stable")[:shown])
    links = np.flatnonzero(inside & np.isin(tails // size, kept))
    at = np.searchsorted(kept, tails[links] // size)
    # Plane by plane, then as links are numbered.
    order = np.argsort(at, kind="stable")
    links, at = links[order], at[order]
    a, b = _places(tails[links] % size, columns), _places(heads[links] % size, columns)
    made = Slices(
        names=[_name(int(plane), sides[:-2]) for plane in kept],
        planes=count,
        shape=(rows, columns),
        plane=at,
        tails=a,
        heads=b,
        up=_counts_up(a, b, (rows, columns)),
        carried=carried[links],
        between=None if inside.all() else float(carried[~inside].max()),
    )
    return made, links


def rows(loads: Loads) -> list[Row]:
    """One row per link, at most `MAX_LINKS`; none where there are no planes, or where no link carries anything."""
    if refusal(loads.network)[0] or not loads.link_bytes[: len(loads.network.tails)].any():
        return []
    found, links = sliced(loads, MAX_LINKS)
    net = loads.network
    classes = [str(c["name"]) for c in net.classes]
    kinds = net.class_index[links].tolist()
    ends = zip(found.tails.tolist(), found.heads.tolist(), strict=True)
    places = zip(found.plane.tolist(), kinds, found.up.tolist(), ends, found.carried.tolist(), strict=True)
    return [
        dict(
            zip(
                COLUMNS,
                (found.names[plane], classes[kind], _way(up), *tail, *head, size, found.planes, found.between),
                strict=True,
            )
        )
        for plane, kind, up, (tail, head), size in places
    ]


def of_rows(rows: Sequence[Row]) -> Slices:
    """The planes of one run from `rows`."""
    import numpy as np

    names = list(dict.fromkeys(str(row["plane"]) for row in rows))
    tails = np.array([[row["row"], row["column"]] for row in rows], dtype=np.int64)
    heads = np.array([[row["to_row"], row["to_column"]] for row in rows], dtype=np.int64)
    high = np.maximum(tails.max(axis=0), heads.max(axis=0)) + 1
    return Slices(
        names=names,
        planes=int(numbers(rows[0])["planes"]),
        shape=(int(high[0]), int(high[1])),
        plane=np.array([names.index(str(row["plane"])) for row in rows], dtype=np.int64),
        tails=tails,
        heads=heads,
        up=np.array([row["direction"] == _way(True) for row in rows]),
        carried=np.array([row["bytes"] for row in rows], dtype=np.float64),
        between=numbers(rows[0]).get("between_bytes"),
    )


def _sides(dims: list[int]) -> list[int]:
    """At least two of them."""
    return [1] * (2 - len(dims)) + list(dims)


def _places(switches: Ints, columns: int) -> Ints:
    import numpy as np

    return np.stack([switches // columns, switches % columns], axis=1)


def _counts_up(a: Ints, b: Ints, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """A link that closes a ring goes from its end to its beginning, and counts up."""
    import numpy as np

    step, sides = b - a, np.array(shape)
    closes = (np.abs(step) == sides - 1) & (sides > 2)
    up: NDArray[np.bool_] = np.where(closes, -step, step).sum(axis=1) > 0
    return up


def _way(up: bool) -> str:
    return "up" if up else "down"


def _name(plane: int, sides: list[int]) -> str:
    """Coordinates of a plane, the last dimension counting fastest."""
    if not sides:
        return "plane"
    at = []
    for side in reversed(sides):
        plane, place = divmod(plane, side)
        at.append(str(place))
    return f"({', '.join(reversed(at))}, *, *)"
