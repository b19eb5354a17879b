"""Faults of records; `docs/reference/errors.md` is generated from these rows."""

from __future__ import annotations

DAMAGED, OTHER_VERSION, MIXED, NOTHING = "NL-I005", "NL-I006", "NL-I007", "NL-I008"

#: ``(code, title, cause, action)``
CODES: list[tuple[str, str, str, str]] = [
    (
        DAMAGED,
        "Record is damaged",
        "A file of a record is cut off, or is no record.",
        "Record again; a disk that was full leaves such files.",
    ),
    (
        OTHER_VERSION,
        "Record of another version",
        "The record was written by another version of netloom.",
        "Read it with that version, or record again.",
    ),
    (
        MIXED,
        "Record of several runs",
        "The files of the ranks are not of one run: their numbers of ranks differ.",
        "Give every run a folder of its own.",
    ),
    (
        NOTHING,
        "Nothing was recorded",
        "No process called MPI_Init of a library that can be intercepted, or none could write its file.",
        "Link the program dynamically; run it on the MPI that the recorder was built for.",
    ),
]
