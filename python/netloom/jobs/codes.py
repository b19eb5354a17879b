"""Faults of job lists; `docs/reference/errors.md` is generated from these rows."""

from __future__ import annotations

UNREADABLE = "NL-J001"
BAD_VALUE = "NL-J002"
NO_ENDPOINT = "NL-J003"
MORE_RANKS = "NL-J004"
TWICE = "NL-J005"
NONE_RUNS = "NL-J006"
SHARED = "NL-M018"

#: ``(code, title, cause, action)``
CODES: list[tuple[str, str, str, str]] = [
    (
        UNREADABLE,
        "Job list cannot be read",
        "It is none of: TOML with [[job]], a table or JSON of squeue, the output of scontrol show job, lines of a name "
        "and a node list.",
        "Name the form with format=, or write the list anew with the command in the hint.",
    ),
    (
        BAD_VALUE,
        "Value of a job is wrong",
        "A key is not known, or its value is of the wrong type or out of range.",
        "Give a value as the message says.",
    ),
    (
        NO_ENDPOINT,
        "Node is not in the network",
        "A node list names a node that the network does not have.",
        "Use the names of the network's endpoints; if it has none, names that end with the endpoint's number.",
    ),
    (
        MORE_RANKS,
        "More ranks than cores",
        "A job has more ranks than its endpoints have cores for.",
        "Lower the ranks, or give the job more endpoints.",
    ),
    (
        TWICE,
        "Two jobs of one name",
        "Answers are given by the name of the job, so each needs its own.",
        "Rename one of them.",
    ),
    (
        NONE_RUNS,
        "No job runs",
        "What Slurm printed has no job that runs on a node: the machine is idle, or all jobs wait.",
        "List running jobs; `netloom map --jobs` alone takes a list without any.",
    ),
]
