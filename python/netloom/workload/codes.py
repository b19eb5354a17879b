"""Faults of files of steps; `docs/reference/errors.md` is generated from these rows."""

from __future__ import annotations

UNREADABLE = "NL-W001"
BAD_KEY = "NL-W002"
GROUPS = "NL-W003"

#: ``(code, title, cause, action)``
CODES: list[tuple[str, str, str, str]] = [
    (
        UNREADABLE,
        "File of steps cannot be read",
        "It is not TOML or not UTF-8, is larger than 1 MiB, or describes other ranks than those that are mapped.",
        "Correct the place that the message names.",
    ),
    (
        BAD_KEY,
        "Step is wrong",
        "A key is unknown or missing, or its value is of the wrong type or out of range.",
        "Give a value as the message says; docs/reference/steps.md lists the keys.",
    ),
    (
        GROUPS,
        "Groups do not fit the ranks",
        "The levels of the groups do not multiply to the ranks, a split does not divide them, or a list names a rank "
        "that there is not, or one twice.",
        "Let the product of the levels be the number of ranks, and every rank stand in at most one group of a split.",
    ),
]
