"""Text for tables in Markdown."""

from __future__ import annotations


def cell(text: object) -> str:
    """On one line, without what would end the cell."""
    return " ".join(str(text).replace("|", "\\|").split())
