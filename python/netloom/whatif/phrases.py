"""How parameters, shares and factors are written in sentences."""

from __future__ import annotations

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


def gained(factor: float) -> str:
    """``1.83 times``; ``nothing``; ``0.52 times, so it is worse``."""
    if factor < 1 / (1 + NOTHING):
        return f"{times(factor)} times, so it is worse"
    return "nothing" if factor < 1 + NOTHING else f"{times(factor)} times"
