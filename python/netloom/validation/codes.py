"""The faults of validations and fits; ``docs/reference/errors.md`` is generated from these rows."""

from __future__ import annotations

NOTHING_USED = "NL-V001"
TOO_FEW = "NL-V002"

#: ``(code, title, cause, action)``
CODES: list[tuple[str, str, str, str]] = [
    (
        NOTHING_USED,
        "No measurement can be used",
        "Every row was left out: an unknown algorithm, more nodes than the machine has, times below a microsecond.",
        "Read the reasons; netloom list collectives names the algorithms.",
    ),
    (
        TOO_FEW,
        "Too few measurements to fit",
        "There are fewer measurements that can be used than numbers to fit.",
        "Measure more sizes, algorithms and node counts.",
    ),
]
