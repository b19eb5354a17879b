"""Curves in sentences: what doubling gives, from where on more gives nothing, where the best lies inside a range."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .best import OTHERS
from .curves import Curve, doubled
from .extrapolated import nothing_of
from .knees import Knee, Turn, better
from .phrases import called, capital, gained, gives_nothing, times, within
from .varied import Range

if TYPE_CHECKING:
    from .answer import WhatIf

#: A knee, or a best value, that moves by less of its range stays.
STAYS = 0.02
#: Total index above which a parameter counts elsewhere, though it gives nothing with the others as written.
COUNTS = 0.02


def doubling(found: WhatIf, name: str) -> list[str]:
    """What twice as much of it gives, or half where less is better."""
    curve = next((one for one in found.curves if one.varied.name == name), None)
    if curve is None or not isinstance(curve.varied, Range) or min(curve.results) <= 0 or name in found.asked.ranks:
        return []
    one, result = curve.varied, curve.at(curve.varied.base)
    upwards = better(curve.results[-1], curve.results[0], found.asked.least) >= 1
    known = [(value, at) for value in _steps(one, upwards) if (at := curve.at(value)) is not None]
    if result is None or not known:
        return []
    # Where the best lies between both ends, the way to the better end may be a loss.
    value, after = known[0]
    if len(known) > 1 and better(after, result, found.asked.least) < 1 / (1 + nothing_of(result, after)):
        value, after = max(known, key=lambda pair: better(pair[1], result, found.asked.least))
    nothing = nothing_of(result, after)
    ratio, factor = float(value) / float(one.base), better(after, result, found.asked.least)
    word = {2.0: "doubling it", 0.5: "halving it"}.get(ratio, "raising it" if ratio > 1 else "lowering it")
    where = f"{word} from {one.text(one.base)} to {one.text(value)}"
    if abs(factor - 1) < nothing:
        return [f"{capital(called(name))}: {where} {gives_nothing(nothing)}."]
    results = f"{found.asked.target} {found.asked.text(result)} to {found.asked.text(after)}"
    return [f"{capital(called(name))}: {where} gives {gained(factor, nothing)} ({results})."]


def _steps(one: Range, upwards: bool) -> list[float | int | str | bool]:
    """Twice the base and half of it, the better one first as the ends of the curve have it."""
    up, down = doubled(one)
    return [value for value in ((up, down) if upwards else (down, up)) if value is not None]


def knees(found: WhatIf) -> list[str]:
    """A sentence for each range: its knee, or its best value inside, and where both are with the best of the others."""
    made, again = [], {} if found.best is None else {one.name: one for one in found.best.knees}
    for one in found.knees:
        if one.name in found.asked.ranks:
            continue
        if one.name in found.without_effect and (one.name not in again or again[one.name].flat):
            continue
        moved = _moved(found, one, again[one.name]) if one.name in again else ""
        said = _said(found, one)
        if not said and moved:
            said = f"{capital(called(one.name))} {_at_end(one)}"
        if said:
            made.append(f"{said}; {moved}." if moved else f"{said}.")
    return made


def _said(found: WhatIf, one: Knee) -> str:
    """What the curve says; empty of one that gains up to its end."""
    name, varied = capital(called(one.name)), one.curve.varied
    if one.flat:
        index = found.indices.get(one.name)
        apart = len(found.indices) > 1 and index is not None and index.total >= COUNTS
        where = ", with the others as written" if apart else ""
        return f"{name} {gives_nothing(one.nothing).replace(' (', ' anywhere in its range (')}{where}"
    if one.best_inside is not None:
        return f"{name} is best at {_turn(found, one.curve, one.best_inside, 'worse')}"
    worst = ""
    if one.worst_inside is not None:
        worst = f"is worst at {_turn(found, one.curve, one.worst_inside, 'better')}"
    if one.value is None:
        return f"{name} {worst}" if worst else ""
    nothing = f"{name} {_side(one)} {varied.text(one.value)} {gives_nothing(one.nothing)}"
    return f"{nothing}; it {worst}" if worst else f"{nothing}; up to there it gives {times(one.gain_before)} times"


def _turn(found: WhatIf, curve: Curve, turn: Turn, than: str) -> str:
    """``21 (time_s 210 µs), inside its range: 6.13 times worse at 1, 1.31 times worse at 1,024``."""
    one = curve.varied
    assert isinstance(one, Range)
    ends = ((turn.low_times, one.low), (turn.high_times, one.high))
    both = ", ".join(f"{times(factor)} times {than} at {one.text(one.taken(end))}" for factor, end in ends)
    return f"{one.text(turn.value)} ({found.asked.target} {found.asked.text(turn.result)}), inside its range: {both}"


def _side(one: Knee) -> str:
    return "above" if one.upwards else "below"


def _at_end(one: Knee) -> str:
    """What a curve without a knee and without a turn does up to its better end."""
    if one.gain_before < 1 + one.nothing:
        return f"gives less than {within(one.nothing)} from one end to the other"
    return "gains up to its end"


def _moved(found: WhatIf, one: Knee, again: Knee) -> str:
    """Where the knee, or the best or the worst value, is with the best of the others; empty where it stays."""
    varied = one.curve.varied
    assert isinstance(varied, Range)
    before, after = _place(one), _place(again)
    if before == after or (before[1] and before[:2] == after[:2] and abs(before[2] - after[2]) < STAYS):
        return ""
    if again.flat:
        return f"{OTHERS} it gives nothing anywhere"
    if again.best_inside is not None:
        return f"{OTHERS} it is best at {varied.text(again.best_inside.value)}"
    if again.value is not None:
        return f"{OTHERS} it gives nothing {_side(again)} {varied.text(again.value)}"
    if again.worst_inside is not None:
        return f"{OTHERS} it is worst at {_turn(found, again.curve, again.worst_inside, 'better')}"
    end = _at_end(again)
    return f"{OTHERS} it {end}" + (
        f", {times(again.gain_before)} times" if again.gain_before >= 1 + again.nothing else ""
    )


def _place(one: Knee) -> tuple[str, bool, float]:
    """What a curve says, whether that has a place, and where on the scale."""
    varied = one.curve.varied
    assert isinstance(varied, Range)
    if one.flat:
        return "flat", False, 0.0
    if one.best_inside is not None:
        return "best", True, varied.place(one.best_inside.value)
    if one.value is not None:
        return _side(one), True, varied.place(one.value)
    if one.worst_inside is not None:
        return "worst", True, varied.place(one.worst_inside.value)
    return "end", False, 0.0
