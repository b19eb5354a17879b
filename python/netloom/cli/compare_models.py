"""`netloom compare-models`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .inputs import Asked, inputs
from .options import as_json, no_progress, plugins, stop_after, threads, within
from .output import emit_json, emit_table, note, progress
from .stopped import say_stopped, stopped_s

if TYPE_CHECKING:
    from ..scenario.effect import Reason

EPILOG = """\b
Examples:
  netloom compare-models -n 'torus(8,8)' -c allreduce:ring --size 1MiB
  netloom compare-models -n 'fat_tree(radix=8,levels=3)' -t 'shift(k=5,bytes="1 MiB")' --json
"""


#: Packets draw ties with the seed, whatever the variant.
_BY_PACKETS: dict[str, Reason] = {"seed": lambda bound: ""}


@click.command(epilog=EPILOG)
@inputs(
    *(
        "network",
        "format",
        "part",
        "fail",
        "workload",
        "jobs",
        "first_node",
        "ranks",
        "cores",
        "node",
        "placement",
        "order",
    ),
    *("mapping", "mapping_format", "library", "size_bytes", "root", "repetitions", "calibration", "routing", "variant"),
    *("switch_latency", "flops_per_s", "algorithms", "background", "seed"),
)
@click.option(
    "--switch", metavar="CALL", default="output-queued", help="Switch model of the packets.  [default: output-queued]"
)
@stop_after
@threads
@no_progress
@plugins
@as_json
def command(asked: Asked, switch: str, quiet: bool, json_: bool) -> None:
    """One scenario as link loads, flows and packets: where they differ, and why."""
    from ..base.quantities import amount_text, time_text
    from ..compare.models import SAME, compare_models
    from ..evaluate.rungs import rung as rung_of

    with within("compare fewer ranks, or smaller messages") as clock, progress("models", quiet or json_) as callback:
        found = compare_models(asked.scenario, switch, callback)
    asked.note_without_effect(asked.bound("packet"), _BY_PACKETS)
    say_stopped(clock, "the models without a time were not asked")
    if json_:
        emit_json({"network": asked.network.label, **found, **stopped_s(clock)})
        return
    rows = [
        [
            rung_of(rung["rung"]).compared,
            None if rung["time_s"] is None else time_text(rung["time_s"], 4),
            # No exponent: where latency is all of the time, link loads know next to none of it.
            "< 0.0001" if rung["of_packets"] is not None and rung["of_packets"] < 1e-4 else rung["of_packets"],
            None if rung["max_bytes"] is None else amount_text(rung["max_bytes"], 4),
            None if rung["apart"] is None else f"{100 * rung['apart']:.3g} %" if rung["apart"] > SAME else "none",
        ]
        for rung in found["rungs"]
    ]
    emit_table(["model", "time", "of packets", "busiest link", "bytes apart"], rows)
    for line in found["says"]:
        note(line)
