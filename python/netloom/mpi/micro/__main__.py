"""A process that measures: ``python -m netloom.mpi.micro FILE calibrate|validate SECONDS [oversubscribe]``."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...base.errors import Fault, NetloomError
from ...base.processes import world
from . import plan
from .messages import binding
from .rows import About, Row, head, line
from .timing import Team

if TYPE_CHECKING:
    from mpi4py import MPI

#: Before a fault on stdout, as JSON: the process that started this one tells it.
FAULT = "netloom-fault: "
#: Of the time, for the interpreter's own part.
_BINDING_SHARE = 0.02


def main(words: Sequence[str]) -> int:
    """Measures; 2 after a fault, which process 0 tells."""
    path, purpose, seconds = words[0], words[1], float(words[2])
    try:
        comm = world()
    except NetloomError as error:
        _tell(error)
        return 2
    try:
        _measure(comm, path, purpose, seconds, "oversubscribe" in words)
    except NetloomError as error:
        if comm.Get_rank() == 0:
            _tell(error)
        return 2
    return 0


def _tell(error: NetloomError) -> None:
    fault = error.faults[0]
    cells = [fault.code, fault.place, fault.expected, fault.got, fault.hint]
    print(f"{FAULT}{json.dumps(cells)}", flush=True)


def _measure(comm: MPI.Intracomm, path: str, purpose: str, seconds: float, oversubscribe: bool) -> None:
    began = time.perf_counter()
    team, places, _ = plan.team_of(comm, oversubscribe)
    out = _File(team, path, plan.about(team, places, purpose))
    calls, rows = binding(team, seconds * _BINDING_SHARE)
    out.write(rows)
    items = list(plan.PLANS[purpose](team, places, calls, seconds * (1 - _BINDING_SHARE)))
    for number, item in enumerate(items):
        left = team.agreed(seconds - (time.perf_counter() - began))
        # Items differ in what they take at least: half as long again is no reason to leave the last ones out.
        if left < -seconds / 2:
            out.end("time")
            return
        out.write(item(max(left, 0.0)))
        out.done(number + 1, len(items))
    out.end("all")


class _File:
    """The file, which process 0 writes, row by row so that an early end leaves them; all processes learn of a fault."""

    def __init__(self, team: Team, path: str, about: About) -> None:
        self.team, self.path = team, path
        self._text(head(about), "w")

    def write(self, rows: Sequence[Row]) -> None:
        self._text("\n".join(map(line, rows)))

    def done(self, number: int, all_: int) -> None:
        self._text(json.dumps({"done": number, "of": all_}))

    def end(self, why: str) -> None:
        self._text(json.dumps({"end": why}))

    def _text(self, text: str, mode: str = "a") -> None:
        error = ""
        if self.team.rank == 0:
            try:
                with open(self.path, mode, encoding="utf-8") as file:  # noqa: PTH123
                    file.write(text + "\n")
            except OSError as found:
                error = found.strerror or str(found)
        # A number is enough: only process 0 tells it.
        if self.team.agreed(float(bool(error))):
            hint = "choose another file with --measured"
            raise NetloomError([Fault("NL-X003", self.path, f"cannot be written: {error}", "", hint)])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
