"""A square matrix of rates between nodes: lines of numbers, with or without names, and the unit in a comment."""

from __future__ import annotations

import re

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


def is_format(log: Log) -> bool:
    return bool(_grid(log))


def read(taken: Taken) -> None:
    """Rows are senders, columns receivers. `-`, `N/A`, `x` and NaN are pairs without a rate, and so is the diagonal."""
    grid, log, given = _grid(taken.log), taken.log, taken.given
    numbers = [at for at, _ in grid]
    unit_text = given.unit or next((line for line in log.lines if not _is_row(line) and unit(line)), "")
    scale = unit(unit_text)
    if scale is None:
        hint = "write it in a comment, for example # GB/s, where a small b is a bit"
        taken.refuse(codes.NOT_SAID, log.place(numbers[0]), "is a matrix of rates without a unit", "", hint)
        return
    if given.unit and unit(given.unit) is None:
        taken.refuse(codes.NOT_SAID, "unit", "a unit of rates such as GB/s or Gb/s", repr(given.unit)[:60])
        return
    names, rows = [name for _, (name, _) in grid], list[tuple[float | None, ...]]()
    for k, (at, (_, cells)) in enumerate(grid):
        row = tuple(None if j == k else _rate(taken, at, cell, scale) for j, cell in enumerate(cells))
        rows.append(row)
    each = given.ranks_per_node or 0
    rates.take(taken, PairMatrix(given.collective, tuple(names), each, tuple(rows), log.place(numbers[0])))


def _rate(taken: Taken, at: int, cell: str, scale: float) -> float | None:
    rate = None if cell.lower() in _ABSENT else taken.positive(at, "the rate", cell)
    return None if rate is None else rate * scale


def _is_row(line: str) -> bool:
    return any(number(word) == number(word) for word in _BETWEEN.split(line.strip())[1:])


def _grid(log: Log) -> list[tuple[int, tuple[str, list[str]]]]:
    """Line, name and cells of each row, if the file is one square; [] if not."""
    lines = [
        (at, [word for word in _BETWEEN.split(line.strip()) if word])
        for at, line in enumerate(log.lines[: 4 * MOST_NODES], 1)
        if line.strip() and not line.lstrip().startswith("#") and _is_row(line)
    ]
    n = len(lines)
    if 2 < n <= MOST_NODES + 1 and all(len(words) == n for _, words in lines[1:]) and len(lines[0][1]) in (n - 1, n):
        # A header of numbers, as `D\D 0 1 2`, and a name before each row.
        first = lines[0][1][len(lines[0][1]) - n + 1 :]
        if first == [words[0] for _, words in lines[1:]]:
            return [(at, (words[0], words[1:])) for at, words in lines[1:]]
    if not 2 <= n <= MOST_NODES:
        return []
    if all(len(words) == n for _, words in lines):
        return [(at, (str(k), words)) for k, (at, words) in enumerate(lines)]
    if all(len(words) == n + 1 for _, words in lines):
        return [(at, (words[0], words[1:])) for at, words in lines]
    return []


READER = Reader("square matrix of rates", is_format, read)
