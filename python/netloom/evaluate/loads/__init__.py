"""`loads`: expected bytes on every link for one or more jobs, and who causes them."""

from __future__ import annotations

from ...scenario import Question
from ...scenario.canonical import head, variant_text
from ...scenario.effect import of_wire
from ..answer import Answer
from ..base import ROUTED, ChartKind, Evaluator, Option, Options, axes, core_options
from ..properties import RUNGS
from . import schema
from .rows import ranking


def run(bound: Question, options: Options) -> Answer:
    """Cost: see `netloom.loads`; the tables take O(links) on top."""
    from .run import loads

    return loads(bound, options)


def _chart(name: str) -> ChartKind:
    from . import charts

    kinds = {"six": charts.SIX_KIND, "histogram": charts.HISTOGRAM_KIND, "slices": charts.SLICES_KIND}
    kinds["minimaps"] = charts.MINIMAPS_KIND
    return kinds[name]


def _fixed(bound: Question) -> str:
    """Of the options of adaptive routing."""
    variants = {head(variant_text(bound.site.variant_of(job))) or "static-direct" for job in bound.jobs}
    adaptive = any(variant.startswith("adaptive") for variant in variants)
    return "" if adaptive else "no variant is adaptive: " + ", ".join(sorted(variants))


EVALUATOR = Evaluator(
    name="loads",
    summary="Expected bytes on every link for one job or many, static or adaptive, and who puts them there",
    axes=(*ROUTED, *axes("jobs", "first_node", "variant", "seed", "background", "wire")),
    columns=schema.COLUMNS,
    options=(
        *core_options("loads", without=("seed",)),
        Option("histogram", False, "also the table histogram: links by load, per class"),
        Option("contentions", False, "also count messages of one step of a schedule that share a link"),
        Option("groups", False, "also the table groups: bytes from group to group"),
        Option("slices", False, "also the table slices: the links of a torus or mesh plane by plane"),
        Option(
            "minimaps", False, "also the table minimaps: loads of a torus or mesh summed over all dimensions but two"
        ),
    ),
    tables={
        "classes": schema.CLASSES,
        "levels": schema.LEVELS,
        "jobs": schema.JOBS,
        "meets": schema.MEETS,
        "hottest": schema.HOTTEST,
        "histogram": schema.HISTOGRAM,
        "groups": schema.GROUPS,
        "slices": schema.SLICES,
        "minimaps": schema.MINIMAPS,
        "ranking": schema.RANKING,
    },
    headline="max_s",
    run=run,
    model=RUNGS["loads"].model,
    assumptions=RUNGS["loads"].sentences(),
    maps=True,
    either=("workload", "jobs"),
    idle={"wire": of_wire},
    idle_options=dict.fromkeys(("increments", "tolerance", "rounds"), _fixed),
    compared={"ranking": ranking},
    charts={name: lambda name=name: _chart(name) for name in ("six", "histogram", "slices", "minimaps")},  # type: ignore[misc]
)
