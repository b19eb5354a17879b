"""What a what-if answer says in sentences."""

from __future__ import annotations

from ..base.winner import listed
from ..plot.style import words_of
from .answer import WhatIf
from .curves import Curve, doubled
from .emulator import FLOOR
from .knees import NOTHING, Knee, better
from .varied import Choice, Range

#: Total index below which a parameter hardly matters; share of the variance of several together that is named.
HARDLY, TOGETHER = 0.02, 0.1


def sentences(found: WhatIf) -> list[str]:
    """What decides, what doubling it gives, where more gives nothing, and how sure that is."""
    said = [*_deciding(found), *_knees(found), *_chosen(found), *_idle(found)]
    said += _together(found)
    if found.emulator is not None:
        said.append(_emulated(found))
    return said


def _deciding(found: WhatIf) -> list[str]:
    """The parameters whose total index is above all others', and what more of the first one gives."""
    order, unit = found.ranked, found.asked.target
    if not order:
        return [] if found.curves else [f"Nothing is known yet but {unit} at the base point."]
    top = found.indices[order[0]]
    if top.total == 0:
        return [f"Nothing that was varied changes {unit}."]
    if len(order) == 1:
        return [f"Only {_called(order[0])} is varied, so all of the variance is its.", *_doubling(found, order[0])]
    tied = [name for name in order if found.indices[name].high >= top.low]
    if len(tied) == 1:
        share = f"total index {_number(top.total)}, {_number(top.low)} to {_number(top.high)}"
        return _joined(f"{_capital(_called(order[0]))} decides ({share})", _doubling(found, order[0]))
    shares = [f"{_called(name)} ({_number(found.indices[name].total)})" for name in tied]
    said = f"{_capital(listed(shares))} decide together: their total indices do not lie apart."
    return [said, *(one for name in tied for one in _doubling(found, name))]


def _joined(first: str, more: list[str]) -> list[str]:
    """One sentence where what follows is of the same parameter."""
    return [f"{first}; {more[0].partition(': ')[2]}"] if more else [f"{first}."]


def _doubling(found: WhatIf, name: str) -> list[str]:
    """What twice as much of it gives, or half where less is better."""
    curve = next((one for one in found.curves if one.varied.name == name), None)
    if curve is None or not isinstance(curve.varied, Range) or min(curve.results) <= 0:
        return []
    one, least = curve.varied, found.asked.least
    upwards = better(curve.results[-1], curve.results[0], least) >= 1
    value, result = doubled(one)[0 if upwards else 1], curve.at(one.base)
    after = None if value is None else curve.at(value)
    if value is None or after is None or result is None:
        return []
    ratio, factor = float(value) / float(one.base), better(after, result, least)
    word = {2.0: "doubling it", 0.5: "halving it"}.get(ratio, "raising it" if upwards else "lowering it")
    where = f"{word} from {one.text(one.base)} to {one.text(value)}"
    if abs(factor - 1) < NOTHING:
        return [f"{_capital(_called(name))}: {where} gives nothing (less than {_percent(NOTHING)})."]
    results = f"{found.asked.target} {found.asked.text(result)} to {found.asked.text(after)}"
    return [f"{_capital(_called(name))}: {where} gives {_times(factor)} times ({results})."]


def _knees(found: WhatIf) -> list[str]:
    idle = found.without_effect
    return [_knee(one) for one in found.knees if one.value is not None and one.name not in idle]


def _knee(one: Knee) -> str:
    words, varied = _capital(_called(one.name)), one.curve.varied
    assert one.value is not None
    if one.flat:
        return f"{words} gives nothing anywhere in its range (less than {_percent(NOTHING)})."
    side = "above" if one.upwards else "below"
    return (
        f"{words} {side} {varied.text(one.value)} gives nothing (less than {_percent(NOTHING)}); up to there it gives "
        f"{_times(one.gain_before)} times."
    )


def _chosen(found: WhatIf) -> list[str]:
    made = []
    for curve in found.curves:
        if isinstance(curve.varied, Choice) and len(set(curve.results)) > 1 and min(curve.results) > 0:
            made.append(_best_of(curve, found))
    return made


def _best_of(curve: Curve, found: WhatIf) -> str:
    order = sorted(range(len(curve.values)), key=lambda at: curve.results[at] * (1 if found.asked.least else -1))
    best, worst = order[0], order[-1]
    factor = better(curve.results[best], curve.results[worst], found.asked.least)
    name = _capital(_called(curve.varied.name))
    return f"{name}: {curve.values[best]} is best, {_times(factor)} times better than {curve.values[worst]}."


def _idle(found: WhatIf) -> list[str]:
    none = found.without_effect
    made = [f"{_capital(_called(name))} has no effect (index 0)." for name in none if name in found.indices]
    made += [f"{_capital(_called(name))} has no effect on its curve." for name in none if name not in found.indices]
    known = {*none, *(one.name for one in found.knees if one.flat)}
    hardly = [_called(name) for name in found.ranked if found.indices[name].high < HARDLY and name not in known]
    if hardly and len(found.indices) > 1:
        verb = "matters" if len(hardly) == 1 else "matter"
        made.append(f"{_capital(listed(hardly))} hardly {verb}: total index below {HARDLY:g}.")
    return made


def _together(found: WhatIf) -> list[str]:
    """What no parameter makes alone."""
    every = found.indices.values()
    rest, sure = 1 - sum(one.first for one in every), 1 - sum(one.first_high for one in every)
    if len(found.indices) < 2 or rest < TOGETHER or sure <= 0 or found.indices[found.ranked[0]].total == 0:
        return []
    return [f"{_percent(rest)} of the variance is of parameters that act together: no one of them makes it alone."]


def _emulated(found: WhatIf) -> str:
    one = found.emulator
    assert one is not None
    quality = f"on held-out runs R2 {_number(one.r2)}, error {_percent(one.error)} of the spread"
    if not one.trusted:
        return (
            f"No indices: a {one.kind} fitted on {one.runs} runs is not good enough ({quality}; R2 must be {FLOOR:g} "
            "or more). Give it more runs, or narrower ranges."
        )
    return f"The indices are of a {one.kind} fitted on {one.runs} runs: {quality}."


def _capital(text: str) -> str:
    return text if "." in text.split(" ")[0] else text[:1].upper() + text[1:]


def _called(name: str) -> str:
    """A parameter in words; one of a call as it is."""
    return name if "." in name else words_of(name)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _number(value: float) -> str:
    return f"{value:.2f}"


def _times(factor: float) -> str:
    return f"{factor:.3g}" if factor >= 10 else f"{factor:.2f}".rstrip("0").rstrip(".")
