"""Which row of a heat map is best at each place, and where the choice changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .tidy import Panel

#: Colours end here: what takes ten times the best is as dark as what takes a hundred times.
WORST = 10.0


def ratios(panel: Panel) -> dict[tuple[str, object], float]:
    """Every value over the least of its column, by row and column; values that are 0 count as the best. O(cells)."""
    least: dict[object, float] = {}
    for line in panel.series:
        for p in line.points:
            least[p.x] = min(least.get(p.x, p.mean), p.mean)
    return {
        (line.name, p.x): p.mean / least[p.x] if least[p.x] > 0 else float(p.mean == least[p.x]) or WORST
        for line in panel.series
        for p in line.points
    }


def switch_points(panel: Panel, categories: tuple[str, ...]) -> str:
    """The choice in words: ``ring up to 4 KiB, then bruck``; the first row of those that tie."""
    found = ratios(panel)
    best = {x: name for (name, x), ratio in reversed(found.items()) if ratio == 1}
    spans: list[tuple[str, str, str]] = []
    for x in (c for c in categories if c in best):
        if spans and spans[-1][0] == best[x]:
            spans[-1] = (best[x], spans[-1][1], x)
        else:
            spans.append((best[x], x, x))
    words = [f"{name} at {a}" if a == b else f"{name} from {a} to {b}" for name, a, b in spans]
    head = f"{panel.name}: " if panel.name else ""
    return f"{head}Best: {', '.join(words)}." if words else ""
