"""`netloom enumerate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .inputs import spelled
from .options import as_json, integer, refused
from .output import emit_json, emit_table, note

if TYPE_CHECKING:
    from ..base.records import ChosenCores, OrderRow

EPILOG = """\b
Examples:
  netloom enumerate '16,2,2,8' --communicator 16
  netloom enumerate '16,2,2,8' --communicator 16 --order 1,0,2,3 --json
  netloom enumerate '2,4,2,8' --cores 8
  netloom enumerate '2,4,2,8' --cores 8 --order 1,2,0,3 --mapping cores.csv
"""
FLAGS = {
    "levels": "LEVELS",
    "order": "--order",
    "communicator": "--communicator",
    "cores": "--cores",
    "sample": "--sample",
    "names": "--names",
    "nodes": "--nodes",
    "then": "--then",
}


@click.command(epilog=EPILOG)
@click.argument("levels")
@click.option("--communicator", metavar="N", help="Ranks in a communicator.  [default: all]")
@click.option("--order", metavar="LEVELS", help="Only this order, such as 1,0,2; its first level counts fastest.")
@click.option("--cores", metavar="N", help="LEVELS are one node with N cores in use: list them, for map_cpu.")
@click.option("--sample", metavar="N", help="Show at most N orders, drawn at random.")
@click.option("--seed", default="0", show_default=True, metavar="N", help="Seed of the draw.")
@click.option("--names", metavar="NAMES", help="What launchers call the levels, such as node,socket,-,core; -: none.")
@click.option("--nodes", metavar="N", help="With --cores: nodes that ranks fill one after another; one if left out.")
@click.option("--then", metavar="LEVELS", help="With --cores: order of the ranks on the cores that --order chose.")
@click.option("--mapping", metavar="FILE", help="With --cores: write the ranks' nodes and cores, for --mapping.")
@as_json
def command(levels: str, json_: bool, **given: str | None) -> None:
    """Orders of the levels of a machine, and what they do to communicators.

    LEVELS are the sizes of the levels, outermost first: 16,2,2,8 is 16 nodes of 2 sockets of 2 groups of 8 cores.
    """
    from ..mapping.enumeration import enumerate_orders

    if given["order"] is not None and given["sample"] is not None:
        raise refused("--sample", "does not go with --order", "leave one of them out")
    names = None if given["names"] is None else [name.strip() for name in given["names"].split(",")]
    with spelled(FLAGS):
        rows = enumerate_orders(
            levels,
            _whole(given, "communicator"),
            order=given["order"],
            cores=_whole(given, "cores"),
            sample=_whole(given, "sample"),
            seed=integer("--seed", given["seed"] or "0", 0, (1 << 63) - 1),
            names=names,
        )
        chosen = _chosen(levels, given)
    if given["mapping"] is not None and chosen is not None:
        _write(given["mapping"], chosen)
    if json_:
        emit_json({"levels": levels, "orders": rows, **({} if chosen is None else {"chosen": chosen})})
    else:
        _show(rows, chosen)


def _whole(given: dict[str, str | None], name: str) -> int | None:
    text = given[name]
    return None if text is None else integer(f"--{name}", text, 1)


def _chosen(levels: str, given: dict[str, str | None]) -> ChosenCores | None:
    """The cores of the one order, and the ranks on them; None where all cores or several orders are asked for."""
    from ..mapping.core_choice import choose_cores

    cores, order = _whole(given, "cores"), given["order"]
    if cores is None or order is None:
        for name in ("nodes", "then", "mapping"):
            if given[name] is not None:
                raise refused(f"--{name}", "needs one choice of cores", "give --cores and --order")
        return None
    return choose_cores(levels, cores, order, nodes=_whole(given, "nodes") or 1, then=given["then"])


def _write(file: str, chosen: ChosenCores) -> None:
    from ..base.files import write
    from ..mapping.core_choice import table

    write(file, table(chosen).encode())


def _show(rows: list[OrderRow], chosen: ChosenCores | None) -> None:
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
    if chosen is not None:
        if chosen["levels"]:
            click.echo(f"levels of the chosen cores: {text(chosen['levels'])}")
        how = chosen["srun"] or "no option of srun; srun -m arbitrary takes a file of hosts"
        note(f"note: core numbers as the hierarchy counts them: {how}")
