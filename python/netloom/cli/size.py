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
"""
HEADS = ("network", "endpoints", "switches", "radix", "cables", "diameter")
FLAGS = {"size.family": "FAMILY", "size.endpoints": "--endpoints", "size.radix": "--radix", "size.most": "--most"}


@click.command(epilog=EPILOG)
@click.argument("family")
@click.option("--endpoints", required=True, type=int, metavar="N", help="Number of endpoints wanted.")
@click.option("--radix", type=int, metavar="R", help="Most ports of a switch.")
@click.option("--most", default=10, show_default=True, type=int, metavar="N", help="Most rows shown.")
@as_json
def command(family: str, endpoints: int, radix: int | None, most: int, json_: bool) -> None:
    """List the sizes of a family near a number of endpoints, the nearest first."""
    from ..network.size import size

    with spelled(FLAGS):
        rows = size(family, endpoints, radix=radix, most=most)
    if json_:
        emit_json(rows)
    elif rows:
        emit_table(HEADS, [list(row.values()) for row in rows])
    else:
        note("nothing of this family is near with such switches; a higher --radix may help")
