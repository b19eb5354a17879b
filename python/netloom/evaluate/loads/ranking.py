"""Which choice loads the links least, and why, as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...base.quantities import amount_text, time_text
from .words import Classes, a_link_of, hot_classes, links_of, one_speed, times, worst_key, worst_nic

if TYPE_CHECKING:
    from .result import Loads


def rank(results: Mapping[str, Loads | Classes] | Iterable[tuple[str, Loads | Classes]]) -> list[dict[str, Any]]:
    """Results of the same jobs under different placements, routings or variants, the shortest worst link first.

    Parameters
    ----------
    results
        By name: what `netloom.loads` gave, or its `classes`.

    Returns
    -------
    list of dict
        `position` (from 1; equal ones share one), `name`, `max_bytes`, `max_s` (bytes over bandwidth of the link that
        takes longest), `ratio` (of it to the first's; None where that is 0), `held_by` (the class of that link) and
        `reason`, a sentence.

    Notes
    -----
    Order: the time of the worst link, which bounds the throughput, then the mean bytes, then the order given. Where all
    links are equally fast it is that of the maxima; `classes` without times are ranked by bytes. O(n log n).
    """
    named = list(results.items() if isinstance(results, Mapping) else results)
    listed = [(name, _classes(found)) for name, found in named]
    by = "max_s" if all(worst_key(classes) == "max_s" for _, classes in listed) else "max_bytes"
    ordered = sorted(listed, key=lambda item: (_of(item[1], by), _of(item[1], "mean_bytes")))
    rows: list[dict[str, object]] = []
    for place, (name, classes) in enumerate(ordered, start=1):
        best = ordered[0][1]
        most, least = _of(classes, by), _of(best, by)
        same = place > 1 and _of(ordered[place - 2][1], by) == most
        rows.append(
            {
                "position": rows[-1]["position"] if same else place,
                "name": name,
                "max_bytes": _of(classes, "max_bytes"),
                "max_s": classes.get("all", {}).get("max_s"),
                "ratio": most / least if least else None,
                "held_by": held_by(classes),
                "reason": _reason(classes, best, by, place == 1),
            }
        )
    return rows


def held_by(classes: Classes) -> str:
    """The class of the switch link that takes longest, the first of equal ones; "" where nothing crosses one."""
    return next(iter(hot_classes(classes)), "")


def _classes(found: Loads | Classes) -> Classes:
    # `Loads` is not imported here: it uses this module.
    return found if isinstance(found, Mapping) else found.classes


def _of(classes: Classes, key: str, name: str = "all") -> float:
    return float(classes.get(name, {}).get(key) or 0.0)


def _reason(classes: Classes, best: Classes, by: str, first: bool) -> str:
    most, mean = _of(classes, by), _of(classes, by.replace("max", "mean"))
    if most == 0:
        return "Nothing crosses a link between switches."
    # Where links are equally fast, bytes suffice.
    even = by == "max_bytes" or one_speed(classes)
    parts = [f"{amount_text(_of(classes, 'max_bytes')) if even else time_text(most)} on {a_link_of(held_by(classes))}"]
    if not first:
        parts += _against(classes, best, by)
    parts.append(f"{times(most / mean)} its own average")
    if (nic := worst_nic(classes)) is not None:
        parts.append(f"the links of endpoints take longer: {time_text(nic[1])} of {nic[0]}")
    links = _of(classes, "links")
    idle = (links - _of(classes, "used")) / links if links else 0.0
    if idle >= 0.01:
        parts.append(f"{100 * idle:.0f} % of the links idle")
    return ", ".join(parts) + "."


def _against(classes: Classes, best: Classes, by: str) -> Sequence[str]:
    """How the maximum, the average and the class with the maximum differ from those of the best."""
    parts = []
    least, mean = _of(best, by), _of(best, "mean_bytes")
    if least:
        ratio = _of(classes, by) / least
        parts.append("level with the best" if ratio < 1.005 else f"{times(ratio)} the best")
    if mean:
        ratio = _of(classes, "mean_bytes") / mean
        same = 0.98 <= ratio <= 1.02
        more = "more" if ratio > 1 else "fewer"
        words = "as many bytes in all as the best" if same else f"{abs(100 * (ratio - 1)):.0f} % {more} bytes in all"
        parts.append(words)
    other = hot_classes(best)
    if other and not set(other) & set(hot_classes(classes)):
        parts.append(f"the best is limited by {links_of(other)}")
    return parts
