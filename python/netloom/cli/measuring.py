"""Options and words of commands that measure the machine they run on: `calibrate --run`, `validate --run`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from .options import number, refused, together
from .output import note, progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..mpi.micro.rows import Found

#: Seconds of measuring, by default, and at least.
SECONDS, LEAST_S = "60", 1.0


@dataclass(frozen=True)
class Measuring:
    """How the machine is measured, as typed."""

    run: bool
    launch: str | None
    seconds: str | None
    oversubscribe: bool
    measured: str | None

    def require_none(self) -> None:
        """Refuses options of measuring where a file is read."""
        for name, value in vars(self).items():
            if name != "run" and value:
                raise refused(f"--{name}", "is about measuring, and nothing is measured", "leave it out, or add --run")

    def found(self, purpose: str, quiet: bool) -> Found:
        """Measures; on Ctrl-C the file stays."""
        from ..mpi.micro import launch

        seconds = number("--seconds", self.seconds or SECONDS)
        if not LEAST_S <= seconds <= 1e6:
            from ..base.errors import Fault, NetloomError

            raise NetloomError([Fault("NL-A007", "--seconds", "a number from 1 to 1e6", str(self.seconds))])
        path = self.measured or f"{purpose.removesuffix('e')}ion.jsonl"
        launcher = self.launch or launch.default()
        note(f"measuring for about {seconds:g} s: {launcher}")
        try:
            with progress("measurements", quiet) as callback:
                return launch.measured(purpose, launcher, path, seconds, self.oversubscribe, callback)
        except KeyboardInterrupt:
            note(f"{path} has what was measured: netloom {purpose} {path}")
            raise


measuring = together(
    "measuring",
    Measuring,
    click.option("--run", is_flag=True, help="Measure this machine with processes of its MPI library."),
    click.option("--launch", metavar="COMMAND",
                 help="With --run: how processes start.  [default: mpirun -n CORES]"),
    click.option("--seconds", metavar="N", help=f"With --run: about how long.  [default: {SECONDS}]"),
    click.option("--oversubscribe", is_flag=True, help="With --run: also with more processes than cores."),
    click.option("--measured", metavar="FILE",
                 help="With --run: where the measurements go.  [default: calibration.jsonl, validation.jsonl]"),
)  # fmt: skip


def measured_file(paths: Sequence[str], run: bool) -> str | None:
    """The one file that is of `--run`; None if there is none of them.

    Raises
    ------
    NetloomError
        NL-X010 for files next to `--run`, for several, and for none at all.
    """
    from ..mpi.micro.rows import is_measured

    if run and paths:
        raise refused(paths[0], "is a file of measurements next to --run", "leave out one of them")
    if not run and not paths:
        raise refused("FILE", "is missing", "give a file of measurements, or --run")
    of_run = [path for path in paths if is_measured(path)]
    if of_run and len(paths) > 1:
        raise refused(of_run[0], "is a whole set of measurements", "leave out the other files")
    return of_run[0] if of_run else None
