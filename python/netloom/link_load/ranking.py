"""Which choice loads the links least, and why, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..quantities import amount_text
from .words import NOT_LEVELS, times

if TYPE_CHECKING:
    from .result import Loads

Classes = Mapping[str, Mapping[str, Any]]


def rank(results: Mapping[str, Loads | Classes] | Iterable[tuple[str, Loads | Classes]]) -> list[dict[str, Any]]:
    """Results of the same jobs under different placements, routings or variants, the lowest maximum first.

    Parameters
    ----------
    results
        By name: what `netloom.loads` gave, or its `classes`.

    Returns
    -------
    list of dict
        `position` (from 1; equal maxima share one), `name`, `max_bytes`, `ratio` (to the lowest maximum; None where
        that is 0), `held_by` (the class of links with the maximum) and `reason`, a sentence.

    Notes
    -----
    Order: the maximum, then the mean, then the order given. O(n log n).
    """
    named = list(results.items() if isinstance(results, Mapping) else results)
    listed = [(name, _classes(found)) for name, found in named]
    ordered = sorted(listed, key=lambda item: (_of(item[1], "max_bytes"), _of(item[1], "mean_bytes")))
    rows: list[dict[str, Any]] = []
    for place, (name, classes) in enumerate(ordered, start=1):
        best = ordered[0][1]
        most, least = _of(classes, "max_bytes"), _of(best, "max_bytes")
        same = rows and rows[-1]["max_bytes"] == most
        rows.append(
            {
                "position": rows[-1]["position"] if same else place,
                "name": name,
                "max_bytes": most,
                "ratio": most / least if least else None,
                "held_by": held_by(classes),
                "reason": _reason(classes, best, place == 1),
            }
        )
    return rows


def held_by(classes: Classes) -> str:
    """The class of switch links that holds the maximum; "" where nothing crosses a link."""
    levels = [name for name in classes if name not in NOT_LEVELS]
    hot = max(levels, key=lambda name: _of(classes, "max_bytes", name), default="")
    return hot if hot and _of(classes, "max_bytes", hot) > 0 else ""


def _classes(found: Any) -> Classes:
    classes: Classes = getattr(found, "classes", found)
    return classes


def _of(classes: Classes, key: str, name: str = "all") -> float:
    return float(classes.get(name, {}).get(key) or 0.0)


def _reason(classes: Classes, best: Classes, first: bool) -> str:
    most, mean = _of(classes, "max_bytes"), _of(classes, "mean_bytes")
    if most == 0:
        return "Nothing crosses a link between switches."
    parts = [f"{amount_text(most)} on a {held_by(classes)} link"]
    if not first:
        parts += _against(classes, best)
    parts.append(f"{times(most / mean)} its own average")
    links = _of(classes, "links")
    idle = (links - _of(classes, "used")) / links if links else 0.0
    if idle >= 0.01:
        parts.append(f"{100 * idle:.0f} % of the links idle")
    return ", ".join(parts) + "."


def _against(classes: Classes, best: Classes) -> Sequence[str]:
    """How the maximum, the average and the class with the maximum differ from those of the best."""
    parts = []
    least, mean = _of(best, "max_bytes"), _of(best, "mean_bytes")
    if least:
        ratio = _of(classes, "max_bytes") / least
        parts.append("level with the best" if ratio < 1.005 else f"{times(ratio)} the best")
    if mean:
        ratio = _of(classes, "mean_bytes") / mean
        same = 0.98 <= ratio <= 1.02
        more = "more" if ratio > 1 else "fewer"
        words = "as many bytes in all as the best" if same else f"{abs(100 * (ratio - 1)):.0f} % {more} bytes in all"
        parts.append(words)
    other = held_by(best)
    if other and other != held_by(classes):
        parts.append(f"the best is limited by {other} links")
    return parts
