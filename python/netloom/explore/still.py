"""The explorer without a server: one page that brings the answers to a few choices along."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import TypedDict

from ..base.errors import NetloomError
from ..scenario import Scenario
from ..scenario.sizes import without_unused
from .page import page
from .view import Explorer

#: Links listed of each answer.
_HOTTEST = 6
#: Bytes that the page may have.
MOST_BYTES = 2_000_000


class StillAxis(TypedDict):
    """A choice that the page offers: an input, its values, and how they are called where that says more."""

    name: str
    values: list[str]
    words: dict[str, str]


#: Machines of 16 endpoints, so that the same workloads run on all of them.
AXES: tuple[StillAxis, ...] = (
    {
        "name": "network",
        "values": ["torus(4,4)", "hypercube(4)", "k_ary_n_tree(k=4,n=2)", "dragonfly(a=4,p=1,h=1,g=4)"],
        "words": {"k_ary_n_tree(k=4,n=2)": "fat tree: k_ary_n_tree(k=4,n=2)"},
    },
    {
        "name": "fail",
        "values": ["none", "links:1,seed=1", "links:2,seed=1", "links:4,seed=1"],
        "words": {
            "none": "everything in service",
            "links:1,seed=1": "one random cable out of service",
            "links:2,seed=1": "two random cables out of service",
            "links:4,seed=1": "four random cables out of service",
        },
    },
    {
        "name": "workload",
        "values": [
            *("allreduce:ring", "allreduce:recursive-doubling", "allreduce:rabenseifner", "alltoall:pairwise"),
            *("broadcast:binomial", 'stencil(4,4,bytes="64 KiB")'),
        ],
        "words": {'stencil(4,4,bytes="64 KiB")': "halo exchange of a 4 x 4 stencil, 64 KiB each"},
    },
    {"name": "size_bytes", "values": ["1 KiB", "1 MiB"], "words": {}},
    {"name": "placement", "values": ["linear", "random(seed=1)"], "words": {}},
)


def still_page(progress: Callable[[int, int], object] | None = None) -> str:
    """The page with all its answers, below 2 MB.

    Parameters
    ----------
    progress
        Called with answers done and answers in all.

    Notes
    -----
    A choice that cannot be, such as a network that failures cut in two, has its fault in place of an answer. Cost: a
    simulation of 16 ranks per choice.
    """
    names = [axis["name"] for axis in AXES]
    choices = list(product(*(range(len(axis["values"])) for axis in AXES)))
    explorer = Explorer(Scenario())
    answers: dict[str, object] = {}
    networks: list[dict[str, object]] = []
    limits: dict[str, object] = {}
    for done, choice in enumerate(choices):
        values = (axis["values"][at] for axis, at in zip(AXES, choice, strict=True))
        scenario = Scenario.from_dict(without_unused(dict(zip(names, values, strict=True))))
        answers[".".join(map(str, choice))] = _answer(explorer, scenario, networks, limits)
        if progress is not None:
            progress(done + 1, len(choices))
    start = {axis["name"]: axis["values"][0] for axis in AXES} | {"size_bytes": "1 MiB"}
    del start["fail"], start["placement"]
    still = {"axes": AXES, "answers": answers, "networks": networks, "limits": limits}
    return page(Scenario.from_dict(start), still=still)


def _answer(
    explorer: Explorer, scenario: Scenario, networks: list[dict[str, object]], limits: dict[str, object]
) -> Mapping[str, object]:
    try:
        state, timed = explorer.state(scenario, _going_on), explorer.time(scenario, _going_on)
    except NetloomError as error:
        return {"faults": [{"place": f.place, "text": str(f).partition("\n")[0], "hint": ""} for f in error.faults]}
    limits["time"] = timed.pop("limits")
    loads = state.pop("loads")
    assert isinstance(loads, dict)
    limits["loads"] = loads.pop("limits")
    del loads["hottest"][_HOTTEST:]
    loads["says"] = loads["says"][:1]
    for link in loads["hottest"]:
        link["jobs"] = [{"pairs": job["pairs"][:1], "job": 0, "bytes": 0} for job in link["jobs"][:1]]
    loads["record"] = {key: loads["record"][key] for key in ("used_links", "max_s", "max_bytes", "mean_hops")}
    for row in loads["classes"]:
        for key in [key for key in row if key not in ("class", "links", "used", "mean_bytes", "max_bytes", "max_s")]:
            del row[key]
    loads["cables"] = list(map(_short, loads["cables"] or []))
    shared = {"network": state.pop("network"), "price": state.pop("price")}
    if shared not in networks:
        networks.append(shared)
    for key in ("scenario", "calls"):
        del state[key]
    return {"network": networks.index(shared), "state": state | {"loads": loads}, "timed": timed}


def _short(row: list[float] | None) -> list[float] | None:
    """Six digits: of a drawing's colour and what is shown of it nothing is lost."""
    return row and [float(f"{value:.6g}") for value in row]


def _going_on() -> None:
    return None
