"""The contract of each kind, as cases on small networks and few ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from .. import _core, plugin
from ..base.registries import ROOTED

#: Where placements, orders and optimisers are tried: a ring, a grid, jumps, no structure, several endpoints a switch.
HOSTS = ("ring(16)", "torus(4,4)", "circulant(16,pow2)", "random_shortcut(16,degree=4,seed=1)", "hypercube(4,p=2)")
#: Where placements by units are tried too: groups of chassis, and a tree whose pods are both.
PARTS = ("dragonfly(group=[2,2],p=2,h=1,g=4)", "k_ary_n_tree(k=3,n=3)")
RANKS = (1, 2, 3, 4, 7, 8, 12, 16)


class Case:
    """One promise on one input; returns what is wrong, or nothing."""

    def __init__(self, place: str, run: Callable[..., str], *args: object, strict: bool = False) -> None:
        self.place, self.run, self.args, self.strict = place, run, args, strict

    def __call__(self) -> str:
        return str(self.run(*self.args) or "")


def _topology(text: str) -> Iterator[Case]:
    from ..network import network

    def sound() -> str:
        made = network(text)
        made.check()
        if made != network(text):
            return "builds two different networks from the same call"
        if int(made.metrics(use_symmetry=False)["switches"]) != made.switches:
            return "counts its switches differently"
        return ""

    yield Case(text, sound, strict=True)


def _placement(text: str) -> Iterator[Case]:
    from ..evaluate.ask import place

    def sound(host: str, ranks: int) -> str:
        net = _core.Network.build(host)
        first, again = place(net, ranks, text), place(net, ranks, text)
        if not np.array_equal(first, again):
            return f"gives two placements of {ranks} ranks on {host}"
        return _different(first, ranks, net.endpoints)

    def scattered(host: str, ranks: int) -> str:
        net = _core.Network.build(host)
        free = np.arange(0, net.endpoints, 2, dtype=np.uint32)
        found = plugin.place(text, net, ranks, free)
        return "gives no placement" if found is None else _different(found, ranks, net.endpoints)

    own = plugin.find("placements", text)
    for host in (*HOSTS, *PARTS):
        for ranks in RANKS:
            yield Case(f"{text} on {host}, {ranks} ranks", sound, host, ranks)
            if own is not None and plugin.takes_available(own) and ranks <= 8:
                yield Case(f"{text} on {host}, {ranks} ranks, every second endpoint free", scattered, host, ranks)


def _order(text: str) -> Iterator[Case]:
    from ..evaluate.ask import place

    def sound(host: str, ranks: int) -> str:
        net = _core.Network.build(host)
        drawn, ordered = place(net, ranks, "random(seed=1)"), place(net, ranks, "random(seed=1)", text)
        if not np.array_equal(ordered, place(net, ranks, "random(seed=1)", text)):
            return "orders the same slots in two ways"
        return "" if np.array_equal(np.sort(drawn), np.sort(ordered)) else "uses endpoints that the job does not have"

    for host in HOSTS:
        for ranks in RANKS:
            yield Case(f"{text} on {host}, {ranks} ranks", sound, host, ranks)


def _routing(text: str) -> Iterator[Case]:
    def sound(host: str) -> str:
        net = plugin.routed(_core.Network.build(host), text)
        route, again = (plugin.routed(net, text).routing(plugin.in_core(text)) for _ in range(2))
        for source, end in ((source, end) for source in range(net.switches) for end in range(net.switches)):
            paths = route.paths(source, end)
            if any(path["switches"][-1] != end for path in paths):
                return f"does not lead from switch {source} to {end}"
            if source != end and abs(sum(path["fraction"] for path in paths) - 1) > 1e-9:
                return f"leads only a part of the traffic from switch {source} to {end}"
            if paths != again.paths(source, end):
                return f"gives two ways from switch {source} to {end}"
        return ""

    cls = plugin.find("routings", text)
    for host in getattr(cls, "networks", ()) or HOSTS:
        yield Case(f"{text} on {host}", sound, host)


def _different(mapping: NDArray[np.uint32], ranks: int, endpoints: int) -> str:
    if len(mapping) != ranks or len(np.unique(mapping)) != ranks:
        return f"must give {ranks} different endpoints"
    return "" if mapping.max() < endpoints else "names an endpoint that does not exist"


def _collective(text: str) -> Iterator[Case]:
    from ..evaluate.ask import verify

    def sound(ranks: int, root: int) -> str:
        verify(text, ranks, root=root, size_bytes=1000)
        return ""

    for ranks in (*range(1, 18), 31, 32, 33, 64):
        for root in sorted({0, ranks // 2, ranks - 1} if text.partition(":")[0] in ROOTED else {0}):
            yield Case(f"{text}, {ranks} ranks, root {root}", sound, ranks, root, strict=True)


def _pattern(text: str) -> Iterator[Case]:
    from ..workload import messages, workload

    def sound(ranks: int) -> str:
        one, two = messages(workload(text, ranks)), messages(workload(text, ranks))
        tables = [load.table() for load in (one, two)]
        if any(not np.array_equal(tables[0][c], tables[1][c]) for c in tables[0]):
            return "gives two different traffics"
        ends = np.concatenate([tables[0]["src"], tables[0]["dst"]])
        return "" if not len(ends) or ends.max() < ranks else "names a rank that does not exist"

    for ranks in (2, 3, 4, 8, 16, 64):
        yield Case(f"{text}, {ranks} ranks", sound, ranks)


def _optimiser(text: str) -> Iterator[Case]:
    from ..evaluate.ask import hops, map_ranks

    def sound(host: str, ranks: int, load: str) -> str:
        results = [
            map_ranks(host, workload=load, ranks=ranks, placement="random(seed=1)", optimiser=text, objective="hops")
            for _ in "ab"
        ]
        first = results[0]
        if not np.array_equal(first["mapping"], results[1]["mapping"]):
            return "finds two different mappings"
        if first["value"] > first["start_value"]:
            return f"returns {first['value']}, worse than the start ({first['start_value']})"
        true = hops(host, workload=load, mapping=first["mapping"])["total_hops"]
        if first["decided_by"] == "hops" and true != first["value"]:
            return f"says {first['value']} where the mapping has {true} hops"
        if first["bound"] is not None and first["bound"] > first["value"]:
            return f"returns {first['value']}, below the bound {first['bound']}"
        return ""

    for host in HOSTS:
        for ranks in (2, 7, 8, 16):
            for load in ("broadcast:binomial", "allreduce:recursive-doubling"):
                yield Case(f"{text} on {host}, {ranks} ranks, {load}", sound, host, ranks, load)
        yield Case(f"{text} on {host}, a grid of 4 x 4 ranks", sound, host, 16, "stencil(4,4)")


def _evaluator(text: str) -> Iterator[Case]:
    from ..evaluate import evaluate, evaluator
    from ..scenario import Scenario

    row = evaluator(text)
    names = {axis.name for axis in row.axes}
    inputs = {"network": "torus(4,4)", "ranks": 16, "workload": "allreduce:ring", "collective": "allreduce:ring"}

    def sound(host: str) -> str:
        given = {name: value for name, value in (inputs | {"network": host}).items() if name in names}
        given.pop("workload", None) if "collective" in names and "workload" not in names else given.pop(
            "collective", None
        )
        first, second = (evaluate(Scenario.from_dict(given), text) for _ in range(2))
        if first.to_dict() != second.to_dict():
            return "gives two different answers"
        missing = {column.name for column in row.columns} - set(first.record)
        return f"leaves out the column {min(missing)}" if missing else ""

    for host in HOSTS:
        yield Case(f"{text} on {host}", sound, host)


CONTRACTS = {
    "topologies": _topology,
    "placements": _placement,
    "orders": _order,
    "routings": _routing,
    "collectives": _collective,
    "patterns": _pattern,
    "optimisers": _optimiser,
    "evaluators": _evaluator,
}
