"""`netloom throughput`."""

from __future__ import annotations

from itertools import groupby, islice
from math import isfinite
from typing import TYPE_CHECKING

import click

from .inputs import Asked, inputs, spelled
from .options import as_json, no_progress, plugins, settings_of, stop_after, stop_seconds, threads
from .output import emit_facts, emit_json, emit_table, model_of, note, show
from .pages import report, wanted, write

if TYPE_CHECKING:
    from .. import _core
    from ..evaluate import Answer, Row
    from ..report import AnswerPage
    from ..results.rows import Cell

EPILOG = """\b
Examples:
  netloom throughput -n 'thin_tree(8,4,3)' -t uniform --loads 0.05,0.1,0.2 --switch 'input-queued(channels=2)'
  netloom throughput -n 'torus(8,8)' -t tornado --routing dimension-ordered --json
  netloom throughput -n 'k_ary_n_tree(4,3)' -t uniform --routing minimal -v adaptive-direct --plot curve.png
"""
#: Options of the evaluator that have an option here.
SETTINGS = ("loads", "switch", "source", "protocol", "warm_up", "cycles", "drain", "links", "occupancy")
SHOWN = {
    "offered": "offered",
    "accepted": "accepted",
    "latency_mean": "latency",
    "latency_p99": "99 %",
    "mean_hops": "hops",
    "least": "least",
    "most": "most",
}
#: Pictures and their options; that of links needs all of them.
PICTURES = {
    "curve": "plot",
    "latencies": "plot_latency",
    "link_use": "plot_links",
    "occupancy": "plot_occupancy",
}
ALL_LINKS = 1 << 32
#: Bins of time of a picture of occupancy; at least half of them are used.
BINS = 128
SHOWN_LINKS = ("from", "to", "busy", "stalls", "buffer_mean", "buffer_max")


@click.command(epilog=EPILOG)
@inputs(
    *(
        "network",
        "format",
        "part",
        "fail",
        "workload",
        "ranks",
        "cores",
        "placement",
        "order",
        "mapping",
        "mapping_format",
    ),
    *("library", "size_bytes", "root", "algorithms", "routing", "variant", "seed"),
)
@click.option(
    "--loads", metavar="X,...", help="Offered loads, shares of an endpoint's link.  [default: 0.1,0.2,...,1.0]"
)
@click.option("--switch", metavar="CALL", help="Switch model; see netloom list switches.  [default: input-queued]")
@click.option("--source", metavar="CALL", help="When packets are born; see netloom list sources.  [default: bernoulli]")
@click.option(
    "--protocol", metavar="window|batches",
    help="How a point is measured: once, or ten times after the load is steady.  [default: window]",
)  # fmt: skip
@click.option("--warm-up", "warm_up", metavar="N", help="Cycles before the measurement.  [default: 10000 or more]")
@click.option("--cycles", metavar="N", help="Cycles of the measurement, or of a batch.  [default: 20000 or more]")
@click.option(
    "--drain", metavar="N", help="Most cycles to wait for the packets of a window.  [default: 100000 or more]"
)
@click.option("--no-saturation", is_flag=True, help="Do not search for the greatest load that is accepted.")
@click.option("--links", metavar="N", help="Also show the N most used links at the greatest load.")
@click.option("--occupancy", metavar="BINS", help="Also give what stands in buffers over time, in --json.")
@stop_after
@threads
@click.option("--plot", metavar="FILE", help="Write a picture of the curve: .png, .svg or .pdf.")
@click.option("--plot-latency", metavar="FILE", help="Write a picture of the latencies at each load.")
@click.option("--plot-links", metavar="FILE", help="Write a picture of how busy each link is at each load.")
@click.option("--plot-occupancy", metavar="FILE", help="Write a picture of what stands in buffers over time.")
@no_progress
@report
@plugins
@as_json
def command(asked: Asked, no_saturation: bool, quiet: bool, json_: bool, **settings: str | None) -> None:
    """Accepted load and latency at each offered load, packet by packet."""
    from ..evaluate import evaluator

    files = {picture: settings.pop(option) for picture, option in PICTURES.items()}
    pictures = {picture: file for picture, file in files.items() if file is not None}
    if pictures:
        from ..plot.figure import ending_of

        for file in pictures.values():
            ending_of(file)
    options = settings_of(evaluator("throughput"), settings) | {"saturation": not no_saturation}
    if (seconds := stop_seconds()) is not None:
        options["stop_after_s"] = seconds
    shown, kept = options.get("links"), options.get("occupancy")
    _needed(options, pictures)
    with spelled({f"throughput.{name}": f"--{name.replace('_', '-')}" for name in SETTINGS}):
        found = asked.answer("throughput", quiet or json_, "throughput", 0, **options)
    if pictures and not found.tables["points"]:
        note("note: there is no point to draw: no picture was written")
        pictures = {}
    for picture, file in pictures.items():
        _draw(picture, file, asked.network, found)
    write(lambda: _page(asked, found))
    if "link_use" in pictures:
        found.tables["links"] = _most_used(found.tables["links"], int(shown or 16))
    if not kept:
        # Counted for pictures alone.
        found.tables["occupancy"] = []
    _tell(asked, found, json_, shown is not None)


def _needed(options: dict[str, Cell], pictures: dict[str, str]) -> None:
    """What pictures and pages need is counted too."""
    if "link_use" in pictures and isinstance(options.get("links"), (int, type(None))):
        options["links"] = ALL_LINKS
    if ("occupancy" in pictures or wanted()) and not options.get("occupancy"):
        options["occupancy"] = BINS


def _page(asked: Asked, found: Answer) -> AnswerPage:
    from .answer_pages import curved

    return curved(asked.scenario, asked.network.label, found)


def _draw(picture: str, file: str, network: _core.Network, found: Answer) -> None:
    from ..evaluate.throughput import charts
    from ..evaluate.throughput.occupancy import occupancy
    from ..plot import save

    name = network.label
    if picture == "curve":
        save(charts.curve({name: found.tables["points"]}, bounds={name: found.record}), file)
    elif picture == "latencies":
        save(charts.latencies(found.tables["histogram"], name), file)
    elif picture == "occupancy":
        save(occupancy(found.tables["occupancy"], name, network.levels), file)
    else:
        save(charts.link_use(found.tables["links"], name), file)
    note(f"wrote {file}")


def _most_used(links: list[Row], number: int) -> list[Row]:
    """The first rows of each load: they are sorted by use."""
    by_load = groupby(links, key=lambda row: row["offered"])
    return [row for _, rows in by_load for row in islice(rows, number)]


def _tell(asked: Asked, found: Answer, json_: bool, links: bool) -> None:
    facts = {"network": asked.network.label, "routing": found["routing"], "variant": found["variant"]}
    if json_:
        made = {**found.tables, "says": found.explain()}
        emit_json(facts | dict(found.record) | made | model_of(found))
        return
    units = {"zero_load_latency": f"latency at zero load ({found['latency_unit']})"}
    numbers = {units.get(key, key): found[key] for key in ("saturation", "zero_load_latency") if found[key] is not None}
    emit_facts(numbers | facts)
    click.echo()
    rows = [[_digits(row[key]) for key in SHOWN] for row in found.tables["points"]]
    if rows:
        emit_table(list(SHOWN.values()), rows)
    if rows and links:
        last = found.tables["points"][-1]["offered"]
        used = [row for row in found.tables["links"] if row["offered"] == last]
        click.echo(f"\nlinks at {last:g}")
        emit_table(SHOWN_LINKS, [[_digits(row[key]) for key in SHOWN_LINKS] for row in used])
    for sentence in found.explain():
        click.echo(show(sentence))


def _digits(cell: object) -> object:
    """Four digits, all of those before the point."""
    from ..plot.units import plain

    return plain(cell, 4) if isinstance(cell, float) and isfinite(cell) else cell
