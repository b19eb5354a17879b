"""What a notebook shows of an object: a few words of HTML, with all that comes from outside escaped."""

from __future__ import annotations

import html
from collections.abc import Mapping

from .errors import printable


def escaped(value: object) -> str:
    """Text for HTML; control characters are written out."""
    return html.escape(printable(str(value)))


def facts(rows: Mapping[str, object]) -> str:
    """A table of two columns."""
    lines = (
        f"<tr><th style='text-align:left'>{escaped(name)}</th><td style='text-align:left'>{escaped(value)}</td></tr>"
        for name, value in rows.items()
    )
    return f"<table>{''.join(lines)}</table>"
