"""A network as a picture, from the structure that it knows of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from .axes import axes_of
from .draw import draw_network
from .drawing import Drawing
from .positions import Shape

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .. import _core


def sheet_of(net: _core.Network, view: str = "auto", **shape: Unpack[Shape]) -> Figure:
    """A figure of a network; see `netloom.plot.draw_network`."""
    known: Shape = {"groups": net.groups, "levels": net.levels}
    if net.grid is not None:
        known["dims"] = net.grid[0]
    names = [kind["name"] for kind in net.classes]
    known |= shape
    return draw_network(
        Drawing(
            net.label, net.switches, net.tails, net.heads, view=view, class_of=net.class_index, class_names=names,
            **known,
        )
    )  # fmt: skip


def axes_of_network(net: _core.Network, view: str = "auto", **shape: Unpack[Shape]) -> Axes:
    """`Network.draw`."""
    return axes_of(sheet_of(net, view, **shape))
