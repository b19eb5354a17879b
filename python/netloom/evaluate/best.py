"""The contest of all methods as an optimiser, so that a study can have it as an order."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ..base.errors import NetloomError
from ..plugin.classes import Optimiser
from .methods import no_counts

if TYPE_CHECKING:
    from ..scenario import Question, Search


class Best(Optimiser):
    """All methods propose mappings, and evaluators decide, as `netloom map` does.

    Parameters of a call: `swaps`, the moves of the methods that take them; `seed`, theirs too; `take`, the method whose
    mapping is taken in place of the best; `model`, a file of `netloom learn` that ranks mappings too. The finest rung
    that is affordable decides (packets, flows, or the loads of links), not an objective. Cost: see
    `netloom.evaluate.contest`.
    """

    name = "best"
    example = "best(swaps=1000)"
    takes_scenario: ClassVar[bool] = True

    def improve(  # type: ignore[override]
        self,
        bound: Question,
        free: bool,
        seconds: float | None,
        swaps: int | None = None,
        seed: int | None = None,
        take: str | None = None,
        model: str = "",
    ) -> Search:
        """The best mapping of the only job.

        Raises
        ------
        NetloomError
            `NL-A006` for `swaps` or `seed` that are no integer of at least 0, `NL-X010` for a method to take that does
            not exist or gave no mapping of its own, and what is wrong with the scenario.
        """
        from .contest import contest
        from .decision import require_method

        wrong = no_counts("best", swaps=swaps, seed=seed)
        if wrong:
            raise NetloomError(wrong)
        if take is None:
            return contest(bound, free, seconds, swaps, seed, model=model).search()
        require_method(str(take), "best.take")
        return contest(bound, free, seconds, swaps, seed, model=model).taking(str(take), "best.take").search()
