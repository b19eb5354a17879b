"""`netloom run-schedule`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from .options import as_json, integer, number, plugins, refused, together
from .output import emit_json, emit_table, note, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mpi4py import MPI

    from ..mpi.schedules.kinds import Case
    from ..mpi.schedules.run import Asked, Row
    from ..mpi.schedules.runner import Runners

EPILOG = """\b
Examples:
  mpirun -n 8 netloom run-schedule allreduce:swing --sizes 8:64MiB
  mpirun -n 6 netloom run-schedule broadcast:binomial --root 2 --datatype int32 --sizes 4,64KiB
  mpirun -n 8 netloom run-schedule all --check-only
  mpirun -n 8 netloom run-schedule allreduce:ring alltoall:bruck -o measured.csv
"""


@dataclass(frozen=True)
class Data:
    """What ranks send, as typed."""

    sizes: str
    datatype: str
    operation: str | None
    root: str


data = together(
    "data",
    Data,
    click.option("--sizes", default="8:1MiB", show_default=True, metavar="SIZES", help="A list, or a range a:b."),
    click.option("--datatype", default="float64", show_default=True, metavar="NAME",
                 help="Of the elements: int32, int64, float32, float64 or byte."),
    click.option("--op", "operation", metavar="NAME",
                 help="Of reductions: sum, prod, max, min, bor, bxor, or maps, whose order counts.  [default: sum]"),
    click.option("--root", default="0", show_default=True, metavar="RANK", help="Root rank."),
)  # fmt: skip


@dataclass(frozen=True)
class Steps:
    """Who goes through the steps, as typed."""

    runner: str
    mpicc: str | None

    def __post_init__(self) -> None:
        if self.runner == "python" and self.mpicc is not None:
            raise refused("--mpicc", "compiles the runner in C, and --runner python takes none", "leave one out")

    def found(self, comm: MPI.Intracomm, case: Case) -> Runners:
        """What is there of it, the same on all ranks."""
        from ..mpi.schedules.runner import runners

        return runners(comm, self.runner, case, self.mpicc)


steps = together(
    "steps",
    Steps,
    click.option("--runner", type=click.Choice(("auto", "c", "python")), default="auto", show_default=True,
                 help="What goes through the steps; auto: C for small messages if it can be compiled."),
    click.option("--mpicc", metavar="FILE", help="The compiler of the MPI, for C.  [default: on the path]"),
)  # fmt: skip


@click.command(epilog=EPILOG)
@click.argument("schedules", nargs=-1, required=True, metavar="COLLECTIVE:ALGORITHM...")
@data
@steps
@click.option("--seconds", default="0.5", show_default=True, metavar="SECONDS", help="Time for the calls of a size.")
@click.option("--check-only", is_flag=True, help="Time nothing.")
@click.option("--one-in", default="1", show_default=True, metavar="N",
              help="Check one of N combinations of datatype and operation, other ones for each schedule.")  # fmt: skip
@click.option("-o", "--output", metavar="FILE", help="Write the times as CSV, for netloom validate.")
@plugins
@as_json
def command(
    schedules: tuple[str, ...], data: Data, steps: Steps, seconds: str, check_only: bool, one_in: str,
    output: str | None, json_: bool,
) -> int:  # fmt: skip
    """Run schedules with real data on a real MPI; check and time them.

    Start it with mpirun. Each schedule is executed message by message, and its result compared with that of the
    library's own collective, for datatypes, operations and in place; "all" is the whole catalogue. Exit code 1: a
    result is wrong.
    """
    from ..base.errors import Fault, NetloomError
    from ..base.processes import world
    from ..mpi.schedules.run import rows, skipped
    from ..mpi.started import library, pace, spread

    if check_only and output is not None:
        raise NetloomError(
            [Fault("NL-X010", "--output", "has times, and --check-only takes none", "", "leave one out")]
        )
    asked = _asked(schedules, data, integer("--one-in", one_in, 1))
    least = number("--seconds", seconds)
    comm = world().Dup()
    if comm.Get_size() < 2:
        hint = "mpirun -n 8 netloom run-schedule ..."
        raise NetloomError([Fault("NL-I051", "run-schedule", "needs at least 2 processes", "", hint)])
    given = steps.found(comm, asked.case)
    timing, wait, start = pace(comm, least, not check_only)
    found = list(rows(comm, asked, timing, wait, given))
    about: Row = {"mpi": library(), "ranks": comm.Get_size(), **spread(comm), "start": start, **given.facts()}
    left_out = skipped(asked, comm.Get_size())
    if output is not None and comm.Get_rank() == 0:
        _write(output, found, about)
    if json_:
        emit_json({**about, "sizes": found, "skipped": left_out})
    else:
        _show(found, about, left_out)
    return 0 if all(row["correct"] for row in found) else 1


def _asked(schedules: tuple[str, ...], data: Data, share: int) -> Asked:
    from ..base.sizes import parse_sizes
    from ..mpi.schedules.kinds import Case, chosen
    from ..mpi.schedules.run import Asked

    case = Case(*chosen(data.datatype, data.operation))
    return Asked(schedules, parse_sizes(data.sizes, "--sizes"), case, integer("--root", data.root, 0), share)


def _write(path: str, found: Sequence[Row], about: Row) -> None:
    """Medians as netloom's own table of measurements: the schedule's, and the library's as the algorithm `default`."""
    from ..measured.own import write_csv
    from ..measured.rows import Measurement

    each = about.get("ranks_per_node")
    nodes, per_node = (about["nodes"], each) if each else (about["ranks"], 1)
    made, told = [], set()
    for row in found:
        collective, _, algorithm = str(row["schedule"]).partition(":")
        ways = [(algorithm, "", "median_s"), ("default", str(about["mpi"]), "library_median_s")]
        for name, library, column in ways:
            key = (collective, name, row["size_bytes"])
            if key not in told:
                told.add(key)
                time_s = float(str(row[column]))
                made.append(
                    Measurement(collective, name, library, int(str(nodes)), int(str(per_node)),
                                int(str(row["size_bytes"])), time_s, "")
                )  # fmt: skip
    write_csv(path, made)
    note(f"{path}: medians, for netloom validate")


#: Columns of times in the order of the OSU benchmarks, of the ranks.
_OSU = ("mean_s", "min_s", "max_s", "p50_s", "p90_s", "p99_s")


def _show(found: Sequence[Row], about: Row, left_out: dict[str, str]) -> None:
    from ..mpi.schedules.run import words

    names = list(dict.fromkeys(str(row["schedule"]) for row in found))
    if found and "min_s" in found[0]:
        for name in names:
            _show_times([row for row in found if row["schedule"] == name], name, about)
    elif len(names) == 1:
        emit_table(["size", "cases", "right"], [[r["size_bytes"], r["checked"], r["correct"]] for r in found])
    checked = sum(int(str(row["checked"])) for row in found)
    say(f"{words(found)}, in {checked} comparisons with {about['mpi']} on {about['ranks']} ranks")
    for row in found:
        if not row["correct"]:
            note(f"wrong: {row['schedule']} of {row['size_bytes']} B: {row['wrong']}")
    if "no_c" in about:
        note(f"Python goes through all steps, since there is no runner in C: {about['no_c']}")
    for name, reason in left_out.items():
        note(f"left out: {name}: {reason}")


def _show_times(rows: Sequence[Row], name: str, about: Row) -> None:
    """The layout of the OSU benchmarks, with columns of the library."""
    first = rows[0]
    kind = " ".join(str(first[key]) for key in ("datatype", "op") if key in first)
    click.echo(f"# {name} on {about['ranks']} ranks, {kind}, {about['mpi']}. Latency in us, over ranks.")
    click.echo(f"# Calls start {about['start']}.")
    heads = ("Avg", "Min", "Max", "P50", "P90", "P99", "Calls", "Outliers", "Lib Avg", "Lib Min", "Lib Max", "Right")
    click.echo(f"{'# Size':<10}" + "".join(f"{head:>{max(9, len(head) + 2)}}" for head in heads))
    for row in rows:
        own, library = row["ranks"], row["library_ranks"]
        assert isinstance(own, dict) and isinstance(library, dict)
        times = [f"{_us(own[key]):.2f}" for key in _OSU]
        cells = [*times, str(row["calls"]), str(row["outliers"]), *(f"{_us(library[key]):.2f}" for key in _OSU[:3])]
        cells.append("yes" if row["correct"] else "NO")
        widths = [max(9, len(head) + 2) for head in heads]
        line = "".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        click.echo(f"{row['size_bytes']!s:<10}{line}")
    click.echo()
    far = [row for row in rows if row["outliers"]]
    if far:
        worst = max(far, key=lambda row: float(str(row["max_s"])))
        longest, median = (f"{_us(worst[key]):,.0f} us" for key in ("max_s", "median_s"))
        note(
            "outliers: calls more than three distances of the quartiles above the third one; the longest took "
            f"{longest}, at {worst['size_bytes']} B, where the median is {median}"
        )
    for runner, words in {"c": "C takes", "python": "Python takes"}.items():
        took = [row for row in rows if row["runner"] == runner]
        if took:
            most, steps = max(float(str(row["runner_s"])) for row in took), max(int(str(first["steps"])), 1)
            sizes = f" (from {took[0]['size_bytes']} B)" if len(took) < len(rows) and runner == "python" else ""
            note(
                f"{words}{sizes} {_us(most):.2f} us of a call, {_us(most / steps):.2f} us of each of its "
                f"{first['steps']} steps, with nobody to send to; nothing is subtracted"
            )


def _us(seconds: object) -> float:
    return 1e6 * float(str(seconds))
