"""The question: a scenario or a function, what is varied, and how much work it may be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from ..evaluate import Evaluator, evaluator, settings
from ..evaluate.directions import direction
from ..scenario import Scenario
from .answer import Asked, Settings, WhatIf
from .codes import BAD_RANGE, BAD_SETTING, BAD_TARGET
from .indices import LEAST_ROWS
from .keys import followers, plain, varied
from .runs import Function, OfScenario, Runs
from .steps import answered
from .work import other_work, ranks_by

if TYPE_CHECKING:
    from ..evaluate import Given
    from ..results.rows import Cell
    from .varied import Varied

#: Rows of a sample, runs and points of a curve that may be asked for; processes.
MOST_SAMPLES, MOST_RUNS, POINTS, MOST_WORKERS = 1 << 20, 1 << 24, (5, 1000), 1024


def whatif(
    scenario: Given | Function,
    vary: str | Sequence[str],
    evaluator_name: str = "time",
    *,
    target: str | None = None,
    best: str | None = None,
    options: Mapping[str, Cell] | None = None,
    how: Settings | None = None,
    progress: Callable[..., object] | None = None,
) -> WhatIf:
    """Which parameter of a scenario decides, and where more of it gives nothing.

    Parameters
    ----------
    scenario
        As `netloom.evaluate` takes it; or a function of a mapping from name to value, which returns a number.
    vary
        Ranges and choices: ``"link_bandwidth=50..400 Gbps"``, ``"switch_latency=50..500 ns log"``,
        ``"routing=minimal|valiant"``. A key is an input of the scenario, a parameter of a call (``network.p``), or an
        alias: `netloom.whatif.ALIASES`.
    evaluator_name
        Which evaluator answers.
    target
        The column that is asked about; by default the one that answers, such as ``time_s``.
    best
        ``least`` or ``greatest``; by default what is better of the column (`netloom.evaluate.directions`): the greatest
        of rates and accepted loads, the least of times and costs. A count has no default; a function has the least.
    options
        Of the evaluator.
    how
        Samples, seed, most runs, processes.
    progress
        Called with the runs done and those that are planned.

    Returns
    -------
    WhatIf
        Curves through the base point, knees, Sobol's indices, and a map of the two parameters that matter most.

    Raises
    ------
    NetloomError
        `NL-U001` to `NL-U006`; what the evaluator reports of a run.

    Notes
    -----
    The base point is the scenario as written, with the values of its machine and the defaults; what has none is in the
    middle of its range, or the first choice, with a note. Cost: 23 runs for each parameter or so, `samples` times the
    parameters and two for the indices, 81 for the map.

    Examples
    --------
    >>> import netloom
    >>> from netloom.whatif import Settings
    >>> scenario = {"network": "star(2)", "workload": "all-pairs(bytes=\\"1 MB\\")", "calibration": "pure"}
    >>> ranges = ["link_bandwidth=10..100 Gbps", "link_latency=100..1000 ns"]
    >>> found = netloom.whatif(scenario, ranges, how=Settings(samples=64))
    >>> found.ranked
    ['link_bandwidth', 'link_latency']
    """
    settings_ = checked(how or Settings())
    texts = [vary] if isinstance(vary, str) else list(vary)
    if not texts:
        hint = "name what is varied, such as link_bandwidth=50..400 Gbps"
        raise NetloomError([Fault(BAD_RANGE, "--vary", "is missing", "", hint)])
    notes: list[str] = []
    if callable(scenario) and not isinstance(scenario, Scenario):
        ranges: list[Varied] = plain(texts)
        asked, function = Asked(target or "result", least=_least(best, "least")), scenario
    else:
        given = _scenario(scenario)
        row = evaluator(evaluator_name)
        ranges, notes = varied(texts, row, given)
        asked = _asked(row, target, best)
        notes += followers(ranges, given)
        keys = {one.name: one.key for one in ranges}
        function = OfScenario(given, row.name, dict(options or {}), asked.target, keys, settings_.plugins, _machines())
        settings(row, function.options)
        ranks = ranks_by(row, function, ranges)
        asked = replace(asked, ranks=ranks, other_work=other_work(ranks, function))
        notes += [asked.other_work] if ranks else []
    runs = Runs(function, ranges, settings_.workers, progress)
    try:
        return answered(runs, asked, settings_, notes)
    finally:
        runs.close()


def _scenario(scenario: Given) -> Scenario:
    if isinstance(scenario, Scenario):
        return scenario
    return Scenario.read(scenario) if isinstance(scenario, (str, Path)) else Scenario.from_dict(scenario)


def _machines() -> tuple[str, ...]:
    """Where this process looks for machines, for others to look there too."""
    from ..machine.presets import folders

    return tuple(str(folder.resolve()) for folder in folders())


def _asked(row: Evaluator, target: str | None, best: str | None) -> Asked:
    """The column that is asked about.

    Raises
    ------
    NetloomError
        `NL-U005` for one that the evaluator does not have, or for none where none answers by itself; `NL-U006` for one
        of which neither way is better, without `best`.
    """
    known = {column.name: column for column in row.columns}
    name = target or row.headline
    if not name:
        usual = next((one for one in known if direction(row, one)), next(iter(known)))
        hint = f"name one with --target, such as {usual}"
        raise NetloomError([Fault(BAD_TARGET, "--target", f"no column of {row.name} answers by itself", "", hint)])
    if name not in known:
        hint = did_you_mean(name, known, f"columns of {row.name}")
        raise NetloomError([Fault(BAD_TARGET, "--target", f'{row.name} has no column "{name}"', "", hint)])
    better = direction(row, name)
    if best is None and not better:
        sentence = f"is missing: neither less nor more of {name} is better by itself"
        raise NetloomError([Fault(BAD_SETTING, "--best", sentence, "", "say which, such as --best least")])
    return Asked(name, known[name].unit, _least(best, better), row.name, row.model, row.assumptions)


def _least(best: str | None, usual: str) -> bool:
    """Whether the least is best."""
    if best not in (None, "least", "greatest"):
        raise NetloomError([Fault(BAD_SETTING, "--best", "least or greatest", f'"{best}"')])
    return (best or usual) == "least"


def checked(how: Settings) -> Settings:
    """The settings, if they are in range.

    Raises
    ------
    NetloomError
        `NL-U006`.
    """
    ranges = {
        "samples": (LEAST_ROWS, MOST_SAMPLES), "seed": (0, (1 << 32) - 1), "runs": (1, MOST_RUNS),
        "workers": (1, MOST_WORKERS), "points": POINTS,
    }  # fmt: skip
    faults = []
    for name, (least, most) in ranges.items():
        value = getattr(how, name)
        power = name == "samples"
        if type(value) is not int or not least <= value <= most or (power and value & (value - 1)):
            words = f"{'a power of two' if power else 'an integer'} in {least}..{most}"
            faults.append(Fault(BAD_SETTING, f"--{'jobs' if name == 'workers' else name}", words, repr(value)))
    if faults:
        raise NetloomError(faults)
    return how
