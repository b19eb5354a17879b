"""Runs of which a part was simulated (the option `fast` of packets): how much was, and how far results may be off."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..base.winner import MARGIN


class InPart(float):
    """The result of a run of which a part was simulated.

    Attributes
    ----------
    share, error
        Of the packets that were simulated, and by which the time may be off, as the evaluator states them.
    """

    share: float
    error: float

    def __new__(cls, value: float, share: float, error: float) -> InPart:
        made = super().__new__(cls, value)
        made.share, made.error = share, error
        return made

    def __reduce__(self) -> tuple[type[InPart], tuple[float, float, float]]:
        return InPart, (float(self), self.share, self.error)


@dataclass(frozen=True)
class Extrapolation:
    """What the runs of an answer were extrapolated from.

    Attributes
    ----------
    runs
        That were simulated in part.
    least_share
        Of the packets of one of them.
    error
        The largest one that is stated, as a share of the time.
    """

    runs: int
    least_share: float
    error: float


def result_of(value: float, record: Mapping[str, object]) -> float:
    """A result, with what its record states of an extrapolation."""
    share, error = record.get("fast_share"), record.get("fast_error")
    if record.get("fast_over") is None or not isinstance(share, float):
        return value
    return InPart(value, share, float(error) if isinstance(error, (int, float)) else 0.0)


def error_of(*results: float) -> float:
    """The largest error of some results; 0 where each is of a whole run."""
    return max((one.error for one in results if isinstance(one, InPart)), default=0.0)


def nothing_of(*results: float) -> float:
    """The share below which a difference of these results is nothing: 2 %, or the error of what was extrapolated."""
    return max(MARGIN, error_of(*results))


def extrapolation(results: Iterable[float]) -> Extrapolation | None:
    """Of all runs; None where each was simulated as a whole."""
    known = [one for one in results if isinstance(one, InPart)]
    if not known:
        return None
    return Extrapolation(len(known), min(one.share for one in known), error_of(*known))


def undecided(results: Iterable[float]) -> bool:
    """Whether all results lie within the error of what was extrapolated."""
    known = list(results)
    least, most = min(known), max(known)
    return least > 0 and most <= (1 + error_of(least, most)) * least and error_of(least, most) > 0
