"""`netloom convert TRACE FILE`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..base.errors import printable
from .describe_trace import record_of
from .options import refused
from .output import note

if TYPE_CHECKING:
    from .. import _core


def convert_trace(source: str, target: str, format: str, to: str | None, said: dict[str, bool]) -> None:
    """Write a trace as another one; `said` are options of networks, and whether they were given."""
    from .. import _core
    from ..base.quantities import counted
    from ..formats.ending import by_ending

    for option in (option for option, given in said.items() if given):
        raise refused(option, f"is about a network, and {printable(source)} is a trace", "leave it out")
    wanted = to or by_ending(target, "programs")
    made = record_of(source, format)
    workload = made.told()
    programs = workload if isinstance(workload, _core.Programs) else _core.Programs.of_messages(workload)
    write_programs(programs, wanted, target)
    for text in made.survey["notes"]:
        note(f"note: {text}")
    if target != "-":
        target = _numbers(target) if _core.trace_format(wanted) == "chakra" else target
        note(f"{target}: {counted(programs.ranks, 'rank')}, {counted(made.survey['events'], 'event')}")


def write_programs(programs: _core.Programs, format: str, target: str) -> list[str]:
    """Programs as a file, on stdout for `-`, or as one for each rank; what was written."""
    from .. import _core
    from ..base import files

    if _core.trace_format(format) == "chakra":
        if target == "-":
            raise refused("FILE", "is one file, and the format has one for each rank", "give a name such as step.et")
        # `step.0.et` and so on for the target `step.et`.
        written = {
            f"{target.removesuffix('.et')}.{name.split('.')[1]}.et": data for name, data in programs.write(format)
        }
    else:
        # Files of ranks and their index say the same as one file of all ranks.
        parts = programs.write(format)
        written = {target: parts[0][1] if len(parts) == 1 else b"".join(part for _, part in parts[1:])}
    if target == "-":
        click.echo(written[target], nl=False)
        return []
    for name, data in written.items():
        files.write(name, data)
    return list(written)


def _numbers(target: str) -> str:
    """What the files of ranks are called."""
    return f"{target.removesuffix('.et')}.N.et"
