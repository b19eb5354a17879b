"""Section 4.5.2 of Cui 2024: 'improved by x %' read as less time, and as higher speed.

The claims K20 to K23 of the study `chapter4_time` keep by how many per cent less time the circulant placement takes, p.
Its speed is then higher by 100 p / (100 - p) per cent. Printed numbers and tolerance are those of the claims.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from statistics import mean

from ..findings import Found, load
from ..measured import finding

TITLE = "Improved by x %: less time or higher speed"
STUDY = "chapter4_time"
#: Five mappings, two collectives: on ten placements, and on five under every reading.
RUNS = 675
ROWS = ("K20", "K21", "K22", "K23")
PLACEMENTS = ("random", "tree")
CLAIMS = tuple(f"{row} {placement}" for row in ROWS for placement in PLACEMENTS)
#: The experiment in which these claims are.
OWN = "ten placements"


def less_time(percent: float) -> float:
    """The measure that the study keeps."""
    return percent


def higher_speed(percent: float) -> float:
    """Per cent by which the speed is higher where the time is less by `percent`."""
    return 100 * percent / (100 - percent)


MEASURES: dict[str, Callable[[float], float]] = {"less time": less_time, "higher speed": higher_speed}
#: Per cent less time, the printed per cent, and the tolerance in points.
Numbers = tuple[float, float, float]


def kept() -> dict[str, dict[str, Numbers]]:
    """What the study found and what is printed, by reading and claim."""
    claims = {claim.id: claim for claim in load(STUDY).claims}
    found: dict[str, dict[str, Numbers]] = {}
    for name in CLAIMS:
        own, every = claims[name], claims[f"{name} readings"]
        printed, tolerance = _numbers(own.expected)[:2]
        cases = [(OWN, own.got), *((case["label"], case["got"]) for case in every.cases)]
        for label, got in cases:
            found.setdefault(label, {})[name] = (_numbers(got)[0], printed, tolerance)
    return found


def _numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]


def measure() -> Iterator[Found]:
    """X15: both measures of the printed numbers, and how many of them each one gives."""
    found = kept()
    for row in ROWS:
        own = {placement: found[OWN][f"{row} {placement}"] for placement in PLACEMENTS}
        cases = [
            (f"{placement}, {name}", f"{value(less):.4g} %", abs(value(less) - printed) <= tolerance)
            for placement, (less, printed, tolerance) in own.items()
            for name, value in MEASURES.items()
        ]
        printed_ = " and ".join(f"{printed:g}" for _, printed, _ in own.values())
        margin = max(tolerance for _, _, tolerance in own.values())
        yield finding(f"X15 {row}", f"{printed_} % ± {margin:g} points", cases, refuted="Not with {failing}.")
    counts = {label: {name: fits(numbers.values(), name) for name in MEASURES} for label, numbers in found.items()}
    cases = [
        (
            label,
            ", ".join(f"{name} in {held} of {count}" for name, (held, count, _) in by.items()),
            by["less time"][0] > by["higher speed"][0],
        )
        for label, by in counts.items()
    ]
    yield finding("X15 fits", "less time gives more of the printed numbers", cases, refuted="Not with {failing}.")
    better = [
        (label, ", ".join(f"{name} {by[name][2]:.3g}" for name in MEASURES), by["less time"][2] < by["higher speed"][2])
        for label, by in counts.items()
    ]
    yield finding("X15 nearer", "less time is nearer on average (points)", better, refuted="Not with {failing}.")


def fits(numbers: Iterable[Numbers], name: str) -> tuple[int, int, float]:
    """How many printed numbers a measure gives within the tolerance, of how many, and its mean distance in points."""
    off = [(abs(MEASURES[name](less) - printed), tolerance) for less, printed, tolerance in numbers]
    return sum(gap <= tolerance for gap, tolerance in off), len(off), mean(gap for gap, _ in off)
