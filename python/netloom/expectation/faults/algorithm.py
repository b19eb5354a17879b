"""Another algorithm of the catalogue than the log says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.registries import catalogue
from ...workload import DEFAULT
from ..sound import Way

if TYPE_CHECKING:
    from ..sound import Sound


def other_algorithm(sound: Sound) -> list[Way] | str:
    """Algorithms of the same collective that need no parameter, and those of libraries, for one curve of the log at a
    time."""
    known = [row["name"] for row in catalogue("collectives") if all(one["default"] for one in row["params"])]
    made = []
    for curve in sound.curves:
        collective, colon, own = curve.partition(":")
        bare = [name.partition(":")[2] for name in known if name.startswith(f"{collective}:")]
        for name in dict.fromkeys([*sound.usual(curve), *bare]) if colon else ():
            if name != own.partition("(")[0]:
                words = f"{collective} ran as {name}"
                made.append(Way(words if own == DEFAULT else f"{words}, not as {own}", {}, curve, name))
    return made or "the log has no collective"
