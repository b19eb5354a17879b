"""Parts of a what-if answer as plain data, as ``netloom whatif --json`` prints them."""

from __future__ import annotations

from collections.abc import Sequence

from .best import Best
from .changes import Change
from .curves import Curve, Map
from .decision import Decision
from .emulator import FLOOR, Emulator
from .gains import Gain
from .indices import OUTSIDE, Index
from .knees import Knee
from .varied import Choice, Range, Varied


def decision(one: Decision) -> dict[str, object]:
    """The decision, the runner-up, how sure, and what would change it."""
    sure, both = one.sure, [one.parameter, one.runner_up]
    first, second = (None if name is None else _side(one.totals[name], one.gains[name]) for name in both)
    made: dict[str, object] = {"parameter": one.parameter, **(first or {})}
    return made | {
        "runner_up": None if second is None else {"parameter": one.runner_up, **second},
        "sure": {
            "apart": sure.apart,
            "sample_too_small": sure.outside > OUTSIDE,
            "lead": sure.lead,
            "tie": sure.tie,
            "model_error": sure.model_error.median,
            "model_error_as_written": sure.model_error.as_written,
            "emulator_unexplained": sure.unexplained,
            "emulator_covers_lead": sure.covers,
            "rungs_agree": one.rungs_agree,
            "by_rung": _by_rung(one),
            "not_checked": sure.checked.refused or None,
        },
        "changes": [_change(change) for change in sure.changes],
    }


def _side(total: Index, gain: Gain) -> dict[str, object]:
    return {
        "total": total.total, "low": total.low, "high": total.high,
        "gain": {
            "from": gain.curve.varied.base, "to": gain.value, "unit": gain.curve.varied.unit,
            "result_from": gain.before, "result_to": gain.after, "times": gain.times,
        },
    }  # fmt: skip


def _by_rung(one: Decision) -> dict[str, object]:
    """By rung its results at the points of the decision, the gains, and the lead."""
    found, made = one.sure.checked, dict[str, object]()
    if found.results is None:
        return made
    for which, name in enumerate((found.rung, found.second)):
        gains = found.gains(which, one.least)
        made[name] = {
            "best": max(gains, key=gains.__getitem__),
            "lead": one.leads.get(name),
            "gains": gains,
            "results": {at or "base": pair[which] for at, pair in found.results.items()},
            "above_first": {at or "base": share for at, share in found.off.items()} if which else {},
        }
    return made


def _change(one: Change) -> dict[str, object]:
    made: dict[str, object] = {
        "kind": one.kind, "of": one.of.name, "values": list(one.values), "unit": one.of.unit, "until": one.until,
        "decides": one.to,
    }  # fmt: skip
    if one.totals is not None:
        made["totals"] = {"decides": _total(one.totals[0]), "decision": _total(one.totals[1])}
    return made


def _total(one: Index) -> dict[str, float]:
    return {"total": one.total, "low": one.low, "high": one.high}


def curve(one: Curve) -> dict[str, object]:
    """Values and results of a curve."""
    return {"parameter": one.varied.name, "values": one.values, "results": one.results}


def best(one: Best, names: Sequence[str]) -> dict[str, object]:
    """The best point, with the knees and curves through it."""
    return {
        "values": dict(zip(names, one.point, strict=True)),
        "result": one.result,
        "knees": [knee(found) for found in one.knees],
        "curves": [curve(found) for found in one.curves],
    }


def knee(one: Knee) -> dict[str, object]:
    """What a curve says of a parameter."""
    return {
        "parameter": one.name,
        "value": one.value,
        "unit": one.curve.varied.unit,
        "better": "more" if one.upwards else "less",
        "gain_before": one.gain_before,
        "gain_after": one.gain_after,
        "flat": one.flat,
        "nothing_below": one.nothing,
        "bend": one.bend,
        "slope_before": one.slope_before,
        "slope_after": one.slope_after,
        "best_inside": None if one.best_inside is None else vars(one.best_inside),
        "worst_inside": None if one.worst_inside is None else vars(one.worst_inside),
    }


def parameter(one: Varied) -> dict[str, object]:
    """What is varied."""
    made: dict[str, object] = {"name": one.name, "key": one.key, "unit": one.unit, "base": one.base}
    if isinstance(one, Choice):
        return made | {"choices": list(one.choices)}
    assert isinstance(one, Range)
    return made | {"low": one.low, "high": one.high, "scale": "log" if one.log else "linear", "integral": one.integral}


def map_(one: Map) -> dict[str, object]:
    """Results over two parameters."""
    return {
        "parameters": [one.first.name, one.second.name], "values": [one.rows, one.columns], "results": one.results,
        "emulated": one.emulated,
    }  # fmt: skip


def emulator(one: Emulator) -> dict[str, object]:
    """What stands in for runs."""
    return {
        "kind": one.kind, "runs": one.runs, "r2": one.r2, "error": one.error, "floor": FLOOR, "log": one.log,
        "trusted": one.trusted,
    }  # fmt: skip
