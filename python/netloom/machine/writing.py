"""A machine as a TOML file."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..base import files
from .calibration import text_of
from .machine import FILES, LABELS, PARTS, Machine, Measured

if TYPE_CHECKING:
    from .validated import Validated


def with_values(machine: Machine, values: Mapping[str, Measured], validated: Validated | None, source: str) -> Machine:
    """The same machine with these values, and what is known of its errors; what it was made from is in its source."""
    kept = {name: known for name, known in machine.values.items() if name not in values}
    return replace(machine, values=kept | dict(values), validated=validated, source=source)


def dumps(machine: Machine, folder: Path = Path()) -> str:
    """The file; file names in it become those seen from the folder that it will be in."""
    lines = [f"{name} = {text_of(getattr(machine, name))}" for name in LABELS if getattr(machine, name)]
    given = {name: _seen_from(folder, machine, name, value) for name, value in machine.inputs().items()}
    tables: dict[str, list[str]] = {part: [] for part in PARTS}
    for name, known in machine.values.items():
        part, dot, key = name.partition(".")
        if dot:
            tables[part].append(f"{key} = {_value(known.value, known)}")
        else:
            lines.append(f"{name} = {_value(given.get(name, known.value), known)}")
    for part, rows in tables.items():
        if rows:
            lines += ["", f"[{part}]", *rows]
    if machine.validated is not None:
        lines += ["", "[validated]", *_validated(machine.validated)]
    return "\n".join(lines) + "\n"


def _seen_from(folder: Path, machine: Machine, name: str, value: object) -> object:
    """A relative file name from another folder; any other value as it is."""
    known = machine.values.get(name)
    is_file = known is not None and isinstance(value, str) and name in FILES and files.is_file(value)
    if not is_file or Path(str(value)).is_absolute():
        return value
    return os.path.relpath(str(value), folder)


def _value(value: object, known: Measured) -> str:
    cells = [f"value = {_written(value)}", f"kind = {text_of(known.kind)}"]
    cells += [f"{name} = {text_of(getattr(known, name))}" for name in ("source", "date") if getattr(known, name)]
    return "{ " + ", ".join(cells) + " }"


def _validated(found: Validated) -> list[str]:
    return [f"{name} = {_written(value)}" for name, value in vars(found).items() if value != ""]


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_written, value)) + "]"
    if isinstance(value, str):
        return text_of(value)
    return '"none"' if isinstance(value, float) and math.isinf(value) else repr(value)
