"""A model between link loads and simulated time, in a contest of mappings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.errors import NetloomError
from .predictor import Predictor
from .ranking import TRIED, rank

if TYPE_CHECKING:
    from ...base.arrays import Endpoints
    from ...scenario import Question
    from ..methods import Watch

#: Of the mapping that a model ranks first: its name, and its share of a budget.
LEARNED, SHARE = "learned", 0.3
#: Mappings that are ranked without a budget.
FEW = 500


class Ladder:
    """What a model says of the mappings of a contest, and the one that it ranks first.

    Raises
    ------
    NetloomError
        As of `Predictor`.
    """

    def __init__(self, bound: Question, model: str) -> None:
        self._bound, self._predictor = bound, Predictor(bound, model)

    def predicted_s(self, slots: Endpoints) -> float | None:
        """The predicted time of a mapping; None of one unlike what was learned."""
        try:
            found = self._predictor.predict(self._predictor.features(slots)[None, :])
        except NetloomError:
            return None
        return None if found.refused else float(found.values[0])

    def first(self, watch: Watch, swaps: int | None, seed: int | None) -> tuple[Endpoints | None, str]:
        """The mapping that it ranks first, or None and the reason."""
        budget_s = watch.part(SHARE)
        tried = swaps if swaps is not None else TRIED if budget_s is not None else FEW
        found = rank(self._bound, self._predictor, tried, budget_s, 1 if seed is None else seed, simulate=False)
        if not found.ranked:
            return None, f"all of {found.refused:,} mappings are unlike what the model was learned on"
        return found.ranked[0].drawn.slots, ""
