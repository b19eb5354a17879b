"""`netloom enumerate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .inputs import spelled
from .options import as_json, integer, refused
from .output import emit_json, emit_table, note

if TYPE_CHECKING:
    from ..base.records import OrderRow

EPILOG = """\b
Examples:
  netloom enumerate '16,2,2,8' --communicator 16
  netloom enumerate '16,2,2,8' --communicator 16 --order 1,0,2,3 --json
  netloom enumerate '2,4,2,8' --cores 8
"""
FLAGS = {
    "levels": "LEVELS",
    "order": "--order",
    "communicator": "--communicator",
    "cores": "--cores",
    "sample": "--sample",
    "names": "--names",
}


@click.command(epilog=EPILOG)
@click.argument("levels")
@click.option("--communicator", metavar="N", help="Ranks in a communicator.  [default: all]")
@click.option("--order", metavar="LEVELS", help="Only this order, such as 1,0,2; its first level counts fastest.")
@click.option("--cores", metavar="N", help="LEVELS are one node with N cores in use: list them, for map_cpu.")
@click.option("--sample", metavar="N", help="Show at most N orders, drawn at random.")
@click.option("--seed", default="0", show_default=True, metavar="N", help="Seed of the draw.")
@click.option("--names", metavar="NAMES", help="What launchers call the levels, such as node,socket,-,core; -: none.")
@as_json
def command(levels: str, json_: bool, **given: str | None) -> None:
    """Orders of the levels of a machine, and what they do to communicators.

    LEVELS are the sizes of the levels, outermost first: 16,2,2,8 is 16 nodes of 2 sockets of 2 groups of 8 cores.
    """
    from ..mapping.enumeration import enumerate_orders

    if given["order"] is not None and given["sample"] is not None:
        raise refused("--sample", "does not go with --order", "leave one of them out")

    def whole(name: str) -> int | None:
        text = given[name]
        return None if text is None else integer(f"--{name}", text, 1)

    names = None if given["names"] is None else [name.strip() for name in given["names"].split(",")]
    with spelled(FLAGS):
        rows = enumerate_orders(
            levels,
            whole("communicator"),
            order=given["order"],
            cores=whole("cores"),
            sample=whole("sample"),
            seed=integer("--seed", given["seed"] or "0", 0, (1 << 63) - 1),
            names=names,
        )
    if json_:
        emit_json({"levels": levels, "orders": rows})
    else:
        _show(rows)


def _show(rows: list[OrderRow]) -> None:
    """A table; of a single order its lists too."""

    def text(numbers: list[int] | None) -> str | None:
        return None if numbers is None else ",".join(map(str, numbers))

    listed = "map_cpu" in rows[0]
    heads = ["order", "ring cost", "pairs per level, %", "same as"]
    heads += ["cores"] if listed else ["Slurm --distribution", "Open MPI 5"]
    table: list[list[object]] = []
    for row in rows:
        pairs = " ".join(f"{percent:.1f}" for percent in row["pairs_percent"])
        line: list[object] = [text(row["order"]), row["ring_cost"], pairs, text(row["same_as"])]
        line += [text(row["map_cpu"])] if listed else [row["slurm_distribution"], row["open_mpi_options"]]
        table.append(line)
    emit_table(heads, table)
    if len(rows) > 1:
        return
    if "ranks" in rows[0]:
        click.echo(f"new rank of each old one: {text(rows[0]['ranks'])}")
    if listed:
        option = f"--cpu-bind=map_cpu:{text(rows[0]['map_cpu'])}"
        note(f"note: one node, core numbers as the hierarchy counts them: srun {option}")
