"""What a what-if answer says in sentences."""

from __future__ import annotations

from ..base.winner import listed
from .answer import WhatIf
from .best import OTHERS
from .curves import Curve, doubled
from .decision_words import disagreement, sureness
from .emulator import FLOOR
from .knees import NOTHING, Knee, better
from .phrases import called, capital, number, times, whole
from .referee import words
from .varied import Choice, Range

#: Total index below which a parameter hardly matters; share of the variance of several together that is named.
HARDLY, TOGETHER = 0.02, 0.1
#: A knee that moves by less of its range stays.
STAYS = 0.02


def sentences(found: WhatIf) -> list[str]:
    """The decision, what doubling it gives, how sure, what would change it; then where more gives nothing."""
    said = [*_deciding(found), *_knees(found), *_chosen(found), *_idle(found)]
    said += _together(found)
    if found.emulator is not None:
        said.append(_emulated(found))
    return said


def _deciding(found: WhatIf) -> list[str]:
    """The decision: the parameters whose total index is above all others', and how sure that is."""
    order, target, one = found.ranked, found.asked.target, found.decision
    if not order:
        return [] if found.curves else [f"Nothing is known yet but {target} at the base point."]
    top = found.indices[order[0]]
    if top.total == 0:
        return [f"Nothing that was varied changes {target}."]
    apart = "" if one is None else disagreement(found, one)
    by = f"by {words(found.asked.evaluator)} " if apart else ""
    tied = [name for name in order if found.indices[name].high >= top.low]
    if len(order) == 1:
        said = [f"Only {called(order[0])} is varied, so all of the variance is its.", *_doubling(found, order[0])]
    elif len(tied) == 1:
        share = f"total index {number(top.total)}, {number(top.low)} to {number(top.high)}"
        first = f"{capital(by + called(order[0]))} decides ({share})"
        said = (
            [f"{first}, but {apart}.", *_doubling(found, order[0])]
            if apart
            else _joined(first, _doubling(found, order[0]))
        )
    else:
        shares = [f"{called(name)} ({number(found.indices[name].total)})" for name in tied]
        first = f"{capital(by + listed(shares))} decide together: their total indices do not lie apart"
        said = [f"{first}, and {apart}." if apart else f"{first}."]
        said += [one for name in tied for one in _doubling(found, name)]
    return said if one is None else [*said, *sureness(found, one)]


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
        return [f"{capital(called(name))}: {where} gives nothing (less than {whole(NOTHING)})."]
    results = f"{found.asked.target} {found.asked.text(result)} to {found.asked.text(after)}"
    return [f"{capital(called(name))}: {where} gives {times(factor)} times ({results})."]


def _knees(found: WhatIf) -> list[str]:
    made, again = [], {} if found.best is None else {one.name: one for one in found.best.knees}
    for one in found.knees:
        if one.name in found.without_effect and (one.name not in again or again[one.name].flat):
            continue
        moved = _moved(one, again[one.name]) if one.name in again else ""
        if one.value is not None:
            made.append(f"{_knee(one)}; {moved}." if moved else f"{_knee(one)}.")
        elif moved:
            made.append(f"{capital(called(one.name))} gains up to its end; {moved}.")
    return made


def _knee(one: Knee) -> str:
    name, varied = capital(called(one.name)), one.curve.varied
    assert one.value is not None
    if one.flat:
        return f"{name} gives nothing anywhere in its range (less than {whole(NOTHING)})"
    return (
        f"{name} {_side(one)} {varied.text(one.value)} gives nothing (less than {whole(NOTHING)}); up to there it "
        f"gives {times(one.gain_before)} times"
    )


def _side(one: Knee) -> str:
    return "above" if one.upwards else "below"


def _moved(one: Knee, again: Knee) -> str:
    """Where the knee is with the best of the others; empty where it stays."""
    varied = one.curve.varied
    assert isinstance(varied, Range)
    if one.value is None and again.value is None:
        return ""
    if again.value is None:
        return f"{OTHERS} it gains up to its end, {times(again.gain_before)} times"
    if again.flat:
        return "" if one.flat else f"{OTHERS} it gives nothing anywhere"
    same = one.value is not None and not one.flat and one.upwards == again.upwards
    if same and one.value is not None and abs(varied.place(one.value) - varied.place(again.value)) < STAYS:
        return ""
    return f"{OTHERS} it gives nothing {_side(again)} {varied.text(again.value)}"


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
    name = capital(called(curve.varied.name))
    return f"{name}: {curve.values[best]} is best, {times(factor)} times better than {curve.values[worst]}."


def _idle(found: WhatIf) -> list[str]:
    none = found.without_effect
    made = [f"{capital(called(name))} has no effect (index 0)." for name in none if name in found.indices]
    made += [f"{capital(called(name))} has no effect on its curve." for name in none if name not in found.indices]
    known = {*none, *(one.name for one in found.knees if one.flat)}
    hardly = [called(name) for name in found.ranked if found.indices[name].high < HARDLY and name not in known]
    if hardly and len(found.indices) > 1:
        verb = "matters" if len(hardly) == 1 else "matter"
        made.append(f"{capital(listed(hardly))} hardly {verb}: total index below {HARDLY:g}.")
    return made


def _together(found: WhatIf) -> list[str]:
    """What no parameter makes alone."""
    every = found.indices.values()
    rest, sure = 1 - sum(one.first for one in every), 1 - sum(one.first_high for one in every)
    if len(found.indices) < 2 or rest < TOGETHER or sure <= 0 or found.indices[found.ranked[0]].total == 0:
        return []
    return [f"{whole(rest)} of the variance is of parameters that act together: no one of them makes it alone."]


def _emulated(found: WhatIf) -> str:
    one = found.emulator
    assert one is not None
    quality = f"on held-out runs R2 {number(one.r2)}, error {whole(one.error)} of the spread"
    if not one.trusted:
        return (
            f"No indices: a {one.kind} fitted on {one.runs} runs is not good enough ({quality}; R2 must be {FLOOR:g} "
            "or more). Give it more runs, or narrower ranges."
        )
    return f"The indices are of a {one.kind} fitted on {one.runs} runs: {quality}."
