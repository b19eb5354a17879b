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


def assume(predictor: Predictor, rows: Sequence[Measurement], progress: Callable[[int], object]) -> Iterator[Assumed]:
    """Every row that can be simulated, with its time; the others are in `predictor.dropped`.

    Notes
    -----
    Cost: one simulation of a row whose algorithm is known, at most six of another.
    """
    usual = Usual.of_machine(predictor)
    for done, row in enumerate(rows):
        progress(done)
        start = len(predictor.dropped)
        tried = _chosen(predictor, row) or _tried(predictor, row, usual.candidates(row))
        if tried:
            # Algorithms that do not run on as many ranks are no reason to leave the row out.
            del predictor.dropped[start:]
            yield min(tried, key=lambda one: one.expected_s)
        else:
            del predictor.dropped[start + 1 :]


def _chosen(predictor: Predictor, row: Measurement) -> list[Assumed]:
    """The row with the algorithm that its library chooses; none if it is named, or the rules are not known."""
    if row.algorithm not in (DEFAULT, "") or row.collective in POINT_TO_POINT:
        return []
    found = _tried(predictor, row, [replace(row, algorithm=DEFAULT)])
    return [replace(one, prepared=_named(one.prepared), is_chosen=True) for one in found]


def _named(prepared: Prepared) -> Prepared:
    """With the name of what was chosen, which a fault does not change."""
    algorithm = prepared.call.partition(":")[2]
    return replace(prepared, row=replace(prepared.row, algorithm=algorithm))


def _tried(predictor: Predictor, row: Measurement, rows: Sequence[Measurement]) -> list[Assumed]:
    before = len(predictor.prepared)
    predictor.prepare(rows)
    return [Assumed(row, made, time_s(made)) for made in predictor.prepared[before:]]
