"""Tables of the core's evaluator `loads` as the nested values of `Loads`."""

from __future__ import annotations

from typing import Any

from ... import _core
from ..core import rows

#: Numbers of a set of links.
LINKS = (
    *("links", "used", "total_bytes", "min_bytes", "q1_bytes", "median_bytes", "mean_bytes", "q3_bytes", "max_bytes"),
)


def classes(tables: _core._Tables) -> dict[str, dict[str, Any]]:
    """By class of links; those that have no links are empty."""
    made: dict[str, dict[str, Any]] = {"all": {}}
    for row in rows(tables["classes"]):
        made[str(row.pop("class"))] = row
    return made | {name: made.get(name, {}) for name in ("injection", "ejection")}


def jobs(tables: _core._Tables, ways: list[tuple[str, str]]) -> list[dict[str, Any]]:
    """Per job its numbers, those of its links, how other jobs slow it; `ways`: each one's routing and variant."""
    made: list[dict[str, Any]] = []
    for row, (routing, variant) in zip(rows(tables["jobs"]), ways, strict=True):
        job: dict[str, Any] = {"name": row.pop("job"), "routing": routing, "variant": variant}
        slowdown = row.pop("slowdown")
        links = {key: row.pop(key) for key in LINKS}
        job |= row | {"links": links if links["links"] else {}}
        if len(ways) > 1:
            job |= {"slowdown": slowdown, "slowdown_by": [1.0] * len(ways), "met_bytes": [0.0] * len(ways)}
        made.append(job)
    for pair in rows(tables["neighbours"]):
        job, other = made[int(pair["job"] or 0)], int(pair["other"] or 0)
        job["slowdown_by"][other], job["met_bytes"][other] = pair["slowdown"], pair["met_bytes"]
    return made


def hottest(tables: _core._Tables) -> list[dict[str, Any]]:
    """Per hottest link its numbers and the jobs on it, each with message classes and pairs of ranks."""
    made: list[dict[str, Any]] = [{**row, "jobs": []} for row in rows(tables["hottest"])]
    links = {link["link"]: link for link in made}
    shares: dict[Any, dict[str, Any]] = {}
    for row in rows(tables["causes"]):
        link = row.pop("link")
        share: dict[str, Any] = {**row, "offsets": [], "pairs": []}
        shares[link, row["job"]] = share
        links[link]["jobs"].append(share)
    for row in rows(tables["offsets"]):
        shares[row["link"], row["job"]]["offsets"].append((row["offset"], row["bytes"]))
    for row in rows(tables["pairs"]):
        shares[row["link"], row["job"]]["pairs"].append((row["src"], row["dst"], row["bytes"]))
    return made
