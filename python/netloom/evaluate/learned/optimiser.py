"""The ranking of a model as an optimiser, so that `netloom map` and a study can have it as an order."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ...base.errors import Fault, NetloomError
from ...plugin.classes import Optimiser
from ...scenario.search import Search
from ..methods import no_counts
from ..rungs import rung

if TYPE_CHECKING:
    from ...scenario import Question
    from .ranking import Ranked, Ranking

PS = 1e12


class Learned(Optimiser):
    """Many mappings are ranked by a model of `netloom learn`; a few of them are simulated, and the best is taken.

    Parameters of a call: `model`, the file; `swaps`, how many mappings are ranked (2,000); `seed` of their draws;
    `extrapolate`, also those unlike what the model was learned on. Cost: link loads for each mapping.
    """

    name = "learned"
    example = 'learned(model="halo.model")'
    takes_scenario: ClassVar[bool] = True

    def improve(  # type: ignore[override]
        self,
        bound: Question,
        free: bool,
        seconds: float | None,
        model: str = "",
        swaps: int | None = None,
        seed: int = 1,
        extrapolate: bool = False,
    ) -> Search:
        """The best of those that were simulated; the first of the ranking where none was.

        Raises
        ------
        NetloomError
            `NL-A006` for `swaps` or `seed` that are no integer of at least 0, `NL-X010` for other endpoints than those
            of the start, and what the model reports.
        """
        from .predictor import Predictor
        from .ranking import TRIED, rank

        wrong = no_counts("learned", swaps=swaps, seed=seed)
        if free:
            hint = "leave it out: the mappings that are ranked have the endpoints of the start"
            wrong.append(Fault("NL-X010", "--free", "is without effect on a ranking", "", hint))
        if wrong:
            raise NetloomError(wrong)
        found = rank(bound, Predictor(bound, model, extrapolate), TRIED if swaps is None else swaps, seconds, seed)
        return _search(found)


def _search(found: Ranking) -> Search:
    """The result, in picoseconds of the rung that decided."""
    by = rung(found.by or "learned")
    best, start = found.best, found.start

    def number(one: Ranked) -> int:
        time_s = one.simulated_s if found.by else one.predicted_s
        return round((time_s or 0.0) * PS) if time_s == time_s else 0

    return Search(
        best.drawn.slots, number(best), number(start), None, len(found.ranked) + found.refused, None, [], "learned",
        by.decided_by, tuple(_sentences(found)), found.facts(),
    )  # fmt: skip


def _sentences(found: Ranking) -> list[str]:
    """How many were ranked, and how the ranking agrees with simulated times."""
    said = [f"{len(found.ranked):,} mappings ranked, {found.refused:,} unlike what the model was learned on"]
    if (tau := found.correlation) is not None:
        words = rung(found.by).words
        said.append(f"{len(found.checked)} of them simulated by {words}: rank correlation {tau:.2f} (Kendall's tau-b)")
    else:
        said.append("none was simulated: what the model says is not checked")
    if found.by and found.best is found.start:
        said.append("none of them is faster: the start is kept")
    return [*said, *found.notes]
