"""What the runs of an experiment compare without being asked: default routings of different kinds."""

from __future__ import annotations

from .plan import Part

#: Evaluators whose numbers depend on the routing.
ROUTED = ("loads", "time", "packet", "throughput")


def cautions(part: Part) -> list[str]:
    """Sentences about the routings of an experiment; empty for one that depends on none. O(runs)."""
    if part.evaluation.name not in ROUTED or len(part.labels.get("network", ())) < 2:
        return []
    if all(str(run.values.get("routing") or "auto") != "auto" for run in part.runs):
        return []
    return [
        "Each network has its own default routing here, and these differ in kind: give `routing` and `variant`, or use "
        "`netloom compare`, for one policy on all."
    ]
