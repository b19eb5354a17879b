"""A record as programs: its row, what it says of itself, and the communicators of its ranks."""

from __future__ import annotations

from pathlib import Path

from ....base.errors import Fault, NetloomError
from ..row import CallSum, Recorded, Source, Survey, TraceFormat, surveyed
from .layout import ABOUT, ORDER_DEPTH
from .record import Record, read_record

#: Most bytes of a file in JSON that tells that a folder is a record.
HEAD_BYTES = 1 << 16


def _begins(source: Source) -> bool:
    """A folder with a record's description, or one of the files in JSON in it."""
    folder = folder_of(source.path)
    if not (folder / ABOUT).is_file() or (source.head and not source.head.lstrip().startswith(b"{")):
        return False
    with (folder / ABOUT).open("rb") as file:
        head = file.read(HEAD_BYTES)
    return b'"functions"' in head and b'"form"' in head


def folder_of(path: Path) -> Path:
    """The folder of a record, by itself or by a file in it."""
    return path if path.is_dir() else path.parent


def _read(source: Source) -> Recorded:
    record = read_record(folder_of(source.path))
    if record.ranks[0].header["depth"] != ORDER_DEPTH:
        return _sums(record)
    return replayed(record, source)


def replayed(record: Record, source: Source) -> Recorded:
    """The programs of a record of every call.

    Raises
    ------
    NetloomError
        NL-F010 for a record that is not complete, NL-F020 for calls that programs have no words for.
    """
    from .replay import Replay

    if why := record.why_incomplete():
        hint = "let the program end, or give --limit more room; its sums are in matrix.csv, which --traffic takes"
        raise NetloomError([Fault("NL-F010", source.place, f"is not whole: {'; '.join(why)}", "", hint)])
    programs, survey = Replay(record, source).programs()
    return Recorded(programs, surveyed(survey))


def _sums(record: Record) -> Recorded:
    """The matrix, where the order of the calls was not kept."""
    calls = {
        name: CallSum(int(one["calls"]), int(one["bytes"]), float(one["seconds"]))
        for name, one in record.calls().items()
    }
    notes = ["only sums were recorded: the messages have no order (record with --depth order for that)"]
    if collectives := sum(int(str(row["calls"])) for row in record.collectives()):
        notes.append(f"{collectives} calls of collectives are left out: their messages are the library's choice")
    if why := record.why_incomplete():
        notes.append(f"the record is not whole: {'; '.join(why)}")
    sizes = [int(str(one["size"])) for one in record.communicators()]
    events = sum(one.calls for one in calls.values())
    survey = Survey(
        events=events, calls=calls, communicators=sizes, span_s=float(record.seconds()["wall_s"]), notes=notes
    )
    return Recorded(record.traffic(), survey)


NETLOOM_RECORD = TraceFormat(
    name="netloom-record",
    aliases=("record",),
    summary="what `netloom record` leaves of a program of MPI: with --depth order its calls, else its matrix",
    restrictions="the folder, or a file in it such as summary.json; no one-sided calls, no calls of several threads",
    source="python/netloom/mpi/recorder/c/record.h",
    begins=_begins,
    read=_read,
)
