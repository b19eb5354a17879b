"""`netloom extrapolate`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from .convert_trace import write_programs
from .inputs import spelled
from .options import as_json, integer, plugins, refused, together
from .output import emit_json, emit_table, note

if TYPE_CHECKING:
    from .._core import Programs
    from ..extrapolation import Extrapolated

EPILOG = """\b
Examples:
  netloom extrapolate small.trace mid.trace --ranks 4096 -o big.goal
  netloom extrapolate 16.goal 64.goal --ranks 512 --grid 16,32 -o big.trace --to smpi
  netloom extrapolate small.trace --ranks 4096 --sizes constant -o big.goal --json
"""
FLAGS = {"ranks": "--ranks", "grid": "--grid", "traces": "TRACE"}
HEADS = ("call", "partner", "calls", "bytes", "law", "residual", "fits")
WITHIN = "Largest relative difference of a size from its law that still fits; 0 is exact to a byte."
SIZES = "How sizes and computation grow: by a law fitted over two recordings or more, or not at all."


@dataclass(frozen=True)
class Law:
    """How the target follows from the recordings."""

    grid: str | None
    sizes: str
    within: float

    def __post_init__(self) -> None:
        if not 0 <= self.within < 1:
            raise refused("--within", f"is {self.within}", "give a share of the size from 0 to 1, such as 0.01")

    def dims(self) -> tuple[int, ...] | None:
        """The sides of the grid that is given."""
        if self.grid is None:
            return None
        return tuple(integer("--grid", part.strip(), 1) for part in self.grid.split(","))


@click.command(epilog=EPILOG)
@click.argument("traces", metavar="TRACE...", nargs=-1, required=True)
@click.option("--ranks", required=True, type=int, metavar="N", help="Number of ranks wanted.")
@click.option("-o", "--output", required=True, metavar="FILE|-", help="The trace that is written.")
@click.option("--to", metavar="FORMAT", help="Its format; by default that of its name.")
@click.option("--from", "format_", metavar="FORMAT", help="Format of the recordings; by default recognised.")
@together(
    "law",
    Law,
    click.option(
        "--grid", metavar="A,B,...", help="Sides of the grid of ranks; by default grown as those recorded are."
    ),
    click.option("--sizes", type=click.Choice(["fitted", "constant"]), default="fitted", show_default=True, help=SIZES),
    click.option("--within", type=float, default=0.0, show_default=True, metavar="X", help=WITHIN),
)
@plugins
@as_json
def command(
    traces: tuple[str, ...], ranks: int, output: str, to: str | None, format_: str | None, law: Law, json_: bool
) -> None:
    """Write the trace of a larger run from those of small ones, for codes whose ranks follow a grid.

    Each call is marked with the law of its size and whether it fits; what no grid and no law explains is refused.
    """
    from ..extrapolation import Sizes, extrapolate
    from ..formats.ending import by_ending

    if json_ and output == "-":
        raise refused("--json", "and the trace would both be on standard output", "give -o a file")
    wanted = to or by_ending(output, "programs")
    sizes = Sizes(law.sizes == "constant", law.within)
    recorded = [(text, _read(text, format_)) for text in traces]
    with spelled(FLAGS):
        made = extrapolate(recorded, ranks, law.dims(), sizes)
    written = write_programs(made.programs, wanted, output)
    _tell(made, written, json_)


def _read(text: str, format_: str | None) -> Programs:
    from .. import _core
    from ..workload.traces import ONE, format_of, read_record, trace_call

    call = trace_call(text)
    path, scale = (text, ONE) if call is None else (call.path, call.scale)
    format = (None if call is None else call.format) or (format_of(format_) or format_ if format_ else None)
    made = read_record(path, format=format, scale=scale)
    for said in made.survey["notes"]:
        note(f"note: {path}: {said}")
    workload = made.told()
    if not isinstance(workload, _core.Programs):
        raise refused("TRACE", f"{path} holds sums, which no order of calls follows from", "give a trace of every call")
    return workload


def _tell(made: Extrapolated, written: list[str], json_: bool) -> None:
    recorded = [one.text() for one in made.grids]
    if json_:
        facts = {"files": written, "ranks": made.target.size, "grid": list(made.target.dims)}
        emit_json({**facts, "recorded": [list(one.dims) for one in made.grids], "calls": made.calls})
        return
    if written:
        emit_table(HEADS, [[one[head] for head in HEADS] for one in made.calls])  # type: ignore[literal-required]  # names
    note(f"grid {made.target.text()}, from {' and '.join(recorded)}")
    for one in made.calls:
        if not one["fits"]:
            note(f"note: {one['call']} follows no law to {one['residual']:.0%}: {one['law']} comes nearest")
    if written:
        note(f"{written[0]}: {made.target.size} ranks, {made.survey['events']} events")
