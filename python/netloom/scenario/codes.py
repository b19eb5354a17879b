"""Faults of scenarios; `docs/reference/errors.md` is generated from these rows."""

from __future__ import annotations

NOT_PLAIN = "NL-H001"
UNREADABLE = "NL-H002"
NOT_USED = "NL-H003"
NO_WORKLOAD = "NL-H004"
ONE_JOB = "NL-H005"

#: ``(code, title, cause, action)``
CODES: list[tuple[str, str, str, str]] = [
    (
        NOT_PLAIN,
        "Scenario cannot be written",
        "It holds an object that has no text, such as a schedule of one's own.",
        "Give the call text or a file in its place.",
    ),
    (
        UNREADABLE,
        "Scenario cannot be read",
        "The text is no TOML or JSON of a scenario.",
        "Correct the place that is named.",
    ),
    (
        NOT_USED,
        "Input that the evaluator cannot use",
        "The scenario says something that the model of this evaluator does not know.",
        "Leave it out, or ask an evaluator that knows it.",
    ),
    (
        NO_WORKLOAD,
        "Nothing is sent",
        "A job says no workload, and the scenario has none for all jobs.",
        "Give the job or the scenario a workload.",
    ),
    (
        ONE_JOB,
        "One job is needed",
        "The question is about one job, and the scenario has several.",
        "Leave `jobs` out, or ask for one of them.",
    ),
]
