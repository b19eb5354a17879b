"""`netloom size`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .inputs import spelled
from .options import as_json
from .output import emit_json, emit_table, note

if TYPE_CHECKING:
    from ..compare.sizes import Priced

EPILOG = """\b
Examples:
  netloom size dragonfly --endpoints 4096
  netloom size fat_tree --endpoints 1000 --radix 40 --json
  netloom size dragonfly --endpoints 46656 --proportions 1:3:2
  netloom size xgft --endpoints 512 --taper 2 --bisection 0.5
"""
#: Of each row, and those more where a taper or a bisection was asked for.
HEADS = ("network", "endpoints", "switches", "radix", "cables", "diameter")
WIDE = ("taper", "share", "exact")
PER_ENDPOINT = "bisection (cables; 0.5 is full) and USD are per endpoint"
FLAGS = {"size.family": "FAMILY", "size.endpoints": "--endpoints", "size.radix": "--radix", "size.most": "--most"}
FLAGS |= {"size.taper": "--taper", "size.bisection": "--bisection", "size.proportions": "--proportions"}
PROPORTIONS = (
    "Of a dragonfly: endpoints of a switch, switches of a group and global ports of a switch, such as 1:3:2; its "
    "switches have as few ports as reach N, and rows use fewer of them."
)


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
@click.option("--proportions", metavar="P:A:H", help=PROPORTIONS)
@as_json
def command(
    family: str,
    endpoints: int,
    radix: int | None,
    most: int,
    taper: float | None,
    bisection: float | None,
    proportions: str | None,
    json_: bool,
) -> None:
    """List the sizes of a family near a number of endpoints, the nearest first; those wide enough, if asked."""
    from ..compare.sizes import priced
    from ..network.size import size

    with spelled(FLAGS):
        parts = None if proportions is None else _parts(proportions)
        found = size(family, endpoints, radix=radix, most=most, taper=taper, bisection=bisection, proportions=parts)
        rows, left_out = priced(found)
    if json_:
        emit_json(rows)
    elif rows:
        wide = taper is not None or bisection is not None
        emit_table((*HEADS, "bisection", "USD", *(WIDE if wide else ())), [_line(row, wide) for row in rows])
        note(f"note: {PER_ENDPOINT}")
        for line in left_out:
            note(f"note: {line}")
        if any(row.get("exact") is False for row in rows):
            note("note: a bisection that is not exact is that of the best cut found; the least one may be smaller")
    elif taper is None and bisection is None:
        note("nothing of this family is near with such switches; a higher --radix may help")
    else:
        note("none of the nearest sizes is as wide; a higher --taper or a lower --bisection may help")


def _parts(text: str) -> list[int]:
    """`1:3:2` as integers."""
    from .options import integer

    return [integer("--proportions", part.strip(), 1) for part in text.split(":")]


def _line(row: Priced, wide: bool) -> list[object]:
    """Cells of the table."""
    usd = row.get("usd_per_endpoint")
    cells: list[object] = list(row.values())[: len(HEADS)]
    cells += [row.get("bisection_per_endpoint"), None if usd is None else round(usd)]
    return cells + ([row.get("taper"), row.get("bisection"), row.get("exact")] if wide else [])
