"""The faults that calibrations and machines raise; ``docs/reference/errors.md`` is generated from these rows."""

from __future__ import annotations

BAD_VALUE = "NL-L001"
UNKNOWN_NAME = "NL-L002"
UNREADABLE = "NL-L003"
MEASUREMENT = "NL-L004"
TOO_FEW = "NL-L005"

#: ``(code, title, cause, action)``
CODES: list[tuple[str, str, str, str]] = [
    (
        BAD_VALUE,
        "Value of a calibration or machine of the wrong type or out of range",
        "A number, a table or a word of a calibration or machine is not in its range.",
        "Give a value in the stated range; times are seconds, sizes are bytes.",
    ),
    (
        UNKNOWN_NAME,
        "Unknown calibration or machine, or unknown key in one",
        "No calibration or machine has this name, or its file has no such key.",
        "Use the name that the hint proposes; one of your own is given by the path of its TOML file.",
    ),
    (
        UNREADABLE,
        "Calibration or machine cannot be read",
        "The file is not TOML, lacks a key, or is larger than it can be.",
        "Copy one that netloom ships and change its values.",
    ),
    (
        MEASUREMENT,
        "Measurement cannot be read",
        "The file is not the output of an OSU or IMB point-to-point test, or a row of it is damaged.",
        "Give the whole output of osu_latency, osu_bw or IMB-MPI1 PingPong.",
    ),
    (
        TOO_FEW,
        "Too few measurements",
        "A straight line needs at least two sizes; latency and bandwidth need more to tell them apart.",
        "Measure more sizes, from a few bytes to some MiB.",
    ),
]
