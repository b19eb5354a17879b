"""How the computation between calls grows: by its own law where that holds exactly, else as all of it does."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from .law import Law, fitted, is_fit
from .loops import turns

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .grid import Grid
    from .growth import Grown, Growth

#: Relative difference of what follows a law exactly, and of what is measured and still follows one.
EXACT, MEASURED = 1e-6, 0.1


class Computing:
    """Operations, or seconds, of a whole recording.

    Parameters
    ----------
    what
        "flops" or "seconds".
    """

    def __init__(self, growth: Growth, what: str) -> None:
        self.what, self.target = what, growth.target
        self.grids = [one.grid for one in growth.patterns]
        sums = [sum(float(getattr(some, what).sum()) for some in one.some) / one.grid.size for one in growth.patterns]
        self.is_constant = growth.sizes.is_constant
        self.is_any = any(sums)
        self.law, self.factor = Law("as recorded", sums[-1], 0.0, lambda grid: 1.0, False), 1.0
        self.is_exact, self.is_fit = True, True
        self.known: dict[tuple[float, ...], Law | None] = {}
        if self.is_constant or not self.is_any:
            return
        tokens = [one for some in growth.kinds.values() for part in some for one in _all(part.tokens)]
        self.is_exact = all(self._law(self._grids(one), getattr(one, what)) is not None for one in tokens)
        laws = fitted(self.grids, sums, MEASURED, is_rounded=False) if min(sums) > 0 else []
        if not laws:
            self.is_fit = False
            return
        # Noise makes several fit: the nearest one is taken.
        self.law = min(laws, key=lambda law: law.residual)
        self.is_fit = is_fit([self.law], self.grids, sums, MEASURED)
        last = self._last(growth)
        self.factor = self.law.at(self.target) * self.target.size / last if last else 1.0

    def _last(self, growth: Growth) -> float:
        """What all ranks of the target would compute, each call what it does in the largest recording."""
        ranks = self.target.kinds(growth.patterns[0].scheme)
        total = 0.0
        for kind, parts in growth.kinds.items():
            for part in parts:
                times = part.times(self.target) * len(ranks.get(kind, ()))
                total += times * sum(self._of(one) for one in part.tokens)
        return total

    def _of(self, one: Grown) -> float:
        if not one.body:
            return float(getattr(one, self.what)[-1])
        loop = next(inner.token.loop for inner in one.body if inner.token.loop is not None)
        return turns(loop, self.target) * sum(self._of(inner) for inner in one.body)

    def _grids(self, one: Grown) -> list[Grid]:
        return self.grids[-len(getattr(one, self.what)) :]

    def _law(self, grids: Sequence[Grid], values: Sequence[float]) -> Law | None:
        if not any(values):
            return Law("constant", 0.0, 0.0, lambda grid: 1.0, False)
        if len(values) < len(self.grids) or min(values) <= 0:
            return None
        if (key := tuple(values)) not in self.known:
            laws = fitted(grids, values, EXACT, is_rounded=False)
            self.known[key] = laws[0] if is_fit(laws, grids, values, EXACT) else None
        return self.known[key]

    def at(self, one: Grown) -> float:
        """What a token computes at the target."""
        values = getattr(one, self.what)
        if self.is_constant or not self.is_any:
            return float(values[-1])
        law = self._law(self._grids(one), values) if self.is_exact else None
        return law.at(self.target) if law is not None else float(values[-1]) * self.factor

    def text(self) -> str:
        """Its law."""
        return "each by its own law, exactly" if self.is_exact and not self.is_constant else self.law.name

    @property
    def residual(self) -> float:
        """Of the sum."""
        return 0.0 if self.is_exact or not math.isfinite(self.law.residual) else self.law.residual


def _all(tokens: Sequence[Grown]) -> Iterator[Grown]:
    for one in tokens:
        yield one
        yield from _all(one.body)
