"""Figures of a report as files, and the words that its charts share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from .sections import Chart, NetworkView, Section

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class ChartRequest(Protocol):
    """A study's definition of a chart."""

    title: str
    kind: str
    x: str
    y: str
    series: str | list[str]
    facet: str
    x_label: str
    y_label: str
    caption: str


class Pictures:
    """Writes figures next to the report, if matplotlib is installed, and records their names."""

    def __init__(self, folder: Path, enabled: bool = True) -> None:
        self.folder = folder
        self.enabled = enabled and find_spec("matplotlib") is not None
        self.written: list[Path] = []

    def chart(self, name: str, section: Chart) -> list[str]:
        """`figures/<name>.png` and `.svg` of a chart; relative paths."""
        from ..plot import figure

        if not self.enabled:
            return []
        sheet = figure(
            section.kind,
            section.table,
            x=section.x,
            y=section.y,
            series=section.series,
            facet=section.facet,
            value=section.value,
            low=section.low,
            high=section.high,
            x_label=section.x_label,
            y_label=section.y_label,
            value_label=section.value_label,
            title=section.title,
            log=section.log,
        )
        return self._save(name, sheet)

    def sheet(self, name: str, make: Callable[[], Figure]) -> list[str]:
        """As `chart`, of a figure that is made only if pictures are wanted."""
        return self._save(name, make()) if self.enabled else []

    def network(self, name: str, section: NetworkView) -> list[str]:
        """As `chart`, of a network."""
        from ..plot import draw_network

        if not self.enabled:
            return []
        sheet = draw_network(
            section.switches,
            section.tails,
            section.heads,
            label=section.label,
            view=section.view,
            layout=section.layout,
            dims=section.dims,
            levels=section.levels,
            groups=section.groups,
            class_of=section.class_of,
            class_names=section.class_names,
        )
        return self._save(name, sheet)

    def _save(self, name: str, sheet: Figure) -> list[str]:
        from ..plot import save

        home = self.folder / "figures"
        written = save(sheet, home / f"{name}.png", home / f"{name}.svg")
        self.written += written
        return [f"figures/{path.name}" for path in written]


def with_files(section: Chart | NetworkView, files: list[str]) -> Section:
    return replace(section, files=files)


def series_of(chart: ChartRequest) -> list[str]:
    return [chart.series] if isinstance(chart.series, str) else list(chart.series)


def panel_name(name: str, value: object) -> str:
    """A bare number would not show its meaning."""
    return f"{name.replace('_', ' ')} {shown(value)}" if isinstance(value, (int, float)) else shown(value)


def shown(value: object) -> str:
    """A cell as text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
