"""Faults of measurements; `docs/reference/errors.md` is generated from these rows."""

from __future__ import annotations

UNKNOWN_FORMAT = "NL-B001"
BAD_ROW = "NL-B002"
CUT_OFF = "NL-B003"
NOT_SAID = "NL-B004"
CONTRADICTION = "NL-B005"
IMPLAUSIBLE = "NL-B006"
NONE_USABLE = "NL-B007"
TOO_LONG = "NL-B008"

#: ``(code, title, cause, action)``
CODES: list[tuple[str, str, str, str]] = [
    (
        UNKNOWN_FORMAT,
        "Measurements not recognised",
        "The file is not text, or holds no table of a benchmark that is read.",
        "Give the whole output of the benchmark with its lines that begin with #, or a CSV of the columns in the docs.",
    ),
    (
        BAD_ROW,
        "Row of a measurement is damaged",
        "A value is missing, no number, not finite, zero or negative where it must be more.",
        "Give the output as the benchmark printed it; leave damaged rows out.",
    ),
    (
        CUT_OFF,
        "Measurements are cut off",
        "The file ends within a row, or before the line that ends a test.",
        "Give the whole output; a run that was stopped is measured again.",
    ),
    (
        NOT_SAID,
        "Measurements do not say what is needed",
        "Nodes, ranks per node, the collective or a unit stand neither in the file nor in the options.",
        "Say it by the option of that name.",
    ),
    (
        CONTRADICTION,
        "Measurements contradict each other or the options",
        "A file holds two machines or the logs of two tools, or says otherwise than an option.",
        "Split the file; leave out an option whose value stands in the file.",
    ),
    (
        IMPLAUSIBLE,
        "Measurement is implausible",
        "No machine is as slow or as fast: columns are swapped, or a unit is another one.",
        "Check the order of the columns, and that times and sizes have the units of the docs.",
    ),
    (
        NONE_USABLE,
        "No measurement can be used",
        "All rows were dropped, or a test has none.",
        "The message says why the first row was dropped.",
    ),
    (
        TOO_LONG,
        "Too many measurements",
        "A file has more lines than are read.",
        "Summarise repetitions before: a median a size is enough.",
    ),
]
