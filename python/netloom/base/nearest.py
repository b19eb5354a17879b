"""The valid name that a wrong one was probably meant to be."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

#: Candidates that are looked at, and characters of one: a file may have a million of them, or very long ones.
_MOST, _LONGEST = 2000, 100


def did_you_mean(word: str, candidates: Iterable[str], listing: str = "") -> str:
    """`did you mean "x"?`, or `listing: a, b, c` if nothing is near."""
    # Imported only for an unknown name.
    import difflib

    # Its cost is their number times the product of the lengths.
    known = list(dict.fromkeys(islice(candidates, _MOST)))
    lower = {name.lower(): name for name in known if len(name) <= _LONGEST}
    close = difflib.get_close_matches(word.lower(), lower, n=1) if len(word) <= _LONGEST else []
    if close:
        return f'did you mean "{lower[close[0]]}"?'
    starts = [name for name in known if len(word) >= 3 and name.lower().startswith(word.lower())]
    if starts:
        return f'did you mean "{starts[0]}"?'
    shown = [name if len(name) <= _LONGEST else f"{name[:80]}..." for name in known[:30]]
    between = "; " if any(", " in name for name in shown) else ", "
    more = ["..."] if len(known) > len(shown) else []
    return f"{listing or 'known'}: {between.join(shown + more)}" if known else ""
