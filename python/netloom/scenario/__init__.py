"""The one argument of an evaluator: a scenario as plain data, the table of its axes, and what brings it to objects."""

from __future__ import annotations

from .axes import AXES, Axes, Axis
from .bound import Bound, require_known
from .canonical import Calls, Scalar
from .codes import CODES
from .scenario import Scenario
from .search import Search, search
from .workshop import Interrupted, Progress, Workshop

__all__ = [
    "AXES",
    "CODES",
    "Axes",
    "Axis",
    "Bound",
    "Calls",
    "Interrupted",
    "Progress",
    "Scalar",
    "Scenario",
    "Search",
    "Workshop",
    "require_known",
    "search",
]
