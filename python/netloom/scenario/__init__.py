"""The one argument of an evaluator: a scenario as plain data, the table of its axes, and its resolution into objects.

The table of axes loads alone: options of commands come from it, and help needs no core.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from .axes import AXES, Axes, Axis
from .codes import CODES

if TYPE_CHECKING:
    from .canonical import Calls, Scalar
    from .question import Question
    from .refusals import require_known
    from .scenario import Scenario
    from .search import Search
    from .workshop import Interrupted, Progress, Workshop

__all__ = [
    "AXES",
    "CODES",
    "Axes",
    "Axis",
    "Calls",
    "Interrupted",
    "Progress",
    "Question",
    "Scalar",
    "Scenario",
    "Search",
    "Workshop",
    "require_known",
]

_HOMES = {
    "Question": ".question",
    "require_known": ".refusals",
    **dict.fromkeys(("Calls", "Scalar"), ".canonical"),
    "Scenario": ".scenario",
    "Search": ".search",
    **dict.fromkeys(("Interrupted", "Progress", "Workshop"), ".workshop"),
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(_HOMES[name], __name__), name)
    return found
