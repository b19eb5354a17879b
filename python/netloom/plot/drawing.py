"""What a drawing of a network is made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike


@dataclass(frozen=True)
class Drawing:
    """A network to draw: as a graph up to 300 switches, else as its adjacency matrix.

    Attributes
    ----------
    label
        Title, such as the call or the file that made the network.
    switches
        At least 1.
    tails, heads
        Ends of the switch links, shape (links,), one or both directions of every cable; parallel links of a pair are
        drawn once.
    dims, levels, groups, layout
        What the topology knows of itself; see :func:`netloom.plot.positions.positions`. Groups, else levels, give the
        switches their colour.
    class_of, class_names
        Class of every link and the names; links are coloured by class.
    view
        `graph`, `matrix`, or `auto`.
    load, load_label, load_unit, load_most
        A number >= 0 for every link, what it is, its unit, and the end of the scale (default: the greatest). Colour
        and width of a pair of switches show the greater of its directions, instead of the class.
    boxes
        One integer for each switch, its colour instead of that of its group: a part of a mapping, for example.
    """

    label: str
    switches: int
    tails: ArrayLike
    heads: ArrayLike
    dims: Sequence[int] | None = None
    levels: ArrayLike | None = None
    groups: ArrayLike | None = None
    class_of: ArrayLike | None = None
    class_names: Sequence[str] = ()
    layout: str = "auto"
    view: str = "auto"
    load: ArrayLike | None = None
    load_label: str = "load"
    load_unit: str = ""
    load_most: float | None = None
    boxes: ArrayLike | None = None
