"""Figures of a report as files, and the words that its charts share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from .payload import on_one_scale
from .sections import Chart, NetworkView, Pair, Section

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
        return self.sheet(name, lambda: figure_of(section))

    def sheet(self, name: str, make: Callable[[], Figure]) -> list[str]:
        """As `chart`, of a figure that is made only if pictures are wanted."""
        return self._save(name, make()) if self.enabled else []

    def network(self, name: str, section: NetworkView) -> list[str]:
        """As `chart`, of a network."""
        return self.sheet(name, lambda: network_figure(section))

    def pair(self, name: str, section: Pair) -> list[str]:
        """As `chart`, of networks side by side."""
        return self.sheet(name, lambda: pair_figure(section))

    def _save(self, name: str, sheet: Figure) -> list[str]:
        from ..plot import save

        home = self.folder / "figures"
        written = save(sheet, home / f"{name}.png", home / f"{name}.svg")
        self.written += written
        return [f"figures/{path.name}" for path in written]


def figure_of(section: Chart) -> Figure:
    """The chart as a matplotlib figure: the same data, the same kind.

    Raises
    ------
    NetloomError
        NL-X101 without matplotlib; NL-X102 to NL-X106.
    """
    from ..plot import figure

    return figure(
        section.kind,
        section.table,
        x_label=section.x_label,
        y_label=section.y_label,
        value_label=section.value_label,
        title=section.title,
        **vars(section.encoding),
    )


def network_figure(section: NetworkView) -> Figure:
    """The network as a matplotlib figure.

    Raises
    ------
    NetloomError
        NL-X101 without matplotlib; NL-X102, NL-X107.
    """
    from ..plot import draw_network

    return draw_network(section)


def pair_figure(section: Pair) -> Figure:
    """Networks side by side on one scale of loads, as a matplotlib figure."""
    from ..plot.draw import draw_networks

    return draw_networks(on_one_scale(section.views), title=section.title)


def with_files(section: Chart | NetworkView | Pair, files: list[str]) -> Section:
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
