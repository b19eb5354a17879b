"""Files of measurements, by what stands in them."""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict, Unpack

from ..base import files
from ..base.errors import Fault, NetloomError
from . import codes, imb, nccl, nccl_json, osu, own, pairs, pico, reprompi, square
from .given import Given
from .log import log
from .rows import Measurements
from .taken import Taken

#: Formats. Tables of values stand above those that have fewer of the same columns; the last has no words of its own.
READERS = (
    pico.READER,
    pairs.READER,
    own.READER,
    osu.READER,
    imb.READER,
    nccl.READER,
    nccl_json.READER,
    reprompi.READER,
    square.READER,
)
#: Logs that can follow each other in one file, which is refused then.
_LOGS = (osu.READER, imb.READER, nccl.READER, reprompi.READER)


class Options(TypedDict, total=False):
    """What a log does not say; see `Given`."""

    nodes: int | None
    ranks_per_node: int | None
    collective: str
    algorithm: str
    library: str
    unit: str


def read(path: str | Path, **options: Unpack[Options]) -> Measurements:
    """Measurements of a file.

    Formats are known by their contents: netloom's CSV, the OSU micro-benchmarks, the Intel MPI Benchmarks, nccl-tests
    (tables and JSON), ReproMPI, PICO's CSV, rates of pairs of nodes, square matrices of rates.

    Parameters
    ----------
    nodes, ranks_per_node, collective, algorithm, library, unit
        What the file does not say; an option that contradicts the file is refused.

    Raises
    ------
    NetloomError
        NL-X001, NL-X002, NL-B001 to NL-B008: everything wrong with the file, by line.
    """
    return read_bytes(str(path), files.read(path, "summarise repetitions"), **options)


def read_bytes(name: str, data: bytes, **options: Unpack[Options]) -> Measurements:
    """As `read`, of the contents of a file that faults call `name`."""
    given, lines = Given(**options).checked(), log(name, data)
    reader = next((one for one in READERS if one.is_format(lines)), None)
    if reader is None:
        known = ", ".join(one.name for one in READERS)
        hint = f"give a whole output with its lines that begin with #; read are {known}"
        raise NetloomError([Fault(codes.UNKNOWN_FORMAT, name, "holds no measurements that are read", "", hint)])
    logs = [one.name for one in _LOGS if reader in _LOGS and one.is_format(lines)]
    if len(logs) > 1:
        told = " and ".join(logs)
        hint = "split the file by tools"
        raise NetloomError([Fault(codes.CONTRADICTION, name, f"holds the logs of several tools: {told}", "", hint)])
    taken = Taken(lines, given)
    reader.read(taken)
    taken.finish()
    return Measurements(reader.name, tuple(taken.rows), tuple(taken.dropped), tuple(taken.notes), tuple(taken.pairs))
