"""Time-independent traces of SMPI (`smpirun -trace-ti`), written from workloads as files."""

from __future__ import annotations

from pathlib import Path

from ... import _core
from ...base import files
from ...base.arguments import Arguments
from ...base.errors import Fault
from .of_core import SMPI


def write_trace(
    workload: _core.Schedule | _core.Traffic | _core.Programs, folder: str | Path, repetitions: int = 1
) -> list[Path]:
    """Write the input of `smpirun -replay`: `trace.txt`, and a file per rank next to it.

    Parameters
    ----------
    workload
        Programs (their collectives of all ranks become SMPI's own actions, and SMPI chooses the algorithm), or a
        collective's schedule or a traffic, which become their messages.
    folder
        Made if it is not there.
    repetitions
        How often the workload is done.

    Returns
    -------
    list of Path
        The files, the index first.

    Raises
    ------
    NetloomError
        NL-F001 for more than 2^26 actions; NL-A009 for more than 2^24 messages of a schedule; NL-X003.

    Notes
    -----
    Sizes are bytes. What a rank combines takes no time in a written schedule. Cost: the actions, loops unrolled.
    """
    given = Arguments("write")
    given.one_of(
        "workload", workload, (_core.Programs, _core.Schedule, _core.Traffic), "Programs, a Schedule or a Traffic"
    )
    given.one_of("folder", folder, (str, Path), "the path of a folder")
    times = given.integer("repetitions", repetitions)
    if not 1 <= times < 1 << 32:
        given.faults.append(Fault("NL-A007", "write.repetitions", "from 1 to 2^32 - 1", str(repetitions)))
    given.done()
    programs = workload if isinstance(workload, _core.Programs) else _core.Programs.of_messages(workload)
    made = (programs if times == 1 else programs.repeated(times)).write(SMPI)
    written = []
    # The index last: a trace that has one is whole.
    for name, data in [*made[1:], made[0]]:
        written.append(Path(folder) / name)
        files.write(written[-1], data)
    return [written[-1], *written[:-1]]
