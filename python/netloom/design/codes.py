"""Faults of `netloom design`; `docs/reference/errors.md` is generated from these rows."""

from __future__ import annotations

BAD_SETTING = "NL-Z001"
BAD_MIX = "NL-Z002"
UNKNOWN_FAMILY = "NL-Z003"
BAD_CATALOGUE = "NL-Z004"
NO_CANDIDATE = "NL-Z005"
OVER_BUDGET = "NL-Z006"

#: ``(code, title, cause, action)``
CODES: list[tuple[str, str, str, str]] = [
    (
        BAD_SETTING,
        "Setting of a design out of range",
        "The number of endpoints, the budget, a range of ports or a number of failures is not one that it takes.",
        "Use a value of the range that the message names.",
    ),
    (
        BAD_MIX,
        "Mix of workloads cannot be used",
        "A weight is no number of 0 or more, all weights are 0, or a workload stands there twice.",
        "Write WORKLOAD=WEIGHT with weights of 0 or more, one of them above 0.",
    ),
    (
        UNKNOWN_FAMILY,
        "Unknown family of networks",
        "No family that is designed has this name.",
        "Use the name that the hint proposes.",
    ),
    (
        BAD_CATALOGUE,
        "Catalogue of parts cannot be used",
        "The file is not TOML, lacks a price, a source or a date, has a key that nothing uses, or no cable of a speed.",
        "Copy the catalogue that `netloom design --show-catalogue` prints and change its numbers.",
    ),
    (
        NO_CANDIDATE,
        "No network has that number of endpoints",
        "No family reaches that number with a switch of the catalogue, or none of those can run the workloads.",
        "Ask for fewer endpoints, other families, or switches with more ports.",
    ),
    (
        OVER_BUDGET,
        "Budget below the cheapest network",
        "Every candidate costs more than the budget.",
        "Give the budget that the message names, or more.",
    ),
]
