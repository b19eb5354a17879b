"""Tables of the PICO framework: one row for each collective, algorithm and size."""

from __future__ import annotations

import csv
import io

from ..base.errors import Fault, NetloomError
from .cells import MOST_BYTES, MOST_NODES, seconds, whole
from .codes import BAD_ROW, UNREADABLE
from .own import MAX_ROWS, MOST_FAULTS
from .rows import DEFAULT, Measurement, Measurements, usable

COLUMNS = ("nodes", "ranks_per_node", "mpi", "collective", "algorithm", "bytes", "median_us")
#: Collectives of which PICO prints the bytes of all ranks together.
WHOLE = {"allgather", "reduce-scatter", "alltoall", "gather", "scatter"}
NAMES = {"bcast": "broadcast", "reduce_scatter": "reduce-scatter"}
#: Algorithms by the name that PICO gives its own code (`_over`) and the library's (`_ompi`, `_mpich`), where they are
#: one of the catalogue; the label of the library is believed up to `BELIEVED` bytes, where libraries do not change it.
ALGORITHMS = {
    ("allreduce", "ring"): "ring",
    ("allreduce", "recursive_doubling"): "recursive-doubling",
    ("allreduce", "rabenseifner"): "rabenseifner",
    ("allreduce", "bine_lat"): "bine",
    ("allgather", "ring"): "ring",
    ("allgather", "recursive_doubling"): "recursive-doubling",
    ("allgather", "k_bruck"): "bruck",
    ("allgather", "brucks"): "bruck",
    ("allgather", "neighbor"): "neighbour-exchange",
    ("allgather", "sparbit"): "sparbit",
    ("reduce-scatter", "ring"): "ring",
    ("reduce-scatter", "recursive_halving"): "recursive-halving",
    ("reduce-scatter", "pairwise"): "pairwise",
    ("alltoall", "pairwise"): "pairwise",
    ("alltoall", "linear"): "linear",
    ("alltoall", "modified_bruck"): "bruck",
    ("broadcast", "binomial"): "binomial",
    ("broadcast", "scatter_allgather"): "scatter-allgather",
    ("broadcast", "scatter_allgather_ring"): "scatter-ring",
    ("reduce", "binomial"): "binomial",
    ("reduce", "rabenseifner"): "rabenseifner",
    ("reduce", "linear"): "linear",
    ("gather", "binomial"): "binomial",
    ("gather", "linear"): "linear",
    ("scatter", "binomial"): "binomial",
    ("scatter", "linear"): "linear",
}
BELIEVED = 8192


def is_pico(head: str) -> bool:
    """Whether the first line of a text names these columns."""
    return bool(head.strip()) and set(COLUMNS) <= {name.strip() for name in head.splitlines()[0].split(",")}


def read(text: str, place: str) -> Measurements:
    """The rows whose algorithm the catalogue has.

    Raises
    ------
    NetloomError
        `NL-V001`, `NL-V002`.
    """
    lines = csv.DictReader(io.StringIO(text), strict=True)
    rows: list[Measurement] = []
    dropped: list[tuple[str, str]] = []
    faults: list[Fault] = []
    try:
        for cells in lines:
            where = f"{place}:{lines.line_num}"
            if len(rows) + len(dropped) >= MAX_ROWS or len(faults) >= MOST_FAULTS:
                break
            if None in cells or None in cells.values():
                faults.append(
                    Fault(BAD_ROW, where, f"a row of {len(lines.fieldnames or ())} cells", "", "is it whole?")
                )
                continue
            _row(cells, where, rows, dropped, faults)
    except csv.Error as error:
        raise NetloomError([Fault(UNREADABLE, f"{place}:{lines.line_num}", f"is no CSV: {error}")]) from None
    if faults:
        raise NetloomError(faults)
    made = usable(rows)
    made.dropped, made.tool = dropped + made.dropped, "PICO"
    made.notes = [f"names of a library's algorithms are believed up to {BELIEVED} bytes; above, libraries change them"]
    return made


def _row(
    cells: dict[str, str],
    where: str,
    rows: list[Measurement],
    dropped: list[tuple[str, str]],
    faults: list[Fault],
) -> None:
    collective = NAMES.get(cells["collective"], cells["collective"])
    name, underscore, code = cells["algorithm"].rpartition("_")
    if not cells["nodes"].isdigit():
        dropped.append((where, f"nodes {cells['nodes'][:40]!r} are the shape of a job, not a number"))
        return
    before = len(faults)
    nodes = whole(cells["nodes"], 1, MOST_NODES, f"{where}: nodes", faults)
    each = whole(cells["ranks_per_node"], 1, MOST_NODES, f"{where}: ranks_per_node", faults)
    size = whole(cells["bytes"], 0, MOST_BYTES, f"{where}: bytes", faults)
    time_s = seconds(cells["median_us"], f"{where}: median_us", faults, 1e-6)
    if len(faults) > before:
        return
    if cells.get("gpu", "no") != "no":
        dropped.append((where, "buffers of GPUs, which are another machine"))
        return
    algorithm = DEFAULT if name == DEFAULT else ALGORITHMS.get((collective, name if underscore else cells["algorithm"]))
    if algorithm is None:
        dropped.append((where, f"{cells['algorithm'][:60]!r} is no algorithm of the catalogue"))
    elif algorithm != DEFAULT and code != "over" and size > BELIEVED:
        dropped.append((where, f"{cells['algorithm'][:60]!r} may be another algorithm above {BELIEVED} bytes"))
    else:
        part = size // (nodes * each) if collective in WHOLE else size
        library = f"{cells['mpi']} {cells.get('mpi_version', '')}".strip()
        rows.append(Measurement(collective, algorithm, library, nodes, each, part, time_s, where))
