"""Figures for people at a notebook: where pyplot is at work, it shows them too."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def axes_of(sheet: Figure) -> Axes:
    """The first axes of a figure, which pyplot shows if it is there, or if this is a notebook."""
    if "matplotlib.pyplot" in sys.modules or "ipykernel" in sys.modules:
        from matplotlib import pyplot

        pyplot.figure(sheet)
    first: Axes = sheet.axes[0]
    return first
