"""Plain tables for people, JSON for scripts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def text(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A table as GitHub Markdown, padded so that it also reads in a terminal; numbers stand to the right."""
    cells = [[show(value) for value in row] for row in rows]
    numeric = [
        all(isinstance(row[i], int | float) or row[i] in (None, "") for row in rows) for i in range(len(columns))
    ]
    widths = [max([3, len(name), *(len(row[i]) for row in cells)]) for i, name in enumerate(columns)]

    def line(values: Sequence[str]) -> str:
        padded = (v.rjust(w) if n else v.ljust(w) for v, w, n in zip(values, widths, numeric, strict=True))
        return "| " + " | ".join(padded) + " |"

    rule = "| " + " | ".join("-" * (w - 1) + (":" if n else "-") for w, n in zip(widths, numeric, strict=True)) + " |"
    return "\n".join([line(columns), rule, *map(line, cells)])


def show(value: Any) -> str:
    """Integers in full, floats with three digits."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return str(value)


def quantity(value: float, unit: str) -> str:
    """A number with its unit, scaled: `0.0021 s` is `2.1 ms`."""
    scales = {
        "s": ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")),
        "bytes": ((2.0**30, "GiB"), (2.0**20, "MiB"), (2.0**10, "KiB")),
        "swaps/s": ((1e6, "M swaps/s"), (1e3, "k swaps/s"), (1.0, "swaps/s")),
        "instructions": ((1e6, "M instructions"), (1.0, "instructions")),
    }
    for factor, name in scales.get(unit, ((1.0, unit),)):
        if abs(value) >= factor:
            return f"{value / factor:.3g} {name}" if value / factor < 1000 else f"{value / factor:,.0f} {name}"
    return f"{value:.3g} {unit}"


def write_json(path: str, content: Any) -> None:
    Path(path).write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
