"""The answer of `netloom expect`: rows with a verdict, and what explains those that are not healthy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isinf
from typing import TYPE_CHECKING

from ..base.quantities import counted

if TYPE_CHECKING:
    from ..measured import Measurement

#: Of the time of the wires: a measured time below this share of it is impossible.
POSSIBLE = 0.9


@dataclass(frozen=True)
class Band:
    """How far a measured time may be from the expected one.

    Attributes
    ----------
    share
        Largest error of a prediction, as a share of the measured time.
    kind
        `validated`, `extrapolated` (measured elsewhere on the machine) or `none` (the machine was never measured).
    why
        What it rests on, in words.
    """

    share: float
    kind: str
    why: str


@dataclass(frozen=True)
class Held:
    """A measured time next to what it should be.

    Attributes
    ----------
    algorithm
        That is simulated.
    expected_s
        Simulated on the sound machine.
    bound_s
        The same if software took no time: the wires alone.
    band
        The error that is usual.
    """

    row: Measurement
    algorithm: str
    expected_s: float
    bound_s: float
    band: Band

    @property
    def ratio(self) -> float:
        """Measured over expected."""
        return self.row.time_s / self.expected_s

    @property
    def is_assumed(self) -> bool:
        """Whether the log does not name the algorithm."""
        return self.algorithm != self.row.algorithm

    @property
    def healthy(self) -> bool | None:
        """Whether it is slower than expected by no more than the error; None if nothing is known or it is quicker."""
        if self.ratio > 1.0 and 1.0 - 1.0 / self.ratio > self.band.share:
            return False
        return None if self.is_fast or isinf(self.band.share) else True

    @property
    def is_fast(self) -> bool:
        """Quicker than expected by more than the error, or than the wires allow."""
        return 1.0 / self.ratio - 1.0 > self.band.share or self.is_impossible

    @property
    def is_impossible(self) -> bool:
        """Quicker than the wires allow, by more than clocks err."""
        return self.row.time_s < POSSIBLE * self.bound_s

    @property
    def why(self) -> str:
        """The verdict in words."""
        if self.is_impossible:
            return "quicker than the wires allow: another machine, unit or algorithm"
        if self.is_fast:
            return f"{1.0 / self.ratio:.3g} times as quick as expected"
        if self.healthy is False:
            return f"{self.ratio:.3g} times the expected time"
        return "within the error" if self.healthy else f"unknown: {self.band.why}"


@dataclass(frozen=True)
class Finding:
    """A fault that would explain what was measured.

    Attributes
    ----------
    what
        Name of the fault.
    place
        Where: the machine, an algorithm, nodes, a pair.
    says
        What the fault is, in a few words.
    explains
        Share of the logarithmic error that a simulation with the fault takes away, at most 1.
    remedy
        What to look at.
    inputs
        Of a scenario, with which the fault is simulated.
    equal
        Names of other faults with which times come out as near: the log cannot tell them apart.
    nodes
        Their names, where a matrix tells which.
    times_s
        Simulated with the fault, of the rows that were compared; empty for pairs.
    """

    what: str
    place: str
    says: str
    explains: float
    remedy: str
    inputs: Mapping[str, object] = field(default_factory=dict)
    equal: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()
    times_s: tuple[float, ...] = ()


@dataclass(frozen=True)
class LeftOut:
    """A fault that was not tried, or changes nothing."""

    what: str
    reason: str


def ran(collective: str, ranks_per_node: int) -> str:
    """What ran on a pair, in words; "" if nothing is told."""
    each = f"{counted(ranks_per_node, 'rank')} a node" if ranks_per_node else ""
    return ", ".join(word for word in (collective, each) if word)


@dataclass(frozen=True)
class PairHeld:
    """The rate from one node to another next to that of sound pairs.

    Attributes
    ----------
    collective, ranks_per_node
        What ran on the pair; "" and 0 if not told.
    expected_bytes_per_s
        Of sound pairs of the same matrix.
    bound_bytes_per_s
        Of the wires of the machine; None without one.
    """

    collective: str
    ranks_per_node: int
    source: str
    target: str
    bytes_per_s: float
    expected_bytes_per_s: float
    healthy: bool
    bound_bytes_per_s: float | None = None

    @property
    def share(self) -> float:
        """Measured over expected."""
        return self.bytes_per_s / self.expected_bytes_per_s

    @property
    def ran(self) -> str:
        """What ran on the pair, in words."""
        return ran(self.collective, self.ranks_per_node)


@dataclass(frozen=True)
class Expectation:
    """What a log should say, what it says, and why they differ.

    Attributes
    ----------
    machine
        Its name; "" for matrices that are held against themselves alone.
    rows
        Of a log of times, in its order.
    pairs
        Of a file of rates.
    findings
        The best explanation first; empty if nothing needs one.
    left_out
        Faults that were not tried.
    dropped
        Place and reason of rows that were not used.
    notes
        What was assumed.
    compared
        Numbers of the rows that faults were tried on.
    """

    machine: str
    rows: Sequence[Held] = ()
    pairs: Sequence[PairHeld] = ()
    findings: Sequence[Finding] = ()
    left_out: Sequence[LeftOut] = ()
    dropped: Sequence[tuple[str, str]] = ()
    notes: Sequence[str] = ()
    compared: Sequence[int] = ()

    def counts(self) -> dict[str, int]:
        """How many rows or pairs are `healthy`, `unhealthy` and `unknown`."""
        verdicts = [one.healthy for one in (self.rows or self.pairs)]
        return {"healthy": verdicts.count(True), "unhealthy": verdicts.count(False), "unknown": verdicts.count(None)}

    def bands(self) -> list[tuple[str, float, str]]:
        """Kind, share and reason of the errors that rows were held against, those with a share."""
        found = {(one.band.kind, one.band.why): one.band for one in self.rows if not isinf(one.band.share)}
        return [(kind, band.share, why) for (kind, why), band in found.items()]

    def explained(self) -> list[tuple[int, float]]:
        """Number of a row and its time with the first finding, of those that were compared."""
        times = self.findings[0].times_s if self.findings else ()
        return list(zip(self.compared, times, strict=True)) if times else []

    def reasons(self) -> dict[str, int]:
        """How many rows were not used for which reason, the commonest first."""
        found: dict[str, int] = {}
        for _, reason in self.dropped:
            found[reason] = found.get(reason, 0) + 1
        return dict(sorted(found.items(), key=lambda item: -item[1]))
