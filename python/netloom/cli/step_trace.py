"""`netloom step --write-trace FILE`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .convert_trace import write_programs
from .options import refused
from .output import note

if TYPE_CHECKING:
    from ..training import Planner, Split
    from .step_options import Asks

#: What formats hold: whether messages go on during computation, and the seconds of which computation is a multiple.
HOLD = {"chakra": (True, 1e-6), "smpi-trace": (False, 0.0)}


def written(planner: Planner, split: Split, asks: Asks) -> list[str]:
    """The files of the step of all ranks, which are written."""
    from .. import _core
    from ..base.quantities import counted
    from ..formats.ending import by_ending
    from ..training.programs import Written, programs

    target = asks.write_trace or ""
    if target == "-":
        raise refused("--write-trace", "is a file: the step itself goes to stdout", "give a name such as step.goal")
    wanted = asks.to or by_ending(target, "programs")
    name = _core.trace_format(wanted) or wanted
    overlaps, grain_s = HOLD.get(name, (True, 0.0))
    made = programs(planner, split, Written(overlaps, grain_s))
    files = write_programs(made, wanted, target)
    if not overlaps:
        note(f"note: {name} has no words for messages during computation: what a step hides is waited for there")
    if grain_s:
        note(f"note: {name} has computation in whole microseconds, and collectives without their algorithms")
    note(f"{target}: {counted(made.ranks, 'rank')}, {counted(made.messages, 'message')}")
    return files
