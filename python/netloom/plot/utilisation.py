"""Utilisation of links over time: the busiest links as a heat map, and the mean and the greatest of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ..base.errors import Fault, NetloomError
from ..base.quantities import unit_of_time
from . import codes
from .figure import _rc, require
from .style import HEAT, PALETTE
from .trace import Floats, Ints, columns, headline, nothing, part

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Most links in the map, and most bins across; more bins share cells.
LINKS = 64
ACROSS = 1024


def utilisation(
    trace: Mapping[str, object],
    bandwidth_bytes_per_s: float | ArrayLike,
    *,
    link_names: Sequence[str] | None = None,
    title: str = "",
) -> Figure:
    """A matplotlib ``Figure``: the 64 most used links by time, and mean and maximum over all that carried anything.

    Parameters
    ----------
    trace
        Of a simulation with ``trace=True``. Read is `link_bins`: `width_s` > 0 and `bins`; `links`, shape (links,),
        ascending; `bytes`, shape (links, bins) or flat. If `intervals` or `messages` are there, the picture ends with
        them.
    bandwidth_bytes_per_s
        Of every link of the network, by its number, or one number for all; above 0.
    link_names
        By number of the link. Default: the numbers.
    title
        Above the picture.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    NetloomError
        NL-X101 without matplotlib, NL-X105 if no link carried anything, NL-X108 for another shape of trace.

    Notes
    -----
    Utilisation is bytes / (bandwidth · width of the bin); the last bin is as wide as the run reaches into it. Bytes of
    a link that is never shared may exceed its bandwidth: then it is above 100 %. Cost O(links · bins).
    """
    matplotlib = require()
    links, share, edges = shares(trace, bandwidth_bytes_per_s)
    total = edges[-1]
    size, unit = unit_of_time(float(total))
    order = np.argsort(-(share * np.diff(edges)).sum(axis=1), kind="stable")[:LINKS]
    names = [str(links[i]) if link_names is None else _name(link_names, int(links[i])) for i in order]
    with matplotlib.rc_context(_rc(matplotlib)):
        tall = float(np.clip(0.6 + 0.13 * len(order), 1.6, 8.0))
        sheet: Figure = matplotlib.figure.Figure(figsize=(9.0, tall + 2.6), layout="constrained")
        top, low = sheet.subplots(2, 1, sharex=True, height_ratios=(1.6, tall))
        greatest = float(share.max()) * 100
        # A common scale where links fill up, so that pictures compare; a separate one otherwise.
        norm = matplotlib.colors.Normalize(0, max(100.0, greatest) if greatest > 25 else greatest)
        mesh = low.pcolormesh(
            edges / size, np.arange(len(order) + 1) - 0.5, share[order] * 100, cmap=HEAT, norm=norm, rasterized=True
        )
        low.grid(False)
        step = -(-len(order) // 32)
        low.set_yticks(range(0, len(order), step), names[::step], fontsize=7)
        low.set(xlabel=f"time ({unit})", ylabel="link", ylim=(len(order) - 0.5, -0.5), xlim=(0, total / size))
        bar = sheet.colorbar(mesh, ax=[top, low], fraction=0.04, pad=0.01, aspect=(tall + 1.6) / 0.18)
        bar.set_label("utilisation (%)")
        what = f"{len(links)} {'links' if len(links) > 1 else 'link'} that carried anything"
        for values, name, colour, dash in (
            (share.mean(axis=0), f"mean of the {what}", PALETTE[0], "-"),
            (share.max(axis=0), "greatest of them", PALETTE[1], "--"),
        ):
            top.stairs(
                values * 100, edges / size, color=colour, linestyle=dash, linewidth=1.3, label=name, baseline=None
            )
        top.set(ylabel="utilisation (%)", ylim=(0, None))
        if len(order) < len(links):
            note = f"map: the {len(order)} links with the greatest mean utilisation, of {len(links)}"
            low.set_title(note, fontsize=7.5, color="#555555", loc="left")
        sheet.legend(loc="outside lower center", ncols=2, fontsize=8)
        headline(sheet, title)
    return sheet


def shares(trace: Mapping[str, object], bandwidth_bytes_per_s: float | ArrayLike) -> tuple[Ints, Floats, Floats]:
    """Links that carried anything, their utilisation as a share of 1, shape (links, cells), and the edges of cells (s).

    Raises
    ------
    NetloomError
        NL-X105, NL-X108.
    """
    inner = part(trace, "link_bins")
    width, bins = inner.get("width_s"), inner.get("bins")
    place = "trace.link_bins"
    if isinstance(width, bool) or not isinstance(width, (int, float, np.number)) or not 0 < float(width) < np.inf:
        raise _fault(f"{place}.width_s", "a finite number above 0", width)
    if isinstance(bins, bool) or not isinstance(bins, (int, np.integer)) or not 1 <= bins <= 2**31:
        raise _fault(f"{place}.bins", "an integer of at least 1", bins)
    links: Ints = columns(trace, "link_bins", (), ("links",))["links"]
    flat = {"link_bins": {"bytes": np.ravel(np.asarray(inner.get("bytes", "missing")))}}
    carried: Floats = columns(flat, "link_bins", ("bytes",), ())["bytes"]
    if len(carried) != len(links) * bins:
        raise _fault(f"{place}.bytes", f"{len(links)} × {bins} values", str(len(carried)))
    if not len(links) or not carried.any():
        raise nothing(place, "no link carried anything")
    speed = _speeds(links, bandwidth_bytes_per_s)
    cells = carried.reshape(len(links), int(bins))
    end = _end(trace, float(width), cells)
    used = min(int(bins), max(1, int(np.ceil(end / float(width) * (1 - 1e-12)))))
    edges = np.minimum(np.arange(used + 1) * float(width), end)
    together = -(-used // ACROSS)
    first = np.arange(0, used, together)
    edges = np.append(edges[first], edges[-1])
    cells = np.add.reduceat(cells[:, :used], first, axis=1)
    return links, cells / (np.diff(edges) * speed[:, None]), edges


def _end(trace: Mapping[str, object], width: float, cells: Floats) -> float:
    """End of the run, within the last bin that has anything; of that bin, if nothing else is known."""
    last = int(np.flatnonzero(cells.any(axis=0))[-1])
    ends = [0.0]
    for name, column in (("intervals", "end_s"), ("messages", "finish_s")):
        if name in trace:
            ends.append(float(columns(trace, name, (column,), ())[column].max(initial=0.0)))
    end = min(max(ends), width * cells.shape[1])
    return end if end > last * width else (last + 1) * width


def _speeds(links: Ints, bandwidth_bytes_per_s: float | ArrayLike) -> Floats:
    """Bandwidth of each of `links`."""
    place, given = "bandwidth_bytes_per_s", np.asarray(bandwidth_bytes_per_s)
    if not np.issubdtype(given.dtype, np.number) or np.issubdtype(given.dtype, np.complexfloating) or given.ndim > 1:
        raise _fault(place, "a number or a flat array of them", f"{given.ndim} dimensions of {given.dtype}")
    if given.ndim == 1 and len(given) <= links.max():
        raise _fault(place, f"given for every link, at least {links.max() + 1}", str(len(given)))
    speed = np.broadcast_to(given, links.shape) if given.ndim == 0 else given[links]
    bad = ~(speed > 0) | ~np.isfinite(speed)
    if bad.any():
        worst = int(np.argmax(bad))
        raise _fault(f"{place} of link {links[worst]}", "a finite number above 0", str(speed[worst]))
    return speed.astype(np.float64)


def _name(names: Sequence[str], link: int) -> str:
    if link >= len(names):
        raise _fault("link_names", f"given for every link, at least {link + 1}", str(len(names)))
    name = str(names[link])
    return name if len(name) <= 24 else name[:23] + "…"


def _fault(place: str, expected: str, got: object) -> NetloomError:
    return NetloomError([Fault(codes.BAD_TRACE, place, expected, str(got)[:80])])
