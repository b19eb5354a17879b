"""A comparison relative to one of its networks: times, rates, the performance indicator, performance for the price."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from ..cost.performance import efficiency, performance, relative, weight_faults
from ..scenario.ranks import alike
from .rows import Asked, Compared

if TYPE_CHECKING:
    from .candidates import Candidate

#: Where faults are.
BASELINE, WEIGHTS = "compare.baseline", "compare.weights"


@dataclass(frozen=True)
class Baseline:
    """What a comparison is relative to.

    Parameters
    ----------
    at
        Number of the network among those compared.
    weights
        By workload; 1 for those without.
    """

    at: int
    weights: Mapping[str, float]


def baseline(
    name: str | None,
    weights: Mapping[str, float] | None,
    asked: Sequence[tuple[Candidate, str]],
    workloads: Sequence[str],
    inputs: Mapping[str, object],
) -> Baseline | None:
    """The network that is called so and the weights, before anything is simulated; None where nothing is asked for.

    Parameters
    ----------
    asked
        Each network of the comparison, and how it was typed.

    Raises
    ------
    NetloomError
        `NL-A002` for a name that none of them, or no workload, has; `NL-A003` for weights alone; `NL-A007` for weights
        that are none, and for networks of several sizes that do different amounts of work.
    """
    faults = weight_faults(WEIGHTS, weights or {}, workloads)
    known = [{_plain(text) for text in (_called(one), one[0].net.label, one[1])} for one in asked]
    found = [at for at, names in enumerate(known) if name is not None and _plain(name) in names]
    if name is None and weights:
        hint = f"name one of the networks as the baseline, such as {_called(asked[0])}"
        faults.append(Fault("NL-A003", WEIGHTS, "needs a baseline, to which times are relative", "", hint))
    elif name is not None and not found:
        hint = did_you_mean(name, [_called(one) for one in asked], "networks compared")
        faults.append(Fault("NL-A002", BASELINE, f'no network of the comparison is called "{name}"', "", hint))
    elif found and workloads and not alike(inputs):
        faults += _other_sizes(asked, found[0])
    if faults:
        raise NetloomError(faults)
    return Baseline(found[0], dict(weights or {})) if found else None


def _other_sizes(asked: Sequence[tuple[Candidate, str]], first: int) -> list[Fault]:
    """As Navaridas 2009, section 6.2: networks with other numbers of endpoints cost, and do, something else."""
    endpoints = asked[first][0].net.endpoints
    other = next((one for one in asked if one[0].net.endpoints != endpoints), None)
    if other is None:
        return []
    sentence = f"a network with as many endpoints as all others: {_called(other)} has {other[0].net.endpoints:,}"
    hint = f"--ranks {min(one.net.endpoints for one, _ in asked)} gives all the same work; netloom size lists sizes"
    return [Fault("NL-A007", BASELINE, sentence, f"{_called(asked[first])} with {endpoints:,}", hint)]


def relate(rows: Sequence[Compared], to: Baseline | None) -> None:
    """Fills what is relative to the baseline, unless time was over before it was reached. O(rows times workloads)."""
    if to is None or to.at >= len(rows):
        return
    base = rows[to.at]
    for row in rows:
        row["baseline"] = base["network"]
        row["relative_price"] = relative(row["usd"], base["usd"])
        pairs = list(zip(row["workloads"], base["workloads"], strict=True))
        for mine, its in pairs:
            mine["weight"] = float(to.weights.get(mine["workload"], 1))
            _relate_workload(mine, its)
        if pairs:
            row["phi"] = _phi(row["workloads"])
            of_one_size = row["endpoints"] == base["endpoints"]
            row["efficiency"] = _efficiency(row, base) if of_one_size else None


def _relate_workload(mine: Asked, its: Asked) -> None:
    mine["relative_time"] = relative(mine["time_s"], its["time_s"])
    mine["relative_rate"] = relative(mine.get("rate_bytes_per_s"), its.get("rate_bytes_per_s"))
    mine["relative_rate_per_usd"] = relative(mine.get("rate_per_usd"), its.get("rate_per_usd"))


def _phi(workloads: Sequence[Asked]) -> float | None:
    known = {at: time for at, one in enumerate(workloads) if (time := one["relative_time"]) is not None}
    weights = {at: one["weight"] for at, one in enumerate(workloads)}
    return performance(known, weights) if len(known) == len(workloads) else None


def _efficiency(row: Compared, base: Compared) -> float | None:
    phi, price, base_price = row["phi"], row["usd"], base["usd"]
    return efficiency(phi, price, base_price) if phi is not None and price and base_price else None


def rates(asked: Asked, usd: float | None) -> None:
    """Fills what a workload moves in a second, and that for each unit of the price."""
    rate = asked["bytes"] / asked["time_s"] if asked["time_s"] > 0 else None
    asked["rate_bytes_per_s"] = rate
    asked["rate_per_usd"] = relative(rate, usd)


def _called(one: tuple[Candidate, str]) -> str:
    return one[0].label or one[0].net.label


def _plain(text: str) -> str:
    """Without blanks, which a call may have."""
    return "".join(text.split())
