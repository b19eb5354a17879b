"""`netloom throughput`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .inputs import Asked, inputs, spelled
from .options import as_json, plugins, settings_of
from .output import emit_facts, emit_json, emit_table, note, show, stamped

if TYPE_CHECKING:
    from ..evaluate import Answer

EPILOG = """\b
Examples:
  netloom throughput -n 'thin_tree(8,4,3)' -t uniform --loads 0.05,0.1,0.2 --switch 'input-queued(channels=2)'
  netloom throughput -n 'torus(8,8)' -t tornado --routing dimension-ordered --json
  netloom throughput -n 'k_ary_n_tree(4,3)' -t uniform --routing minimal -v adaptive-direct --plot curve.png
"""
#: Options of the evaluator that have an option here.
SETTINGS = ("loads", "switch", "protocol", "warm_up", "cycles", "drain")
SHOWN = {
    "offered": "offered",
    "accepted": "accepted",
    "latency_mean": "latency",
    "latency_p99": "99 %",
    "mean_hops": "hops",
    "least": "least",
    "most": "most",
}


@click.command(epilog=EPILOG)
@inputs(
    *("network", "format", "fail", "workload", "ranks", "cores", "placement", "order", "mapping", "mapping_format"),
    *("size_bytes", "root", "algorithms", "routing", "variant", "seed"),
)
@click.option("--loads", metavar="X,...", help="Offered loads, 0 to 1.  [default: 0.1,0.2,...,1.0]")
@click.option("--switch", metavar="CALL", help="Switch model; see netloom list switches.  [default: input-queued]")
@click.option("--protocol", metavar="window|batches", help="How a point is measured.  [default: window]")
@click.option("--warm-up", "warm_up", metavar="N", help="Cycles before the measurement.  [default: 10000]")
@click.option("--cycles", metavar="N", help="Cycles of the measurement, or of a batch.  [default: 20000]")
@click.option("--drain", metavar="N", help="Most cycles after a window.  [default: 100000]")
@click.option("--no-saturation", is_flag=True, help="Do not search the saturation.")
@click.option("--plot", metavar="FILE", help="Write a picture of the curve: .png, .svg or .pdf.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@plugins
@as_json
def command(
    asked: Asked, no_saturation: bool, plot: str | None, quiet: bool, json_: bool, **settings: str | None
) -> None:
    """Offered against accepted load, and latency, packet by packet."""
    from ..evaluate import evaluator

    if plot is not None:
        from ..plot.figure import ending_of

        ending_of(plot)
    options = settings_of(evaluator("throughput"), settings) | {"saturation": not no_saturation}
    with spelled({f"throughput.{name}": f"--{name.replace('_', '-')}" for name in SETTINGS}):
        found = asked.answer("throughput", quiet or json_, "throughput", 0, **options)
    _tell(asked, found, json_)
    if plot is not None:
        from ..evaluate.throughput.charts import curve
        from ..plot import save

        save(curve({asked.network.label: found.tables["points"]}), plot)
        note(f"wrote {plot}")


def _tell(asked: Asked, found: Answer, json_: bool) -> None:
    facts = {"network": asked.network.label, "routing": found["routing"], "variant": found["variant"]}
    if json_:
        made = {"points": found.tables["points"], "says": found.explain()}
        emit_json(facts | dict(found.record) | made | stamped(found))
        return
    units = {"zero_load_latency": f"latency at zero load ({found['latency_unit']})"}
    numbers = {units.get(key, key): found[key] for key in ("saturation", "zero_load_latency") if found[key] is not None}
    emit_facts(facts | numbers)
    click.echo()
    rows = [[_digits(row[key]) for key in SHOWN] for row in found.tables["points"]]
    emit_table(list(SHOWN.values()), rows)
    for sentence in found.explain():
        click.echo(show(sentence))


def _digits(cell: object) -> object:
    return f"{cell:.4g}" if isinstance(cell, float) else cell
