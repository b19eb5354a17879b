"""Tables of the core's evaluator `loads` as the nested values of `Loads`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NotRequired, TypedDict

from ..answer import Row
from ..core import rows

#: Numbers of a set of links by name; empty where there are no links.
Numbers = dict[str, float]

#: Numbers of a set of links.
LINKS = (
    *("links", "used", "total_bytes", "min_bytes", "q1_bytes", "median_bytes", "mean_bytes", "q3_bytes", "max_bytes"),
)

if TYPE_CHECKING:
    from ...base.records import Tables


class JobLoads(TypedDict):
    """One job: see `Loads.jobs`. The last three with several jobs only."""

    name: str
    routing: str
    variant: str
    messages: float
    bytes_sent: float
    switch_messages: float
    switch_bytes: float
    links: Numbers
    slowdown: NotRequired[float]
    slowdown_by: NotRequired[list[float]]
    met_bytes: NotRequired[list[float]]


class Share(TypedDict):
    """Bytes of one job on a link, by rank distance and by pair of ranks, most bytes first."""

    job: int
    bytes: float
    flows: float
    offsets: list[tuple[int, float]]
    pairs: list[tuple[int, int, float]]


#: One of the hottest links: see `Loads.hottest`.
HotLink = TypedDict(
    "HotLink",
    {
        "link": int,
        "from_switch": int,
        "to_switch": int,
        "class": str,
        "bytes": float,
        "seconds": float,
        "jobs": list[Share],
    },
)


#: What a job puts on the link of an endpoint.
class EndShare(TypedDict):
    job: int
    bytes: float


#: The link of an endpoint that carries most of its class: see `Loads.ends`.
EndLink = TypedDict("EndLink", {"class": str, "endpoint": int, "level": int, "bytes": float, "jobs": list[EndShare]})


def classes(tables: Tables) -> dict[str, Numbers]:
    """By class of links; those that have no links are empty."""
    made: dict[str, Numbers] = {"all": {}}
    for row in rows(tables["classes"]):
        made[str(row["class"])] = numbers(row)
    return made | {name: made.get(name, {}) for name in ("injection", "ejection")}


def jobs(tables: Tables, ways: list[tuple[str, str]]) -> list[JobLoads]:
    """Per job its numbers, those of its links, how other jobs slow it; `ways`: each one's routing and variant."""
    made: list[JobLoads] = []
    for row, (routing, variant) in zip(rows(tables["jobs"]), ways, strict=True):
        found = numbers(row)
        links = {key: found[key] for key in LINKS}
        job: JobLoads = {
            "name": str(row["job"]),
            "routing": routing,
            "variant": variant,
            "messages": found["messages"],
            "bytes_sent": found["bytes_sent"],
            "switch_messages": found["switch_messages"],
            "switch_bytes": found["switch_bytes"],
            "links": links if links["links"] else {},
        }
        if len(ways) > 1:
            job["slowdown"] = found["slowdown"]
            job["slowdown_by"], job["met_bytes"] = [1.0] * len(ways), [0.0] * len(ways)
        made.append(job)
    for pair in map(numbers, rows(tables["neighbours"])):
        job, other = made[int(pair["job"])], int(pair["other"])
        job["slowdown_by"][other], job["met_bytes"][other] = pair["slowdown"], pair["met_bytes"]
    return made


def hottest(tables: Tables) -> list[HotLink]:
    """Per hottest link its numbers and the jobs on it, each with message classes and pairs of ranks."""
    made: list[HotLink] = []
    for row in rows(tables["hottest"]):
        found = numbers(row)
        made.append(
            {
                "link": int(found["link"]),
                "from_switch": int(found["from_switch"]),
                "to_switch": int(found["to_switch"]),
                "class": str(row["class"]),
                "bytes": found["bytes"],
                "seconds": found["seconds"],
                "jobs": [],
            }
        )
    links = {link["link"]: link for link in made}
    shares: dict[tuple[int, int], Share] = {}
    for cause in map(numbers, rows(tables["causes"])):
        link, job = int(cause["link"]), int(cause["job"])
        share: Share = {"job": job, "bytes": cause["bytes"], "flows": cause["flows"], "offsets": [], "pairs": []}
        shares[link, job] = share
        links[link]["jobs"].append(share)
    for offset in map(numbers, rows(tables["offsets"])):
        share = shares[int(offset["link"]), int(offset["job"])]
        share["offsets"].append((int(offset["offset"]), offset["bytes"]))
    for pair in map(numbers, rows(tables["pairs"])):
        share = shares[int(pair["link"]), int(pair["job"])]
        share["pairs"].append((int(pair["src"]), int(pair["dst"]), pair["bytes"]))
    return made


def ends(tables: Tables) -> list[EndLink]:
    """Per class of the links of endpoints the one that carries most, with the jobs on it, largest first."""
    made: dict[str, EndLink] = {}
    for row in rows(tables["ends"]):
        found, kind = numbers(row), str(row["class"])
        empty: EndLink = {
            "class": kind, "endpoint": int(found["endpoint"]), "level": int(found["level"]), "bytes": 0.0, "jobs": [],
        }  # fmt: skip
        link = made.setdefault(kind, empty)
        link["bytes"] += found["bytes"]
        link["jobs"].append({"job": int(found["job"]), "bytes": found["bytes"]})
    return list(made.values())


def numbers(row: Row) -> Numbers:
    """The cells of a row that are numbers."""
    return {name: value for name, value in row.items() if isinstance(value, (int, float))}
