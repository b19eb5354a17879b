"""Text into HTML, data into script: every character of the user's stays text."""

from __future__ import annotations

import html
import json
import math
import re

from ..base.errors import printable

_CODE = re.compile(r"`([^`\n]+)`")


def escape(value: object) -> str:
    """`value` as text that is safe in an element and in a quoted attribute; other control characters are shown."""
    return html.escape(printable(str(value), kept="\n\t"), quote=True)


def embed(value: object) -> str:
    """JSON that is safe inside a ``script`` element: no ``<``, ``>``, ``&`` or line separator appears in it unescaped.

    Numbers that JSON does not have (NaN, infinities) must not be in `value`: ValueError.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    # A lone surrogate cannot be written as UTF-8.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def paragraphs(body: str) -> str:
    """Paragraphs, lists and code of :class:`netloom.report.Text`."""
    out = []
    for block in re.split(r"\n\s*\n", body.strip()):
        lines = block.split("\n")
        plain = [line for line in lines if not line.lstrip().startswith("- ")]
        items = [line.lstrip()[2:] for line in lines if line.lstrip().startswith("- ")]
        if plain:
            out.append(f"<p>{inline(' '.join(plain))}</p>")
        if items:
            out.append("<ul>" + "".join(f"<li>{inline(item)}</li>" for item in items) + "</ul>")
    return "\n".join(out)


def number(value: object) -> str:
    """A cell: six significant digits or all before the point, an en dash where nothing is known."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)) and 1e6 <= abs(value) < 1e15:
        return f"{value:,.0f}"
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)


def inline(text: str) -> str:
    """Text in which `` `words` `` are code."""
    return _CODE.sub(r"<code>\1</code>", escape(text))
