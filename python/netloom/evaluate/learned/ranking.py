"""Many mappings ranked by a model, and a few of them simulated: how good the ranking is, and which one to take."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...base.threads import wanted
from ...learning import kendall_tau_b
from ..candidates import Candidate
from ..mapped import measured
from ..methods import Watch
from ..rungs import of_mappings
from .drawing import Drawing, Drawn, start_of
from .predictor import Predictor

if TYPE_CHECKING:
    from ...scenario import Question

#: Mappings that are rated if nobody says how many, and together.
TRIED, TOGETHER = 2000, 50
#: Share of them that is drawn anew; the best ones, of which the others are changes.
ANEW, ELITE = 0.25, 16
#: Of the ranked ones, the first that are simulated, and others at equal distances to the last.
FIRST, OTHERS = 3, 4


@dataclass(eq=False)
class Ranked:
    """A mapping with what the model says of it, and its simulated time where there is one."""

    drawn: Drawn
    predicted_s: float
    low_s: float
    high_s: float
    simulated_s: float | None = None


@dataclass(frozen=True)
class Ranking:
    """What was ranked.

    Attributes
    ----------
    ranked
        Mappings by rising predicted time, the start among them where it could be predicted.
    start
        As given, perhaps without a prediction.
    refused
        Mappings outside of what the model was learned on.
    by
        The rung that simulated a few of them; empty if none did.
    """

    ranked: list[Ranked]
    start: Ranked
    refused: int
    by: str
    notes: list[str]

    @property
    def checked(self) -> list[Ranked]:
        """Those that were predicted and simulated."""
        return [one for one in self.ranked if one.simulated_s is not None]

    @property
    def best(self) -> Ranked:
        """The least simulated time; the least predicted one where nothing was simulated; the start if none is less."""
        known = self.checked
        if not known:
            return self.ranked[0] if self.ranked else self.start
        return min([self.start, *known], key=lambda one: (one.simulated_s or 0.0, one is not self.start))

    @property
    def correlation(self) -> float | None:
        """Kendall's tau-b between predicted and simulated times; None for fewer than three."""
        known = self.checked
        if len(known) < 3:
            return None
        times = np.array([(one.simulated_s, one.predicted_s) for one in known], dtype=float)
        found = kendall_tau_b(times[:, 0], times[:, 1])
        return found if np.isfinite(found) else None

    def facts(self) -> dict[str, object]:
        """As JSON."""
        rows = [{"predicted_s": one.predicted_s, "simulated_s": one.simulated_s} for one in self.checked]
        return {
            "ranked": len(self.ranked),
            "refused": self.refused,
            "simulated_by": self.by or None,
            "kendall_tau_b": self.correlation,
            "checked": rows,
        }


def rank(
    bound: Question, predictor: Predictor, tried: int = TRIED, seconds: float | None = None, seed: int = 1,
    simulate: bool = True,
) -> Ranking:  # fmt: skip
    """Ranks mappings of the only job of a scenario.

    Parameters
    ----------
    tried
        Mappings that are rated, with the start: drawn ones first, then changes of the best.
    seconds
        Time budget; the result then depends on the speed of this computer.
    simulate
        Whether a few of them are simulated: the start, the first, and others at equal distances.

    Notes
    -----
    Cost: `tried` evaluations of link loads on all threads, and the simulations.
    """
    watch, given = Watch(seconds), start_of(bound)
    drawing, notes = Drawing(given, seed), list(predictor.notes)
    with ThreadPoolExecutor(wanted()) as pool:
        (start,) = made = _rated(predictor, [given], pool)
        done = len(made)
        while done < tried and watch.left > Watch.RATING * (seconds or 0.0):
            batch = _drawn(drawing, _known(made), min(TOGETHER, tried - done), done < ANEW * tried)
            if not batch:
                notes.append(f"there are no more than {done} mappings of this kind")
                break
            made += _rated(predictor, batch, pool)
            done = len(made)
            bound.progress(done, tried)
    ranked = _known(made)
    by = _simulated(bound, start, ranked, watch, notes) if simulate else ""
    return Ranking(ranked, start, len(made) - len(ranked), by, notes)


def _known(made: list[Ranked]) -> list[Ranked]:
    """Those with a prediction, the least one first."""
    return sorted((one for one in made if one.predicted_s == one.predicted_s), key=lambda one: one.predicted_s)


def _rated(predictor: Predictor, batch: list[Drawn], pool: ThreadPoolExecutor) -> list[Ranked]:
    """What the model says of them; NaN of those that it refuses."""
    found = predictor.predict(np.array(list(pool.map(lambda one: predictor.features(one.slots), batch))))
    numbers = zip(batch, found.values.tolist(), found.low.tolist(), found.high.tolist(), strict=True)
    return [Ranked(*each) for each in numbers]


def _drawn(drawing: Drawing, ranked: list[Ranked], number: int, anew: bool) -> list[Drawn]:
    """The next mappings: drawn anew, or changes of the best; none where all that are drawn are known."""
    made: list[Drawn | None] = []
    if anew or not ranked:
        made = [drawing.anew() for _ in range(number)]
    if not any(made) and ranked:
        made = [drawing.changed(ranked[at % min(ELITE, len(ranked))].drawn) for at in range(number)]
    return [one for one in made if one is not None]


def _simulated(bound: Question, start: Ranked, ranked: list[Ranked], watch: Watch, notes: list[str]) -> str:
    """Simulates a few by the finest rung that there is time for, and names it."""
    last = len(ranked) - 1
    others = [FIRST + (last - FIRST) * step // OTHERS for step in range(1, OTHERS + 1)] if last > FIRST + OTHERS else []
    chosen = [start, *(one for one in (*ranked[:FIRST], *(ranked[at] for at in others)) if one is not start)]
    slots = [one.drawn.slots for one in chosen]
    rivals = [Candidate("", each, measured(bound, each, notes, ("hops",))) for each in slots]
    for finer in reversed([one for one in of_mappings() if one.simulated]):
        if finer.affordable is not None and not finer.affordable(bound, rivals, watch):
            continue
        for one, each in zip(chosen, slots, strict=True):
            found = measured(bound, each, notes, (finer.name,)).get(finer.decides)
            one.simulated_s = None if found is None else float(found)
        if start.simulated_s is not None:
            return finer.name
    return ""
