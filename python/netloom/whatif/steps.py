"""What is done, in order: curves, knees, the sample or an emulator, a map, the best point, the decision."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING

from ..base.errors import Fault, NetloomError
from ..base.quantities import counted
from ..base.stopping import Stopped, left_s
from .answer import Asked, Settings, WhatIf
from .best import Best, best_of, cost, points_of
from .changes import Change, by_range, by_value
from .codes import BAD_SETTING
from .curves import LEAST_SIDE, SIDE, Curve, Map, base_of, curves, grid, through, values_of
from .decision import Decision, decided, model_error, ranked, to_check
from .emulator import EACH, FLOOR, MOST_RUNS, Emulator, design, fitted
from .extrapolated import extrapolation, undecided
from .gains import Gain, gain
from .indices import LEAST_ROWS, Index, complete, indices, of_function, rows_of
from .knees import STEPS, Knee, knee
from .referee import Checked, checked
from .runs import Runs
from .varied import Range, Value, Varied

if TYPE_CHECKING:
    import numpy as np

    from ..base.arrays import Matrix

#: Share of the time that is left which a plan may take; rows of the sample on which an emulator is asked.
PLANNED, EMULATED_ROWS = 0.8, 1 << 11
#: Points of a curve where there may be few runs.
FEWEST = 5
#: Of a second rung that was not asked yet when the time was over.
LATE = Checked(refused="there was no time for it")


@dataclass
class _Made:
    """What is known so far."""

    base: float | None = None
    curves: list[Curve] = field(default_factory=list)
    knees: list[Knee] = field(default_factory=list)
    indices: dict[str, Index] = field(default_factory=dict)
    rows: int = 0
    map: Map | None = None
    emulator: Emulator | None = None
    #: Of the sample, a row for each of its rows: points, and their results.
    sample: list[list[tuple[Value, ...]]] = field(default_factory=list)
    results: Matrix[np.float64] | None = None
    best: Best | None = None
    checked: Checked = LATE
    changes: list[Change] = field(default_factory=list)


def answered(runs: Runs, asked: Asked, settings: Settings, notes: Sequence[str] = ()) -> WhatIf:
    """The answer, or what there is of it when the time is over.

    Raises
    ------
    NetloomError
        What is wrong with a run; `NL-X012` without SciPy, and without scikit-learn where an emulator is needed.
    """
    if find_spec("scipy") is None:
        hint = "pip install 'netloom[learn]'"
        raise NetloomError([Fault("NL-X012", "netloom whatif", "needs the package scipy", "", hint)])
    made, said = _Made(), list(notes)
    try:
        _work(runs, asked, settings, made, said)
    except (Stopped, KeyboardInterrupt) as stop:
        if not runs.results:
            raise
        runs.ended = "time" if isinstance(stop, Stopped) else "interrupted"
        said += [] if made.indices else ["No indices: there was no time for them."]
    points = [(values, result, runs.of[values]) for values, result in runs.results.items()]
    return WhatIf(
        asked, settings, tuple(runs.varied), made.base, made.curves, made.knees, made.indices, made.rows, made.map,
        made.emulator, points, runs.ended, said, _decision(runs, asked, made), made.best,
        extrapolation(runs.results.values()),
    )  # fmt: skip


def _work(runs: Runs, asked: Asked, settings: Settings, made: _Made, said: list[str]) -> None:
    varied, count = runs.varied, len(runs.varied)
    _require_room(runs, settings)
    # Half of the runs are of curves, or less: those through the base point, and through the best one.
    again = FEWEST + 1 + STEPS if count > 1 else 0
    points = max(min(settings.points, settings.runs // (2 * count) - 2 - STEPS - again), FEWEST)
    while points > FEWEST and _most(varied, points) > settings.runs:
        points -= 1
    kept = cost(runs, points_of(points))
    runs.planned = count * (points + 2 + STEPS) + (settings.samples * (count + 2) + 81 + kept if count > 1 else 0)
    made.base = runs.at([base_of(varied)], "base")[0]
    made.curves = curves(runs, points)
    for at, curve in enumerate(made.curves):
        if len(curve.values) < len(values_of(curve.varied, points)):
            said.append(f"The curve of {curve.varied.name} is a part: it has no knee yet.")
            continue
        found = knee(curve, asked.least, lambda value, at=at: _run(runs, at, value))  # type: ignore[misc]
        if found is None and isinstance(curve.varied, Range):
            said.append(f"The curve of {curve.varied.name} has no knee: a result is not above 0.")
        if found is not None:
            made.knees.append(found)
            made.curves[at] = found.curve
    if count == 1:
        if not runs.ended:
            _alone(made, said, settings)
            _judged(runs, asked, settings, made)
        return
    rows = rows_of(varied, settings.samples, settings.seed)
    wanted = [point for row in rows for point in row]
    more = len({point for point in wanted if point not in runs.results})
    if why := _too_dear(runs, settings, more):
        said.append(why)
        with _one_thread():
            _emulated(runs, settings, made, said, kept)
    else:
        results = complete(runs.at(wanted, "sample"), count + 2)
        made.rows = len(results)
        if 0 < made.rows < settings.samples:
            said.append(f"The sample has {made.rows} rows, not {settings.samples}: there was no time for more.")
        if made.rows < LEAST_ROWS:
            said.append(f"No indices: {made.rows} rows of the sample were run, and {LEAST_ROWS} are needed.")
            made.rows = 0
        else:
            made.indices = _named(varied, indices(results, settings.seed))
            made.sample, made.results = rows[: made.rows], results
    if made.indices:
        with nullcontext() if made.emulator is None else _one_thread():
            made.map = _map(runs, settings, made, said)
        _judged(runs, asked, settings, made)
    if runs.ended:
        return
    if len(runs.results) + kept > settings.runs:
        said.append(f"No knees with the best of the others: they may need {kept} runs, more than are left of --runs.")
        return
    made.best = best_of(runs, made.curves, made.knees, asked.least, points_of(points), asked.ranks)


def _judged(runs: Runs, asked: Asked, settings: Settings, made: _Made) -> None:
    """The second rung at the points of the decision, and what would change it."""
    gains = _gains(asked, made)
    if len(gains) < min(len(runs.varied), 2):
        return
    known = made.map is not None and not made.map.emulated
    if made.map is not None and known and min(gains[0].after, gains[1].after, *map(min, made.map.results)) > 0:
        made.changes += by_value(made.map, gains[0], gains[1], asked.least)
    if made.results is not None:
        made.changes += by_range(runs.varied, made.sample, made.results, gains[0].name, settings.seed)
    if not runs.ended and made.indices[gains[0].name].total > 0:
        made.checked = checked(runs.function, to_check(gains, runs.named(base_of(runs.varied))))


def _gains(asked: Asked, made: _Made) -> list[Gain]:
    """Of the two parameters with the greatest total index, as far as their curves are known."""
    curves_of = {curve.varied.name: curve for curve in made.curves}
    known = [curves_of[name] for name in ranked(made.indices)[:2] if name in curves_of]
    return [found for curve in known if (found := gain(curve, asked.least)) is not None]


def _decision(runs: Runs, asked: Asked, made: _Made) -> Decision | None:
    gains = _gains(asked, made)
    if not gains or undecided(runs.results.values()):
        return None
    at = to_check(gains, runs.named(base_of(runs.varied)))
    sure = (model_error(runs.function, at[gains[0].name][0]), made.checked, made.changes)
    return decided(made.indices, {one.name: one for one in gains}, sure, made.emulator, asked.least)


def _one_thread() -> AbstractContextManager[object]:
    from ..learning.learners import one_thread

    return one_thread("netloom whatif")


def _require_room(runs: Runs, settings: Settings) -> None:
    """Refuses fewer runs than the shortest curves take."""
    if settings.runs < (least := _most(runs.varied, FEWEST)):
        expected = f"{least} or more: curves of {counted(len(runs.varied), 'parameter')} take them"
        raise NetloomError([Fault(BAD_SETTING, "--runs", expected, str(settings.runs))])


def _most(varied: Sequence[Varied], points: int) -> int:
    """Most runs of the curves with that number of points, of their knees, and of the base point."""
    return 1 + sum(len(values_of(one, points)) + (STEPS if isinstance(one, Range) else 0) for one in varied)


def _run(runs: Runs, at: int, value: Value) -> float | None:
    return runs.at([through(base_of(runs.varied), at, value)], f"knee of {runs.varied[at].name}")[0]


def _alone(made: _Made, said: list[str], settings: Settings) -> None:
    """One parameter makes all of the variance, or there is none: no sample is needed."""
    for curve in made.curves:
        share = 1.0 if len(set(curve.results)) > 1 else 0.0
        made.indices = {curve.varied.name: Index(*[share] * 6)}
    said.append("One parameter is varied, so its index is known without a sample: --samples and --seed change nothing.")


def _named(varied: Sequence[Varied], found: Sequence[Index]) -> dict[str, Index]:
    return {one.name: index for one, index in zip(varied, found, strict=True)}


def _too_dear(runs: Runs, settings: Settings, more: int) -> str:
    """Why the sample is not run; empty where it is."""
    if runs.ended:
        return ""
    if len(runs.results) + more > settings.runs:
        return f"The sample needs {more:,} more runs, of {settings.runs:,} that there may be: an emulator stands in."
    seconds = left_s()
    if seconds is not None and more * runs.each_s() > PLANNED * seconds:
        return f"The sample needs {more:,} more runs, for which there is no time: an emulator stands in."
    return ""


def _emulated(runs: Runs, settings: Settings, made: _Made, said: list[str], kept: int) -> None:
    """Indices of an emulator on as many runs as there may be, where there is room for both without those `kept`."""
    varied, seconds = runs.varied, left_s()
    room = settings.runs - len(runs.results)
    room = min(room - kept if room - kept >= EACH * len(varied) else room, MOST_RUNS)
    if seconds is not None and runs.each_s() > 0:
        room = min(room, int(PLANNED * seconds / runs.each_s()))
    if room < EACH * len(varied):
        said.append(f"No indices: {max(room, 0)} runs are left, and an emulator needs {EACH} for each parameter.")
        return
    points = design(varied, room, settings.seed)
    runs.planned = len(runs.results) + len(points)
    known = [(point, one) for point, one in zip(points, runs.at(points, "design"), strict=True) if one is not None]
    if len(known) < EACH * len(varied):
        said.append(f"No indices: {len(known)} runs were made, and an emulator needs {EACH} for each parameter.")
        return
    made.emulator = found = fitted(varied, [point for point, _ in known], [one for _, one in known])
    if not found.trusted:
        said.append(f"No indices: R2 on held-out runs is {found.r2:.2f}, and must be {FLOOR:g} or more.")
        return
    whole = of_function(varied, EMULATED_ROWS, settings.seed, found.predict)
    for part in range(len(found.parts)):
        # What an emulator does not know shows in what others say, each without a fifth of the runs.
        other = of_function(varied, EMULATED_ROWS, settings.seed, lambda at, part=part: found.predict(at, part))  # type: ignore[misc]
        whole = [one.joined(two) for one, two in zip(whole, other, strict=True)]
    # What it explains of no run that it did not see may be of any parameter.
    made.indices = _named(varied, [one.widened(1 - found.r2) for one in whole])


def _map(runs: Runs, settings: Settings, made: _Made, said: list[str]) -> Map | None:
    """Both parameters with the greatest total index together; by the emulator where it stands in for runs."""
    import numpy as np

    order = sorted(runs.varied, key=lambda one: -made.indices[one.name].total)[:2]
    if made.emulator is not None:
        rows, columns = grid(order[0], order[1])
        points = _over(runs, order, rows, columns)
        base = base_of(runs.varied)
        if not all(_inside(one, value) for one, value in zip(runs.varied, base, strict=True)):
            return None
        places = [[one.place(value) for one, value in zip(runs.varied, point, strict=True)] for point in points]
        found = [float(one) for one in made.emulator.predict(np.array(places))]
    else:
        rows, columns, points = _affordable(runs, settings, order, said)
        known = runs.at(points, "map")
        found = [one for one in known if one is not None]
        if not points or len(found) < len(points):
            return None
    wide = len(columns)
    results = [found[number : number + wide] for number in range(0, len(found), wide)]
    return Map(order[0], order[1], rows, columns, results, made.emulator is not None)


def _over(
    runs: Runs, order: Sequence[Varied], rows: Sequence[Value], columns: Sequence[Value]
) -> list[tuple[Value, ...]]:
    """The points of a map, row by row: all others at the base."""
    at, base = [list(runs.varied).index(one) for one in order], base_of(runs.varied)
    return [through(through(base, at[0], row), at[1], column) for row in rows for column in columns]


def _affordable(
    runs: Runs, settings: Settings, order: Sequence[Varied], said: list[str]
) -> tuple[list[Value], list[Value], list[tuple[Value, ...]]]:
    """Rows, columns and points of the map that is left of the runs; none where 3 x 3 are too many."""
    first, second = order
    whole: tuple[int, int] | None = None
    left = settings.runs - len(runs.results)
    for side in range(SIDE, LEAST_SIDE - 1, -1):
        rows, columns = grid(first, second, side)
        points = _over(runs, order, rows, columns)
        whole = whole or (len(rows), len(columns))
        if len({point for point in points if point not in runs.results}) <= left:
            if (cut := (len(rows), len(columns))) != whole:
                said.append(
                    f"The map has {cut[0]} x {cut[1]} runs, not {whole[0]} x {whole[1]}: no more are left of --runs."
                )
            return rows, columns, points
    assert whole is not None
    said.append(f"No map: {left} runs are left of --runs, and it needs {len(points)}.")
    return [], [], []


def _inside(one: Varied, value: Value) -> bool:
    return one.low <= float(value) <= one.high if isinstance(one, Range) else value in one.choices
