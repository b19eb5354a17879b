"""Loads in sentences: which links are hot, and which job, messages and ranks make them so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .result import Loads

_UNITS = ((1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"))


def amount(size_bytes: float) -> str:
    """Bytes in decimal units, three digits: `1.23 GB`."""
    for unit, name in _UNITS:
        if size_bytes >= unit:
            return f"{size_bytes / unit:.3g} {name}"
    return f"{size_bytes:.3g} B"


def duration(seconds: float) -> str:
    """Seconds in the unit that fits, three digits: `4.5 ms`."""
    for unit, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds * 1e9:.3g} ns"


def explain(loads: Loads) -> list[str]:
    """Sentences on the whole, on the hottest links, and on jobs that meet."""
    said = [_whole(loads)]
    said += [_link(loads, link) for link in loads.hottest]
    said += _neighbours(loads)
    return said


def _whole(loads: Loads) -> str:
    every = loads.classes["all"]
    if not every.get("used"):
        return "No message crosses a link between switches."
    text = f"{every['used']:,} of {every['links']:,} switch links carry something: at most {amount(every['max_bytes'])}"
    mean, median = every["mean_bytes"], every["median_bytes"]
    text += f", {amount(mean)} on average"
    hot = max((name for name in loads.classes if name not in NOT_LEVELS), key=lambda n: _most(loads, n), default="")
    if hot and len(loads.classes) > 4:
        text += f"; the hottest are {hot} links"
    skew = every["max_bytes"] / mean if mean else 0.0
    if median == 0:
        return f"{text}. More than half of the links are idle."
    if skew > 10:
        return f"{text}. The hottest carries {skew:.0f} times the average: a few links are hot spots."
    return f"{text}. The hottest carries {skew:.1f} times the average."


NOT_LEVELS = ("all", "injection", "ejection")


def _most(loads: Loads, name: str) -> float:
    return float(loads.classes[name].get("max_bytes", 0.0))


def _link(loads: Loads, link: dict[str, Any]) -> str:
    ends = f"{link['from_switch']} to {link['to_switch']}"
    text = f"The {link['class']} link from switch {ends} carries {amount(link['bytes'])}, {duration(link['seconds'])}"
    shares = [share for share in link["jobs"] if share["bytes"] > 0]
    parts = []
    for share in shares[:3]:
        name = loads.jobs[share["job"]]["name"]
        part = f"{100 * share['bytes'] / link['bytes']:.0f} % from {name}"
        if share["offsets"]:
            offset, carried = share["offsets"][0]
            part += (
                f", of that {100 * carried / share['bytes']:.0f} % from ranks to the {abs(offset):,}th {_side(offset)}"
            )
        if share["pairs"]:
            first, second, _ = share["pairs"][0]
            part += f" (such as {first:,} to {second:,})"
        parts.append(part)
    return f"{text}: {'; '.join(parts)}."


def _side(offset: int) -> str:
    return "rank above" if offset > 0 else "rank below"


def _neighbours(loads: Loads) -> list[str]:
    if len(loads.jobs) < 2:
        return []
    said = []
    for job in sorted(loads.jobs, key=lambda j: -j["slowdown"]):
        by = max(range(len(loads.jobs)), key=lambda k: job["slowdown_by"][k])
        if job["slowdown"] > 1.05 and job["slowdown_by"][by] > 1.0:
            other = loads.jobs[by]["name"]
            said.append(
                f"{job['name']} waits {job['slowdown']:.2f} times as long on its worst link as alone; "
                f"most of that is {other} ({job['slowdown_by'][by]:.2f} times): do not let them share groups."
            )
    return said
