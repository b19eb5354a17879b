"""Faults of tuning tables; `docs/reference/errors.md` is generated from these rows."""

from __future__ import annotations

BAD_SIZES = "NL-D002"
NOTHING_TIMED = "NL-D003"
NOT_KNOWN_THERE = "NL-D004"

#: ``(code, title, cause, action)``
CODES: list[tuple[str, str, str, str]] = [
    (
        BAD_SIZES,
        "Message sizes cannot be read",
        "The sizes are neither a list nor a range of two sizes, or more than 64.",
        'Write "256B:1MiB" for powers of two, or "4,64,1KiB".',
    ),
    (
        NOTHING_TIMED,
        "No algorithm applies",
        "Every algorithm of the collective refuses this number of ranks.",
        "Choose another number of ranks, or name algorithms with --algorithms.",
    ),
    (
        NOT_KNOWN_THERE,
        "Library cannot be told",
        "None of the algorithms that were timed exists in the library, or its file has no place for the collective.",
        "Time algorithms that the library has, or emit for another library.",
    ),
]
