"""Faults of the choices of libraries; `docs/reference/errors.md` is generated from these rows."""

from __future__ import annotations

UNKNOWN = "NL-D001"
BAD_ELEMENT = "NL-D005"
NO_LIBRARY = "NL-D006"
NO_CHOICE = "NL-D007"

#: ``(code, title, cause, action)``
CODES: list[tuple[str, str, str, str]] = [
    (
        UNKNOWN,
        "Unknown library, collective, layout or file kind",
        "No decision table, timed collective, printed layout or emitted file has this name.",
        "Use the name that the hint proposes.",
    ),
    (
        BAD_ELEMENT,
        "Size is no whole number of elements",
        "The bytes of a message are not a multiple of the bytes of one element.",
        "Give --type-bytes with the size of the MPI datatype.",
    ),
    (
        NO_LIBRARY,
        "No library chooses the algorithm",
        "The algorithm is left to a library, and neither an option nor the machine names one.",
        "Give --library NAME, or a machine that has one, or name the algorithm.",
    ),
    (
        NO_CHOICE,
        "Library has no such collective",
        "The library does not have this operation, or nothing is known of its choice.",
        "Name the algorithm, or give another library.",
    ),
]
