"""Values of a scenario with the defaults of the evaluator that asks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..base.arguments import Arguments
from ..base.quantities import whole
from .scenario import Scenario
from .workshop import Progress, Workshop


class Inputs:
    """The values of one question, and what their resolution into objects shares.

    Parameters
    ----------
    defaults
        Of axes for which the evaluator has its own.
    progress
        Called with (done, total) by long work; may raise in order to stop it.
    """

    def __init__(
        self, scenario: Scenario, workshop: Workshop, progress: Progress, defaults: Mapping[str, object] | None = None
    ) -> None:
        self.scenario, self.workshop, self.progress = scenario, workshop, progress
        self._defaults = defaults or {}

    def value(self, axis: str) -> Any:
        """What the scenario or its machine says, or the default."""
        if axis in self._defaults and not self.scenario.says(axis):
            return self._defaults[axis]
        return self.scenario[axis]

    def text(self, axis: str) -> str:
        """An axis as text."""
        return str(self.value(axis))

    def integer(self, axis: str) -> int:
        """An axis as an integer; its range was checked before."""
        value = self.value(axis)
        number = whole(value) if isinstance(value, str) else None
        given = Arguments("scenario")
        number = given.integer(axis, value) if number is None else number
        given.done()
        return number
