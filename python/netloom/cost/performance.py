"""Performance of a network over weighted workloads, and what it is for its price.

>>> phi = performance({"butterfly": 1.25, "mesh": 1.0}, {"butterfly": 3})
>>> round(phi, 4), round(efficiency(phi, 11, 16), 4)
(0.8421, 1.2249)
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import fsum
from typing import TypeVar

from ..base.errors import Fault
from ..base.nearest import did_you_mean

Name = TypeVar("Name", bound=Hashable)


def relative(value: float | None, base: float | None) -> float | None:
    """A value over that of the baseline; None where one is not known, or the baseline's is 0."""
    return value / base if value is not None and base else None


def performance(times: Mapping[Name, float], weights: Mapping[Name, float] | None = None) -> float:
    """The performance indicator phi: weights of the workloads over their weighted relative times.

    Parameters
    ----------
    times
        By workload, the time over that of the baseline; at least one.
    weights
        By workload, finite and >= 0; 1 for those without.

    Returns
    -------
    float
        1 for the baseline itself, more for what is faster.

    Notes
    -----
    ``sum(w) / sum(w T)``: Navaridas 2009, section 6.1, normalised there by the number of workloads, which all weigh 1.
    """
    own = dict(weights or {})
    return fsum(own.get(name, 1.0) for name in times) / fsum(own.get(name, 1.0) * time for name, time in times.items())


def efficiency(phi: float, price: float, base_price: float) -> float:
    """Performance over price, relative to the baseline, whose phi is 1.

    Parameters
    ----------
    phi
        See :func:`performance`.
    price, base_price
        Of the network, and of the baseline, under one cost model; > 0.

    Notes
    -----
    ``phi / (price / base_price)``: Navaridas 2009, section 6.2, for networks with the same number of endpoints.
    """
    return phi / (price / base_price)


def weight_faults(place: str, weights: Mapping[str, float], workloads: Sequence[str]) -> list[Fault]:
    """What is wrong with weights: workloads that are not there (`NL-A002`), numbers that are no weights (`NL-A007`)."""
    faults = []
    for name, weight in weights.items():
        if name not in workloads:
            hint = did_you_mean(name, workloads, "workloads")
            faults.append(Fault("NL-A002", place, f'no workload is called "{name}"', "", hint))
        elif isinstance(weight, bool) or not isinstance(weight, (int, float)) or not 0 <= weight < float("inf"):
            faults.append(Fault("NL-A007", place, "a finite number >= 0", f"{name}={weight!r}"))
    if not faults and workloads and not any(weights.get(name, 1) for name in workloads):
        faults.append(Fault("NL-A007", place, "above 0 for one workload at least", "0 for all of them"))
    return faults
