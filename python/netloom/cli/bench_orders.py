"""`netloom bench-orders`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .options import as_json, no_progress, number, plugins
from .output import emit_json, emit_table, note

if TYPE_CHECKING:
    from ..study.measured import Window

EPILOG = """\b
Examples:
  mpirun -n 512 netloom bench-orders examples/orders_over_size.toml --experiment figure-3 -o examples/hydra.csv
  mpirun -n 8 netloom bench-orders study.toml --window 0.1 -o measured.csv
"""


@click.command(epilog=EPILOG)
@click.argument("study", metavar="STUDY")
@click.option("--experiment", multiple=True, metavar="NAME", help="Only this one; may be repeated.")
@click.option("--window", default="0.5", show_default=True, metavar="SECONDS", help="Of the calls of a run.")
@click.option("-o", "--output", metavar="FILE", help="CSV of all windows: the file that the study names.")
@no_progress
@plugins
@as_json
def command(study: str, experiment: tuple[str, ...], window: str, output: str | None, quiet: bool, json_: bool) -> None:
    """Measure what a study predicts of orders of ranks, on a real MPI.

    STUDY is a study file; its experiments with the key `measured` are run by the processes of mpirun, which must be as
    many as the ranks, numbered core by core and node by node. Each run makes its communicators by splitting
    MPI_COMM_WORLD and calls the library's collective until the window is over (Swartvagher 2023, section 4.1.1). Runs
    with the same communicators are measured once.
    """
    from ..base.processes import world
    from ..mpi.bench.asked import Bench, benches, experiments
    from ..mpi.bench.window import windows
    from ..study import prepare

    seconds, comm = number("--window", window), world().Dup()
    plan = prepare(study)
    parts = experiments(plan, experiment, comm.Get_size())
    asked = [bench for part in parts for bench in benches(plan, part)]

    def told(bench: Bench) -> None:
        if not (quiet or json_):
            note(" ".join([bench.experiment, *(f"{name}={label}" for name, label in bench.labels.items())]))

    found = [one for made in windows(comm, asked, seconds, told) for one in made]
    if comm.Get_rank() == 0 and output is not None:
        _write(output, found)
    if json_:
        emit_json({"ranks": comm.Get_size(), "window_s": seconds, "runs": _facts(found)})
    else:
        _show(found)
    if output is not None:
        note(f"{output}: {len(found)} windows; netloom run {study} -o out/ compares them with what is predicted")


def _write(output: str, found: list[Window]) -> None:
    from ..base.files import write
    from ..study.measured import to_csv

    write(output, to_csv(found).encode())


def _facts(found: list[Window]) -> list[dict[str, object]]:
    """A row for each run, with the mean over its communicators and the first and the last decile."""
    from ..base.statistics import quantile

    runs: dict[tuple[str, str], list[Window]] = {}
    for one in found:
        runs.setdefault(one.key, []).append(one)
    rows: list[dict[str, object]] = []
    for windows in runs.values():
        rates = [one.bytes / one.time_s for one in windows]
        rows.append(
            {
                "experiment": windows[0].experiment,
                **windows[0].run,
                "communicators": len(windows),
                "bytes": windows[0].bytes,
                "calls": min(one.calls for one in windows),
                "time_s": sum(one.time_s for one in windows) / len(windows),
                "bandwidth_bytes_per_s": sum(rates) / len(rates),
                "first_decile_bytes_per_s": quantile(rates, 0.1),
                "last_decile_bytes_per_s": quantile(rates, 0.9),
            }
        )
    return rows


def _show(found: list[Window]) -> None:
    rows = _facts(found)
    names = [name for name in rows[0] if len({str(row.get(name)) for row in rows}) > 1] if rows else []
    emit_table(names, [[row.get(name) for name in names] for row in rows])
