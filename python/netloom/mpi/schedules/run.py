"""Schedules at several sizes: checked, timed, and told as rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ... import _core, plugin
from ...base.errors import Fault, NetloomError
from ...base.quantities import counted
from ...base.registries import ROOTED, catalogue
from ...workload import workload
from . import codes
from .check import cases, difference
from .kinds import COMBINES, Case
from .measure import Pace, measured
from .patience import Wait
from .runner import Runner, Runners

if TYPE_CHECKING:
    from mpi4py import MPI

#: All schedules of the catalogue and of plug-ins.
ALL = "all"
#: Above so many bytes of all ranks' data only the datatype and the operation that are timed are checked.
MOST_CHECKED = 1 << 20
_SWITCHES = "switches of the network take part in it, which MPI's messages do not reach"

Row = dict[str, object]


@dataclass(frozen=True)
class Asked:
    """What is run.

    Parameters
    ----------
    schedules
        Call texts, or `all`.
    sizes
        Bytes, in the meaning of each collective.
    case
        What is timed.
    share
        Of the cases of a check, one in this number, another one for each schedule; 1 for all.
    """

    schedules: Sequence[str]
    sizes: Sequence[int]
    case: Case
    root: int
    share: int = 1


def rows(
    comm: MPI.Intracomm, asked: Asked, pace: Pace | None, wait: Wait, given: Runners | None = None
) -> Iterator[Row]:
    """A row for each schedule and size, the same on all ranks. All call it together.

    Parameters
    ----------
    pace
        None: nothing is timed.
    given
        Who goes through the steps; None: Python.

    Raises
    ------
    NetloomError
        `NL-I051` for a schedule that cannot run on this number of processes, `NL-I053` for a size that holds no whole
        number of elements, `NL-A002` and others for a call that is none.
    """
    made = list(_made(asked, comm.Get_size()))
    for number, each in enumerate(made):
        for schedule in each:
            runner = (given or Runners()).of(comm, schedule, asked.case)
            row = _checked(comm, schedule, asked, number, (wait, runner))
            if pace is not None:
                row |= _timed(comm, schedule, asked.case, pace, runner)
            yield row


def _made(asked: Asked, ranks: int) -> Iterator[list[_core.Schedule]]:
    """The schedules of each name at all sizes, before anything runs."""
    for text in asked.schedules:
        if text != ALL:
            yield _of(text, asked, ranks, asked.root)
            continue
        names = [str(row["name"]) for row in catalogue("collectives")]
        for name in (*names, *plugin.names("collectives")):
            try:
                yield _of(name, asked, ranks, _root(name, asked))
            except NetloomError as error:
                # Not for so many ranks, or not without switches: said in `skipped`.
                if any(fault.code.startswith("NL-A") for fault in error.faults):
                    raise


def skipped(asked: Asked, ranks: int) -> dict[str, str]:
    """The schedules that `all` leaves out, with the reason."""
    found = {}
    for row in catalogue("collectives") if ALL in asked.schedules else ():
        try:
            _of(str(row["name"]), asked, ranks, _root(str(row["name"]), asked))
        except NetloomError as error:
            fault = error.faults[0]
            found[str(row["name"])] = f"needs {fault.expected}" if fault.got else fault.expected
    return found


def _root(name: str, asked: Asked) -> int:
    return asked.root if name.partition(":")[0] in ROOTED else 0


def _of(text: str, asked: Asked, ranks: int, root: int) -> list[_core.Schedule]:
    found = []
    for size in asked.sizes:
        made = workload(text, ranks, root=root, size_bytes=size)
        if not isinstance(made, _core.Schedule):
            hint = "netloom list collectives has the schedules"
            raise NetloomError([Fault("NL-A002", "schedule", "collective:algorithm", text, hint)])
        if made.switches:
            raise NetloomError([Fault(codes.NOT_RUN, made.label, _SWITCHES, "", "take another algorithm")])
        found.append(made)
        if made.collective == "barrier":
            break
        if size % asked.case.kind.bytes:
            expected = f"a multiple of the {asked.case.kind.bytes} bytes of {asked.case.kind.name}"
            raise NetloomError([Fault(codes.BAD_SIZE, "--sizes", expected, str(size), "or give --datatype byte")])
    return found


def _checked(comm: MPI.Intracomm, schedule: _core.Schedule, asked: Asked, number: int, how: tuple[Wait, Runner]) -> Row:
    """Whether every case is right; the first that is wrong, in words."""
    size, wrong = schedule.size_bytes, ""
    every = cases(schedule, size)
    share = max(1, min(asked.share, len(every)))
    todo = every[(number + schedule.ranks) % share :: share]
    if size * schedule.ranks > MOST_CHECKED:
        todo = [asked.case, Case(asked.case.kind, asked.case.operation, in_place=True)]
    for case in todo:
        found = difference(comm, schedule, case, *how)
        if found:
            wrong = f"{case.words(schedule.collective)}: {found}"
            break
    row: Row = {
        "schedule": schedule.label,
        "size_bytes": size,
        "correct": not wrong,
        "checked": len(todo),
        "runner": how[1].name,
        "steps": schedule.steps,
        "messages": schedule.messages,
    }
    return row | ({"wrong": wrong} if wrong else {})


def _timed(comm: MPI.Intracomm, schedule: _core.Schedule, case: Case, pace: Pace, runner: Runner) -> Row:
    ours, theirs, runner_s = measured(comm, schedule, case, pace, runner)
    own, library = ours.facts(), theirs.facts()
    return {
        "datatype": case.kind.name,
        **({"op": case.operation.name} if schedule.collective in COMBINES else {}),
        **own,
        "runner_s": runner_s,
        **{f"library_{name}": library[name] for name in ("min_s", "median_s", "mean_s", "max_s", "outliers")},
        "library_ranks": library["ranks"],
    }


def words(found: Sequence[Row]) -> str:
    """`196 of 196 rows are right`."""
    right = sum(bool(row["correct"]) for row in found)
    return f"{right} of {counted(len(found), 'row')} right"
