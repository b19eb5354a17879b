"""What is wrong with files of calibrations and machines, at the place where it stands."""

from __future__ import annotations

from collections.abc import Iterable

from ..base.errors import Fault
from . import codes

MAX_TEXT = 4096


def label(value: object, place: str, faults: list[Fault]) -> str:
    """Words for people; a fault for anything else."""
    if isinstance(value, str) and len(value) <= MAX_TEXT:
        return value
    faults.append(Fault(codes.BAD_VALUE, place, f"text of at most {MAX_TEXT} characters", repr(value)[:200]))
    return ""


def of_setting(fault: Fault, place: str, names: Iterable[str] = ()) -> Fault:
    """A fault of the core's settings at `place: key`; of `names`, such as `wire.duplex`, the one that has the key."""
    key = fault.place.removeprefix(place).removeprefix(".")
    bare = key.partition("[")[0]
    table = next((name.removesuffix(bare) for name in names if bare and name.endswith(f".{bare}")), "")
    hint = fault.hint if fault.hint.startswith("did you mean") else ""
    return Fault(fault.code, f"{place}: {table}{key}" if key else place, fault.expected, fault.got, hint)
