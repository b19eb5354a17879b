"""`loads`: expected bytes on every link for one job or many, and who puts them there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...results import Column, Table
from .base import NETWORK, PLACEMENT, SIZE, AxisSpec, Evaluation, Made, Option, Row

if TYPE_CHECKING:
    from ...link_load.result import Loads
    from ..scenario import Scenario

_SIX = (
    Column("min_bytes", "B", "on the least loaded link"),
    Column("q1_bytes", "B", "first quartile over links"),
    Column("median_bytes", "B", "median over links"),
    Column("mean_bytes", "B", "mean over links"),
    Column("q3_bytes", "B", "third quartile over links"),
    Column("max_bytes", "B", "on the most loaded link"),
    Column("min_used_bytes", "B", "on the least loaded link that carries something"),
    Column("used_links", "", "links that carry something"),
    Column("links", "", "directed links"),
    Column("total_bytes", "B", "sum over links"),
)
COLUMNS = (
    Column("messages", "", "between different endpoints"),
    Column("bytes_sent", "B", "of these messages"),
    Column("switch_bytes", "B", "of messages that leave their switch"),
    Column("mean_hops", "", "switch links that a byte crosses"),
    *_SIX,
    Column("max_class", "", "class of the link that takes longest"),
    Column("max_s", "s", "bytes over bandwidth of the link that takes longest"),
    Column("slowdown", "", "of the job that others slow down most: its worst link with all jobs over that alone"),
    Column("flows", "", "between two switches, held by adaptive jobs"),
    Column("rounds", "", "of the iteration"),
    Column("last_gain", "", "what the last round added, as a share of all bandwidth given"),
)
_TIMES = (
    Column("max_s", "s", "bytes over bandwidth of the link that takes longest"),
    Column("mean_s", "s", "bytes over bandwidth, mean over links"),
)
CLASSES = (Column("class", "", "of links; all: between switches; injection, ejection: of endpoints"), *_SIX, *_TIMES)
JOBS = (
    Column("job", "", "name"),
    Column("job_variant", "", "how its messages choose paths"),
    Column("job_routing", "", "the paths that they choose from"),
    Column("messages", "", "between different endpoints"),
    Column("bytes_sent", "B", "of these messages"),
    *_SIX,
    Column("slowdown", "", "time on its worst link with all jobs over that alone"),
    Column("slowed_by", "", "the other job that slows it most"),
    Column("slowed_by_ratio", "", "the slowdown with that job alone"),
)
MEETS = (
    Column("job", "", "name"),
    Column("other", "", "another job"),
    Column("slowdown", "", "of the job with the other one alone"),
    Column("met_bytes", "B", "of the other job on a link that a byte of the job crosses, mean"),
)
HOTTEST = (
    Column("place", "", "1 for the slowest link"),
    Column("link", "", "number"),
    Column("class", "", "of the link"),
    Column("from_switch", "", "switch"),
    Column("to_switch", "", "switch"),
    Column("bytes", "B", "on the link"),
    Column("time_s", "s", "bytes over bandwidth"),
    Column("job", "", "the job of this row: the one that puts most bytes there first"),
    Column("job_bytes", "B", "of this job on the link"),
    Column("share_percent", "%", "of this job on the link"),
    Column("offset", "", "rank distance of the messages that put most of them there"),
    Column("offset_bytes", "B", "of these messages on the link"),
    Column("rank", "", "one that sends across the link"),
    Column("partner", "", "the rank that it sends to"),
)
HISTOGRAM = (
    Column("class", "", "of links; all: between switches"),
    Column("from_bytes", "B", "lower end of the bin; 0 to 0: links that carry nothing"),
    Column("to_bytes", "B", "upper end, not of the bin"),
    Column("links", "", "directed links whose load is in the bin"),
)
GROUPS = (
    Column("from_group", "", "group of switches; the first of a block where the network has more than 240"),
    Column("to_group", "", "likewise; the same: links inside the group"),
    Column("bytes", "B", "on the links from one to the other"),
)
SLICES = (
    Column("plane", "", "of a torus or mesh: coordinates in the dimensions before the last two; plane: the only one"),
    Column("class", "", "of the link: its dimension"),
    Column("direction", "", "up: the link counts its dimension up, also from the end of a ring to its beginning"),
    Column("row", "", "of the switch that it leaves: place in the last but one dimension"),
    Column("column", "", "likewise: place in the last dimension"),
    Column("to_row", "", "of the switch that it enters"),
    Column("to_column", "", "likewise"),
    Column("bytes", "B", "on the link"),
    Column("planes", "", "of the network; at most 8, and 65,536 links, are listed: those with the greatest loads"),
    Column("between_bytes", "B", "the greatest load of a link between planes"),
)
RANKING = (
    Column("position", "", "by the worst link's time, among runs that differ in placement, routing and variant only"),
    Column("max_bytes", "B", "on the most loaded link"),
    Column("max_s", "s", "bytes over bandwidth of the link that takes longest"),
    Column("ratio", "", "of it to that of the first"),
    Column("reason", "", "in words"),
)
#: What a ranking compares.
CHOICES = ("placement", "routing", "variant")
#: Rows and columns of the table groups.
MOST_GROUPS = 240
#: Jobs whose every pair is listed.
PAIRS = 100


def run(scenario: Scenario, options: dict[str, Any]) -> Made:
    """Cost: see `netloom.loads`; the tables take O(links) on top."""
    from ...link_load.ranking import held_by

    model = ("packet_bytes", "fresh_paths", "direct_paths", "increments", "tolerance", "rounds", "hottest", "top")
    found = scenario.loads(**{key: options[key] for key in model})
    row: Row = {key: getattr(found, key) for key in ("messages", "bytes_sent", "switch_bytes", "mean_hops")}
    row |= six(found, "all")
    row |= {"max_class": held_by(found.classes) or None, "max_s": found.classes["all"].get("max_s")}
    row |= {"slowdown": max((job["slowdown"] for job in found.jobs if "slowdown" in job), default=None)}
    row |= {key: getattr(found, key) for key in ("flows", "rounds", "last_gain")}
    tables = {
        "classes": [{"class": name, **six(found, name), **_times(found.classes[name])} for name in found.classes],
        "jobs": [_job(found, number) for number in range(len(found.jobs))],
        "hottest": [row for place, link in enumerate(found.hottest, start=1) for row in _hot(found, place, link)],
    }
    if 1 < len(found.jobs) <= PAIRS:
        tables["meets"] = _meets(found)
    if options["histogram"]:
        tables["histogram"] = _histogram(found)
    if options["groups"]:
        tables["groups"] = _groups(found)
    if options["slices"]:
        from ...link_load.slices import rows

        tables["slices"] = [*rows(found)]
    return Made(row, tables)


def six(found: Loads, name: str) -> Row:
    """The numbers of one class of links."""
    from ...link_load.columns import least_used, of_class

    return _numbers(found.classes[name], least_used(of_class(found, name)))


def _times(numbers: dict[str, Any]) -> Row:
    return {column.name: numbers.get(column.name) for column in _TIMES}


def _numbers(numbers: dict[str, Any], least: float | None) -> Row:
    row: Row = {column.name: numbers.get(column.name) for column in _SIX}
    return row | {"used_links": numbers.get("used"), "min_used_bytes": least}


def _job(found: Loads, number: int) -> Row:
    from ...link_load.columns import least_used

    job = found.jobs[number]
    row: Row = {"job": job["name"], "job_variant": job["variant"], "job_routing": job["routing"]}
    row |= {key: job[key] for key in ("messages", "bytes_sent")}
    row |= _numbers(job["links"], least_used(found.job_link_bytes(number)))
    if "slowdown" in job:
        by = job["slowdown_by"]
        worst = max(range(len(by)), key=by.__getitem__)
        row |= {"slowdown": job["slowdown"]}
        if by[worst] > 1.0:
            row |= {"slowed_by": found.jobs[worst]["name"], "slowed_by_ratio": by[worst]}
    return row


def _meets(found: Loads) -> list[Row]:
    return [
        {"job": job["name"], "other": other["name"], "slowdown": slowdown, "met_bytes": met}
        for job in found.jobs
        for other, slowdown, met in zip(found.jobs, job["slowdown_by"], job["met_bytes"], strict=True)
        if other is not job
    ]


def _hot(found: Loads, place: int, link: dict[str, Any]) -> list[Row]:
    head: Row = {"place": place, "bytes": link["bytes"], "time_s": link["seconds"]}
    head |= {key: link[key] for key in ("link", "class", "from_switch", "to_switch")}
    rows = []
    for share in link["jobs"]:
        if share["bytes"] <= 0:
            continue
        row = head | {"job": found.jobs[share["job"]]["name"], "job_bytes": share["bytes"]}
        row["share_percent"] = 100.0 * share["bytes"] / link["bytes"]
        if share["offsets"]:
            row["offset"], row["offset_bytes"] = share["offsets"][0]
        if share["pairs"]:
            row["rank"], row["partner"] = share["pairs"][0][:2]
        rows.append(row)
    return rows


def _histogram(found: Loads) -> list[Row]:
    from ...link_load.columns import histogram, of_class

    return [{"class": name, **bin_} for name in found.classes for bin_ in histogram(of_class(found, name))]


def _groups(found: Loads) -> list[Row]:
    from ...link_load.columns import blocks

    if found.group_bytes is None:
        return []
    matrix, block = blocks(found.group_bytes, MOST_GROUPS)
    return [
        {"from_group": a * block, "to_group": b * block, "bytes": value}
        for a, row in enumerate(matrix.tolist())
        for b, value in enumerate(row)
    ]


def _ranking(table: Table, longer: dict[str, Table], axes: list[str]) -> list[Row]:
    """Runs of one case side by side, the best first."""
    from ...link_load.ranking import rank

    if "classes" not in longer or not set(axes) & set(CHOICES):
        return []
    fixed = [axis for axis in axes if axis not in CHOICES]
    rows: list[Row] = []
    for _, case in longer["classes"].groups(fixed):
        runs = case.groups(axes)
        if len(runs) < 2:
            continue
        named = [(str(number), _by_class(one)) for number, (_, one) in enumerate(runs)]
        for place in rank(named):
            labels: Row = dict(zip(axes, runs[int(place["name"])][0], strict=True))
            rows.append(labels | {column.name: place[column.name] for column in RANKING})
    return rows


def _by_class(one: Table) -> dict[str, dict[str, Any]]:
    return {str(row["class"]): row | {"used": row["used_links"]} for row in one.rows}


EVALUATION = Evaluation(
    name="loads",
    summary="Expected bytes on every link for one job or many, static or adaptive, and who puts them there",
    axes=(
        NETWORK,
        AxisSpec("ranks", "ranks", "all", 'number of ranks, or "all" for `cores` on every endpoint in service'),
        AxisSpec("cores", "count", 1, "ranks on an endpoint: rank r runs on the endpoint r // cores of the placement"),
        PLACEMENT,
        AxisSpec(
            "workload", "traffic", "", "a traffic pattern, collective:algorithm, an application or a traffic file"
        ),
        AxisSpec("jobs", "jobs", "", "several jobs: the name of a list [[experiment.jobs.NAME]], or a file of jobs"),
        SIZE,
        AxisSpec("routing", "path_choice", "auto", "candidate paths; auto: group-minimal on dragonflies, else minimal"),
        AxisSpec("variant", "variant", "static-direct", "how messages choose among them; SD, SI, AD, AI, AH for short"),
        AxisSpec("fail", "failures", "none", 'what is out of service, such as "switch:3; link:0-1; links:2%,seed=1"'),
        AxisSpec("seed", "int", 1, "of random detours"),
    ),
    columns=COLUMNS,
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
        Option("slices", False, "also the table slices: the links of a torus or mesh plane by plane"),
    ),
    tables={
        "classes": CLASSES,
        "jobs": JOBS,
        "meets": MEETS,
        "hottest": HOTTEST,
        "histogram": HISTOGRAM,
        "groups": GROUPS,
        "slices": SLICES,
        "ranking": RANKING,
    },
    run=run,
    either=("workload", "jobs"),
    compared={"ranking": _ranking},
)
