"""Text in pictures: a name from outside is shown as it is, never read as a formula, never as a control."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING

from ..base.errors import printable

if TYPE_CHECKING:
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

#: For every text of a picture: names hold dollars, and two of them would begin a formula.
PLAIN: dict[str, object] = {"text.parse_math": False}

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def escape_controls(matplotlib: ModuleType, sheet: Figure) -> None:
    """Escapes control characters of all texts: an SVG must not hold them, and one for the direction moves the rest."""
    for axis in (axis for ax in sheet.axes for axis in (ax.xaxis, ax.yaxis)):
        # Where ticks have names, the axis keeps these and writes them anew.
        if isinstance(axis.get_major_locator(), matplotlib.ticker.FixedLocator):
            names = [label.get_text() for label in axis.get_ticklabels()]
            shown = [printable(name) for name in names]
            if shown != names:
                axis.set_ticks(axis.get_ticklocs(), shown)
    for text in sheet.findobj(matplotlib.text.Text):
        text.set_text(printable(text.get_text(), kept="\n"))


def powers(matplotlib: ModuleType, axis: Axis) -> None:
    """Ticks of a logarithmic axis such as `2×10³`, in letters: matplotlib's own are formulas."""

    class Powers(matplotlib.ticker.LogFormatterSciNotation):  # type: ignore[misc,name-defined]
        def __call__(self, x: float, pos: int | None = None) -> str:
            formula = super().__call__(x, pos).removeprefix("$\\mathdefault{").removesuffix("}$")
            number, raised, power = formula.replace("\\times", "×").partition("^{")
            return f"{number}{power.removesuffix('}').translate(_RAISED)}" if raised else number

    axis.set_major_formatter(Powers())
    axis.set_minor_formatter(Powers())
