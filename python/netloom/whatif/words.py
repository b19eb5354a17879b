"""What a what-if answer says in sentences."""

from __future__ import annotations

from ..base.winner import is_tie, listed
from .answer import WhatIf
from .curve_words import doubling, knees
from .curves import Curve
from .decision_words import disagreement, outside, sureness, total, unlike
from .emulator import FLOOR
from .extrapolated import undecided
from .knees import better
from .phrases import called, capital, number, times, whole, within
from .referee import words
from .varied import Choice

#: Total index below which a parameter hardly matters; share of the variance of several together that is named.
HARDLY, TOGETHER = 0.02, 0.1


def sentences(found: WhatIf) -> list[str]:
    """The decision, what doubling it gives, how sure, what would change it; then where more gives nothing."""
    said = [*_deciding(found), *knees(found), *_chosen(found), *_idle(found)]
    said += [*_together(found), *_extrapolated(found)]
    if found.emulator is not None:
        said.append(_emulated(found))
    return said


def _deciding(found: WhatIf) -> list[str]:
    """The decision: the parameters whose total index is above all others', and how sure that is."""
    order, target, one = found.ranked, found.asked.target, found.decision
    if not order:
        return [] if found.curves else [f"Nothing is known yet but {target} at the base point."]
    top = found.indices[order[0]]
    if found.extrapolated is not None and undecided(result for _, result, _ in found.points):
        off = within(found.extrapolated.error)
        return [f"Nothing is decided: all results lie within the error of what was extrapolated, {off}."]
    if top.total == 0:
        return [f"Nothing that was varied changes {target}."]
    apart = "" if one is None or unlike(found, one) else disagreement(found, one)
    by = f"by {words(found.asked.evaluator)} " if apart else ""
    tied = [name for name in order if found.indices[name].high >= top.low]
    few = outside(found)
    if len(order) == 1:
        said = [f"Only {called(order[0])} is varied, so all of the variance is its.", *doubling(found, order[0])]
    elif few:
        may = f"{capital(by + called(order[0]))} may decide ({total(top)})"
        said = [f"{may}, and {apart}." if apart else f"{may}, but it is not sure.", few, *doubling(found, order[0])]
    elif len(tied) == 1:
        first = f"{capital(by + called(order[0]))} decides ({total(top)})"
        said = (
            [f"{first}, but {apart}.", *doubling(found, order[0])]
            if apart
            else _joined(first, doubling(found, order[0]))
        )
    else:
        shares = [f"{called(name)} ({number(found.indices[name].total)})" for name in tied]
        first = f"{capital(by + listed(shares))} decide together: their total indices do not lie apart"
        said = [f"{first}, and {apart}." if apart else f"{first}."]
        said += [one for name in tied for one in doubling(found, name)]
    said += [found.asked.other_work] if found.asked.other_work else []
    return said if one is None else [*said, *sureness(found, one)]


def _joined(first: str, more: list[str]) -> list[str]:
    """One sentence where what follows is of the same parameter."""
    return [f"{first}; {more[0].partition(': ')[2]}"] if more else [f"{first}."]


def _chosen(found: WhatIf) -> list[str]:
    made = []
    for curve in found.curves:
        if isinstance(curve.varied, Choice) and len(set(curve.results)) > 1 and min(curve.results) > 0:
            made.append(_ends_of(curve, found) if curve.varied.name in found.asked.ranks else _best_of(curve, found))
    return made


def _best_of(curve: Curve, found: WhatIf) -> str:
    order = sorted(range(len(curve.values)), key=lambda at: curve.results[at] * (1 if found.asked.least else -1))
    best, worst = order[0], order[-1]
    factor = better(curve.results[best], curve.results[worst], found.asked.least)
    name = capital(called(curve.varied.name))
    if is_tie(1.0, factor, curve.nothing):
        return f"{name}: none is best, the choices differ by less than {within(curve.nothing)}."
    first, last = (curve.varied.text(curve.values[at]) for at in (best, worst))
    return f"{name}: {first} is best, {times(factor)} times better than {last}."


def _ends_of(curve: Curve, found: WhatIf) -> str:
    """The least and the greatest result of choices that are not the same work, none of them called the best."""
    least, most = min(curve.results), max(curve.results)
    both = [
        f"{found.asked.text(one)} with {curve.varied.text(curve.values[curve.results.index(one)])}"
        for one in (least, most)
    ]
    name = capital(called(curve.varied.name))
    return f"{name}: none is called best, as they do not do the same work: {found.asked.target} {' to '.join(both)}."


def _idle(found: WhatIf) -> list[str]:
    none = found.without_effect
    made = [f"{capital(called(name))} has no effect (index 0)." for name in none if name in found.indices]
    made += [f"{capital(called(name))} has no effect on its curve." for name in none if name not in found.indices]
    known = {*none, *(one.name for one in found.knees if one.flat)}
    hardly = [called(name) for name in found.ranked if found.indices[name].high < HARDLY and name not in known]
    if outside(found):
        return made
    if hardly and len(found.indices) > 1:
        verb = "matters" if len(hardly) == 1 else "matter"
        made.append(f"{capital(listed(hardly))} hardly {verb}: total index below {HARDLY:g}.")
    return made


def _together(found: WhatIf) -> list[str]:
    """What no parameter makes alone."""
    every = found.indices.values()
    rest, sure = 1 - sum(one.first for one in every), 1 - sum(one.first_high for one in every)
    if len(found.indices) < 2 or outside(found) or found.indices[found.ranked[0]].total == 0:
        return []
    if rest < TOGETHER or sure <= 0:
        return []
    return [f"{whole(rest)} of the variance is of parameters that act together: no one of them makes it alone."]


def _extrapolated(found: WhatIf) -> list[str]:
    """How many runs were simulated in part, and what that leaves undecided."""
    one = found.extrapolated
    if one is None:
        return []
    least = f"{100 * one.least_share:.3g} % of the packets"
    said = f"{one.runs:,} of {len(found.points):,} runs are extrapolated from a part of them, of {least} at least"
    if one.error == 0:
        return [f"{said}, without an error."]
    off = f"results may be off by up to {within(one.error)}"
    return [f"{said}: {off}; what differs by less than its runs may be off is undecided."]


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
