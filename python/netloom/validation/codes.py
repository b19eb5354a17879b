"""The faults of validations and fits; ``docs/reference/errors.md`` is generated from these rows."""

from __future__ import annotations

TOO_FEW = "NL-V004"

#: ``(code, title, cause, action)``
CODES: list[tuple[str, str, str, str]] = [
    (
        TOO_FEW,
        "Too few measurements to fit",
        "There are fewer measurements that can be used than numbers to fit.",
        "Measure more sizes, algorithms and node counts.",
    ),
]
