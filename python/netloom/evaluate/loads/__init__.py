"""`loads`: expected bytes on every link for one job or many, and who puts them there."""

from __future__ import annotations

from typing import Any

from ...scenario import Bound
from ..answer import Answer
from ..base import ROUTED, ChartKind, Evaluator, Option, axes
from . import schema
from .rows import ranking


def run(bound: Bound, options: dict[str, Any]) -> Answer:
    """Cost: see `netloom.loads`; the tables take O(links) on top."""
    from .run import loads

    return loads(bound, options)


def _chart(name: str) -> ChartKind:
    from . import charts

    kinds = {"six": charts.SIX_KIND, "histogram": charts.HISTOGRAM_KIND, "slices": charts.SLICES_KIND}
    return kinds[name]


EVALUATOR = Evaluator(
    name="loads",
    summary="Expected bytes on every link for one job or many, static or adaptive, and who puts them there",
    axes=(*ROUTED, *axes("jobs", "first_node", "variant", "seed")),
    columns=schema.COLUMNS,
    options=(
        Option("hottest", 5, "links whose causes are listed; 0 saves a pass"),
        Option("top", 3, "ranks and message classes that are found for each"),
        Option("increments", 50, "steps in which the bandwidth is exposed where paths are drawn afresh", least=1),
        Option("rounds", 100, "most rounds after that"),
        Option("tolerance", 1e-3, "rounds end when one adds less than this share to all bandwidth given"),
        Option("fresh_paths", 4, "candidates per flow and round of the indirect variants"),
        Option("direct_paths", 2, "most direct ones among them in the hybrid"),
        Option("packet_bytes", 65536, "unit of static-indirect: each packet takes a detour of its own"),
        Option("histogram", False, "also the table histogram: links by load, per class"),
        Option("groups", False, "also the table groups: bytes from group to group"),
        Option("arrays", True, "keep a column per link; without it only the numbers that need none"),
        Option("slices", False, "also the table slices: the links of a torus or mesh plane by plane"),
    ),
    tables={
        "classes": schema.CLASSES,
        "jobs": schema.JOBS,
        "meets": schema.MEETS,
        "hottest": schema.HOTTEST,
        "histogram": schema.HISTOGRAM,
        "groups": schema.GROUPS,
        "slices": schema.SLICES,
        "ranking": schema.RANKING,
    },
    run=run,
    model="expected bytes on links (Jain 2016, section 3.2.2)",
    assumptions=(
        "All messages of all jobs are under way together; there is no time.",
        "Adaptive variants know the load of every link; real switches see their own queues.",
    ),
    either=("workload", "jobs"),
    compared={"ranking": ranking},
    charts={name: lambda name=name: _chart(name) for name in ("six", "histogram", "slices")},  # type: ignore[misc]
)
