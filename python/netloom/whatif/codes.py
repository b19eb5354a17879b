"""Faults of what-if questions; `docs/reference/errors.md` is generated from these rows."""

from __future__ import annotations

BAD_RANGE = "NL-U001"
UNKNOWN = "NL-U002"
TWICE = "NL-U003"
NO_NUMBER = "NL-U004"
BAD_TARGET = "NL-U005"
BAD_SETTING = "NL-U006"

#: ``(code, title, cause, action)``
CODES: list[tuple[str, str, str, str]] = [
    (
        BAD_RANGE,
        "Range of a what-if question cannot be used",
        "Its ends are no numbers of that unit, the first is not below the second, or a choice stands alone.",
        "Write KEY=A..B with A below B, KEY=A..B log with A above 0, or KEY=a|b with two choices or more.",
    ),
    (
        UNKNOWN,
        "Nothing of that name can be varied",
        "The key is no input of the evaluator, no parameter of a call of the scenario, and no alias of one.",
        "Use an input such as switch_latency, a parameter such as network.bandwidth, or the name in the hint.",
    ),
    (TWICE, "Key is varied twice", "Two ranges are of one parameter.", "Give one range for each."),
    (
        NO_NUMBER,
        "Result of a run is no number",
        "The column has text there, or the evaluator does not know it for this scenario.",
        "Name another column with --target, or narrow the ranges.",
    ),
    (
        BAD_TARGET,
        "No such column to ask about",
        "The evaluator has no column of that name, or none that answers by itself.",
        "Name one of its columns with --target.",
    ),
    (
        BAD_SETTING,
        "Setting of a what-if question out of range",
        "A number of samples, runs or points is not one that it takes, or nobody says which count is best.",
        "Use a value of the range that the message names; give --best least or greatest.",
    ),
]
