"""GPUs by name: peak rates by precision, memory and its rate, and the share of the peak that matrix products reach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files as resources
from typing import TYPE_CHECKING, cast

from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from ..base.toml import read_toml
from . import codes

if TYPE_CHECKING:
    from ..machine import Machine

#: Where none was fitted: half of the peak, near the middle of what the measured steps of other GPUs reach.
EFFICIENCY = 0.5


@dataclass(frozen=True)
class Accelerator:
    """A GPU.

    Attributes
    ----------
    flops_per_s
        Dense peak by precision.
    memory_bytes, memory_bytes_per_s
        What it holds, and how quickly it is read or written.
    efficiency
        Share of the peak that matrix products reach, by precision, where it was fitted.
    """

    name: str
    flops_per_s: Mapping[str, float]
    memory_bytes: float
    memory_bytes_per_s: float
    source: str = ""
    efficiency: Mapping[str, float] = field(default_factory=dict)

    def reached(self, precision: str) -> float:
        """The share of its peak."""
        return self.efficiency.get(precision, EFFICIENCY)

    def peak(self, precision: str) -> float:
        """FLOP/s.

        Raises
        ------
        NetloomError
            `NL-Y002` for a precision that it has not.
        """
        if precision not in self.flops_per_s:
            hint = f"it has {', '.join(self.flops_per_s)}"
            raise NetloomError([Fault(codes.UNKNOWN, "--precision", f"{self.name} has no {precision}", "", hint)])
        return self.flops_per_s[precision]


def shipped() -> dict[str, Accelerator]:
    """Those that are known, by name."""
    table = read_toml(
        (resources(__package__) / "accelerators.toml").read_bytes(), "accelerators.toml", codes.UNREADABLE
    )
    return {name: Accelerator(name, **cast("dict[str, object]", said)) for name, said in table.items()}  # type: ignore[arg-type]


def accelerator(name: str, place: str = "--gpu") -> Accelerator:
    """The GPU of that name.

    Raises
    ------
    NetloomError
        `NL-Y002` with the nearest name.
    """
    known = shipped()
    if name not in known:
        hint = did_you_mean(name, known, "GPUs")
        raise NetloomError([Fault(codes.UNKNOWN, place, "the name of a GPU", repr(name)[:80], hint)])
    return known[name]


def of_machine(machine: Machine, named: str | None = None) -> Accelerator:
    """The GPU that was named, else the machine's own.

    Raises
    ------
    NetloomError
        `NL-Y006` if neither says one.
    """
    if named is not None:
        return accelerator(named)
    if machine.accelerator is None:
        hint = f"give --gpu with one of {', '.join(shipped())}"
        raise NetloomError([Fault(codes.NO_ACCELERATOR, "--machine", f"{machine.name} names no GPU", "", hint)])
    return accelerator(machine.accelerator, f"accelerator of {machine.name}")
