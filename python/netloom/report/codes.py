"""The faults that a report can raise; ``docs/reference/errors.md`` is generated from these rows."""

from __future__ import annotations

BAD_SECTION = "NL-X111"
BAD_STUDY = "NL-X112"

#: ``(code, title, cause, action)``
CODES: list[tuple[str, str, str, str]] = [
    (
        BAD_SECTION,
        "Section of a report is not well formed",
        "A row is longer or shorter than the columns, a verdict is unknown, or a picture's name leaves its folder.",
        "Correct the section that the place names.",
    ),
    (
        BAD_STUDY,
        "Facts of a report are not well formed",
        "The facts that head a report are a mapping from words to plain values, with a title.",
        "Give at least a title.",
    ),
]
