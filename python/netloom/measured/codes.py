"""The faults of measurements; ``docs/reference/errors.md`` is generated from these rows."""

from __future__ import annotations

UNREADABLE = "NL-V001"
BAD_ROW = "NL-V002"
NOTHING_USED = "NL-V003"

#: ``(code, title, cause, action)``
CODES: list[tuple[str, str, str, str]] = [
    (
        UNREADABLE,
        "Measurements cannot be read",
        "The file is no table of a format that is known, or lacks a column.",
        "Write a CSV file with the columns collective, algorithm, library, nodes, ranks_per_node, bytes, time_s.",
    ),
    (
        BAD_ROW,
        "Damaged row of measurements",
        "A cell is missing, is no number of its column, or cannot be a time, a size or a number of nodes.",
        "Correct the row, or take it out.",
    ),
    (
        NOTHING_USED,
        "No measurement can be used",
        "Every row was left out: an unknown algorithm, more nodes than the machine has, times below a microsecond.",
        "Read the reasons; netloom list collectives names the algorithms.",
    ),
]
