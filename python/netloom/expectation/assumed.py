"""Which algorithm ran where a log does not say: its library's choice by its rules, else the quickest of libraries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..measured import POINT_TO_POINT
from ..validation.predict import time_s
from ..workload import DEFAULT
from .usual import Usual

if TYPE_CHECKING:
    from ..measured import Measurement
    from ..validation import Predictor
    from ..validation.predict import Prepared

#: Of rows whose library's rules are known, and of others.
CHOSEN = "the log does not say which algorithm ran: that which the library chooses by its own rules is expected"
SAYS = "the log does not say which algorithm ran: the quickest of those that libraries have is expected"


@dataclass(frozen=True)
class Assumed:
    """A row as it is simulated.

    Attributes
    ----------
    row
        As the log has it.
    prepared
        With the algorithm that it is taken for.
    expected_s
        Simulated.
    is_chosen
        Whether it is the choice of the library by its rules.
    """

    row: Measurement
    prepared: Prepared
    expected_s: float
    is_chosen: bool = False

    @property
    def is_assumed(self) -> bool:
        """Whether the log does not name the algorithm."""
        return self.row.algorithm != self.prepared.row.algorithm

    @property
    def curve(self) -> str:
        """Rows of one collective and algorithm, as the log has it."""
        return f"{self.row.collective}:{self.row.algorithm}" if self.row.algorithm else self.row.collective


@dataclass(frozen=True)
class Candidates:
    """What may have run where a row was measured.

    Attributes
    ----------
    row
        As the log has it.
    prepared
        With each algorithm that it may be.
    is_chosen
        Whether it is the choice of the library by its rules.
    """

    row: Measurement
    prepared: list[Prepared]
    is_chosen: bool

    def quickest(self) -> Assumed:
        """Of those that are simulated: all."""
        times = [(time_s(one), one) for one in self.prepared]
        expected_s, prepared = min(times, key=lambda one: one[0])
        return Assumed(self.row, prepared, expected_s, self.is_chosen)


def candidates(predictor: Predictor, rows: Sequence[Measurement]) -> list[Candidates]:
    """Of every row that can be simulated: one where the algorithm is known, else at most six; the others are in
    `predictor.dropped`.
    """
    usual, found = Usual.of_machine(predictor), []
    for row in rows:
        start = len(predictor.dropped)
        chosen = _chosen(predictor, row)
        tried = chosen or _prepared(predictor, usual.candidates(row))
        if tried:
            # Algorithms that do not run on as many ranks are no reason to leave the row out.
            del predictor.dropped[start:]
            found.append(Candidates(row, tried, is_chosen=bool(chosen)))
        else:
            del predictor.dropped[start + 1 :]
    return found


def assume(found: Sequence[Candidates], progress: Callable[[int], object]) -> Iterator[Assumed]:
    """Every row with its time.

    Notes
    -----
    Cost: one simulation of each candidate.
    """
    for done, one in enumerate(found):
        progress(done)
        yield one.quickest()


def _chosen(predictor: Predictor, row: Measurement) -> list[Prepared]:
    """The row with the algorithm that its library chooses; none if it is named, or the rules are not known."""
    if row.algorithm not in (DEFAULT, "") or row.collective in POINT_TO_POINT:
        return []
    return [_named(one) for one in _prepared(predictor, [replace(row, algorithm=DEFAULT)])]


def _named(prepared: Prepared) -> Prepared:
    """With the name of what was chosen, which a fault does not change."""
    algorithm = prepared.call.partition(":")[2]
    return replace(prepared, row=replace(prepared.row, algorithm=algorithm))


def _prepared(predictor: Predictor, rows: Sequence[Measurement]) -> list[Prepared]:
    before = len(predictor.prepared)
    predictor.prepare(rows)
    return predictor.prepared[before:]
