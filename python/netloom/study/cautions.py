"""What the runs of an experiment compare without being asked: routings of other kinds, variants without effect."""

from __future__ import annotations

from ..base.errors import NetloomError
from ..evaluate.effect import AMONG_PATHS, idle
from ..scenario import Bound, Calls, Workshop
from .plan import Part
from .runs import Run

#: Evaluators whose numbers depend on the routing.
ROUTED = ("loads", "time", "packet", "throughput")
PACKETS = ("packet", "throughput")
#: Most different networks, routings and variants that are looked at.
MOST = 64


def cautions(part: Part, calls: Calls) -> list[str]:
    """Sentences about an experiment's routings and variants; empty for one that depends on neither.

    Notes
    -----
    Cost: the network and the routing of up to `MOST` variants that only choose among paths; else O(runs).
    """
    if part.evaluation.name not in ROUTED or not part.runs:
        return []
    said: dict[str, None] = {}
    if len(part.labels.get("network", ())) > 1 and any(_text(run, "routing", "auto") == "auto" for run in part.runs):
        said[
            "Each network has its own default routing here, and these differ in kind: give `routing` and `variant`, or "
            "use `netloom compare`, for one policy on all."
        ] = None
    seen: dict[tuple[str, ...], Run] = {}
    for run in part.runs:
        variant = _text(run, "variant", "static-direct")
        if variant.partition("(")[0] in AMONG_PATHS:
            seen.setdefault((*(_text(run, name, "") for name in ("network", "fail", "routing")), variant), run)
    workshop = Workshop(calls)
    for run in list(seen.values())[:MOST]:
        said |= dict.fromkeys(_idle(run, part.evaluation.name, workshop))
    return list(said)


def _idle(run: Run, evaluator: str, workshop: Workshop) -> list[str]:
    try:
        bound = Bound(run.scenario(workshop.calls.folder), workshop, lambda done, total: None)
        return idle(bound.routed, bound.routing_of(), bound.variant, evaluator in PACKETS)
    except NetloomError:
        # The run itself says what is wrong.
        return []


def _text(run: Run, axis: str, default: str) -> str:
    return str(run.values.get(axis) or default)
