"""Where a parameter stands in the scenario as written: what it says, what its machine says, or a default."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from ..base.errors import NetloomError
from ..evaluate import bound_of
from ..scenario import Calls, Workshop
from ..scenario.axes import TABLES
from ..scenario.parameters import is_parameter
from ..scenario.settings import OWN
from .calls import argument, parameters_of
from .parse import choice
from .varied import Listed, Unsaid, Value
from .work import COUNTS

if TYPE_CHECKING:
    from ..evaluate import Evaluator
    from ..scenario import Scenario
    from ..scenario.question import Question

#: Evaluators to whom a routing that is not given is the one of the network, and no other.
ROUTES_ITSELF = ("time", "packet")


class AsWritten:
    """The values of a scenario as an evaluator sees them, without anything varied.

    Notes
    -----
    A number of ranks that is not given costs a network; all else is read from texts.
    """

    def __init__(self, row: Evaluator, scenario: Scenario) -> None:
        self._row, self._scenario = row, scenario

    def of(self, key: str) -> Value | None:
        """What holds there; None where that is no value that can be written, or where nothing is known."""
        try:
            if is_parameter(key):
                return self._part(key)
            if key in OWN and self._row.axis("calibration") is not None:
                return _value(self._settings.get(OWN[key][1]))
            if key == "cores":
                return self._bound.site.cores
            return self._count(key) if key in COUNTS else _value(self._bound.value(key))
        except NetloomError:
            # The base run says what is wrong with the scenario.
            return None

    def meant(self, key: str) -> Value | None:
        """As `of`, but for `auto` what it stands for where an evaluator routes as the network does by itself."""
        said = self.of(key)
        if (key, said) != ("routing", "auto") or self._row.name not in ROUTES_ITSELF:
            return said
        try:
            return self._bound.site.routing_of()
        except NetloomError:
            return said

    def unchanged(self, key: str) -> Unsaid | None:
        """The choice to leave a key as it is; None where the scenario cannot be answered so."""
        said = self.of(key)
        if key in ("machine", "network") and not self._scenario["network"]:
            return None
        either = self._row.either
        if key in either and not any(self._scenario[name] for name in either if self._row.axis(name) is not None):
            return None
        if said in (None, "") and is_parameter(key) and argument(key, self._scenario) is None:
            return Unsaid("the default")
        return Unsaid("none given" if said == "" else "as written" if said is None else str(said))

    @cached_property
    def _bound(self) -> Question:
        return _bound(self._row, self._scenario)

    @cached_property
    def _settings(self) -> Mapping[str, object]:
        return self._bound.site.settings

    def _part(self, key: str) -> Value | None:
        start, _, name = key.partition(".")
        if start in TABLES:
            return _value(self._settings.get(name))
        if (said := _value(argument(key, self._scenario))) is not None:
            return said
        row = next((row for row in parameters_of(start, self._scenario) if row["name"] == name), None)
        if row is None or row.get("variadic"):
            return None
        if row["default"]:
            return choice(str(row["default"]))
        followed = row.get("follows")
        return self._part(f"{start}.{followed}") if followed is not None else None

    def _count(self, key: str) -> Value | None:
        """A number of ranks, nodes or ranks on each, also where it is `all` that there are."""
        bound = self._bound
        if key == "ranks":
            found = bound.ranks
        else:
            on = bound.place.on_nodes
            nodes, each = on or (bound.site.most_nodes, bound.site.nodes.most_each(bound.site.cores))
            found = nodes if key == "nodes" else each
        if bound.value(key) == found:
            return found
        # Only if the ranks are the same with that number in the scenario.
        again = _bound(self._row, self._scenario.but(**{key: found}))  # type: ignore[arg-type]
        return found if again.ranks == bound.ranks else None


def _bound(row: Evaluator, scenario: Scenario) -> Question:
    return bound_of(row, scenario, Workshop(Calls(scenario.folder)), lambda done, total: None)


def _value(said: object) -> Value | None:
    if isinstance(said, list):
        return Listed(said)
    return said if isinstance(said, (str, int, float)) else None
