"""The faults that figures and drawings can raise; ``docs/reference/errors.md`` is generated from these rows."""

from __future__ import annotations

NO_MATPLOTLIB = "NL-X101"
UNKNOWN_KIND = "NL-X102"
UNKNOWN_COLUMN = "NL-X103"
BAD_COLUMN = "NL-X104"
NOTHING = "NL-X105"
TOO_MANY = "NL-X106"
BAD_NETWORK = "NL-X107"
BAD_TRACE = "NL-X108"

#: ``(code, title, cause, action)``
CODES: list[tuple[str, str, str, str]] = [
    (
        NO_MATPLOTLIB,
        "Figures need matplotlib",
        "matplotlib is not installed; tables and the HTML report do without it.",
        "pip install 'netloom[plot]'.",
    ),
    (
        UNKNOWN_KIND,
        "Unknown kind of figure, layout or file",
        "The name is not one of those that can be drawn or written.",
        "Use one that the hint lists.",
    ),
    (
        UNKNOWN_COLUMN,
        "Unknown column",
        "The figure asks for a column that the table does not have.",
        "Use a column of the table; the hint proposes the nearest.",
    ),
    (
        BAD_COLUMN,
        "Column cannot be drawn",
        "The columns differ in length, or an axis of values holds something that is not a number.",
        "Give numbers, None where there is none, and as many in every column.",
    ),
    (NOTHING, "Nothing to draw", "No row has a value for the axis.", "Check the rows that the figure selects."),
    (
        TOO_MANY,
        "Too much for one picture",
        "More panels, series or cells than can be told apart.",
        "Filter the table, or use a facet.",
    ),
    (
        BAD_NETWORK,
        "Network cannot be drawn",
        "A link names a switch that does not exist, or an array does not have one value per switch.",
        "Give the arrays of one network.",
    ),
    (
        BAD_TRACE,
        "Trace cannot be drawn",
        "A trace or critical path lacks a column, or a column has another length, kind or range.",
        "Give what the simulation returned with trace=True.",
    ),
]
