"""The faults that layout and price can raise; ``docs/reference/errors.md`` is generated from these rows."""

from __future__ import annotations

BAD_VALUE = "NL-K001"
UNKNOWN_NAME = "NL-K002"
UNREADABLE = "NL-K003"
SHAPE = "NL-K004"
OUTSIDE = "NL-K005"
NO_CABLE = "NL-K006"
TOO_LARGE = "NL-K007"

#: ``(code, title, cause, action)``
CODES: list[tuple[str, str, str, str]] = [
    (
        BAD_VALUE,
        "Cost parameter of the wrong type or out of range",
        "A length, a price, a count or a seed is not a number in its range.",
        "Give a value in the stated range; lengths are metres, prices are US dollars.",
    ),
    (
        UNKNOWN_NAME,
        "Unknown name in a cost model",
        "No cost model, cabinet order or key of a cost model has this name.",
        "Use the name that the hint proposes; a model of your own is given by the path of its TOML file.",
    ),
    (
        UNREADABLE,
        "Cost model cannot be read",
        "The file is not TOML, or lacks a required key.",
        "Copy a model that netloom ships and change its numbers.",
    ),
    (
        SHAPE,
        "Arrays do not fit together",
        "Two arrays that describe the same cables or switches differ in length.",
        "Give one value per cable, or one for all.",
    ),
    (
        OUTSIDE,
        "Cable names a switch without a place",
        "A cable's end is not one of the switches that were laid out.",
        "Lay out as many switches as the network has.",
    ),
    (
        NO_CABLE,
        "No cable reaches that far",
        "Every medium of the cost model is shorter than a cable of this layout.",
        "Add a medium without max_m to the cost model, or place the cabinets closer.",
    ),
    (
        TOO_LARGE,
        "Layout too large",
        "More switches than a floor plan is made for.",
        "Lay out at most ten million switches.",
    ),
]
