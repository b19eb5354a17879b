"""Another algorithm of the catalogue than the log says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.registries import catalogue
from ...validation.predict import DEFAULT
from ..sound import Way

if TYPE_CHECKING:
    from ..sound import Sound


def other_algorithm(sound: Sound) -> list[Way] | str:
    """Every algorithm of the same collective that needs no parameter, for one workload of the log at a time."""
    names = [row["name"] for row in catalogue("collectives") if all(one["default"] for one in row["params"])]
    made = []
    for curve in sound.curves:
        collective, colon, own = curve.partition(":")
        for name in names if colon else ():
            start, _, algorithm = name.partition(":")
            if start == collective and algorithm != own.partition("(")[0]:
                words = f"{collective} ran as {algorithm}"
                made.append(Way(words if own == DEFAULT else f"{words}, not as {own}", {}, curve, algorithm))
    return made or "the log has no collective"
