"""What the runs of an experiment compare without being asked: default routings, and numbers of ranks."""

from __future__ import annotations

from .plan import Part

#: Evaluators whose numbers depend on the routing.
ROUTED = ("loads", "time", "packet", "throughput")


def cautions(part: Part) -> list[str]:
    """Sentences about labels that look like inputs, about routings and ranks. O(runs), and each network once."""
    labels = part.evaluation.axis("machine") is None and "machine" in part.labels
    said = [
        "`machine` names no machine here: it is an axis of the study, and costs are those of `calibration`."
    ] * labels
    said += _routings(part)
    if part.other_work:
        said.append(f"{part.other_work}.")
    return said


def _routings(part: Part) -> list[str]:
    if part.evaluation.name not in ROUTED or len(part.labels.get("network", ())) < 2:
        return []
    if all(str(run.values.get("routing") or "auto") != "auto" for run in part.runs):
        return []
    return [
        "Each network has its own default routing here, and these differ in kind: give `routing` and `variant`, or use "
        "`netloom compare`, for one policy on all."
    ]
