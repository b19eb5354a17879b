"""Link loads as rows of tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...results import Table
from ..answer import Row
from ..base import Options
from .of_core import HotLink, Numbers, numbers
from .schema import RANKING, SIX_COLUMNS, TIMES

if TYPE_CHECKING:
    from .result import Loads

#: What a ranking compares.
CHOICES = ("placement", "routing", "variant")
#: Rows and columns of the table groups.
MOST_GROUPS = 240
#: Most jobs for which all pairs are listed.
PAIRS = 100


def record(found: Loads) -> Row:
    """The numbers of all jobs together."""
    from .ranking import held_by

    row: Row = {key: getattr(found, key) for key in ("messages", "bytes_sent", "switch_bytes", "mean_hops")}
    row |= {"inter_node_bytes": found.inter_node_bytes, "inside_bytes": found.inside_bytes}
    row |= six(found, "all")
    row |= {"endpoint_max_bytes": found.endpoint_max_bytes}
    row |= {"max_class": held_by(found.classes) or None, "max_s": found.classes["all"].get("max_s")}
    row |= {"slowdown": max((job["slowdown"] for job in found.jobs if "slowdown" in job), default=None)}
    return row | {key: getattr(found, key) for key in ("flows", "rounds", "last_gain")} | found.extra


def tables(found: Loads, options: Options) -> dict[str, list[Row]]:
    """The longer tables, optional ones only if requested. O(links)."""
    made = {
        "classes": [{"class": name, **six(found, name), **_times(found.classes[name])} for name in found.classes],
        "jobs": [_job(found, number) for number in range(len(found.jobs))],
        "hottest": [row for place, link in enumerate(found.hottest, start=1) for row in _hot(found, place, link)],
    }
    if found.levels:
        made["levels"] = found.levels
    if 1 < len(found.jobs) <= PAIRS:
        made["meets"] = _meets(found)
    if options["histogram"]:
        made["histogram"] = _histogram(found)
    if options["groups"]:
        made["groups"] = _groups(found)
    if options["slices"]:
        from .slices import rows

        made["slices"] = [*rows(found)]
    if options["minimaps"]:
        from . import minimaps

        made["minimaps"] = minimaps.rows(found)
    return made


def six(found: Loads, name: str) -> Row:
    """The numbers of one class of links."""
    from .columns import least_used, of_class

    return _numbers(found.classes[name], least_used(of_class(found.network, found.link_bytes, name)))


def _times(found: Numbers) -> Row:
    return {column.name: found.get(column.name) for column in TIMES}


def _numbers(found: Numbers, least: float | None) -> Row:
    row: Row = {column.name: found.get(column.name) for column in SIX_COLUMNS}
    return row | {"used_links": found.get("used"), "min_used_bytes": least}


def _job(found: Loads, number: int) -> Row:
    from .columns import least_used

    job = found.jobs[number]
    row: Row = {"job": job["name"], "job_variant": job["variant"], "job_routing": job["routing"]}
    row |= {"messages": job["messages"], "bytes_sent": job["bytes_sent"]}
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


def _hot(found: Loads, place: int, link: HotLink) -> list[Row]:
    head: Row = {"place": place, "bytes": link["bytes"], "time_s": link["seconds"]}
    head |= {"link": link["link"], "class": link["class"]}
    head |= {"from_switch": link["from_switch"], "to_switch": link["to_switch"]}
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
    from .columns import histogram, of_class

    return [
        {"class": name, **bin_}
        for name in found.classes
        for bin_ in histogram(of_class(found.network, found.link_bytes, name))
    ]


def _groups(found: Loads) -> list[Row]:
    from .columns import blocks

    if found.group_bytes is None:
        return []
    matrix, block = blocks(found.group_bytes, MOST_GROUPS)
    return [
        {"from_group": a * block, "to_group": b * block, "bytes": value}
        for a, row in enumerate(matrix.tolist())
        for b, value in enumerate(row)
    ]


def ranking(table: Table, longer: dict[str, Table], axes: list[str]) -> list[Row]:
    """Runs of one case side by side, the best first."""
    from .ranking import rank

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


def _by_class(one: Table) -> dict[str, Numbers]:
    return {str(row["class"]): numbers(row | {"used": row["used_links"]}) for row in one.rows}
