"""PICO's results, summarised: a CSV with the median of each test by machine, algorithm, nodes and size."""

from __future__ import annotations

from math import prod

from . import cells, codes
from .cells import MOST_RANKS
from .log import Log
from .names import PARTED, collective
from .one_machine import OneMachine
from .pico_names import catalogue_name, code_that_ran
from .reader import Reader
from .rows import Measurement
from .taken import Taken

_NEEDED = ("nodes", "ranks_per_node", "collective", "algorithm", "bytes", "median_us")
_LIBRARIES = {
    "CRAY_MPICH": "cray-mpich",
    "OMPI": "ompi",
    "customOMPI": "ompi",
    "FJMPI": "fujitsu-mpi",
    "MPICH": "mpich",
}
#: From here Cray MPICH runs its own choice whatever name it is told: 8.1.29 on LUMI, measured March 2025.
_CRAY_CHOOSES_BYTES = 8192
#: PICO counts elements, of this size on host buffers, and rounds the part of a rank down to whole ones.
_ELEMENT_BYTES = 4


def is_format(log: Log) -> bool:
    table = cells.header(log)
    return table is not None and "median_us" in table.columns and "algorithm" in table.columns


def read(taken: Taken) -> None:
    """Medians; sizes of the whole buffer become netloom's; algorithms get the catalogue's names."""
    table = taken.table()
    if table is None:
        return
    for name in _NEEDED:
        if name not in table.columns:
            taken.refuse(codes.NOT_SAID, taken.log.place(table.at), f"has no column {name}")
            return
    one_machine = OneMachine(taken)
    for line in table.lines(taken.log):
        if line.cells is None:
            taken.bad_line(line, table)
        elif one_machine.has(line.number, line.cells):
            _take(taken, line.number, line.cells)
    taken.note("times are medians; algorithms have the catalogue's names")


def _take(taken: Taken, number: int, row: dict[str, str]) -> None:
    place = taken.log.place(number)
    nodes = _nodes(taken, number, row["nodes"])
    each = taken.size(number, "ranks_per_node", row["ranks_per_node"], MOST_RANKS)
    whole = taken.size(number, "bytes", row["bytes"])
    segment = taken.size(number, "segment_bytes", row.get("segment_bytes", "0"))
    time_us = taken.positive(number, "median_us", row["median_us"])
    if nodes is None or each is None or whole is None or segment is None or time_us is None:
        return
    if not each:
        taken.refuse(codes.BAD_ROW, f"{place}, ranks_per_node", "at least 1", "0")
        return
    name, ranks, on_gpu = collective(row["collective"]), nodes * each, row.get("gpu", "no") not in ("no", "")
    if name is None:
        taken.drop(place, f"{row['collective'][:40]!r} is no collective that netloom has")
        return
    element = 1 if on_gpu else _ELEMENT_BYTES
    size = whole // ranks // element * element if name in PARTED else whole
    if whole and not size:
        taken.drop(place, f"{whole:,} B are less than an element for each of {ranks} ranks")
        return
    told, library = row["algorithm"], row.get("mpi", "")
    stem, code = code_that_ran(told)
    if library == "CRAY_MPICH" and code == "mpich" and stem != "default" and whole >= _CRAY_CHOOSES_BYTES:
        taken.drop(place, "Cray MPICH chooses the algorithm itself from 8 KiB on, whatever name it is told")
        return
    named = catalogue_name(name, told, -(-whole // ranks), segment)
    if named is None:
        taken.drop(place, f"{name} has no algorithm {told[:60]!r} in the catalogue")
        return
    version = f"{_LIBRARIES.get(library, library)} {row.get('mpi_version', '')}".strip()
    ran = {"over": f"pico on {version}".strip(), "nccl": "nccl"}.get(code, version)
    taken.take(Measurement(name, named, ran, nodes, each, size, time_us / 1e6, place, "gpu" if on_gpu else "host"))


def _nodes(taken: Taken, number: int, text: str) -> int | None:
    """`64`, or the shape of a torus as `4x4x4`."""
    parts = text.lower().split("x")
    counts = [cells.whole(part, MOST_RANKS) for part in parts]
    total = prod(count or 0 for count in counts) if len(counts) <= 8 else 0
    if 0 < total <= MOST_RANKS:
        return total
    taken.refuse(
        codes.BAD_ROW, f"{taken.log.place(number)}, nodes", "a number of nodes, or a shape as 4x4x4", repr(text)
    )
    return None


READER = Reader("PICO's CSV", is_format, read)
