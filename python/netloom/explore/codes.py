"""The faults of the explorer; ``docs/reference/errors.md`` is generated from these rows."""

from __future__ import annotations

NOT_ASKED, TOO_LARGE, TOO_LONG, NO_PORT, BAD_NAME = "NL-X201", "NL-X202", "NL-X203", "NL-X204", "NL-X205"

#: ``(code, title, cause, action)``
CODES: list[tuple[str, str, str, str]] = [
    (
        NOT_ASKED,
        "Not a question for the explorer",
        "The page sent something that is no input of a scenario, or named a file that the command line did not.",
        "Give files on the command line: netloom explore FILE.",
    ),
    (
        TOO_LARGE,
        "Too large for the explorer",
        "The network has more endpoints than the explorer answers for while you wait.",
        "Choose a smaller network, or use netloom loads and netloom simulate.",
    ),
    (
        TOO_LONG,
        "Takes too long for the explorer",
        "The answer was not there within the time that a page waits.",
        "Run the command that the page shows, or choose fewer ranks.",
    ),
    (
        NO_PORT,
        "Port cannot be used",
        "Another program listens on it, or it needs more rights.",
        "Leave --port out, or choose another one.",
    ),
    (
        BAD_NAME,
        "Scenario cannot be saved under this name",
        "The name is no plain file name that ends in .toml, or a file of that name is there already.",
        "Choose another name.",
    ),
]
