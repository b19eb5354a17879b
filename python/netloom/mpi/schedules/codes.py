"""Faults of schedules that run for real; `docs/reference/errors.md` is generated from these rows."""

from __future__ import annotations

NOT_RUN = "NL-I051"
BAD_KIND = "NL-I052"
BAD_SIZE = "NL-I053"

#: ``(code, title, cause, action)``
CODES: list[tuple[str, str, str, str]] = [
    (
        NOT_RUN,
        "Schedule cannot be run here",
        "Switches take part in it, or the processes that mpirun started are too few or not as many as it needs.",
        "Take another schedule, or start another number of processes.",
    ),
    (
        BAD_KIND,
        "Datatype or operation cannot be used",
        "There is no such datatype or operation, or MPI does not apply the one to the other.",
        "Take one of those that the hint lists.",
    ),
    (
        BAD_SIZE,
        "Size is no whole number of elements",
        "The bytes of a message are not a multiple of the bytes of one element.",
        "Change --sizes, or take a smaller --datatype.",
    ),
]
