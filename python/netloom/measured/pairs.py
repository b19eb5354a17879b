"""Rates of pairs of nodes, one pair a row: columns `node_a`, `node_b` and a rate with its unit in its name."""

from __future__ import annotations

from . import cells, codes, rates
from .cells import MOST_RANKS, Csv
from .log import Log
from .names import collective
from .one_machine import OneMachine
from .rates import unit
from .reader import Reader
from .rows import PairMatrix
from .taken import Taken

#: Nodes of one matrix.
MOST_NODES = 1024
_A, _B = "node_a", "node_b"
_PREFERRED = "average_busbw"
_EACH = ("gpus_per_node", "ranks_per_node")


def is_format(log: Log) -> bool:
    table = cells.header(log)
    return table is not None and _A in table.columns and _B in table.columns


def read(taken: Taken) -> None:
    """A matrix for every collective and number of ranks per node; the mean rate is taken, not the peak."""
    table = taken.table()
    if table is None:
        return
    column = _column(taken, table)
    if column is None:
        return
    each_column, scale = next((name for name in _EACH if name in table.columns), ""), unit(column) or 1.0
    found: dict[tuple[str, int], dict[tuple[str, str], float]] = {}
    places: dict[tuple[str, int], str] = {}
    one_machine = OneMachine(taken)
    for line in table.lines(taken.log):
        if line.cells is None:
            taken.bad_line(line, table)
            continue
        if not one_machine.has(line.number, line.cells):
            continue
        rate = taken.positive(line.number, column, line.cells[column])
        each = taken.size(line.number, each_column, line.cells[each_column], MOST_RANKS) if each_column else 0
        if rate is None or each is None:
            continue
        key = (collective(line.cells.get("collective", "")) or taken.given.collective, each)
        pair = line.cells[_A], line.cells[_B]
        places.setdefault(key, taken.log.place(line.number))
        if pair[0] == pair[1]:
            taken.drop(taken.log.place(line.number), "a node and itself are no pair")
        elif found.setdefault(key, {}).setdefault(pair, rate * scale) != rate * scale:
            taken.drop(taken.log.place(line.number), "the pair is measured twice: the first rate is taken")
    for key, pairs in found.items():
        _take(taken, PairMatrix(key[0], (), key[1], (), places[key]), pairs)


def _column(taken: Taken, table: Csv) -> str | None:
    named = [name for name in table.columns if unit(name) is not None]
    if not named:
        hint = "name the unit in the header, for example busbw_GB_per_s, where a small b is a bit"
        taken.refuse(codes.NOT_SAID, taken.log.place(table.at), "has no column of a rate with its unit", "", hint)
        return None
    column = next((name for name in named if name.startswith(_PREFERRED)), named[0])
    if len(named) > 1:
        taken.note(f"of {', '.join(named)[:200]} the column {column} was taken")
    return column


def _take(taken: Taken, like: PairMatrix, pairs: dict[tuple[str, str], float]) -> None:
    """Adds the matrix that is like the one given, with these rates."""
    names = sorted({name for pair in pairs for name in pair}, key=lambda name: (len(name), name))
    if len(names) > MOST_NODES:
        taken.refuse(codes.TOO_LONG, like.place, f"is a matrix of more than {MOST_NODES} nodes")
        return
    square = tuple(tuple(pairs.get((a, b), pairs.get((b, a))) for b in names) for a in names)
    rates.take(taken, PairMatrix(like.collective, tuple(names), like.ranks_per_node, square, like.place))


READER = Reader("rates of pairs", is_format, read)
