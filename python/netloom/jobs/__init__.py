"""Lists of jobs on one machine: who runs where, with how many ranks, sending what.

Read from TOML with ``[[job]]``, from what Slurm prints (``squeue``, ``squeue --json``, ``scontrol show job``), from
TraceR's lists of traces, or from lines of a name and a node list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .. import _core
from ..base import files
from ..base.arguments import Arguments
from ..base.arrays import in_service_count
from .codes import UNREADABLE
from .job import Job as Job
from .placed import PlacedJob as PlacedJob

if TYPE_CHECKING:
    from ..network import NetworkLike
    from .asked import Asked, Head

MAX_BYTES = 64 << 20
#: Letters that tell what a file is.
HEAD = 1 << 16


def read_jobs(
    source: str | Path,
    network: NetworkLike,
    *,
    format: str | None = None,
    cores: int | None = None,
    placement: str | None = None,
    first_node: int = 0,
    holding: bool = False,
    node: _core.Node | None = None,
) -> list[PlacedJob]:
    """Jobs from a file or a text, on the endpoints of a network.

    Parameters
    ----------
    source
        The path of a file, or the text itself if it has more than one line.
    format
        One of ``jobs-toml``, ``squeue``, ``squeue-json``, ``scontrol``, ``tracer``, ``jobs-list``; by default from the
        text.
    cores
        Cores of each endpoint: ranks per endpoint where the list does not say, and their limit. A TOML file's own
        ``cores`` goes before it. Without either, 1.
    placement
        Where TOML jobs without a node list go, if neither they nor their file say; by default ``linear``.
    first_node
        For networks without names: the number of the node that is endpoint 0.
    holding
        True: with the jobs of Slurm's lists that end or are suspended; they hold their nodes and send nothing.
    node
        What is behind the endpoints. In a job's rank file, those of its NICs are one host, and cores tell the seats.

    Returns
    -------
    list of PlacedJob
        In the order of the list, those that only hold nodes last. No two share an endpoint, unless scontrol's details
        say that they have different cores of it, or one only holds it.

    Raises
    ------
    NetloomError
        NL-X001, NL-X002 the file; NL-J001 to NL-J005 what it says; NL-M001, NL-M015 to NL-M018 what does not fit on the
        machine, with the job's name.

    Notes
    -----
    Jobs are placed on endpoints whose switch has not failed, and shares are of these.

    Names of nodes are those of the network's endpoints. In a network without names, a node is the endpoint whose number
    ends its name, counted from `first_node`, and all names are alike before that number.

    Of Slurm's lists only jobs that run or are about to (CONFIGURING) are taken, called by number and name. Ranks are
    NumTasks; where that is not listed, `cores` on each node, else as many as there are CPUs for. They are spread over
    the nodes as Slurm does by default: evenly, at most as many on each as ``--ntasks-per-node`` says and, where
    ``scontrol -d`` tells them, as there are CPUs for, consecutive ones together.

    Cost: O(text + names), and O(jobs · endpoints) for the jobs that are placed.
    """
    from ..network import network as network_of
    from .asked import none_runs, refuse
    from .formats import find, recognise

    given = Arguments("read")
    given.one_of("source", source, (str, Path), "the path of a file, or text of several lines")
    if format is not None:
        given.text("format", format)
    limit = None if cores is None else given.integer("cores", cores)
    if placement is not None:
        given.text("placement", placement)
    first_node = given.integer("first_node", first_node)
    given.done()
    if limit is not None and limit < 1:
        raise refuse("NL-A007", "read.cores", "an integer >= 1", limit)
    net = network_of(network)
    text, place = _text(source)
    if format is None and (known := _core.foreign(text[:HEAD].encode(errors="replace"))) is not None:
        hint = "give what squeue prints, [[job]] in TOML, or lines of a name and a node list"
        raise refuse("NL-F016", place, f"it is {known[0]}, which is no list of jobs", "", hint)
    row = recognise(text, place) if format is None else find(format, "read.format")
    asked, head = row.read(text, place, in_service_count(net), limit)
    sending = [job for job in asked if job.sends]
    made = _on(net, sending, head, place, limit, placement, first_node, node) if sending else []
    if holding:
        from .resolve import held

        return made + held(net, [job for job in asked if not job.sends], first_node)
    if not made:
        raise none_runs(place)
    return made


def write_jobs(jobs: Sequence[Job | Mapping[str, object]], path: str | Path, *, format: str = "jobs-toml") -> None:
    """Write a job list that `read_jobs` reads.

    Parameters
    ----------
    jobs
        A `Job` each, or a mapping with the keys of a ``[[job]]``. Workloads and mappings are texts.
    path
        The file, which is written as a whole or not at all.
    format
        ``jobs-toml``, the only one that is written.

    Raises
    ------
    NetloomError
        NL-A007 for an object instead of a text, and for a format that cannot be written; NL-X003 for the file.
    """
    from .asked import refuse
    from .formats import find

    write = find(format, "write.format", written=True).write
    rows = [job.to_row() if isinstance(job, Job) else dict(job) for job in jobs]
    for number, row in enumerate(rows, start=1):
        for key, value in row.items():
            numbers = isinstance(value, list) and all(type(item) is int for item in value)
            if not (numbers or type(value) in (str, int, float)):
                raise refuse(
                    "NL-A007", f"job {number}.{key}", "a text, a number or endpoint numbers", type(value).__name__
                )
    assert write is not None
    files.write(path, write(rows).encode())


def place_rows(
    rows: Sequence[object],
    net: _core.Network,
    *,
    cores: int | None = None,
    placement: str | None = None,
    place: str = "jobs",
    node: _core.Node | None = None,
) -> list[PlacedJob]:
    """Jobs given in Python, on the endpoints of a network; see `read_jobs`.

    Each row is a `Job`, a `PlacedJob` or a mapping with the keys of a ``[[job]]``; what is none of them is refused with
    its number.
    """
    from .tables import of_rows

    listed = [
        row.to_row() if isinstance(row, (Job, PlacedJob)) else dict(row) if isinstance(row, Mapping) else row
        for row in rows
    ]
    asked, head = of_rows(listed, {}, place, in_service_count(net), cores)
    for job, row in zip(asked, rows, strict=True):
        job.seats = row.seats if isinstance(row, PlacedJob) else None
    return _on(net, asked, head, place, cores, placement, 0, node)


def _on(
    net: _core.Network,
    asked: list[Asked],
    head: Head,
    place: str,
    cores: int | None,
    placement: str | None,
    first: int,
    node: _core.Node | None,
) -> list[PlacedJob]:
    for job in asked:
        job.placement = job.placement or placement or "linear"
    from .resolve import resolve

    return resolve(net, asked, head.free, cores if head.cores is None else head.cores, first, place, node)


def _text(source: str | Path) -> tuple[str, str]:
    """The text, and what messages call it."""
    from .asked import refuse

    text = isinstance(source, str) and "\n" in source
    place, data = ("jobs", str(source).encode(errors="replace")) if text else (str(source), files.read(source))
    if len(data) > MAX_BYTES:
        raise refuse("NL-X002", place, f"is larger than {MAX_BYTES >> 20} MiB", "", "list running jobs only")
    try:
        return data.decode("utf-8-sig"), place
    except UnicodeDecodeError as error:
        raise refuse(UNREADABLE, place, f"is no text: byte {error.start} is not UTF-8") from None
