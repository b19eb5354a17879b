"""A square matrix of rates between nodes: lines of numbers, with or without names, and the unit in a comment."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from . import codes, rates
from .cells import number
from .log import Log
from .pairs import MOST_NODES
from .rates import unit
from .reader import Reader
from .rows import PairMatrix
from .taken import Taken

_BETWEEN = re.compile(r"[\s,;]+")
_ABSENT = ("-", "n/a", "nan", "x", "")


@dataclass(frozen=True)
class Sender:
    """A row: a sender and its rates, with the line in the file."""

    at: int
    name: str
    cells: list[str]


def is_format(log: Log) -> bool:
    return bool(_grid(log))


def read(taken: Taken) -> None:
    """Rows are senders, columns receivers. `-`, `N/A`, `x` and NaN are pairs without a rate, and so is the diagonal."""
    grid, log, given = _grid(taken.log), taken.log, taken.given
    if given.unit and unit(given.unit) is None:
        taken.refuse(codes.NOT_SAID, "unit", "a unit of rates such as GB/s or Gb/s", repr(given.unit)[:60])
        return
    scale = unit(given.unit or next((line for line in log.lines if not _has_numbers(line) and unit(line)), ""))
    place, names = log.place(grid[0].at), [row.name for row in grid]
    if scale is None:
        hint = "write it in a comment, for example # GB/s, where a small b is a bit"
        taken.refuse(codes.NOT_SAID, place, "is a matrix of rates without a unit", "", hint)
        return
    above = next((_words(line) for line in reversed(log.lines[: grid[0].at - 1]) if line.strip()), [])
    if above[-len(names) :] != names and sorted(above[-len(names) :]) == sorted(names):
        taken.refuse(codes.CONTRADICTION, place, "columns in the order of the rows", " ".join(above)[:60])
        return
    rates_ = tuple(
        tuple(None if j == k else _rate(taken, row.at, cell, scale) for j, cell in enumerate(row.cells))
        for k, row in enumerate(grid)
    )
    rates.take(taken, PairMatrix(given.collective, tuple(names), given.ranks_per_node or 0, rates_, place))


def _rate(taken: Taken, at: int, cell: str, scale: float) -> float | None:
    rate = None if cell.lower() in _ABSENT else taken.positive(at, "the rate", cell)
    return None if rate is None else rate * scale


def _words(line: str) -> list[str]:
    return [word for word in _BETWEEN.split(line) if word]


def _has_numbers(line: str) -> bool:
    return any(not math.isnan(number(word)) for word in _words(line)[1:])


def _grid(log: Log) -> list[Sender]:
    """The rows, if the file is one square; [] if not."""
    lines = [
        (at, _words(line))
        for at, line in enumerate(log.lines[: 4 * MOST_NODES], 1)
        if not line.lstrip().startswith("#") and _has_numbers(line)
    ]
    n = len(lines)
    if not 2 <= n <= MOST_NODES + 1:
        return []
    widths = {len(words) for _, words in lines}
    if widths == {n}:
        # A first line of names that are numbers, as `D\D 0 1 2`, makes a square too.
        if n > 2 and lines[0][1][1:] == [words[0] for _, words in lines[1:]]:
            return [Sender(at, words[0], words[1:]) for at, words in lines[1:]]
        return [Sender(at, str(k), words) for k, (at, words) in enumerate(lines)]
    if widths == {n + 1}:
        return [Sender(at, words[0], words[1:]) for at, words in lines]
    if n > 2 and len(lines[0][1]) == n - 1 and lines[0][1] == [words[0] for _, words in lines[1:] if len(words) == n]:
        return [Sender(at, words[0], words[1:]) for at, words in lines[1:]]
    return []


READER = Reader("square matrix of rates", is_format, read)
