"""How parameters, shares and factors are written in sentences."""

from __future__ import annotations

import math

from ..plot.style import words_of
from .knees import NOTHING


def called(name: str) -> str:
    """A parameter in words; one of a call as it is. What is counted in a second keeps its unit: it is all of the name.

    >>> called("size_bytes"), called("flops_per_s"), called("network.p")
    ('size', 'flops per second', 'network.p')
    """
    if "." in name:
        return name
    words = words_of(name)
    return f"{words} second" if words.endswith(" per") else words


def capital(text: str) -> str:
    """With a capital letter, but for a parameter of a call."""
    return text if "." in text.split(" ")[0] else text[:1].upper() + text[1:]


def whole(share: float) -> str:
    """``34 %``."""
    return f"{100 * share:.0f} %"


def number(value: float) -> str:
    """An index, or a share of the variance."""
    return f"{value:.2f}"


def times(factor: float) -> str:
    """``1.83``, ``12.4``."""
    return f"{factor:.3g}" if factor >= 10 else f"{factor:.2f}".rstrip("0").rstrip(".")


def gained(factor: float, nothing: float = NOTHING) -> str:
    """``1.83 times``; ``nothing``; ``0.52 times, so it is worse``."""
    if factor < 1 / (1 + nothing):
        return f"{times(factor)} times, so it is worse"
    return "nothing" if factor < 1 + nothing else f"{times(factor)} times"


def within(share: float) -> str:
    """``2 %``, ``4.1 %``: a share rounded up, so that what is less than it is less than what is written."""
    return f"{math.ceil(1000 * share - 1e-9) / 10:g} %"


def gives_nothing(nothing: float = NOTHING) -> str:
    """``gives nothing (less than 2 %)``; of runs that may be off by more ``gives nothing sure (...)``."""
    if nothing <= NOTHING:
        return f"gives nothing (less than {within(nothing)})"
    return f"gives nothing sure (less than {within(nothing)}, by which these runs may be off)"
