"""Lists of message sizes: `256B:1MiB` for powers of two, `4,64,1KiB` for these."""

from __future__ import annotations

from collections.abc import Sequence

from .errors import Fault, NetloomError
from .quantities import parse_bytes

#: More sizes than this are a mistake, and cost accordingly.
LIMIT = 64
_EXAMPLE = 'for example "256B:1MiB" or "4,64,1KiB"'


def parse_sizes(text: str | Sequence[int | str], place: str = "sizes") -> list[int]:
    """Ascending sizes in bytes, each once.

    Parameters
    ----------
    text
        A range of two sizes (its first times every power of two up to its second), sizes with commas, or a sequence.

    Raises
    ------
    NetloomError
        `NL-D002` if it is neither, is empty, or holds more than 64 sizes; `NL-A008` for what is no size.
    """
    if isinstance(text, str):
        first, colon, last = text.partition(":")
        if colon:
            return _doubling(parse_bytes(first, place), parse_bytes(last, place), text, place)
        text = [part for part in text.split(",") if part.strip()]
    if not isinstance(text, Sequence) or not 0 < len(text) <= LIMIT:
        raise NetloomError([Fault("NL-D002", place, f"1 to {LIMIT} sizes", repr(text), _EXAMPLE)])
    return sorted({parse_bytes(part, place) for part in text})


def _doubling(first: int, last: int, text: str, place: str) -> list[int]:
    if not 0 < first <= last:
        raise NetloomError([Fault("NL-D002", place, "a range from a smaller size > 0 to a larger", text, _EXAMPLE)])
    sizes = []
    while first <= last:
        sizes.append(first)
        first *= 2
    return sizes
