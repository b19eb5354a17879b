"""The runs that carry the decision on a second rung: the base point, and the best value of one parameter and another.

Link loads and hops are checked by flows, flows by packets, and what is finer than flows by flows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..base.ahead import announced
from ..base.errors import NetloomError
from ..base.quantities import time_text
from ..base.stopping import left_s
from ..evaluate import Evaluator, ahead, bound_of, evaluate, evaluator
from ..evaluate.rungs import rung, rungs
from ..evaluate.time.alone import loads_of
from ..plugin.rung import Rung
from ..results.rows import Cell
from ..scenario import Calls, Scenario, Workshop
from ..scenario.parameters import input_of
from .knees import better
from .runs import Function, OfScenario, required
from .varied import Value

#: Seconds of all runs of the second rung at most, as they are thought to take from their counts.
MOST_S = 60.0
#: Columns that the second rung has too, of something else: of links, where it is of messages.
UNLIKE = (("loads", "total_bytes"), ("loads", "messages"))
#: The base point, by the name of what varies there.
BASE = ""


@dataclass(frozen=True)
class Checked:
    """Results on both rungs, or why there is none of the second.

    Attributes
    ----------
    rung, second
        Names of both; "" for none.
    target
        Column of the second one.
    same_unit
        Whether results of both can be compared as they are.
    results
        Of both, by the parameter that has its best value: "" for none of them.
    refused
        Why the second rung says nothing; "" where it does.
    """

    rung: str = ""
    second: str = ""
    target: str = ""
    same_unit: bool = True
    results: Mapping[str, tuple[float, float]] | None = None
    refused: str = ""

    def gains(self, which: int, least: bool) -> dict[str, float]:
        """Times that the result becomes better with each parameter, on the first rung (0) or the second (1)."""
        if self.results is None:
            return {}
        base = self.results[BASE][which]
        return {name: better(one[which], base, least) for name, one in self.results.items() if name != BASE}

    @property
    def off(self) -> dict[str, float]:
        """By how much the second rung is above the first at each point, as a share; empty for other units."""
        if self.results is None or not self.same_unit:
            return {}
        return {name: second / first - 1 for name, (first, second) in self.results.items()}


def words(name: str) -> str:
    """What a rung is called in sentences: ``flows``, ``packets``, or its own name."""
    one = rung(name)
    return one.words if one.simulated else one.name


def second_of(name: str) -> Rung | None:
    """The rung that checks an evaluator; None for one that is no rung."""
    known = {one.name: one for one in rungs()}
    if name not in known:
        return None
    return known["packet" if name == "time" else "time"]


def checked(function: Function, known: Mapping[str, tuple[Mapping[str, Value], float]]) -> Checked:
    """The second rung at points of the decision.

    Parameters
    ----------
    known
        Values and result of each point, by the parameter that has its best value.

    Raises
    ------
    Stopped, KeyboardInterrupt
        If there is no time for all of them.
    """
    if not isinstance(function, OfScenario):
        return Checked(refused="it is a function of one's own, which has no other rung")
    second = second_of(function.evaluator)
    if second is None:
        return Checked(refused=f"no other rung answers what {function.evaluator} does")
    made = Checked(function.evaluator, second.name)
    row, own = evaluator(second.name), evaluator(function.evaluator)
    target = row.headline if function.target == own.headline else function.target
    column = next((one for one in row.columns if one.name == target), None)
    unit = next((one.unit for one in own.columns if one.name == function.target), "")
    if column is None:
        return replace(made, refused=f"{second.name} has no column {function.target}")
    if (function.evaluator, target) in UNLIKE:
        return replace(made, refused=f"{target} of {second.name} is something else: {column.help}")
    if min(result for _, result in known.values()) <= 0:
        return replace(made, refused="a result is not above 0, so no factor can be given")
    made = replace(made, target=target, same_unit=column.unit == unit)
    inputs = {axis.name for axis in row.axes}
    if lost := [name for name, key in function.keys.items() if input_of(key) not in inputs]:
        return replace(made, refused=f"{second.name} takes no {', '.join(lost)}")
    points = {name: function.at(values).only(*inputs) for name, (values, _) in known.items()}
    options = {one.name: function.options[one.name] for one in row.options if one.name in function.options}
    try:
        with announced():
            if why := _too_dear(row, list(points.values()), options):
                return replace(made, refused=why)
            asked: dict[tuple[Value, ...], float] = {}
            for name, (values, _) in known.items():
                if (at := tuple(values.values())) not in asked:
                    asked[at] = _asked(points[name], row, target, options)
            found = {name: asked[tuple(values.values())] for name, (values, _) in known.items()}
    except NetloomError as error:
        return replace(made, refused=str(error).splitlines()[0])
    if min(found.values()) <= 0:
        return replace(made, refused=f"a result of {second.name} is not above 0, so no factor can be given")
    return replace(made, results={name: (result, found[name]) for name, (_, result) in known.items()})


def _asked(scenario: Scenario, row: Evaluator, target: str, options: Mapping[str, Cell]) -> float:
    return required(evaluate(scenario, row.name, **options).get(target), target)  # type: ignore[arg-type]


def _too_dear(row: Evaluator, points: Sequence[Scenario], options: Mapping[str, Cell]) -> str:
    """Why these runs are not made; empty where they are. O(messages)."""
    seconds = 0.0
    for scenario in points:
        bound = bound_of(row, scenario, Workshop(Calls(scenario.folder)), lambda done, total: None)
        seconds += ahead.of_run(bound, row.name, loads_of(bound), options).seconds
    left = left_s()
    if seconds > MOST_S:
        return f"{len(points)} runs of {row.name} would take about {time_text(seconds, 2)}, more than {MOST_S:g} s"
    if left is not None and seconds > left:
        return f"there was no time for {len(points)} runs of {row.name}"
    return ""
