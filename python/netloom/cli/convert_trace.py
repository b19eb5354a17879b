"""`netloom convert TRACE FILE`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..base.errors import printable
from .describe_trace import record_of
from .options import refused
from .output import note

if TYPE_CHECKING:
    from .._core import Programs


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
    target = write_programs(programs, target, wanted)
    for text in made.survey["notes"]:
        note(f"note: {text}")
    if target != "-":
        note(f"{target}: {counted(programs.ranks, 'rank')}, {counted(made.survey['events'], 'event')}")


def write_programs(programs: Programs, target: str, wanted: str) -> str:
    """Programs as a trace of the wanted format; the name of what is written."""
    from .. import _core
    from ..base import files

    written = programs.write(wanted)
    if _core.trace_format(wanted) == "chakra":
        return _numbered(written, target)
    # Files of ranks and their index say the same as one file of all ranks.
    data = written[0][1] if len(written) == 1 else b"".join(part for _, part in written[1:])
    if target == "-":
        click.echo(data, nl=False)
    else:
        files.write(target, data)
    return target


def _numbered(written: list[tuple[str, bytes]], target: str) -> str:
    """A file for each rank, `step.0.et` and so on for the target `step.et`; what they are called."""
    from ..base import files

    if target == "-":
        raise refused("FILE", "is one file, and the format has one for each rank", "give a name such as step.et")
    prefix = target.removesuffix(".et")
    for name, data in written:
        files.write(f"{prefix}.{name.split('.')[1]}.et", data)
    return f"{prefix}.N.et"
