"""Charts of chapter 4 of Jain 2016, in the style of `netloom.plot`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from netloom.plot import PALETTE, save
from netloom.plot.style import DASHES, HEAT, MARKERS
from netloom.plot.units import value_text

#: Of small sheets on a page.
STYLE = {"font.family": "DejaVu Sans", "font.size": 8.5, "axes.spines.top": False, "axes.spines.right": False}
NAMED = {"rcc": "RCC", "r2": "R²"}
#: Where a score starts: below it a bar says nothing.
FLOOR = {"rcc": 0.5, "r2": 0.0}
#: Colours of features, by the hardware that they are of.
SHADES = {"dilation": "Purples", "bytes": "Blues", "stallsp": "YlOrBr", "stalls": "Greens", "FIFO": "Greys"}


def sheet(across: int, down: int, width: float, height: float, share_x: bool = False) -> tuple[Figure, list[Axes]]:
    """Panels, row by row."""
    made = Figure(figsize=(width, height), layout="constrained")
    return made, list(np.ravel(made.subplots(down, across, sharex=share_x, squeeze=False)))


def scores(
    title: str,
    places: Sequence[str],
    found: Mapping[str, Mapping[str, Sequence[float]]],
    path: Path,
    rows: str = " on test rows",
) -> None:
    """Bars of RCC over bars of R2: a group for each place, a bar for each name."""
    with rc_context(STYLE):
        made, panels = sheet(1, 2, 8.4, 4.6, share_x=True)
        for axes, (by, bars) in zip(panels, found.items(), strict=True):
            wide = 0.84 / len(bars)
            for at, (name, values) in enumerate(bars.items()):
                shown = [max(value, FLOOR[by]) - FLOOR[by] for value in values]
                where = np.arange(len(places)) + (at - (len(bars) - 1) / 2) * wide
                hatch = "///" if at >= len(PALETTE) else None
                axes.bar(
                    where, shown, wide * 0.92, FLOOR[by], color=PALETTE[at % len(PALETTE)], label=name, hatch=hatch
                )
            axes.set_ylim(FLOOR[by], 1)
            axes.set_ylabel(f"{NAMED[by]}{rows}")
            axes.grid(axis="y", alpha=0.3)
            axes.set_axisbelow(True)
            slant = {"rotation": 35, "ha": "right", "rotation_mode": "anchor"} if len(places) > 9 else {}
            axes.set_xticks(range(len(places)), places, **slant)
        made.suptitle(title, fontsize=10)
        handles, names = panels[0].get_legend_handles_labels()
        made.legend(handles, names, loc="outside lower center", ncols=min(len(names), 7), frameon=False)
        save(made, path)


def sorted_times(found: Mapping[str, np.ndarray], path: Path) -> None:
    """Figure 4.5: times of mappings, sorted, a panel for each code."""
    codes = dict.fromkeys(name.split(" 1")[0].split(" 6")[0] for name in found)
    with rc_context(STYLE):
        made, panels = sheet(len(codes), 1, 9.6, 3.4)
        for axes, code in zip(panels, codes, strict=True):
            mine = {name: times for name, times in found.items() if name.startswith(code)}
            for at, (name, times) in enumerate(mine.items()):
                label = name.removeprefix(code).strip()
                axes.plot(np.sort(times), DASHES[at % len(DASHES)], color=PALETTE[at % len(PALETTE)], label=label)
            axes.set_yscale("log")
            axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axes.yaxis.set_minor_locator(NullLocator())
            axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: value_text(value, "s", 3)))
            axes.set_title(code, fontsize=9)
            axes.set_xlabel("mappings, sorted by time")
            axes.grid(alpha=0.3)
            axes.legend(frameon=False, fontsize=7.5)
        panels[0].set_ylabel("time of one exchange")
        save(made, path)


def predictions(
    title: str, found: Mapping[str, tuple[np.ndarray, np.ndarray]], path: Path, unit: str = "time of one exchange"
) -> None:
    """Predicted over samples in the order of what was observed, a panel for each."""
    with rc_context(STYLE):
        made, panels = sheet(len(found), 1, 9.6 if len(found) > 2 else 7.6, 3.2)
        for axes, (name, (observed, predicted)) in zip(panels, found.items(), strict=True):
            axes.plot(observed, "-", color=PALETTE[0], label="observed")
            axes.plot(predicted, MARKERS[1], color=PALETTE[1], markersize=3, alpha=0.8, label="predicted")
            if "scaled" not in unit:
                axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: value_text(value, "s", 3)))
            axes.set_title(name, fontsize=9)
            axes.set_xlabel("samples, sorted by time")
            axes.grid(alpha=0.3)
        panels[0].set_ylabel(unit)
        panels[0].legend(frameon=False)
        made.suptitle(title, fontsize=10)
        save(made, path)


def shades(names: Sequence[str]) -> dict[str, tuple[float, float, float, float]]:
    """A colour for each feature, dark to light within its group."""
    from matplotlib import colormaps

    kind = {name: next(word for word in SHADES if word in name) for name in names}
    made = {}
    for word, scale in SHADES.items():
        mine = [name for name in names if kind[name] == word]
        tones = np.linspace(0.85, 0.35, len(mine)) if len(mine) > 1 else [0.6]
        made |= {name: colormaps[scale](tone) for name, tone in zip(mine, tones, strict=True)}
    return {name: made[name] for name in names}


def stacked(title: str, bars: Mapping[str, Mapping[str, float]], path: Path) -> None:
    """Importances of a model in one bar; features of one kind of hardware have one hue."""
    stacked_panels(title, {"": bars}, path)


def stacked_panels(title: str, panels: Mapping[str, Mapping[str, Mapping[str, float]]], path: Path) -> None:
    """The same, a panel for each kind of model."""
    from netloom.learning import NINETEEN

    colours = shades(list(NINETEEN))
    most = max(map(len, panels.values()))
    with rc_context(STYLE):
        made, axes_ = sheet(len(panels), 1, 9.6, 1.9 + max(0.24 * most, 1.6))
        for axes, (name, bars) in zip(axes_, panels.items(), strict=True):
            left = np.zeros(len(bars))
            for feature, colour in colours.items():
                share = np.array([of.get(feature, 0.0) for of in bars.values()])
                axes.barh(
                    range(len(bars)), share, 0.8, left, color=colour, edgecolor="white", linewidth=0.4, label=feature
                )
                left += share
            axes.set_yticks(range(len(bars)), list(bars))
            axes.invert_yaxis()
            axes.set_xlim(0, 1)
            axes.set_xticks([0, 0.5, 1])
            axes.set_xlabel("importance by impurity")
            axes.set_title(name, fontsize=9)
            if axes is not axes_[0]:
                axes.set_yticklabels([])
        made.suptitle(title, fontsize=10)
        handles, names = axes_[0].get_legend_handles_labels()
        made.legend(handles, names, loc="outside lower center", ncols=5, frameon=False, fontsize=7.5)
        save(made, path)


def matrix(title: str, rows: Mapping[str, Mapping[str, float]], path: Path) -> None:
    """Markers of features by row, each row coloured from its least to its most."""
    names = list(next(iter(rows.values())))
    with rc_context(STYLE):
        made, (axes,) = sheet(1, 1, 8.4, 1.9 + 0.32 * len(rows))
        for at, of in enumerate(rows.values()):
            shown = [(x, of[name]) for x, name in enumerate(names) if of[name] > 0]
            top = max((share for _, share in shown), default=1.0)
            tones = [share / top for _, share in shown]
            dots = axes.scatter(
                [x for x, _ in shown],
                [at] * len(shown),
                c=tones,
                cmap=HEAT,
                vmin=0,
                vmax=1,
                s=70,
                edgecolors="#555555",
                linewidths=0.5,
            )
        axes.set_yticks(range(len(rows)), list(rows))
        axes.set_xlim(-0.7, len(names) - 0.3)
        axes.set_xticks(range(len(names)), names, rotation=40, ha="right", rotation_mode="anchor")
        axes.invert_yaxis()
        axes.grid(alpha=0.3)
        axes.set_axisbelow(True)
        made.colorbar(dots, ax=axes, label="over the row's most")
        made.suptitle(title, fontsize=10)
        save(made, path)
