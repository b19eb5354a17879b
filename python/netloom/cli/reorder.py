"""`netloom reorder`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import click

from .options import refused, together

EPILOG = """\b
Examples:
  netloom reorder --levels 2,2,8 --order 1,0,2 -- mpirun -n 32 ./app
  netloom reorder --mapping maps/ranks.csv -- srun -n 64 ./app
  netloom record -o again -- netloom reorder --mapping maps/ranks.csv -- mpirun -n 8 ./app
"""


@dataclass(frozen=True)
class NewRanks:
    """Which order of the ranks is asked for."""

    levels: str | None
    order: str | None
    mapping: str | None

    def new_ranks(self) -> list[int] | None:
        """The new rank of each process; None where nothing is asked for."""
        from ..mpi.reorder.given import read_new_ranks, reordered
        from .inputs import spelled

        if (self.levels is None) != (self.order is None):
            one, other = ("--levels", "--order") if self.order is None else ("--order", "--levels")
            raise refused(one, f"needs {other}", f"add {other}, such as {dict(_SUCH)[other]}")
        if self.mapping is not None:
            if self.levels is not None:
                raise refused("--mapping", "does not go with --levels", "leave one of them out")
            return read_new_ranks(self.mapping)
        if self.levels is None or self.order is None:
            return None
        with spelled({"levels": "--levels", "order": "--order"}):
            return reordered(self.levels, self.order)


_SUCH = (("--levels", "2,2,8"), ("--order", "1,0,2"))


def asked(function: Callable[..., object]) -> Callable[..., object]:
    """`--levels`, `--order` and `--mapping` as one value."""
    return together(
        "asked",
        NewRanks,
        click.option(
            "--levels", metavar="LEVELS", help="Sizes of the machine's levels, outermost first, such as 2,2,8."
        ),
        click.option("--order", metavar="ORDER", help="Their order, such as 1,0,2; the first one counts fastest."),
        click.option(
            "--mapping", metavar="FILE", help="The new rank of each process, or a table of netloom map --emit csv."
        ),
    )(function)


@click.command(epilog=EPILOG)
@asked
@click.option("--mpicc", metavar="FILE", help="The compiler of the program's MPI.  [default: next to the launcher]")
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
def command(command: tuple[str, ...], asked: NewRanks, mpicc: str | None) -> int:
    """Run an MPI program with a reordered MPI_COMM_WORLD.

    COMMAND is the launcher with the program, after --. The program need not know of it. Where a rank cannot take
    part, or the order is for another number of ranks, the program is not started and the exit code is 2; otherwise
    it is the program's.
    """
    from ..mpi.reorder.run import run_reordered

    if not command:
        raise refused("COMMAND", "give a command after --", "for example: -- mpirun -n 4 ./app")
    ranks = asked.new_ranks()
    if ranks is None:
        raise refused("--levels", "says no order of the ranks", "give --levels and --order, or --mapping")
    return run_reordered(list(command), ranks, mpicc)
