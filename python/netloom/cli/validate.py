"""`netloom validate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .measuring import Measuring, measured_file, measuring
from .options import as_json, machines, no_progress, parameter, stop_after, within
from .output import emit_facts, emit_json, emit_table, note, progress
from .pages import report, write
from .stopped import say_stopped, stopped_s

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..mpi.micro.rows import Found
    from ..validation import Validation

EPILOG = """\b
Examples:
  netloom validate measured.csv --machine leonardo
  netloom validate measured.csv --machine mine.toml --json --report validation.html
  netloom validate --run --launch 'mpirun -n 8' --machine mine.toml
"""
#: Rows of the table; the page has all.
SHOWN = 20


@click.command(epilog=EPILOG)
@click.argument("measurements", nargs=-1, metavar="[MEASURED...]")
@click.option("--machine", required=True, metavar="NAME|FILE", help="The machine that was measured.")
@click.option(
    "--set", "set_", metavar="INPUT.PARAMETER=VALUE", multiple=True,
    help="One parameter of the machine's inputs, such as software.flow_cap=2e10; may be repeated.",
)  # fmt: skip
@measuring
@machines
@stop_after
@no_progress
@report
@as_json
def command(
    measurements: tuple[str, ...], machine: str, set_: tuple[str, ...], measuring: Measuring, quiet: bool, json_: bool
) -> None:
    """Hold predictions of a machine against measured collectives.

    MEASURED is a CSV file with the columns collective, algorithm, library, nodes, ranks_per_node, bytes, time_s,
    or what a benchmark printed that says all of this. Each row is simulated on as many nodes. The error is the share
    by which the prediction is off; the regret is the measured time of the algorithm that netloom would choose over
    that of the best one. Of a row whose algorithm is default, the library's own choice is simulated: of the library
    in its column, or of the machine's. With --run collectives, exchanges and ping-pongs are measured here and now.
    """
    from .validate_page import page

    inputs, file = dict(map(parameter, set_)), measured_file(measurements, measuring.run)
    if not measuring.run:
        measuring.require_none()
    here = _measured(file, machine, measuring, quiet)
    with within("hold fewer rows against it") as clock, progress("simulations", quiet or json_) as callback:
        found = _held(here or measurements, machine, inputs, callback)
    say_stopped(clock, f"the first {found.score.rows} rows; the others are not used")
    write(lambda: page(found))
    if json_:
        emit_json(_plain(found) | stopped_s(clock))
    else:
        _show(found)


def _measured(file: str | None, machine: str, measuring: Measuring, quiet: bool) -> Found | None:
    """What is measured now, or was by another `--run`; None for other files. A machine that is none is found before."""
    if file is None and not measuring.run:
        return None
    from ..machine import load
    from ..mpi.micro.rows import read

    load(machine)
    return measuring.found("validate", quiet) if file is None else read(file)


def _held(
    rows: Found | tuple[str, ...], machine: str, inputs: dict[str, object], callback: Callable[[int, int], object]
) -> Validation:
    from ..mpi.micro.compared import compared
    from ..validation import validate

    if isinstance(rows, tuple):
        return validate(rows, machine, inputs, callback)
    return compared(rows, machine, inputs, callback)


def _plain(found: Validation) -> dict[str, object]:
    from ..workload import DEFAULT

    total = found.score
    return {
        "machine": found.machine,
        "rows": total.rows + len(found.dropped),
        "rows_used": total.rows,
        "median_error": total.median,
        "p90_error": total.p90,
        "worst_error": total.worst,
        "bias": total.bias,
        "rank_correlation": total.rank_correlation,
        "regret": total.regret,
        "choices": len(total.choices),
        "by_size": [
            {"from_bytes": size, "median_error": error, "bias": bias, "rows": rows}
            for size, error, bias, rows in total.by_size
        ],
        "by_algorithm": found.by_algorithm(),
        "not_used": [{"reason": reason, "rows": rows} for reason, rows in found.reasons().items()],
        "predictions": [
            {
                "place": one.row.place,
                "collective": one.row.collective,
                "algorithm": one.row.algorithm,
                "nodes": one.row.nodes,
                "ranks_per_node": one.row.ranks_per_node,
                "bytes": one.row.bytes,
                "measured_s": one.row.time_s,
                "predicted_s": one.predicted_s,
            }
            | ({"chosen": one.call} if one.row.algorithm == DEFAULT else {})
            for one in found.compared
        ],
        "notes": list(found.notes),
    }


def _percent(share: object) -> str:
    return f"{100 * float(str(share)):.1f} %"


def _show(found: Validation) -> None:
    from ..base.quantities import size_text

    total = found.score
    facts: dict[str, object] = {
        "machine": found.machine,
        "rows used": f"{total.rows} of {total.rows + len(found.dropped)}",
        "median error": _percent(total.median),
        "90 % below": _percent(total.p90),
        "worst": _percent(total.worst),
        "predicted / measured": f"{total.bias:.3f}, median",
    }
    if total.regret is not None:
        facts["regret"] = f"{total.regret:.3f}, mean of {len(total.choices)} choices of an algorithm"
    if total.rank_correlation is not None:
        facts["rank correlation"] = f"{total.rank_correlation:.4f}"
    emit_facts(facts)
    click.echo()
    emit_table(
        ["from", "rows", "median error", "predicted / measured"],
        [[size_text(size), rows, _percent(error), f"{bias:.3f}"] for size, error, bias, rows in total.by_size],
    )
    click.echo()
    rows = found.by_algorithm()
    emit_table(
        ["workload", "nodes", "ranks a node", "rows", "median error", "90 % below", "predicted / measured"],
        [
            [row["workload"], row["nodes"], row["ranks_per_node"], row["rows"], _percent(row["median_error"]),
             _percent(row["p90_error"]), f"{row['bias']:.3f}"]
            for row in rows[:SHOWN]
        ],
    )  # fmt: skip
    if len(rows) > SHOWN:
        note(f"{len(rows) - SHOWN} more rows, with smaller errors: --json or --report has all")
    for reason, count in found.reasons().items():
        note(f"not used: {count} rows: {reason}")
    for line in found.notes:
        note(line)
