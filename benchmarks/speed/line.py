"""One line of the speed table: a case, our number, a peer's number, their ratio."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from benchmarks import table

# Units where a larger number is the better one.
RATES = {"swaps/s"}


@dataclass(frozen=True)
class Line:
    """`ours` and `theirs` in `unit`; `mark` is what netloom set itself as a goal for this case, in the same unit."""

    case: str
    unit: str
    ours: float | None
    peer: str = ""
    theirs: float | None = None
    note: str = ""
    mark: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times better netloom is."""
        if not self.ours or not self.theirs:
            return None
        return self.ours / self.theirs if self.unit in RATES else self.theirs / self.ours

    def cells(self) -> list[Any]:
        ours = "" if self.ours is None else table.quantity(self.ours, self.unit)
        theirs = "" if self.theirs is None else table.quantity(self.theirs, self.unit)
        return [self.case, ours, self.peer, theirs, self.ratio, self.note]

    def record(self) -> dict[str, Any]:
        return {**asdict(self), "ratio": self.ratio}


COLUMNS = ["case", "netloom", "peer", "peer's", "ratio", "note"]
