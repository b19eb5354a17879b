"""Functions whose indices are known, with the ranges that they are asked over, and a scenario as a function."""

from __future__ import annotations

import math
from collections.abc import Mapping

PI = math.pi
#: Of the g-function (Saltelli and Sobol' 1995): 0 decides, 99 does nothing.
WEIGHTS = {"a": 0.0, "b": 1.0, "c": 4.5, "d": 99.0}


def ishigami(point: Mapping[str, object]) -> float:
    """Ishigami and Homma 1990, with 7 and 0.1, which a later test adds nothing to."""
    a, b, c = (float(point[name]) for name in "abc")  # type: ignore[arg-type]
    return math.sin(a) + 7 * math.sin(b) ** 2 + 0.1 * c**4 * math.sin(a)


def of_ishigami() -> dict[str, tuple[float, float]]:
    """First and total index of each parameter, from the variances in closed form."""
    b = 0.1
    of_a, of_b, both = 0.5 * (1 + b * PI**4 / 5) ** 2, 49 / 8, b**2 * PI**8 * (1 / 18 - 1 / 50)
    whole = of_a + of_b + both
    return {
        "a": (of_a / whole, (of_a + both) / whole),
        "b": (of_b / whole, of_b / whole),
        "c": (0.0, both / whole),
    }


def g_function(point: Mapping[str, object]) -> float:
    """A product of (|4 x - 2| + w) / (1 + w)."""
    return math.prod((abs(4 * float(point[name]) - 2) + w) / (1 + w) for name, w in WEIGHTS.items())  # type: ignore[arg-type]


def of_g_function() -> dict[str, tuple[float, float]]:
    """Variances of the factors are 1 / (3 (1 + w)^2)."""
    each = {name: 1 / (3 * (1 + w) ** 2) for name, w in WEIGHTS.items()}
    whole = math.prod(1 + one for one in each.values()) - 1
    others = {name: math.prod(1 + two for other, two in each.items() if other != name) for name in each}
    return {name: (each[name] / whole, each[name] * others[name] / whole) for name in each}


def additive(point: Mapping[str, object]) -> float:
    """4 a + 2 b + c, over ranges of one length: shares 16, 4 and 1 of 21."""
    return 4 * float(point["a"]) + 2 * float(point["b"]) + float(point["c"])  # type: ignore[arg-type]


OF_ADDITIVE = {"a": (16 / 21, 16 / 21), "b": (4 / 21, 4 / 21), "c": (1 / 21, 1 / 21)}


def message(point: Mapping[str, object]) -> float:
    """Latency and bytes over the narrower of two bandwidths."""
    slowest = min(float(point["link"]), float(point["injection"]))  # type: ignore[arg-type]
    return 1e-6 + 1e6 / slowest
