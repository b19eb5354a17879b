"""The decision of a what-if answer in sentences: how sure, and what would change it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.quantities import percent
from ..base.winner import MARGIN, lead_said, listed, margin_of
from .changes import Change
from .decision import Decision, abs_lead
from .gains import Gain
from .indices import OUTSIDE, Index
from .phrases import called, capital, gained, number, times, whole, within
from .referee import BASE, words
from .varied import Choice

if TYPE_CHECKING:
    from .answer import WhatIf

#: Leads below this are none.
SAME = 5e-4


def disagreement(found: WhatIf, one: Decision) -> str:
    """That another parameter gains more by the other rung; empty where the rungs agree, or one is missing."""
    if one.rungs_agree is not False:
        return ""
    said = []
    for which, rung in enumerate(one.leads):
        gains = one.sure.checked.gains(which, found.asked.least)
        order = sorted(gains, key=lambda name: -gains[name])
        gives = {name: gained(gain, one.sure.nothing) for name, gain in gains.items()}
        first, second = f"{called(order[0])} {gives[order[0]]}", f"{called(order[1])} {gives[order[1]]}"
        if abs_lead(one.leads[rung]) <= one.sure.nothing:
            said.append(f"by {words(rung)} neither gains more ({first}; {second})")
        else:
            said.append(f"by {words(rung)} {called(order[0])} gains more ({first}; {second})")
    return f"the rungs disagree: from the base point {said[0]}, {said[1]}"


def sureness(found: WhatIf, one: Decision) -> list[str]:
    """The runner-up, by how much, how sure, and what would change it.

    What is not the same work has no lead, and no gain to check.
    """
    if unlike(found, one):
        return [*_runner_up(one), *_emulated(one)]
    return [*_runner_up(one), *_lead(found, one), *_rungs(found, one), *_emulated(one), *_changes(found, one)]


def unlike(found: WhatIf, one: Decision) -> bool:
    """Whether the decision or the runner-up changes how much work is done."""
    return any(name in found.asked.ranks for name in one.totals)


def outside(found: WhatIf) -> str:
    """That the sample is too small, as an index is estimated where none can be; empty where it is not."""
    if not found.indices:
        return ""
    name, index = max(found.indices.items(), key=lambda one: one[1].outside)
    if index.outside <= OUTSIDE:
        return ""
    sample, more = "The sample", "Give more --runs"
    if found.emulator is None:
        sample, more = f"A sample of {found.rows:,} rows", f"Give more, such as --samples {4 * found.rows}"
    return (
        f"{sample} is too small: an index of {called(name)} is estimated {number(index.outside)} outside of 0 to 1, "
        f"where each of them is. {more}."
    )


def total(one: Index) -> str:
    """``total index 0.71, 0.48 to 0.94``."""
    return f"total index {number(one.total)}, {number(one.low)} to {number(one.high)}"


def _runner_up(one: Decision) -> list[str]:
    if one.runner_up is None:
        return []
    more = "lie apart" if one.sure.apart else "overlap, so it is not sure which of the two decides"
    if one.sure.outside > OUTSIDE:
        more = "are of too small a sample, so it is not sure which of the two decides"
    return [f"The runner-up is {called(one.runner_up)} ({total(one.totals[one.runner_up])}): the intervals {more}."]


def _gives(one: Gain, factor: float) -> str:
    """``link bandwidth gives 1.83 times (25 GB/s)``."""
    varied, name = one.curve.varied, called(one.name)
    if one.value == varied.base:
        return f"{name} has its best value as written ({varied.text(one.value)})"
    return f"the best {name} ({varied.text(one.value)}) gives {gained(factor, one.nothing)}"


def _lead(found: WhatIf, one: Decision) -> list[str]:
    """What both give at their best values, and whether that is more than the error."""
    first, lead = one.gains[one.parameter], one.sure.lead
    if one.runner_up is None:
        return [] if first.times is None else [f"{capital(_gives(first, first.times))}."]
    second = one.gains[one.runner_up]
    if first.times is None or second.times is None or lead is None:
        return ["No factor can be given: a result is not above 0."]
    two = _gives(first, first.times), _gives(second, second.times)
    both = f"From the base point {two[0]}, and {two[1]}"
    if max(first.times, second.times) < 1 + one.sure.nothing:
        return [f"{both}: what decides over the ranges gains nothing more there."]
    if lead > SAME:
        return [f"{both}: the second alone is {percent(lead)} worse than the first alone.", *_error(found, one, lead)]
    if lead < -SAME:
        more = f"{called(second.name)} gains more there all the same, by {percent(abs_lead(lead))}"
        return [f"{both}: {more}.", *_error(found, one, abs_lead(lead))]
    return [f"{both}: no difference."]


def _error(found: WhatIf, one: Decision, lead: float) -> list[str]:
    error = one.sure.model_error
    if not found.asked.evaluator and lead > MARGIN:
        # A function of one's own is no model of anything.
        return []
    if margin_of(error.median) < lead <= one.sure.in_part:
        off = within(one.sure.in_part)
        return [f"Between the two it is a tie: they differ by less than the error of what was extrapolated, {off}."]
    said = [lead_said(lead, error.median)]
    if error.as_written:
        whose = "of the machine as it was measured" if error.machine else "of default costs, as no machine is named"
        where = "" if error.machine else " on those that were measured"
        had = f"{called(one.parameter)} had one value{where}"
        said.append(f"That error is {whose}: {had}, so it is less sure elsewhere.")
    return said


def _rungs(found: WhatIf, one: Decision) -> list[str]:
    """What the second rung says at the same points."""
    check = one.sure.checked
    if check.results is None:
        return [f"No second rung checks it: {check.refused}."]
    gains = check.gains(1, found.asked.least)
    second = words(check.second)
    if all(at.value == at.curve.varied.base for at in one.gains.values()):
        said = f"No gain is there to check by {second}"
    elif one.runner_up is None:
        said = f"By {second} it gives {gained(gains[one.parameter], one.sure.nothing)}"
    else:
        both = " and ".join(gained(gains[name], one.sure.nothing) for name in (one.parameter, one.runner_up))
        said = f"By {second} the two give {both}"
        if one.rungs_agree:
            said = f"The rungs agree: by {second} the two give {both}"
    if not check.off:
        return [f"{said}."]
    names = [(BASE, "at the base point"), *((name, f"with the best {called(name)}") for name in gains)]
    off = [f"{_off(check.off[name])} {where}" for name, where in names]
    if len({_off(share) for share in check.off.values()}) == 1:
        off = [f"{_off(check.off[BASE])} at all of these points"]
    return [f"{said}; {check.target} by {second} is {listed(off)}, compared with {words(check.rung)}."]


def _off(share: float) -> str:
    if abs(share) < SAME:
        return "the same"
    if share > 1:
        return f"{times(1 + share)} times as much"
    return f"{percent(abs(share))} {'more' if share > 0 else 'less'}"


def _emulated(one: Decision) -> list[str]:
    rest = one.sure.unexplained
    if rest is None or one.runner_up is None:
        return []
    lead = one.totals[one.parameter].total - one.totals[one.runner_up].total
    than = "more than the" if one.sure.covers else "less than the"
    more = ", so it does not tell the two apart" if one.sure.covers else ""
    return [
        f"The emulator leaves {whole(rest)} of the variance of held-out runs unexplained, {than} {whole(lead)} between "
        f"both total indices{more}."
    ]


def _changes(found: WhatIf, one: Decision) -> list[str]:
    if one.runner_up is None:
        return []
    if one.sure.changes:
        return [
            "What would change the decision: " + "; ".join(_change(change, one) for change in one.sure.changes) + "."
        ]
    looked = []
    ahead = one.sure.lead is not None and one.sure.lead > one.sure.nothing
    if found.map is not None and not found.map.emulated and ahead:
        looked.append("no other value of the two on the map")
    if found.rows:
        looked.append("no half of a range" if not _choices(found, one) else "no half of a range and no choice alone")
    if not looked and found.emulator is None:
        return []
    if not looked:
        return ["What would change the decision is not known from runs: map and indices are of the emulator."]
    return [f"{capital(' and '.join(looked))} changes the decision."]


def _choices(found: WhatIf, decision: Decision) -> bool:
    """Whether a choice of another parameter than the decision can be asked about alone."""
    return any(isinstance(one, Choice) and one.name != decision.parameter for one in found.varied)


def _change(one: Change, decision: Decision) -> str:
    name, of, values = called(one.of.name), one.of, [one.of.text(value) for value in one.values]
    if one.kind == "range":
        assert one.totals is not None
        second = f"{called(decision.parameter)} {number(one.totals[1].total)}"
        totals = f"{number(one.totals[0].total)}, {second}"
        part = f"{name} = {values[0]}" if isinstance(of, Choice) else f"{name} from {values[0]} to {values[1]}"
        return f"asked of {part} alone, {called(one.to)} decides (total index {totals})"
    if isinstance(of, Choice):
        return f"with {name} = {' or '.join(values)} {called(one.to)} gains more"
    less = float(one.values[0]) < float(of.base)
    ends = float(one.values[-1]) <= of.low if less else float(one.values[-1]) >= of.high
    if len(values) == 1:
        where = values[0]
    else:
        where = f"{values[0]} or {'less' if less else 'more'}" if ends else f"{values[0]} to {values[-1]}"
    until = "" if one.until is None else f" (not yet at {of.text(one.until)})"
    return f"with {name} at {where}{until} {called(one.to)} gains more"
