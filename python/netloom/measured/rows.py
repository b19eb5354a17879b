"""A measured time of a collective, whatever tool printed it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

#: Times below it measure the clock.
LEAST_S = 1e-6
#: A library's own choice of algorithm.
DEFAULT = "default"


@dataclass(frozen=True)
class Measurement:
    """One row.

    Parameters
    ----------
    collective
        As the catalogue calls it: `allreduce`, `reduce-scatter`, ...
    algorithm
        A name of the catalogue, such as `ring` or `bruck(k=4)`; `default`: what the library chose.
    library
        In words; empty if the file does not say.
    nodes, ranks_per_node
        At least 1.
    bytes
        What `--size` means for that collective.
    time_s
        Of one call, seconds.
    place
        File and line, for messages.
    """

    collective: str
    algorithm: str
    library: str
    nodes: int
    ranks_per_node: int
    bytes: int
    time_s: float
    place: str = ""

    @property
    def ranks(self) -> int:
        """Ranks of the job."""
        return self.nodes * self.ranks_per_node

    @property
    def call(self) -> str:
        """The workload, unless the library chose it."""
        return f"{self.collective}:{self.algorithm}"


@dataclass
class Measurements:
    """The rows of a file.

    Attributes
    ----------
    dropped
        Place and reason of rows that mean nothing.
    tool
        What wrote the file.
    notes
        What was assumed, for people.
    """

    rows: list[Measurement]
    dropped: list[tuple[str, str]] = field(default_factory=list)
    tool: str = ""
    notes: list[str] = field(default_factory=list)


def usable(found: Sequence[Measurement]) -> Measurements:
    """The rows without those whose time only measures the clock."""
    made = Measurements([])
    for row in found:
        if row.time_s < LEAST_S:
            made.dropped.append((row.place, f"{row.time_s * 1e6:.3g} µs measures the clock, not the collective"))
        elif row.bytes == 0 and row.collective != "barrier":
            made.dropped.append((row.place, "moves no bytes"))
        else:
            made.rows.append(row)
    return made
