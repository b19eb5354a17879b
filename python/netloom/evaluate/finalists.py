"""The few mappings that are left of a contest, rated by rungs finer than flows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .candidates import Candidate, rated
from .mapped import measured
from .methods import Watch
from .rungs import finer

if TYPE_CHECKING:
    from ..scenario import Question

#: Finalists in addition to the start.
FINALISTS = 2
#: Finer rungs do not turn round what flows tell apart by more than this share.
CLEAR = 0.1


def by_finer(bound: Question, found: list[Candidate], watch: Watch, notes: list[str]) -> None:
    """The numbers of finer rungs for the start and the best by flows, where they are quick."""
    timed = [one for one in found if one.worth["time_s"] is not None]
    if timed[:1] != found[:1] or len(timed) < 2:
        return
    ahead = sorted(timed[1:], key=lambda one: rated(one, "time_s"))[:FINALISTS]
    open_ = [one for one in ahead if rated(one, "time_s") <= (1 + CLEAR) * rated(ahead[0], "time_s")]
    finalists = [found[0], *open_]
    for at in finer():
        if at.affordable is None or at.affordable(bound, finalists, watch):
            for one in finalists:
                one.worth |= {at.decides: measured(bound, one.slots, notes, (at.name,)).get(at.decides)}
