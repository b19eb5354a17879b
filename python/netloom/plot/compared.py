"""Pictures of compared networks: a radar of several measures, and a Pareto front of two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..base.errors import Fault, NetloomError
from . import codes
from .figure import _rc, require
from .style import DASHES, MARKERS, PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def radar(names: Sequence[str], spokes: Mapping[str, Sequence[float]], title: str = "") -> Figure:
    """A matplotlib ``Figure``: one closed line per name, one spoke per measure; outside is best.

    Parameters
    ----------
    names
        Of the lines.
    spokes
        Per measure one value for every name, from 0 to 1.

    Raises
    ------
    NetloomError
        NL-X101 without matplotlib, NL-X105 with fewer than three measures or nothing to compare.
    """
    matplotlib = require()
    if len(spokes) < 3 or not names:
        raise NetloomError([Fault(codes.NOTHING, "radar", "at least three measures", str(len(spokes)))])
    angles = np.linspace(0, 2 * np.pi, len(spokes), endpoint=False)
    with matplotlib.rc_context(_rc(matplotlib)):
        sheet: Figure = matplotlib.figure.Figure(figsize=(10.0, 6.2), layout="constrained")
        ax = sheet.add_subplot(projection="polar", theta_offset=np.pi / 2, theta_direction=-1)
        for i, name in enumerate(names):
            values = [measure[i] for measure in spokes.values()]
            colour = PALETTE[i % len(PALETTE)]
            marker, dash = MARKERS[i % len(MARKERS)], DASHES[i % len(DASHES)]
            round_, closed = [*angles, angles[0]], [*values, values[0]]
            ax.plot(round_, closed, label=name, color=colour, marker=marker, linestyle=dash)
            ax.fill(angles, values, color=colour, alpha=0.06)
        ax.set_xticks(angles, list(spokes), fontsize=9)
        ax.tick_params(axis="x", pad=6)
        for label, angle in zip(ax.get_xticklabels(), angles, strict=True):
            side = np.sin(angle)
            label.set_horizontalalignment("center" if abs(side) < 0.1 else "left" if side > 0 else "right")
        ax.set_ylim(0, 1.15)  # Room for the word at 1.
        ax.set_yticks([0.25, 0.5, 0.75, 1.0], ["", "0.5", "", "best"], fontsize=7)
        sheet.legend(loc="outside lower center", ncols=1 if max(map(len, names)) > 40 else 2)
        if title:
            sheet.suptitle(title, fontsize=11)
    return sheet


def front(
    names: Sequence[str], x: Sequence[float], y: Sequence[float], *, x_label: str, y_label: str, title: str = ""
) -> Figure:
    """A matplotlib ``Figure``: a point per name; a line of steps joins those that no other beats. Less is better.

    Raises
    ------
    NetloomError
        NL-X101 without matplotlib, NL-X105 with nothing to compare.
    """
    matplotlib = require()
    if not names:
        raise NetloomError([Fault(codes.NOTHING, "front", "at least one point", "none")])
    with matplotlib.rc_context(_rc(matplotlib)):
        sheet: Figure = matplotlib.figure.Figure(figsize=(7.5, 5.4), layout="constrained")
        ax = sheet.subplots()
        best = unbeaten(x, y)
        ax.step([x[i] for i in best], [y[i] for i in best], where="post", color="#888888", zorder=1, linewidth=1)
        for i, name in enumerate(names):
            colour, face = PALETTE[i % len(PALETTE)], PALETTE[i % len(PALETTE)] if i in best else "none"
            marker = MARKERS[i % len(MARKERS)]
            ax.scatter(x[i], y[i], s=48, marker=marker, edgecolor=colour, facecolor=face, label=name, zorder=2)
        ax.set_xlabel(x_label)
        ax.set_ylabel(y_label)
        ax.set_xlim(0, max(x) * 1.08 or 1)
        ax.set_ylim(0, max(y) * 1.08 or 1)
        sheet.legend(loc="outside lower center", ncols=1 if max(map(len, names)) > 40 else 2)
        if title:
            sheet.suptitle(title, fontsize=11)
    return sheet


def unbeaten(x: Sequence[float], y: Sequence[float]) -> list[int]:
    """Points that no other is at most equal to in both and below in one, by ascending x.

    >>> unbeaten([1, 2, 3, 3], [5, 4, 4, 1])
    [0, 1, 3]
    """

    def beaten(i: int) -> bool:
        return any(x[j] <= x[i] and y[j] <= y[i] and (x[j] < x[i] or y[j] < y[i]) for j in range(len(x)))

    return sorted((i for i in range(len(x)) if not beaten(i)), key=lambda i: (x[i], y[i], i))
