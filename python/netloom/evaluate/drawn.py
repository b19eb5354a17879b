"""Pictures of answers: which kinds each evaluator has, and the function that draws one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .answers import HopsAnswer, MetricsAnswer, TimeAnswer
    from .loads.result import Loads
    from .shown import Shown
    from .throughput import Throughput


def draw(answer: Shown, kind: str | None = None) -> Axes:
    """`Answer.draw`."""
    from ..plot.axes import axes_of

    kinds = PICTURES.get(answer.evaluator, {})
    chosen = next(iter(kinds), "") if kind is None else kind
    if chosen not in kinds:
        expected = f"one of {', '.join(kinds)}" if kinds else f"an answer with pictures, which {answer.evaluator} lacks"
        hint = did_you_mean(chosen, kinds, "pictures") if kinds else "to_arrow and to_pandas give its numbers"
        raise NetloomError([Fault("NL-A002", "draw.kind", expected, chosen[:80], hint)])
    return axes_of(kinds[chosen](answer))


def _loads(kind: str) -> Callable[[Shown], Figure]:
    return lambda answer: cast("Loads", answer).picture(kind)


def _by_hops(counts: Sequence[int], what: str, title: str) -> Figure:
    from ..plot import figure

    table = {"hops": [str(hops) for hops in range(len(counts))], what: counts}
    return figure("bar", table, x="hops", y=what, x_label="hops", y_label=what, title=title)


def _hops(answer: Shown) -> Figure:
    found = cast("HopsAnswer", answer)
    return _by_hops(found["histogram"], "messages", f"{found['workload']}, {found['ranks']} ranks")


def _hop_steps(answer: Shown) -> Figure:
    from ..plot import figure
    from ..plot.trace import nothing

    found = cast("HopsAnswer", answer)
    if not found["steps"]:
        raise nothing("hops", f"{found['workload']} has no steps")
    hops = [step["hops"] for step in found["steps"]]
    return figure(
        "line",
        {"step": range(1, len(hops) + 1), "hops": hops},
        x="step",
        y="hops",
        title=f"{found['workload']}, {found['ranks']} ranks",
    )


def _pairs(answer: Shown) -> Figure:
    found = cast("MetricsAnswer", answer)
    return _by_hops(found["hop_histogram"], "pairs of endpoints", f"{found['switches']} switches")


def _ends(answer: Shown) -> Figure:
    """When each rank ends."""
    from ..plot import figure

    found = cast("TimeAnswer", answer)
    ends = found["finish_s"]
    each = ends if isinstance(ends, list) else [ends]
    table: dict[str, list[object]] = {
        "rank": [rank for job in each for rank in range(len(job))],
        "end_s": [end for job in each for end in job.tolist()],
        "job": [named["job"] for named, job in zip(found["jobs"], each, strict=True) for _ in job],
    }
    title = ", ".join(job["workload"] for job in found["jobs"][:3])
    series = "job" if len(found["jobs"]) > 1 else None
    return figure("scatter", table, x="rank", y="end_s", y_label="end of the rank", series=series, title=title)


def _traced(name: str) -> Callable[[Shown], Figure]:
    """A picture of what `trace=True` records."""

    def made(answer: Shown) -> Figure:
        from .. import plot
        from ..plot.trace import nothing

        found = cast("TimeAnswer", answer)
        if "trace" not in found:
            raise nothing(name, "the run was not recorded: simulate with trace=True")
        title = ", ".join(job["workload"] for job in found["jobs"][:3])
        if name == "timeline":
            return plot.timeline(found["trace"], title=title)
        return plot.critical(found["critical_path"], title=title)

    return made


def _curve(answer: Shown) -> Figure:
    from .throughput.charts import curve

    return curve({"": cast("Throughput", answer).tables["points"]})


def _latencies(answer: Shown) -> Figure:
    from .throughput.charts import latencies

    return latencies(cast("Throughput", answer).tables["histogram"])


def _occupancy(answer: Shown) -> Figure:
    from .throughput.occupancy import occupancy

    return occupancy(cast("Throughput", answer).tables["occupancy"])


_TIMES: dict[str, Callable[[Shown], Figure]] = {
    "ends": _ends,
    "timeline": _traced("timeline"),
    "critical-path": _traced("critical-path"),
}
#: By evaluator the kinds of picture, the one drawn by default first; `cost` and `verify` have none.
PICTURES: dict[str, dict[str, Callable[[Shown], Figure]]] = {
    "metrics": {"distances": _pairs},
    "hops": {"distances": _hops, "steps": _hop_steps},
    "loads": {kind: _loads(kind) for kind in ("classes", "histogram", "groups", "slices", "minimaps", "jobs")},
    "time": _TIMES,
    "packet": _TIMES,
    "throughput": {"curve": _curve, "latencies": _latencies, "occupancy": _occupancy},
}
