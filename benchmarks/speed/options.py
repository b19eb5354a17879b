"""What the user asked for on the command line."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """Switches of `python -m benchmarks.speed`; see its help."""

    quick: bool = False
    complete: bool = False
    large: bool = False
    instructions: bool = False

    @property
    def runs(self) -> int:
        return 3 if self.quick else 7
