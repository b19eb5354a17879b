"""nccl-tests: the tables that all_reduce_perf and its sisters print; rccl-tests print the same."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from . import codes
from .cells import number
from .given import Job
from .log import Log
from .names import collective, part_of
from .reader import Reader
from .rows import Measurement
from .taken import Taken

TEST = re.compile(
    r"\b(all_reduce|all_gather|reduce_scatter|alltoallv?|broadcast|reduce|gather|scatter|sendrecv|hypercube)_perf\b"
)
_DEVICE = re.compile(r"# +Rank +\d+ +(?:Group +(\d+) +)?Pid +\d+ +on +(\S+) +device +\d+ +\[[^\]]*\] *(.*)")
_VERSION = re.compile(r"nccl-library=(\d{1,6})\b|\bN?R?CCL version (\d[\w.+-]{0,30})")
_STARTS = ("# nThread", "# Collective test starting", "# Using devices")
_END = "# Avg bus bandwidth"
#: Old versions print the largest relative error in place of the number of wrong values.
_MOST_ERROR = 1e-3
#: Bus over algorithm bandwidth as a function of the ranks, where it tells the collective.
_FACTORS: dict[str, Callable[[int], float]] = {
    "allreduce": lambda n: 2 * (n - 1) / n,
    "allgather": lambda n: (n - 1) / n,
    "reduce-scatter": lambda n: (n - 1) / n,
    "alltoall": lambda n: (n - 1) / n,
    "broadcast": lambda n: 1.0,
    "reduce": lambda n: 1.0,
}
#: Printed with two decimals, so only rates from here say what the time should be.
_TELLING_GB_PER_S, _APART = 10.0, 0.03


@dataclass
class Test:
    """One test as its lines come."""

    collective: str = ""
    columns: tuple[str, ...] = ()
    header_at: int = 0
    groups: set[str] = field(default_factory=set)
    hosts: dict[str, int] = field(default_factory=dict)
    rows: list[tuple[int, list[str]]] = field(default_factory=list)
    is_ended: bool = False


def is_format(log: Log) -> bool:
    return any(_columns(line) for line in log.lines)


def _columns(line: str) -> tuple[str, ...]:
    words = tuple(line.lower().lstrip("# ").split()) if line.lstrip().startswith("#") else ()
    return words if words[:2] == ("size", "count") and ("time" in words or "cputime" in words) else ()


def _is_row(text: str, columns: int) -> bool:
    """Whether a line is a row: launchers and daemons print lines that begin with a date between them."""
    words = text.split()
    return bool(words) and (not math.isnan(number(words[0])) or (text[0].isdigit() and len(words) >= columns))


def read(taken: Taken) -> None:
    """Out-of-place times; sizes are converted from nccl-tests' totals.

    A test without the line that ends it is refused: it was cut or it failed.
    """
    test, models, library = Test(), set[str](), taken.given.library or "nccl"
    for at, line in enumerate(taken.log.lines, 1):
        text = line.strip()
        version, device, named = _VERSION.search(text), _DEVICE.match(text), TEST.search(text)
        if version and not taken.given.library:
            library = f"nccl {_release(version[1]) if version[1] else version[2]}"
        if (named or text.startswith(_STARTS)) and (test.rows or test.is_ended):
            _take(taken, test, library)
            test = Test()
        if named:
            test.collective = named[1]
        if device:
            test.groups.add(device[1] or "0")
            test.hosts[device[2]] = test.hosts.get(device[2], 0) + 1
            models.add(device[3].strip())
        elif _columns(text):
            test.columns, test.header_at = _columns(text), at
        elif text.startswith(_END):
            test.is_ended = True
        elif test.columns and not test.is_ended and _is_row(text, len(test.columns)):
            test.rows.append((at, text.split()))
    _take(taken, test, library)
    one_model(taken, models)


def one_model(taken: Taken, models: set[str]) -> None:
    """Refuses a log of two machines, as far as their GPUs tell."""
    if len(models) > 1:
        told = ", ".join(sorted(models)[:3])
        hint = "split the file by machines"
        taken.refuse(codes.CONTRADICTION, taken.log.name, "one model of GPU", told, hint)


def _release(number_: str) -> str:
    """`22902` is 2.29.2, and `2804` was 2.8.4."""
    value = int(number_)
    return f"{value // 10000}.{value // 100 % 100}.{value % 100}" if value >= 10000 else f"2.{value // 100 % 10}"


def _take(taken: Taken, test: Test, library: str) -> None:
    place = taken.log.place(test.header_at)
    if test.columns and not test.is_ended:
        hint = "give the whole output; a test that was stopped or failed is run again"
        taken.refuse(codes.CUT_OFF, place, f"is a test that does not end with the line {_END!r}", "", hint)
    elif "cputime" in test.columns:
        taken.drop(place, "it has the time of the processor, not of the collective")
    elif test.columns:
        found = like(taken, test, library, place)
        if found is not None:
            _take_rows(taken, test, found)


def like(taken: Taken, test: Test, library: str, place: str) -> Measurement | None:
    """A measurement of a test without size and time; None, with the reason told, if it cannot be used."""
    name = collective(test.collective) if test.collective else taken.given.collective
    if name is None:
        taken.drop(place, f"{test.collective}_perf measures no collective that netloom has")
    elif not name:
        hint = "old versions do not print it: say which collective it is"
        taken.refuse(codes.NOT_SAID, place, "does not tell the collective", "", hint)
    elif len(test.groups) > 1:
        taken.drop(place, f"{len(test.groups)} groups of ranks measured at once")
    else:
        job = _job(taken, test, place)
        if job is not None:
            algorithm = taken.given.algorithm or ("" if name == "sendrecv" else "default")
            return Measurement(name, algorithm, library, job.nodes, job.ranks_per_node, 0, 0.0, place, "gpu")
    return None


def _job(taken: Taken, test: Test, place: str) -> Job | None:
    """Where a test ran: by its lines of devices, or as the options say."""
    given, counts = taken.given, set(test.hosts.values())
    if not test.hosts:
        return taken.job(place, 0)
    if len(counts) > 1:
        taken.drop(place, "its nodes have different numbers of GPUs")
        return None
    job = Job(len(test.hosts), max(counts))
    if given.nodes not in (None, job.nodes) or given.ranks_per_node not in (None, job.ranks_per_node):
        told = f"ran on {job.nodes} nodes with {job.ranks_per_node} GPUs each, as its lines of devices tell"
        hint = "leave the nodes and the ranks per node out"
        taken.refuse(codes.CONTRADICTION, place, told, "", hint)
        return None
    return job


def _take_rows(taken: Taken, test: Test, like: Measurement) -> None:
    """Takes the rows of a test, which are like the one given but for size and time."""
    halves = [k for k, column in enumerate(test.columns) if column == "time"]
    first, half = halves[0], "out of place"
    if len(halves) > 1:
        if all(_is_absent(words, first) for _, words in test.rows):
            first, half = halves[1], "in place"
        taken.note(f"of times out of place and in place those {half} were taken")
    for at, words in test.rows:
        if len(words) < len(test.columns):
            taken.bad_row(at, len(test.columns), " ".join(words))
        elif _is_absent(words, first):
            taken.drop(taken.log.place(at), "it has no time out of place; in place is another measurement")
        else:
            row = _row(taken, at, words, test.columns[first : halves[-1] if halves[-1] > first else None], first)
            if row is not None:
                take_row(taken, replace(like, place=taken.log.place(at)), row)


def _is_absent(words: list[str], at: int) -> bool:
    return at < len(words) and words[at].lower() in ("n/a", "-")


@dataclass(frozen=True)
class Row:
    """Size as printed, time, and the two rates as printed."""

    size: int
    time_s: float
    algorithm_rate: float
    bus_rate: float


def _row(taken: Taken, at: int, words: list[str], half: tuple[str, ...], first: int) -> Row | None:
    """The numbers of the half of the table whose columns begin with `time` at the first word given."""
    size = taken.size(at, "size", words[0])
    time_us = taken.positive(at, "time", words[first])
    if size is None or time_us is None:
        return None
    cells = dict(zip(half, words[first:], strict=False))
    wrong, most = (cells["#wrong"], 0.0) if "#wrong" in cells else (cells.get("error", "0"), _MOST_ERROR)
    if wrong.lower() != "n/a" and not number(wrong) <= most:
        taken.drop(taken.log.place(at), f"verification failed: {wrong[:20]} wrong")
        return None
    return Row(size, time_us / 1e6, number(cells.get("algbw", "")), number(cells.get("busbw", "")))


def take_row(taken: Taken, like: Measurement, row: Row) -> None:
    """Takes a row whose rates agree with its size and time."""
    name, ranks, rate = like.collective, like.ranks, row.size / row.time_s / 1e9
    if row.algorithm_rate >= _TELLING_GB_PER_S:
        if abs(rate / row.algorithm_rate - 1) > _APART:
            hint = "check that sizes are bytes and times µs, and that no columns are swapped"
            expected, got = f"size / time, {rate:.4g} GB/s", f"algbw {row.algorithm_rate:.4g}"
            taken.refuse(codes.IMPLAUSIBLE, like.place, expected, got, hint)
            return
        factor, told = _FACTORS[name](ranks) if name in _FACTORS else 0.0, row.bus_rate / row.algorithm_rate
        if factor and not abs(told / factor - 1) <= _APART:
            hint = "it is the table of another collective, or of another number of ranks"
            expected = f"busbw / algbw of {name} on {ranks} ranks, {factor:.4g}"
            taken.refuse(codes.IMPLAUSIBLE, like.place, expected, f"{told:.4g}", hint)
            return
    size = part_of(name, row.size, ranks)
    if size is None:
        taken.drop(like.place, f"{row.size:,} B do not divide among {ranks} ranks")
    else:
        taken.take(replace(like, bytes=size, time_s=row.time_s))


READER = Reader("nccl-tests", is_format, read)
