"""Time-independent traces of SMPI (`smpirun -trace-ti`) as files: read into programs, written from workloads.

What a trace says is the core's business; here are folders and names.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from .. import _core
from ..base import files
from ..base.arguments import Arguments
from ..base.errors import Fault, NetloomError

#: What an index of files is, which no content tells, and what is written.
FORMAT = "smpi-trace"
#: Bytes of all files of a trace together, as in the core.
MAX_BYTES = 1 << 30


def read_trace(path: str | Path, algorithms: Mapping[str, str] | str | None = None) -> _core.Programs:
    """Programs of a recorded trace.

    Parameters
    ----------
    path
        One file with the actions of all ranks, or the index that names one file per rank. Named files lie in the
        folder of the index or below it.
    algorithms
        Algorithm by collective, such as `{"alltoall": "alltoall:pairwise"}`; by default what MPICH would choose.
        `"smpi"` stands for what SimGrid 3.32's replay does where nothing tells it otherwise, and `"alltoall:smpi"` for
        that of one collective; `{"smpi": "smpi", "alltoall": "alltoall:bruck"}` is the first but for alltoall.

    Raises
    ------
    NetloomError
        NL-A007 for an algorithm of another collective; NL-X001, NL-X002 for a file that cannot be read, is not below
        the index, or is too large; NL-F... for what a line says.

    Notes
    -----
    At most 1 GiB together and 256 MiB a file. Cost: the text.
    """
    given = Arguments("read")
    given.one_of("path", path, (str, Path), "the path of a trace or of its index")
    given.one_of("algorithms", {} if algorithms is None else algorithms, (str, Mapping), 'a mapping, or "smpi"')
    given.done()
    # A name alone is its own key.
    named = {algorithms: algorithms} if isinstance(algorithms, str) else dict(algorithms or {})
    place = str(path)
    head = files.read(path)
    format = _core.detect_format(place, head, "programs")
    if format is None and (known := _core.foreign(head)) is not None:
        sentence = f"it is {known[0]}, which netloom does not read"
        raise NetloomError([Fault("NL-F016", place, sentence, "", known[1])])
    format = format or FORMAT
    others: list[tuple[str, bytes]] = []
    left = MAX_BYTES - len(head)
    for name, file in _next_to(Path(path), _core.Programs.trace_index(head, place) or []):
        if not files.is_file(file) and not others:
            sentence = f"is no trace: {ascii(name)[:60]} is neither an action nor a file next to it"
            hint = "give actions of SMPI, an index of their files, or messages as a table src,dst,bytes (.csv)"
            raise NetloomError([Fault("NL-F016", place, sentence, "", hint)])
        data = files.read(file)
        left -= len(data)
        if left < 0:
            raise NetloomError(
                [Fault("NL-X002", place, "names files of more than 1 GiB together", "", "cut the trace")]
            )
        others.append((name, data))
    return _core.Programs.read(head, place, others, named, format)


def _next_to(index: Path, names: list[str]) -> list[tuple[str, Path]]:
    """The named files, each once; none of them outside the folder of the index."""
    folder = index.resolve().parent
    found = []
    for name in dict.fromkeys(names):
        try:
            file = (folder / name).resolve()
            inside = file.is_relative_to(folder)
        except (OSError, ValueError, RuntimeError):
            inside = False
        if not inside:
            sentence = f"names a file that is not below its folder: {ascii(name)[:80]}"
            raise NetloomError([Fault("NL-X001", str(index), sentence, "", "put the files next to their index")])
        found.append((name, file))
    return found


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
    made = (programs if times == 1 else programs.repeated(times)).write(FORMAT)
    written = []
    # The index last: a trace that has one is whole.
    for name, data in [*made[1:], made[0]]:
        written.append(Path(folder) / name)
        files.write(written[-1], data)
    return [written[-1], *written[:-1]]
