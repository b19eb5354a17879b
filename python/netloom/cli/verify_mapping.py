"""`netloom verify-mapping`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .options import as_json
from .output import emit_json, emit_table
from .reorder import NewRanks, asked

if TYPE_CHECKING:
    from ..mpi.reorder.verify import Found

EPILOG = """\b
Examples:
  mpirun -n 8 netloom verify-mapping
  netloom reorder --levels 2,4 --order 0,1 -- mpirun -n 8 netloom verify-mapping --levels 2,4 --order 0,1
  srun -m arbitrary -n 64 netloom verify-mapping --mapping maps/ranks.csv
"""


@click.command(epilog=EPILOG)
@asked
@as_json
def command(asked: NewRanks, json_: bool) -> int:
    """In a job: where each rank runs, and whether that is what was asked.

    Rank 0 prints for each rank the number that the launcher gave its process, its host, the cores that it may use
    and the one that it is on. With --levels and --order, or --mapping, the exit code is 1 if a rank is another one
    than asked for. A table of places that names hosts of this job is compared by host.
    """
    from mpi4py import MPI

    from ..mpi.reorder.verify import compared, hosts_of, seats

    world = MPI.COMM_WORLD
    ranks = asked.new_ranks()
    hosts = {} if asked.mapping is None else hosts_of(asked.mapping)
    found = compared(seats(world), ranks, hosts)
    is_other_size = ranks is not None and len(ranks) != world.size
    is_right = not is_other_size and all(one.as_asked for one in found)
    if world.rank == 0 and json_:
        order = None if ranks is None else len(ranks)
        emit_json(
            {"size": world.size, "asked_size": order, "as_asked": is_right, "ranks": [one.row() for one in found]}
        )
    elif world.rank == 0:
        _show(found, world.size, len(ranks) if is_other_size and ranks is not None else None)
    return 0 if is_right else 1


def _show(found: list[Found], size: int, asked_for: int | None) -> None:
    from ..mpi.reorder.verify import ranges

    is_asked = any(one.rank is not None or one.host is not None for one in found)
    rows = []
    for one in found:
        seat = one.seat
        row: list[object] = [seat.rank, seat.process, seat.host, seat.core, ranges(seat.cores)]
        rows.append([*row, one.host or one.rank, "yes" if one.as_asked else "NO"] if is_asked else row)
    columns = ["rank", "process", "host", "core", "may use"]
    emit_table([*columns, "asked", "as asked"] if is_asked else columns, rows)
    wrong = sum(not one.as_asked for one in found)
    if asked_for is not None:
        click.echo(f"an order of {asked_for} ranks was asked for, and the job has {size}")
    elif is_asked:
        click.echo(f"{wrong} of {size} ranks are not as asked" if wrong else f"all {size} ranks are as asked")
