"""`netloom size`."""

from __future__ import annotations

import click

from .inputs import spelled
from .options import as_json
from .output import emit_json, emit_table, note

EPILOG = """\b
Examples:
  netloom size dragonfly --endpoints 4096
  netloom size fat_tree --endpoints 1000 --radix 40 --json
  netloom size xgft --endpoints 512 --taper 2 --bisection 0.5
"""
HEADS = ("network", "endpoints", "switches", "radix", "cables", "diameter")
WIDE = ("taper", "bisection", "bisection_per_endpoint", "exact", "usd_per_endpoint")
WIDE_HEADS = ("taper", "bisection", "bisection/endpoint", "exact", "USD/endpoint")
FLAGS = {"size.family": "FAMILY", "size.endpoints": "--endpoints", "size.radix": "--radix", "size.most": "--most"}
FLAGS |= {"size.taper": "--taper", "size.bisection": "--bisection"}


@click.command(epilog=EPILOG)
@click.argument("family")
@click.option("--endpoints", required=True, type=int, metavar="N", help="Number of endpoints wanted.")
@click.option("--radix", type=int, metavar="R", help="Most ports of a switch.")
@click.option("--most", default=10, show_default=True, type=int, metavar="N", help="Most rows shown.")
@click.option(
    "--taper",
    type=float,
    metavar="X",
    help="Most bandwidth of a switch's endpoints over its uplinks: 1 none, 2 is 2:1.",
)
@click.option(
    "--bisection", type=float, metavar="X", help="Least bisection, as a share of what half of the endpoints inject."
)
@as_json
def command(
    family: str,
    endpoints: int,
    radix: int | None,
    most: int,
    taper: float | None,
    bisection: float | None,
    json_: bool,
) -> None:
    """List the sizes of a family near a number of endpoints, the nearest first; those wide enough, if asked."""
    from ..cost.of_sizes import priced
    from ..network.size import size

    with spelled(FLAGS):
        rows, left_out = priced(size(family, endpoints, radix=radix, most=most, taper=taper, bisection=bisection))
    if json_:
        emit_json(rows)
    elif rows:
        lines = [[*list(row.values())[: len(HEADS)], *(row.get(key) for key in WIDE)] for row in rows]
        emit_table((*HEADS, *WIDE_HEADS), lines)
        for line in left_out:
            note(f"note: {line}")
        if any(row.get("exact") is False for row in rows):
            note("note: a bisection that is not exact is that of the best cut found; the least one may be smaller")
    elif taper is None and bisection is None:
        note("nothing of this family is near with such switches; a higher --radix may help")
    else:
        note("none of the nearest sizes is as wide; a higher --taper or a lower --bisection may help")
