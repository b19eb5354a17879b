"""What `netloom simulate --json` says of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ..base.ahead import announced
from .options import stop_left

if TYPE_CHECKING:
    from ..evaluate.answers import TimeAnswer
    from ..results.rows import Cell
    from .inputs import Asked

JOB_KEYS = ("workload", "ranks", "repetitions", "start_s", "time_s", "first_s", "mean_s", "last_s", "mop_per_s")


def result_of(asked: Asked, found: TimeAnswer, options: dict[str, Cell]) -> dict[str, object]:
    """The keys of `--json`."""
    from ..evaluate.known_error import error_of
    from ..results.rows import known_cell
    from ..scenario.settings import costs_of, settings_of

    ends = found["finish_s"]
    of_jobs = ends if isinstance(ends, list) else [ends]
    machine = asked.scenario.machine
    result: dict[str, object] = {
        "network": asked.network.label,
        **({} if machine is None else {"machine": machine.name}),
        "calibration": costs_of(asked.scenario),
        "routing": found["routing"],
        "variant": found["variant"],
        "notes": found.explain(),
        "duplex": settings_of(asked.scenario, asked.workshop)["duplex"],
        "time_s": found.record["time_s"],
        "wires_s": _wires_s(asked, found, options),
        "error": error_of(asked.bound(found.evaluator), asked.said),
        "messages": found["messages"],
        "bytes": found["bytes"],
        "stopped_s": found["stopped_s"],
        "ranks_ended": found["ranks_ended"],
        "folded_ranks": found.record.get("folded_ranks"),
        "periods_skipped": found.record.get("periods_skipped", 0),
        "jobs": [
            {"job": job["job"]}
            | {key: known_cell(job[key]) for key in JOB_KEYS}
            | {"finish_s": [known_cell(float(one)) for one in end]}
            for job, end in zip(cast("list[dict[str, Cell]]", found["jobs"]), of_jobs, strict=True)
        ],
        "work": found["work"],
    }
    if options.get("fast"):
        names = ("over", "share", "error", "error_s", "packets", "ranks")
        result["fast"] = {name: found.record[f"fast_{name}"] for name in names}
    if "calls" in found.tables:
        result["calls"] = found.tables["calls"]
    if "parallel" in found.tables:
        result["parallel"] = found.tables["parallel"][0]
    if "critical_path" in found:
        path = found["critical_path"]
        result["critical_path"] = {key: value for key, value in path.items() if key != "segments"}
    return result


#: Most messages of a run that is done again without the time of software.
_AGAIN = 1 << 22


def _wires_s(asked: Asked, found: TimeAnswer, options: dict[str, Cell]) -> float | None:
    """Time if software took none; None where that is a run too long, or one that was stopped."""
    from ..evaluate import answer, evaluator, settings
    from ..evaluate.base import STOP
    from ..evaluate.known_error import alone, costs_software
    from ..scenario.settings import settings_of

    own, time_s = settings_of(asked.scenario, asked.workshop), found.record["time_s"]
    if not costs_software(own):
        return cast("float | None", time_s)
    is_long = found["messages"] > _AGAIN and found.record.get("folded_ranks") is None
    if found["stopped_s"] is not None or is_long:
        return None
    row = evaluator(found.evaluator)
    bare = asked.scenario.without("duplex", "switch_latency").but(**cast("Any", alone(own, asked.scenario["library"])))
    kept = ("switch", "threads", "fold", "fast", "fast_within")
    same = {name: value for name, value in options.items() if name in kept}
    if (left := stop_left()) is not None:
        # Both runs together have that time.
        same[STOP.name] = left
    with announced():
        again = answer(row, bare, asked.workshop, settings(row, same), lambda done, total: None)
    return cast("float | None", again.record["time_s"])


def runs(asked: Asked, evaluator: str) -> int:
    """How often the question is simulated: again without the time of software, unless that is long."""
    from ..evaluate.ahead import messages_of
    from ..evaluate.known_error import costs_software
    from ..evaluate.time.alone import loads_of
    from ..scenario.settings import settings_of

    if not costs_software(settings_of(asked.scenario, asked.workshop)):
        return 1
    bound = asked.bound(evaluator)
    loads = zip(bound.jobs, loads_of(bound), strict=True)
    return 2 if sum(messages_of(load) * job.repetitions for job, load in loads) <= _AGAIN else 1
