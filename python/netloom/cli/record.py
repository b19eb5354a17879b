"""`netloom record`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .options import as_json, refused
from .output import emit_json, note

if TYPE_CHECKING:
    from ..mpi.recorder.summary import Record

EPILOG = """\b
Examples:
  netloom record -o sent -- mpirun -n 64 ./app input.toml
  netloom record -o sent --depth order --limit 256MiB -- srun -n 64 ./app
  netloom record --build --mpicc mpicc.mpich
  netloom record --merge sent
"""
DEPTHS = ("sums", "order")
#: What a rank's list of events may take, by default.
LIMIT = "1GiB"


@click.command(epilog=EPILOG, context_settings={"ignore_unknown_options": False})
@click.option("-o", "--output", metavar="FOLDER", help="Folder of the record, new or empty.  [default: record]")
@click.option(
    "--depth", type=click.Choice(DEPTHS), default="sums", show_default=True, help="Sums, or every call in order."
)
@click.option("--limit", metavar="SIZE", help="With --depth order: most bytes of a rank's list.  [default: 1GiB]")
@click.option("--before", metavar="FOLDER", help="Compare with this record, of the same program in another order.")
@click.option("--mpicc", metavar="FILE", help="The compiler of the program's MPI.  [default: next to the launcher]")
@click.option("--build", is_flag=True, help="Only build the library, anew.")
@click.option("--merge", metavar="FOLDER", help="Only read the files of a run that was killed together with netloom.")
@as_json
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
def command(
    command: tuple[str, ...], output: str | None, depth: str, limit: str | None, json_: bool,
    **given: str | bool | None,
) -> int:  # fmt: skip
    """Run an MPI program and record what it sends.

    COMMAND is the launcher with the program, after --. A library is loaded in front of its MPI; the program, its
    output and its exit code stay as they are; with --json its output goes to stderr. FOLDER gets matrix.csv, which
    every command takes with -t, summary.json and report.html.
    """
    from ..base.quantities import parse_bytes

    merge, mpicc = given["merge"], None if given["mpicc"] is None else str(given["mpicc"])
    _require_one_job(command, bool(given["build"]), merge, output, given["before"])
    if limit is not None and depth != "order":
        raise refused("--limit", "bounds a list of events, and sums have none", "add --depth order")
    if given["build"]:
        return _build(mpicc, json_)
    if merge is not None:
        return _merge(Path(str(merge)), json_)
    before = None if given["before"] is None else _before(str(given["before"]))
    most = parse_bytes(limit or LIMIT, "--limit")
    code, record = _run(list(command), Path(output or "record"), depth, (most, mpicc, json_))
    if before is not None and record is not None:
        _compare(before, record)
    return code


def _require_one_job(command: tuple[str, ...], build: bool, merge: object, output: object, before: object) -> None:
    if build + (merge is not None) + bool(command) != 1:
        hint = "for example: netloom record -o sent -- mpirun -n 4 ./app"
        raise refused("COMMAND", "give either a command after --, or --build, or --merge", hint)
    for flag, value in (("-o", output), ("--before", before)):
        if value is not None and not command:
            raise refused(flag, "is about a run, and none is asked for", "leave it out")


def _build(mpicc: str | None, json_: bool) -> int:
    from ..mpi.installed import behind
    from ..mpi.recorder.build import built

    mpi = behind([], mpicc)
    library = built(mpi, anew=True)
    if json_:
        emit_json({"mpi": str(mpi), "library": str(library)})
    else:
        click.echo(f"{mpi}: {library}")
    return 0


def _merge(folder: Path, json_: bool) -> int:
    from ..mpi.recorder import told
    from ..mpi.recorder.summary import read_record

    record = read_record(folder)
    _tell(record, told.write(record, "", None), json_)
    return 0


def _before(folder: str) -> Record:
    from ..mpi.recorder.summary import read_record

    return read_record(folder)


def _compare(before: Record, now: Record) -> None:
    from ..mpi.recorder.told import compared

    if before.size != now.size:
        note(f"note: --before has no effect: it is of {before.size} ranks, and the job had {now.size}")
    else:
        note(f"netloom: {compared(before, now)}")


def _run(command: list[str], folder: Path, depth: str, how: tuple[int, str | None, bool]) -> tuple[int, Record | None]:
    """The exit code, and the record if there is one."""
    from ..base.errors import NetloomError
    from ..mpi.recorder import run as running
    from ..mpi.recorder.told import write

    code, record = running.recorded(command, folder, depth, *how)
    if isinstance(record, NetloomError):
        if code == 0:
            raise record
        for line in record.lines():
            note(f"error: {line}")
        return code, None
    try:
        _tell(record, write(record, shlex.join(command), code), how[-1])
    except NetloomError as error:
        if code == 0:
            raise
        note(f"error: {error}")
    return code or (2 if record.is_cut else 0), record


def _tell(record: Record, summary: dict[str, object], json_: bool) -> None:
    """On stderr, since stdout is the program's; with JSON what `summary.json` holds on stdout as well."""
    from ..mpi.recorder.told import words

    for line in words(record, summary):
        note(f"netloom: {line}")
    note(f"netloom: wrote {record.folder}: matrix.csv, summary.json, report.html")
    if json_:
        emit_json(summary)
