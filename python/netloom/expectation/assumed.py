"""Which algorithm ran where a log does not say: the quickest of those that libraries have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..validation.predict import time_s
from .usual import Usual

if TYPE_CHECKING:
    from ..measured import Measurement
    from ..validation import Predictor
    from ..validation.predict import Prepared

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
    """

    row: Measurement
    prepared: Prepared
    expected_s: float

    @property
    def is_assumed(self) -> bool:
        """Whether the log does not name the algorithm."""
        return self.row.algorithm != self.prepared.row.algorithm

    @property
    def curve(self) -> str:
        """Rows of one collective and algorithm, as the log has it."""
        return f"{self.row.collective}:{self.row.algorithm}" if self.row.algorithm else self.row.collective


def assume(predictor: Predictor, rows: Sequence[Measurement], progress: Callable[[int], object]) -> list[Assumed]:
    """Every row that can be simulated, with its time; the others are in `predictor.dropped`.

    Notes
    -----
    Cost: one simulation of a row whose algorithm is known, at most six of another.
    """
    usual, found = Usual.of_machine(predictor), []
    for done, row in enumerate(rows):
        progress(done)
        tried = []
        start = len(predictor.dropped)
        for one in usual.candidates(row):
            before = len(predictor.prepared)
            predictor.prepare([one])
            tried += [Assumed(row, made, time_s(made)) for made in predictor.prepared[before:]]
        if tried:
            # Algorithms that do not run on as many ranks are no reason to leave the row out.
            del predictor.dropped[start:]
            found.append(min(tried, key=lambda one: one.expected_s))
        else:
            del predictor.dropped[start + 1 :]
    return found
