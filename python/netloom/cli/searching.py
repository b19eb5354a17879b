"""Options of `netloom map` that say how a better order of ranks is searched for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from ..base.errors import NetloomError
from .options import integer, number, refused, together

if TYPE_CHECKING:
    from ..evaluate.decision import Decision
    from ..scenario import Question
    from ..scenario.search import Search

#: The optimiser that tries all methods, of which evaluators choose the best mapping.
BEST = "best"


@dataclass(frozen=True)
class Searching:
    """How to search, as typed; None where nothing was said."""

    optimise: str | None
    objective: str
    take: str | None
    free: bool
    seconds: str | None
    swaps: str | None
    seed: str | None
    learned: str | None
    details: bool

    @property
    def budget_s(self) -> float | None:
        """Seconds that the search may take."""
        return None if self.seconds is None else number("--seconds", self.seconds)

    def optimiser(self) -> str:
        """The optimiser's call, checked with the objective."""
        from ..scenario.search import NO_OBJECTIVE, optimiser_for

        said = optimiser_for(self.optimise, self.objective)
        if said == BEST:
            if self.objective not in NO_OBJECTIVE:
                hint = "leave --objective out, or name an optimiser that searches for it"
                raise refused("--optimise", "best is decided by evaluators, not by an objective", hint)
            return said
        optimiser = said if said == "none" else self._with_arguments(said)
        _check(optimiser, self.objective)
        return optimiser

    def _with_arguments(self, optimiser: str) -> str:
        """The optimiser's call with `--swaps` and `--seed` as arguments."""
        said = (("swaps", self.swaps), ("seed", self.seed))
        extra = [f"{key}={integer(f'--{key}', text, 0)}" for key, text in said if text]
        if not extra:
            return optimiser
        head, bracket, rest = optimiser.partition("(")
        inner = rest.rstrip().removesuffix(")") if bracket else ""
        return f"{head}({', '.join([*([inner] if inner.strip() else []), *extra])})"

    def require_effect(self, optimiser: str) -> None:
        """Refuses what only a search has: `NL-X010`."""
        if self.learned is not None and optimiser != BEST:
            hint = "leave --optimise and --objective out; --objective learned:FILE follows the model alone"
            raise refused("--learned", "is for the mappings of all methods", hint)
        searching: dict[str, object] = {"--seconds": self.seconds, "--swaps": self.swaps, "--seed": self.seed}
        searching |= {"--free": self.free or None, "--details": self.details or None}
        idle = [option for option, given in searching.items() if given is not None]
        if optimiser == "none" and idle:
            raise refused(", ".join(idle), "nothing is searched for with --optimise none", "leave one of them out")

    def require_take(self, optimiser: str) -> None:
        """Refuses a mapping that no method makes, before the search."""
        from ..evaluate.decision import require_method

        if self.take is None:
            return
        if optimiser != BEST:
            hint = "leave --optimise and --objective out"
            raise refused("--take", "chooses between the mappings of all methods", hint)
        require_method(self.take, "--take")

    def contest(self, bound: Question, budget_s: float | None) -> Decision:
        """The mappings of all methods, and which of them is best or was taken."""
        from ..evaluate.contest import contest

        said = (("swaps", self.swaps), ("seed", self.seed))
        given = {key: integer(f"--{key}", text, 0) for key, text in said if text}
        model = self.learned or ""
        decision = contest(bound, self.free, budget_s, given.get("swaps"), given.get("seed"), model=model)
        return decision if self.take is None else decision.taking(self.take, "--take")

    def improve(self, bound: Question, optimiser: str, budget_s: float | None) -> Search:
        """The optimiser's result; for "none" the start mapping with its hops."""
        from .. import _core
        from ..scenario.search import Search, search

        if optimiser == "none":
            scenario = _core.Scenario(bound.site.slots, [_core.Job("job", bound.messages, bound.place.start)])
            value = _core.evaluate(scenario, "hops")["record"]["total_hops"]
            assert isinstance(value, int)
            return Search(bound.place.start, value, value, None, None, None, [], "none", "hops")
        return search(bound, optimiser, self.objective, self.free, budget_s)


def _check(optimiser: str, objective: str) -> None:
    """Refuses unknown names before the network is built."""
    from .. import _core, plugin
    from ..scenario.search import BY_MODEL

    try:
        if optimiser != "none" and plugin.find("optimisers", optimiser) is None:
            with plugin.suggesting("optimisers", optimiser):
                _core.canonical("optimisers", optimiser)
        if not objective.startswith(BY_MODEL):
            _core.canonical("objectives", objective)
    except NetloomError as error:
        options = {"optimiser": "--optimise", "objective": "--objective"}
        raise NetloomError([replace(one, place=options.get(one.place, one.place)) for one in error.faults]) from None


_OPTIMISE = 'Optimiser, or "none".  [default: best, which tries all of them; with --objective, auto]'

searching = together(
    "searching",
    Searching,
    click.option("--optimise", metavar="CALL", help=_OPTIMISE),
    click.option(
        "--objective", default="auto", show_default=True, metavar="CALL",
        help="What is made small; see netloom list objectives. Or learned:MODEL, a file of netloom learn.",
    ),
    click.option("--take", metavar="MAPPING", help="Take this one of the mappings tried: its name in the table."),
    click.option("--free", is_flag=True, help="Use any endpoint of the network, not only those of the placement."),
    click.option(
        "--seconds", "--stop-after", "seconds", metavar="SECONDS",
        help="Stop after this time; give what there is, which then depends on the speed of this computer.",
    ),
    click.option("--swaps", metavar="N", help="Number of moves, for optimisers that take it."),
    click.option("--seed", metavar="N", help="Seed, for optimisers that take one."),
    click.option(
        "--learned", metavar="MODEL",
        help="A model of netloom learn: it rates all mappings, and the one that it ranks first is tried too.",
    ),
    click.option(
        "--details", is_flag=True,
        help="Seconds of the search here, and its best value after 1, 10, 100, ... mappings tried.",
    ),
)  # fmt: skip
