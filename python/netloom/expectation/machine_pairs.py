"""Rates between two nodes of a machine, as benchmarks print them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..measured import Measurement
from ..validation.predict import time_s
from .answer import Finding
from .band import DEFAULT_BAND, wires

if TYPE_CHECKING:
    from ..measured import PairMatrix
    from ..validation import Predictor

#: Of a message between two ranks: large enough that only rates count.
SIZE = 1 << 26
#: Of this collective a matrix is, where it does not say one.
USUAL = "sendrecv"
REMEDY = (
    "Compare rate and width of the NICs' links and PCIe slots with the data sheet, and see whether the library uses "
    "every NIC."
)


@dataclass(frozen=True)
class PairRate:
    """What a pair of nodes reaches on a sound machine, and what its wires let through."""

    expected_bytes_per_s: float
    bound_bytes_per_s: float

    def finding(self, sound_bytes_per_s: float, what: str) -> Finding | None:
        """That all pairs are slow, if even the sound ones are."""
        share = sound_bytes_per_s / self.expected_bytes_per_s
        if share > 1.0 - DEFAULT_BAND:
            return None
        words = f"sound pairs reach {100 * share:.0f} % of what the machine gives"
        return Finding("all-pairs-slow", what, words, 1.0 - share, REMEDY)


class PairRates:
    """Simulates pairs on a machine."""

    def __init__(self, predictor: Predictor) -> None:
        self._predictor, self.machine = predictor, predictor.machine
        self._known: dict[tuple[str, int], PairRate | None] = {}

    def of(self, matrix: PairMatrix, rows_of_a_node: int) -> PairRate | None:
        """Rate of a pair as nccl-tests count it, the bytes that a rank moves over the time; of one pair of ranks if the
        matrix does not say how many each node had. None for what the machine cannot run.
        """
        each = 1 if rows_of_a_node > 1 else matrix.ranks_per_node or 1
        key = (matrix.collective or USUAL, each)
        if key not in self._known:
            self._known[key] = self._simulated(*key)
        return self._known[key]

    def _simulated(self, collective: str, each: int) -> PairRate | None:
        algorithm, moved = ("linear", 2 * each - 1) if collective == "alltoall" else ("", 1)
        if collective not in ("alltoall", USUAL):
            return None
        start = len(self._predictor.prepared)
        self._predictor.prepare([Measurement(collective, algorithm, "", 2, each, SIZE, 1.0, collective)])
        if len(self._predictor.prepared) == start:
            return None
        one = self._predictor.prepared[-1]
        times = time_s(one), time_s(one, wires(one.settings))
        if min(times) <= 0.0:
            return None
        return PairRate(moved * SIZE / times[0], moved * SIZE / times[1])
