"""Faults of measuring here, and of what a new order gained; `docs/reference/errors.md` is generated from these rows."""

from __future__ import annotations

TOO_FEW_RANKS, CROWDED, NOT_LAUNCHED, CUT, INCOMPLETE = "NL-I071", "NL-I072", "NL-I073", "NL-I074", "NL-I075"
NO_TRACE = "NL-I076"

#: ``(code, title, cause, action)``
CODES: list[tuple[str, str, str, str]] = [
    (
        TOO_FEW_RANKS,
        "Too few processes to measure",
        "Messages need two processes, and the launcher started one.",
        "Let --launch start at least two processes of the MPI library of mpi4py.",
    ),
    (
        CROWDED,
        "More processes than cores",
        "Some machine has fewer cores than processes: times would be those of waiting for a core.",
        "Start fewer processes, or say --oversubscribe to measure it all the same.",
    ),
    (
        NOT_LAUNCHED,
        "Measuring processes ended early",
        "The launcher of --launch cannot be started, or its processes failed.",
        "The message shows the launcher's own last line; try the launcher on a program of your own.",
    ),
    (
        CUT,
        "Measurement file is damaged",
        "A line is cut off or is none that netloom writes.",
        "Remove the line that is named, or measure again.",
    ),
    (
        INCOMPLETE,
        "Measurements do not suffice",
        "The measurements ended before what a machine needs was there.",
        "Give more time with --seconds, and let it end.",
    ),
    (
        NO_TRACE,
        "Record without a trace",
        "A prediction simulates the calls of the first run in order, and its record has sums only.",
        "Record with --depth order; no_trace in its summary.json says if a trace cannot hold what was called.",
    ),
]
