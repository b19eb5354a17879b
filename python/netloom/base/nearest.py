"""The valid name that a wrong one was probably meant to be."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(word: str, candidates: Iterable[str], listing: str = "") -> str:
    """`did you mean "x"?`, or `listing: a, b, c` if nothing is near."""
    # Imported only for an unknown name.
    import difflib

    known = list(dict.fromkeys(candidates))
    lower = {name.lower(): name for name in known}
    close = difflib.get_close_matches(word.lower()[:100], lower, n=1)
    if close:
        return f'did you mean "{lower[close[0]]}"?'
    starts = [name for name in known if len(word) >= 3 and name.lower().startswith(word.lower())]
    if starts:
        return f'did you mean "{starts[0]}"?'
    shown = known[:30]
    return f"{listing or 'known'}: {', '.join(shown)}{', ...' if len(known) > 30 else ''}" if known else ""
