"""Runs that differ in the message size alone: in the input `size_bytes`, or in `bytes` of the workload's call."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from .. import _core
from ..base.quantities import parse_bytes
from ..scenario.sizes import NAME as SIZE
from .plan import Pair
from .runs import Run
from .values import Scalar

#: The workload, the parameter of its call that is a size, and the axis that sets this parameter.
WORKLOAD, BYTES = "workload", "bytes"
PARAMETER = f"{WORKLOAD}.{BYTES}"
#: Where a size stands, in the order in which series are looked for.
PLACES = (SIZE, PARAMETER, WORKLOAD)


def series(pairs: Iterable[Pair], least: int) -> list[list[Pair]]:
    """Series of at least `least` sizes, each ordered by size; a run is of one series at most. O(runs)."""
    left = list(pairs)
    made: list[list[Pair]] = []
    for place in PLACES:
        groups: dict[str, dict[float, Pair]] = {}
        for pair in left:
            found = _apart(pair[1], place)
            if found is not None:
                rest, size = found
                groups.setdefault(rest, {})[size] = pair
        chosen = [[group[size] for size in sorted(group)] for group in groups.values() if len(group) >= least]
        taken = {run.key for group in chosen for _, run in group}
        made += chosen
        left = [pair for pair in left if pair[1].key not in taken]
    return made


def _apart(run: Run, place: str) -> tuple[str, float] | None:
    """What a run is but for its size, as text, and the size; None if it has none at that place."""
    calls = run.calls
    if place != WORKLOAD:
        if place not in calls or (place == SIZE and SIZE not in run.inputs()):
            return None
        size = calls.pop(place)
        return _text(run, calls), float(size if isinstance(size, (int, float)) else parse_bytes(str(size), place))
    name, positional, keyword = _core.parse_call(str(calls.get(WORKLOAD, ""))) if calls.get(WORKLOAD) else ("", [], {})
    own = keyword.pop(BYTES, None)
    if not isinstance(own, (int, float)):
        return None
    return _text(run, calls | {WORKLOAD: repr((name, positional, sorted(keyword.items(), key=str)))}), float(own)


def _text(run: Run, calls: Mapping[str, Scalar]) -> str:
    return json.dumps([calls, run.options, run.extra], sort_keys=True)
