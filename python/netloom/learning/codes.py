"""Faults of learning; `docs/reference/errors.md` is generated from these rows."""

from __future__ import annotations

BAD_TABLE = "NL-Q001"
BAD_COLUMN = "NL-Q002"
TOO_FEW = "NL-Q003"
MIXED = "NL-Q004"
BAD_SETTING = "NL-Q005"
FOREIGN = "NL-Q006"
OUTSIDE = "NL-Q007"
UNASKABLE = "NL-Q008"

#: ``(code, title, cause, action)``
CODES: list[tuple[str, str, str, str]] = [
    (
        BAD_TABLE,
        "Table of samples cannot be read",
        "It is neither CSV with a line of names nor Parquet, names a column twice, or has lines of another length.",
        "Give a table of a study, or your own with one row for each sample.",
    ),
    (
        BAD_COLUMN,
        "Column cannot be learned from",
        "It is not there, has text or holes where numbers are needed, or is the same in all rows.",
        "Name other columns with --features and --target, or leave rows out with --where.",
    ),
    (
        TOO_FEW,
        "Too few samples",
        "Each part of the rows, for training, for testing and held out, needs some.",
        "Give more rows, or a smaller share to --test and --held-out.",
    ),
    (
        MIXED,
        "Samples of different machines or workloads in one table",
        "A column that says where samples are from has several values.",
        "Choose some with --where COLUMN=VALUE, or say --mixed where one model is to hold for all.",
    ),
    (
        BAD_SETTING,
        "Setting of a learner out of range",
        "A share, a count, a quantile or a loss is not one that the learner takes.",
        "Use a value of the range that the message names.",
    ),
    (
        FOREIGN,
        "File is no model of netloom learn",
        "It was made by something else, was changed since, or by another version of the format.",
        "Make it again with netloom learn TABLE --target COLUMN -o FILE.",
    ),
    (
        OUTSIDE,
        "Samples outside of what a model was learned on",
        "A feature lies beyond its range in the training rows, or the machine is another one.",
        "Learn on rows that cover it, or take the wider interval of --extrapolate.",
    ),
    (
        UNASKABLE,
        "Model cannot be asked about a mapping",
        "None was named, it predicts something other than a time, or it needs features that only packets tell.",
        "Learn a time from features of link loads, and name the file.",
    ),
]
