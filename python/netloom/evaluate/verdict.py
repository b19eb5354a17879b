"""A decision between mappings in words: why the best one is better, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..base.quantities import size_text
from ..base.winner import MARGIN, listed
from .candidates import SAME, finest, rated
from .candidates import gains as saved
from .contest import PROVED
from .rungs import rung

if TYPE_CHECKING:
    from .decision import Decision

#: Gains below this are within what models leave out.
SMALL = MARGIN


def sure(decision: Decision) -> str:
    """How sure a decision is, in a sentence: which rungs were asked, and whether they agree."""
    gains = decision.gains
    if (first := decision.asked_instead_of) is not None:
        by = rung(finest(first, decision.best))
        return f"taken as asked: {first.name!r} takes {_percent(saved(decision.best, first)[by.name])} by {by.words}"
    if proved := next((reason for _, reason in decision.skipped if reason.startswith(PROVED)), ""):
        return proved
    if decision.best is decision.start:
        others = len(decision.candidates) - 1
        return f"no other of {others} different mappings is better by {rung(decision.rung).words}; the start is kept"
    said = ", ".join(f"{rung(name).words} {_percent(gain)}" for name, gain in gains.items())
    if decision.sizes:
        said += "".join(f", at {size_text(size)} flows {_percent(gain)}" for size, gain in decision.sizes.items())
        if min(decision.sizes.values()) < -SAME:
            return f"unsure, it depends on the size, and none was given: {said}; give --size"
    if min(gains.values()) < -SAME:
        return f"unsure, the rungs disagree: {said}; measure both mappings"
    if max(gains.values()) < SMALL:
        return f"too little to count on: {said}"
    timed = {rung(name).words: gain for name, gain in gains.items() if rung(name).simulated}
    if len(timed) < 2:
        return f"fair, no finer rung was affordable: {said}"
    if max(timed.values()) > 2 * min(timed.values()) + SMALL:
        return f"the direction is sure, the amount is not: {said}"
    return f"{listed(list(timed))} agree: {said}{_left_out(decision)}"


def _left_out(decision: Decision) -> str:
    """What the simulations take no time for, which the gain is a share of the rest of."""
    left = decision.left_out
    return f"; both take no time for {listed(left)}, so the real share is smaller" if left else ""


def _percent(gain: float) -> str:
    return f"{abs(100 * gain):.1f} % {'less' if gain >= 0 else 'more'}"


def reason(decision: Decision) -> str:
    """Why the best mapping is better: what fell most of what can be counted."""
    if decision.best is decision.start:
        return ""
    words: dict[str, tuple[str, Callable[[float], str]]] = _reasons()
    falls = []
    for key, (name, text) in words.items():
        before, after = (rated(one, key) for one in (decision.start, decision.best))
        if before not in (0.0, float("inf")) and after < before * (1 - SAME):
            falls.append((1 - after / before, f"{name} from {text(before)} to {text(after)}"))
    if not falls:
        return "ranks that wait for each other meet sooner: neither bytes nor loads fell"
    return "less " + ", ".join(said for _, said in sorted(falls, reverse=True))


def alternative(decision: Decision) -> str:
    """Which other mapping loads the network much less for little more time; empty if none does."""
    other, best = decision.less_traffic, decision.best
    if other is None:
        return ""
    said = []
    for key, (name, _) in list(_reasons().items())[:2]:
        share = rated(other, key) / rated(best, key) if rated(best, key) else 1.0
        said += [f"{100 * (1 - share):.0f} % fewer {name}"] if share < 1 - SAME else []
    cost = f"{_percent(saved(best, other)[decision.rung])} by {rung(decision.rung).words}"
    return f"{other.name!r} has {' and '.join(said)} and takes {cost}; take it where other jobs share the links"


def _reasons() -> dict[str, tuple[str, Callable[[float], str]]]:
    from ..base.quantities import amount_text, time_text

    return {
        "inter_node_bytes": ("bytes between nodes", amount_text),
        "hop_bytes": ("bytes times hops", amount_text),
        "max_link_s": ("time on the worst link", time_text),
    }
