"""What the simulations of a collective are thought to take, and the least time that each can show, from counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from .. import _core
from ..base.errors import NetloomError
from ..evaluate import core
from ..evaluate.ahead import flow_s, messages_of
from .bandwidth import BLOCKS
from .least import Least
from .reorder import SUFFIX, split

if TYPE_CHECKING:
    from ..scenario import Question
    from ..workload import Workload

#: Seconds that all simulations of a collective may be thought to take.
BUDGET_S = 60.0
#: How many times over the seconds simulations of all ranks may be for it to be asked whether folding spares that.
FAR = 10.0
#: Seconds from which it is asked how many of the ranks are simulated.
WORTH_S = 0.5
#: Seconds of a rank before anything is simulated, of a message in a list that is read; ranks with which a message
#: takes twice as long. Measured in November 2026 on two cores, at 4,096 to 65,536 ranks.
RANK_S, LISTED_S, WIDE = 2e-5, 7e-7, 32_000
#: How much longer rounds take whose messages differ by a byte: they end apart.
UNEVEN = 5.0


@dataclass
class Effort:
    """What it takes to simulate algorithms at sizes.

    Attributes
    ----------
    loads
        Schedule of each algorithm at the largest size; without those that cannot be built: whoever times them says why.

    Notes
    -----
    Cost: each schedule is built once; O(ranks) for each question, but for folding, which reads the schedule.
    """

    bound: Question
    sizes: Sequence[int]
    loads: Mapping[str, Workload]

    @classmethod
    def of(cls, bound: Question, names: Sequence[str], sizes: Sequence[int]) -> Effort:
        """Of algorithms at some sizes."""
        made = {name: _built(bound, name, sizes[-1]) for name in names}
        loads = {name: load for name, load in made.items() if load is not None}
        return cls(bound, sizes, loads)

    @cached_property
    def messages(self) -> dict[str, float]:
        """Of each algorithm that can be built, at a size."""
        return {name: messages_of(load) for name, load in self.loads.items()}

    @cached_property
    def jumps(self) -> list[int]:
        """Bytes from which messages wait for their receivers."""
        settings = self.bound.site.settings
        names = ("sender_returns_below_bytes", "starts_early_below_bytes")
        return [int(str(settings[name])) for name in names]

    @property
    def all_s(self) -> float:
        """Seconds of all algorithms at all sizes, at most: nothing is thought to fold."""
        return sum(self.most_s(name, size) for name in self.loads for size in self.sizes)

    def exceeds(self, budget_s: float) -> bool:
        """Whether all algorithms at all sizes are thought to take longer."""
        if not budget_s < self.all_s < FAR * budget_s:
            return self.all_s > budget_s
        return sum(self.seconds(name, size) for name in self.loads for size in self.sizes) > budget_s

    def seconds(self, name: str, size: int) -> float:
        """Of one simulation; ranks that behave alike are simulated once."""
        load = self.loads.get(name)
        if load is None:
            return 0.0
        plain, less = self.most_s(name, size), self._fixed_s(load)
        if plain - less <= WORTH_S or self._is_uneven(load, size) or not isinstance(load, _core.Schedule):
            return plain
        return less + (plain - less) * self._share(name)

    def least_s(self, name: str, size: int) -> float:
        """Seconds that the algorithm takes at least."""
        load = self.loads.get(name)
        if not isinstance(load, _core.Schedule) or not load.is_cyclic:
            return 0.0
        if self.same(name, size) == self.same(name, self.sizes[-1]):
            return self._least.of(load, size)
        # The library runs it in another way at other sizes.
        made = _built(self.bound, name, size)
        return 0.0 if made is None else self._least.of(made, size)

    def guess_s(self, name: str, size: int) -> float:
        """Seconds that the algorithm may take, to sort by."""
        load = self.loads.get(name)
        return 0.0 if load is None else self._least.guess(load, size)

    def same(self, name: str, size: int) -> str:
        """The call as it is run at a size: algorithms with one call are one."""
        plain, turned = split(name)
        return self.bound.chosen.call(plain, self.bound.ranks, size) + SUFFIX * turned

    def most_s(self, name: str, size: int) -> float:
        """Of one simulation where all ranks are simulated."""
        load = self.loads.get(name)
        if load is None:
            return 0.0
        wide = 1 + self.bound.ranks / WIDE
        each = UNEVEN if self._is_uneven(load, size) else 1.0
        return self._fixed_s(load) + flow_s(load, self.bound.ranks) * wide * each

    def _fixed_s(self, load: Workload) -> float:
        listed = isinstance(load, _core.Schedule) and not load.is_cyclic
        return RANK_S * self.bound.ranks + LISTED_S * messages_of(load) * listed

    def _is_uneven(self, load: Workload, size: int) -> bool:
        """Whether rounds cut a vector into parts that are not alike."""
        if not isinstance(load, _core.Schedule) or not load.is_cyclic or load.collective in BLOCKS:
            return False
        return size % load.ranks > 0 and load.most_bytes < load.messages * load.size_bytes

    def _share(self, name: str) -> float:
        if name not in self._shares:
            try:
                self._shares[name] = _core.simulated_share(core.several(self.bound, [self.loads[name]]))
            except NetloomError:
                # Whoever times it says why.
                self._shares[name] = 1.0
        return self._shares[name]

    @cached_property
    def _least(self) -> Least:
        return Least(self.bound)

    @cached_property
    def _shares(self) -> dict[str, float]:
        return {}


def _built(bound: Question, name: str, size: int) -> Workload | None:
    try:
        return bound.work.of(split(name)[0], bound.ranks, bound.integer("root"), size, "algorithms")
    except NetloomError:
        return None
