"""The times of a table: all of them, or those that are worth it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ..base.ahead import Estimate, announced
from ..base.errors import NetloomError
from ..base.quantities import counted
from ..base.stopping import Stopped
from ..base.winner import MARGIN
from .budget import BUDGET_S
from .sparing import Contest, Reasons, Sparing
from .usable import estimate, not_here

if TYPE_CHECKING:
    from .budget import Effort
    from .clock import Taken

#: Of an algorithm that there was no time for.
OVER = "there was no time for it"
Progress = Callable[[int, int], object]


class Times(NamedTuple):
    """Times by size and algorithm, the sizes that have them, and why algorithms have none, or only some."""

    found: dict[tuple[int, str], Taken]
    sizes: list[int]
    why: Reasons


@dataclass(frozen=True)
class Allowance:
    """What may be left out of a table.

    Attributes
    ----------
    effort
        What its simulations take.
    spares
        Whether algorithms may be left out at all: nobody named them.
    margin, among, own
        As `Contest` has them.
    """

    effort: Effort
    spares: bool = False
    margin: float = MARGIN
    among: Sequence[AbstractSet[str]] = ()
    own: Callable[[int], str | None] = field(default=lambda size: None)

    @cached_property
    def is_short(self) -> bool:
        """Whether some are left out: all of them would take too long."""
        return self.spares and self.effort.exceeds(BUDGET_S)

    def estimate(self, usable: Mapping[str, float], sizes: Sequence[int]) -> Estimate:
        """Seconds and counts of what is simulated."""
        if self.is_short:
            counts = f"{counted(len(usable), 'algorithm')}, {counted(len(sizes), 'size')}"
            return Estimate(BUDGET_S, counts, "fewer sizes, or algorithms by their names")
        seconds = sum(self.effort.seconds(name, size) for name in usable for size in sizes)
        return estimate(usable, seconds, len(sizes))


def take(
    usable: Mapping[str, float],
    sizes: Sequence[int],
    per_byte: float,
    taken: Callable[[str, int], Taken],
    progress: Progress | None,
    allowance: Allowance | None,
) -> Times:
    """Times of algorithms, each with its messages, at sizes; none is faster than the seconds `per_byte`.

    Raises
    ------
    Stopped
        If the time is over before there is any.
    """
    said = Estimate() if allowance is None else allowance.estimate(usable, sizes)
    with announced(*said):
        if allowance is not None and allowance.is_short:
            # Where switches combine, another bound holds.
            bound = {name: 0.0 if ":in-network" in name else per_byte for name in usable}
            contest = Contest(list(usable), allowance.margin, bound, allowance.among, allowance.own)
            return _worth_it(Sparing(contest, sizes, allowance.effort, BUDGET_S), taken, progress)
        return _all(list(usable), sizes, taken, progress)


def _all(
    names: Sequence[str], sizes: Sequence[int], taken: Callable[[str, int], Taken], progress: Progress | None
) -> Times:
    found: dict[tuple[int, str], Taken] = {}
    left_out: dict[str, str] = {}
    steps = list(sizes)
    try:
        for number, size in enumerate(steps):
            for place, name in enumerate(names):
                if name not in left_out:
                    try:
                        found[size, name] = taken(name, size)
                    except NetloomError as error:
                        left_out[name] = not_here(error)
                if progress is not None:
                    progress(number * len(names) + place + 1, len(steps) * len(names))
    except Stopped:
        if not found:
            raise
        # Sizes with a time of each algorithm; if there is none, the algorithms with a time of the first.
        steps = steps[: max(number, 1)]
        left_out |= {name: OVER for name in names if name not in left_out and (steps[-1], name) not in found}
    return Times({key: one for key, one in found.items() if key[1] not in left_out}, steps, Reasons(left_out, {}, {}))


def _worth_it(sparing: Sparing, taken: Callable[[str, int], Taken], progress: Progress | None) -> Times:
    done = 0

    def told(sizes: int) -> None:
        nonlocal done
        done = sizes
        if progress is not None:
            progress(sizes, len(sparing.sizes))

    over = False
    try:
        sparing.run(taken, told)
    except Stopped:
        if not sparing.found:
            raise
        over = done == 0
        if not over:
            sparing.forget_unfinished()
    why = sparing.reasons()
    if over:
        have = {name for _, name in sparing.found}
        left_out = {name: OVER for name in sparing.contest.names if name not in have} | sparing.refused
        why = why._replace(left_out=left_out)
    found = {key: one for key, one in sparing.found.items() if key[1] not in sparing.refused}
    return Times(found, sparing.timed, why)
