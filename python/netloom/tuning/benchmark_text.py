"""Times in the layouts that people's scripts read: OSU micro-benchmarks, Intel MPI Benchmarks, nccl-tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from ..base.registries import ROOTED
from ..library.codes import UNKNOWN
from .bandwidth import bus_factor, total_bytes
from .tables import Timing

_NAMES = {"broadcast": "Broadcast", "reduce-scatter": "Reduce_scatter"}
_IMB_NAMES = {"broadcast": "Bcast", "reduce-scatter": "Reduce_scatter"}


def benchmark_text(timing: Timing, layout: str) -> str:
    """All timed algorithms, one block each, named in a comment line.

    Parameters
    ----------
    layout
        `"osu"`, `"imb"` or `"nccl"`.

    Returns
    -------
    str
        The column order and widths of that benchmark's own output. The header says that netloom predicted the numbers.

    Raises
    ------
    NetloomError
        `NL-D001`.

    Notes
    -----
    Sizes are those that each benchmark counts. OSU and IMB: bytes of a block for allgather, alltoall, gather and
    scatter, of the whole vector for reduce-scatter. nccl-tests: the whole buffer. Mean, minimum and maximum are over
    the ranks of one run; there is one repetition, since the model has no noise.
    """
    layouts: dict[str, Callable[[Timing, str], list[str]]] = {"osu": _osu, "imb": _imb, "nccl": _nccl}
    if layout not in layouts:
        hint = did_you_mean(layout, layouts, "layouts")
        raise NetloomError([Fault(UNKNOWN, "format", f'there is no layout "{layout}"', "", hint)])
    blocks = ["\n".join(layouts[layout](timing, name)) for name in timing.algorithms()]
    return "\n\n".join(blocks) + "\n"


def _rows(timing: Timing, algorithm: str) -> list[tuple[int, float, float, float]]:
    """Size, mean, first and last end in microseconds."""
    chosen = timing.table.where({"algorithm": algorithm}).rows
    values = [(row["size_bytes"], row["mean_s"], row["first_s"], row["time_s"]) for row in chosen]
    return [(int(s or 0), 1e6 * float(m or 0), 1e6 * float(f or 0), 1e6 * float(t or 0)) for s, m, f, t in values]


def _counted(timing: Timing, size: int) -> int:
    """MPI benchmarks give the vector's size for reduce-scatter, the block's elsewhere."""
    return size * timing.ranks if timing.collective == "reduce-scatter" else size


def _osu(timing: Timing, algorithm: str) -> list[str]:
    name = _NAMES.get(timing.collective, timing.collective.capitalize())
    lines = [f"# OSU MPI {name} Latency Test layout, predicted by netloom: {algorithm}, {timing.ranks} ranks"]
    heads = ("Avg Latency(us)", "Min Latency(us)", "Max Latency(us)", "Iterations")
    lines.append(f"{'# Size':<10}" + _columns((20,) * 4, heads))
    for size, mean, first, last in _rows(timing, algorithm):
        cells = (f"{mean:.2f}", f"{first:.2f}", f"{last:.2f}", 1)
        lines.append(f"{_counted(timing, size):<10}" + _columns((20,) * 4, cells))
    return lines


def _imb(timing: Timing, algorithm: str) -> list[str]:
    name = _IMB_NAMES.get(timing.collective, timing.collective.capitalize())
    rule = "#" + "-" * 64
    lines = [rule, f"# Benchmarking {name} ", f"# #processes = {timing.ranks} "]
    lines += [f"# predicted by netloom: {algorithm}", rule]
    heads = ("#bytes", "#repetitions", "t_min[usec]", "t_max[usec]", "t_avg[usec]")
    lines.append(_columns((13,) * 5, heads))
    for size, mean, first, last in _rows(timing, algorithm):
        cells = (_counted(timing, size), 1, f"{first:.2f}", f"{last:.2f}", f"{mean:.2f}")
        lines.append(_columns((13,) * 5, cells))
    return lines


#: Widths of nccl-tests: of what is called, and of each of the two results.
_CALLED, _TIMED = (12, 14, 10, 8, 8), (8, 8, 8, 7)


def _columns(widths: Sequence[int], cells: Sequence[object]) -> str:
    """Cells to the right of columns that stay apart, however long a cell is; the first has no blank of its own."""
    texts = [f"{cell!s:>{width - 1}}" for width, cell in zip(widths, cells, strict=True)]
    return "".join(f" {text}" for text in texts)


def _three(time_us: float) -> str:
    """Microseconds as nccl-tests write them: two places below 100, one below 10,000, none above."""
    return f"{time_us:.{2 if time_us < 99.995 else 1 if time_us < 9999.95 else 0}f}"


def _nccl(timing: Timing, algorithm: str) -> list[str]:
    reduces = timing.collective in ("allreduce", "reduce", "reduce-scatter")
    rooted = timing.collective in ROOTED
    lines = [f"# nccl-tests layout, predicted by netloom: {algorithm}, {timing.ranks} ranks"]
    half = _columns(_TIMED, ("time", "algbw", "busbw", "#wrong"))
    units = _columns(_TIMED, ("(us)", "(GB/s)", "(GB/s)", ""))
    lines.append("#" + _columns(_CALLED, ("size", "count", "type", "redop", "root"))[1:] + half + half)
    lines.append("#" + (_columns(_CALLED, ("(B)", "(elements)", "", "", ""))[1:] + units + units).rstrip())
    for size, _, _, last in _rows(timing, algorithm):
        total = total_bytes(timing.collective, timing.ranks, size)
        algbw = total / last / 1e3 if last > 0 else 0.0
        busbw = algbw * bus_factor(timing.collective, timing.ranks)
        timed = _columns(_TIMED, (_three(last), f"{algbw:.2f}", f"{busbw:.2f}", "N/A"))
        redop, root = ("sum" if reduces else "none"), (0 if rooted else -1)
        lines.append(_columns(_CALLED, (total, total, "uint8", redop, root)) + timed + timed)
    return lines
