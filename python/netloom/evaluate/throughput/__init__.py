"""`throughput`: offered against accepted load, and latency, packet by packet through switches with buffers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import _core
from ...scenario import Question
from ...scenario.effect import of_packets
from .. import ahead, core
from ..answer import Row
from ..answers import ThroughputAnswer
from ..base import ROUTED, STOP, Evaluator, Options, axes, core_options
from ..channels import sentence, with_enough
from ..properties import RUNGS, of_switches

if TYPE_CHECKING:
    from ...base.records import Found

#: At the greatest offered load.
AT_MOST = ("accepted", "latency_mean", "latency_p99")
COLUMNS = (*core.columns("throughput"), *core.table_columns("throughput", "points", *AT_MOST))
#: Longer tables of the answer.
TABLES = ("points", "histogram", "by_hops", "links", "features", "occupancy")
#: What jobs may say that independent sources cannot use.
NO_TIME = {"start_s": 0.0, "repetitions": 1}


class Throughput(ThroughputAnswer):
    """A curve of points, and what lies behind them; `explain` gives its limits.

    Attributes
    ----------
    searched
        Whether the saturation was asked for.
    instead_of
        The network's own routing, if another one is used for want of channels.
    """

    searched = True
    instead_of = ""

    def explain(self) -> list[str]:
        """One line each on the saturation, loads without a point, points that do not settle, and the routing."""
        lines = [*self.chosen]
        saturation = self.record["saturation"]
        if isinstance(saturation, float):
            lines.append(
                f"accepts up to {saturation:.2g} of the injection bandwidth" if saturation < 1 else "accepts all"
            )
        if self.record["not_measured"]:
            few = "" if self.tables["points"] else "; give more time, or fewer cycles"
            lines.append(f"stopped in time: {self.record['not_measured']} loads have no point{few}")
        elif saturation is None and self.searched:
            lines.append("stopped in time: the saturation is not known")
        late = [row["offered"] for row in self.tables["points"] if not row["drained"]]
        if late:
            text = ", ".join(f"{load:g}" for load in late)
            lines.append(f"packets offered at {text} were still under way at the end: their latencies are too low")
        if self.record["zero_load_exact"] == 0:
            lines.append("the latency at zero load is estimated, from 4,096 packets")
        if self.instead_of:
            lines.append(sentence(self.instead_of))
        return lines


def run(bound: Question, options: Options) -> Throughput:
    """Cost: packets times links, for every load and every step of the search for the saturation."""
    bound.listed_jobs.refuse_keys("throughput", NO_TIME)
    (job,) = bound.jobs[:1]
    own = bound.site.routing_of(job.routing)
    found, routing = _found(bound, options)
    tables = {name: core.known(found, name) for name in TABLES}
    row: Row = dict(found["record"])
    # No point at all if time was over before the first.
    last: Row = tables["points"][-1] if tables["points"] else {}
    row |= {name: last.get(name) for name in AT_MOST}
    answer = Throughput(
        row, tables, {"routing": routing or own, "variant": bound.site.variant_of(job) or "static-direct"}
    )
    rung = of_switches("throughput", found)
    answer.model, answer.assumptions = rung.model, rung.sentences()
    answer.searched = bool(options["saturation"])
    answer.instead_of = own if routing else ""
    return answer


def _found(bound: Question, options: Options) -> tuple[Found, str | None]:
    """What the core finds; and the routing, if the network's own needs more channels than the switch has."""
    settings = dict(options) | {"seed": bound.integer("seed")}
    seconds = settings.pop(STOP.name)
    assert seconds is None or isinstance(seconds, (int, float))
    loads = [bound.work.stream_of(job, bound.size_bytes) for job in bound.jobs]
    if seconds is None:
        ahead.say(ahead.of_curve(bound, options))

    def by(routing: str | None) -> Found:
        return _core.evaluate(core.several(bound, loads, routing), "throughput", settings, bound.progress, seconds)

    return with_enough(bound, by)


def _sizes(bound: Question) -> str:
    return "the workload gives shares of destinations, and all its messages grow alike"


def _used(bound: Question) -> str:
    """Of the seed: births and destinations are drawn with it."""
    return ""


EVALUATOR = Evaluator(
    name="throughput",
    summary="Offered against accepted load, and latency, packet by packet through switches with buffers",
    axes=(*ROUTED, *axes("variant", "seed")),
    columns=COLUMNS,
    options=(*core_options("throughput", without=("seed",)), STOP),
    tables={name: core.table_columns("throughput", name) for name in TABLES},
    run=run,
    model=RUNGS["throughput/input-queued"].model,
    assumptions=RUNGS["throughput/input-queued"].sentences(),
    either=("workload",),
    idle={"size_bytes": _sizes, "seed": _used, "variant": of_packets},
)
