"""What limits a run and what would help most, in words; from the rows that were simulated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.quantities import time_text
from ..base.winner import MARGIN, is_tie, listed
from .parts import AT, NAMES, OWN, PARTS

if TYPE_CHECKING:
    from .changes import Change, Explained

#: Holds what others change one by one: a bound, and nothing that anybody does.
BOUND = "ideal network"


def tried(made: Explained) -> list[Change]:
    """The rows but for the bound, those that gain most first."""
    return [one for one in made.changes if one.change != BOUND]


def answer(made: Explained) -> str:
    """The first line: what limits, what helps most, and where an ideal network would end."""
    rows = tried(made)
    if not rows:
        return "What limits this run is not known: no change was simulated."
    best, bound = rows[0], next((one for one in made.changes if one.change == BOUND), None)
    if is_tie(best.time_s, made.time_s):
        said = f"No change that was tried shortens the run by more than {100 * MARGIN:g} %"
        return f"{said}; an ideal network would {_takes(bound)}." if bound else f"{said}."
    level = [one for one in rows[1:] if is_tie(best.time_s, one.time_s)]
    what = listed([one.limit for one in (best, *level)])
    said = f"{what[:1].upper()}{what[1:]} {'limit' if level else 'limits'} this run most: "
    said += f"with {' or with '.join(one.change for one in (best, *level))} it would {_takes(best)}"
    return f"{said}; with an ideal network {time_text(bound.time_s)}." if bound else f"{said}."


def _takes(one: Change) -> str:
    return (
        f"take {time_text(one.time_s)}, {1 - one.ratio:.0%} less" if one.ratio < 1 else f"take {time_text(one.time_s)}"
    )


def notes(made: Explained) -> list[str]:
    """Where most of the time is lost, whether gains overlap, and what the record does not tell."""
    total = made.pieces.total()
    whole = float(total.sum())
    said = []
    lost = sorted((name for name in NAMES if name != "computing"), key=lambda name: -total[AT[name]])
    if whole > 0 and total[AT[lost[0]]] > 0:
        parts = [f"{name} {total[AT[name]] / whole:.0%}" for name in lost if total[AT[name]] >= 0.01 * whole]
        said.append(f"Of the time of all ranks {total[AT['computing']] / whole:.0%} is computing; {', '.join(parts)}.")
    gains = sum(max(made.time_s - one.time_s, 0.0) for one in tried(made))
    if gains > made.time_s > 0:
        said.append(
            f"The gains of these changes sum to {gains / made.time_s:.0%} of the run: they overlap, and together they "
            "gain less."
        )
    if not made.knows_contention:
        said.append(
            "What transfers take alone is not simulated here: the fastest one of a size between two ranks counts as "
            "that, so that contention is at least what is said."
        )
    if made.called & set(OWN):
        said.append(
            "What the tasks of a rank do side by side is not recorded: the rank is shown as waiting for its tasks (own "
            "tasks), but for the last message that they wait for."
        )
    return said


def meaning(part: str) -> str:
    """Of a part."""
    return PARTS[part]
