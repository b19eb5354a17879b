"""`packet`: simulated time of jobs whose messages are packets through switches with buffers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.errors import Fault, NetloomError
from ...results import Column
from ...scenario import Question
from ...scenario.effect import of_packets
from .. import core
from ..answers import PacketAnswer
from ..base import SEARCH, STOP, Evaluator, Option, Options, core_options
from ..features import FEATURES
from ..loads.schema import HISTOGRAM
from ..properties import RUNGS, of_switches
from ..time import AXES, OPTIONS, PATH, TABLES, TIMES, answered
from .links import BY_CLASS, OF_ALL, classes, histogram

if TYPE_CHECKING:
    from ...base.records import Found
    from ..answer import Row

#: The core's counts of its work.
WORK = ("packets", "packet_hops", "waits", "most_buffer_bytes", "events")
#: Those of the way to the result.
TOGETHER = core.columns(
    "packet", "parts", "processes", "most_events", "lookahead_s", "synchronisations", "mail", "processed", "rollbacks",
    "cancelled", "efficiency",
)  # fmt: skip
#: What it saw of them on their way, with the option `details`: of the record, and in tables.
SEEN = ("watched_s", "stalls_per_packet_s", "queue_mean", "queue_max")
#: What was left out, with the option `fast`.
FAST = ("fast_over", "fast_share", "fast_error_s", "fast_error", "fast_packets", "fast_ranks")
DETAILS = ("latency", "latencies", "by_hops", "class_use", "busiest", "occupancy")
LINK_COUNTS = (
    Column("link", "", "number of the directed link: those between switches, of injection, of ejection"),
    *core.table_columns("packet", "links"),
)
COLUMNS = (
    *TIMES, *core.columns("packet", *FAST, *WORK), *OF_ALL, *core.columns("packet", *SEEN, *FEATURES), *PATH, *SEARCH,
)  # fmt: skip


def run(bound: Question, options: Options) -> PacketAnswer:
    """Cost: packets times links; with `fast` a 20th of that, up to a quarter."""
    if faults := _refused(options):
        raise NetloomError(faults)
    own = {name: value for name, value in options.items() if name not in ("histogram", "counts", "link_counts")}
    own["arrays"] = options["histogram"] or options["link_counts"]
    own["features"] = options["features"] or options["link_counts"]

    rungs = []

    def more(found: Found, row: Row) -> dict[str, list[Row]]:
        rungs.append(of_switches("packet", found))
        by_class = classes(found)
        row |= {column.name: by_class[0][column.name] for column in OF_ALL} if by_class else {}
        row |= {name: found["record"][name] for name in (*SEEN, *FAST)}
        row |= {name: found["record"][name] if options["features"] else None for name in FEATURES}
        tables = {"classes": by_class} | {name: core.known(found, name) for name in DETAILS if name in found["tables"]}
        if options["counts"]:
            tables["parallel"] = [{column.name: found["record"][column.name] for column in TOGETHER}]
        if options["link_counts"]:
            tables["link_counts"] = [{"link": at, **row} for at, row in enumerate(core.known(found, "links"))]
        return tables | ({"histogram": histogram(core.numbered(bound), found)} if options["histogram"] else {})

    answer = answered(PacketAnswer, bound, own, COLUMNS, WORK, more)
    (rung,) = rungs
    answer.model, answer.assumptions = rung.model, rung.sentences()
    return answer


def _refused(options: Options) -> list[Fault]:
    """What has no part in several runs that stand for one; the core knows of the rest."""
    if not options["fast"]:
        return []
    wrong = {
        "has no answer before the last of several runs": options[STOP.name] is not None,
        "makes several runs, and counts tell how one of them went": options["counts"],
    }
    return [Fault("NL-A007", "packet.fast", said, "", "leave one of them out") for said, true in wrong.items() if true]


EVALUATOR = Evaluator(
    name="packet",
    summary="Simulated time of a collective, a traffic or an application: messages are packets through switches",
    axes=AXES,
    columns=COLUMNS,
    options=(
        *OPTIONS,
        Option("histogram", False, "links by the bytes that crossed them, for a picture"),
        Option("link_counts", False, "also the table link_counts: what was counted on each link"),
        Option("counts", False, "how the parts of the network were simulated together, which is not of the result"),
        *core_options("packet", without=("seed", "trace", "arrays")),
    ),
    tables=TABLES
    | {"classes": BY_CLASS, "histogram": HISTOGRAM, "parallel": TOGETHER, "link_counts": LINK_COUNTS}
    | {name: core.table_columns("packet", name) for name in DETAILS},
    headline="time_s",
    idle={"seed": lambda bound: "", "variant": of_packets},
    run=run,
    model=RUNGS["packet/output-queued"].model,
    assumptions=RUNGS["packet/output-queued"].sentences(),
    maps=True,
    either=("workload", "jobs"),
)
