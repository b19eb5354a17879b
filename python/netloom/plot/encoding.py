"""Which column of a table is what on a chart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from . import codes
from .kinds import BY_NAME, NAMES


@dataclass(frozen=True)
class Encoding:
    """Names of columns, and the axes to be logarithmic.

    Attributes
    ----------
    x, y
        Columns of the axes. `y` holds numbers, for a heat map the names of its rows.
    series, facet
        Columns that split the rows into lines (bars, boxes, clouds) and into panels.
    value
        Numbers of a heat map.
    low, high
        Columns of the limits of a band or whisker; else the extremes of the rows that share an x.
    log
        Axes to be logarithmic: "", "x", "y" or "xy". An axis with values of 0 or less stays linear and a note says so.
    """

    x: str
    y: str
    series: str | None = None
    facet: str | None = None
    value: str | None = None
    low: str | None = None
    high: str | None = None
    log: str = ""

    def check(self, kind: str, columns: Iterable[str]) -> None:
        """Refuse a kind of figure that there is not, columns that the table lacks, other axes: all of them together.

        Raises
        ------
        NetloomError
            NL-X102, NL-X103.
        """
        faults = []
        known = list(columns)
        if kind not in NAMES:
            hint = "one of " + ", ".join(NAMES)
            faults.append(Fault(codes.UNKNOWN_KIND, "figure.kind", "a kind of figure", repr(kind), hint))
        if self.log not in ("", "x", "y", "xy"):
            faults.append(Fault(codes.UNKNOWN_KIND, "figure.log", "axes", repr(self.log), 'one of "", "x", "y", "xy"'))
        for name in (self.x, self.y, self.series, self.facet, self.value, self.low, self.high):
            if name is not None and name not in known:
                hint = did_you_mean(str(name), known, "columns")
                faults.append(Fault(codes.UNKNOWN_COLUMN, "figure", "given a column of the table", repr(name), hint))
        if kind in BY_NAME and BY_NAME[kind].cells and self.value is None:
            faults.append(Fault(codes.UNKNOWN_COLUMN, "figure.value", "a heat map needs the column of its values"))
        if faults:
            raise NetloomError(faults)
