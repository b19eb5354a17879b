"""What is wrong with files of calibrations and machines, at the place where it stands."""

from __future__ import annotations

from collections.abc import Iterable

from .. import _core
from ..base.errors import Fault
from . import codes

MAX_TEXT = 4096


def label(value: object, place: str, faults: list[Fault]) -> str:
    """Words for people; a fault for anything else."""
    if isinstance(value, str) and len(value) <= MAX_TEXT:
        return value
    faults.append(Fault(codes.BAD_VALUE, place, f"text of at most {MAX_TEXT} characters", repr(value)[:200]))
    return ""


def misplaced(part: str, keys: Iterable[str], place: str) -> list[Fault]:
    """Faults of settings that stand in the table of the other part: those of software in `wire`, and the reverse."""
    parts = {param["name"]: param["part"] for param in _core.machine_params()}
    return [
        Fault(
            codes.UNKNOWN_NAME, f"{place}{part}.{key}", f"is a setting of {parts[key]}", "", f"write {parts[key]}.{key}"
        )
        for key in keys
        if parts.get(key, part) != part
    ]


def of_setting(fault: Fault, place: str, names: Iterable[str] = ()) -> Fault:
    """A fault of the core's settings at `place: key`; of `names`, such as `wire.duplex`, the one that has the key."""
    key = fault.place.removeprefix(place).removeprefix(".")
    bare = key.partition("[")[0]
    table = next((name.removesuffix(bare) for name in names if bare and name.endswith(f".{bare}")), "")
    hint = fault.hint if fault.hint.startswith("did you mean") else ""
    return Fault(fault.code, f"{place}: {table}{key}" if key else place, fault.expected, fault.got, hint)
