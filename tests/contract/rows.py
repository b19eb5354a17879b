"""Everything that has a name, and one way to use it whatever it is."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import netloom
from netloom import _core
from netloom.workload.traces import read_record

Row = dict[str, Any]

#: Where things are tried that need a network: between them they have a grid, a ring, a tree, groups and nothing.
HOSTS = (
    "torus(4,4)",
    "mesh(4,4)",
    "ring(16)",
    "random_shortcut(16,degree=4,seed=1)",
    "k_ary_n_tree(k=4,n=2)",
    "circulant(16,pow2)",
    "dragonfly(a=4,p=1,h=1,g=5)",
    "torus(2,2,2,2,2)",
)
#: The second is for methods that want a grid of ranks.
LOADS = ("broadcast:binomial", "stencil(4,2)")


def rows(kind: str) -> list[Row]:
    return [{"kind": kind, **row} for row in netloom.catalogue(kind)]


def all_rows() -> list[Row]:
    """All rows of the core, which are written as calls: evaluators and lists of jobs have a contract of their own."""
    kinds = [kind for kind in _core.kinds() if kind not in ("errors", "evaluators")]
    return [{"kind": kind, **row} for kind in kinds for row in _core.catalogue(kind)]


#: A network that takes one routing only, which takes no other network.
ONE_WAY = "butterfly(2,3)"


def on_some_host(use: Callable[[_core.Network], Any]) -> Any:
    """What `use` gives on the first host that it supports."""
    for host in (*HOSTS[:-1], ONE_WAY):
        try:
            return use(_core.Network.build(host))
        except netloom.NetloomError:
            continue
    return use(_core.Network.build(HOSTS[-1]))


def on_some_ranks(use: Callable[[int], Any]) -> Any:
    for ranks in (16, 64, 8, 32, 256, 512, 4):
        try:
            return use(ranks)
        except netloom.NetloomError:
            continue
    return use(16 * 8 * 8 * 8)


DATA = Path(__file__).parents[1] / "data" / "traces"
_TIMES = "walltime {0}.000000000, cputime 0.0 seconds in thread 0."
#: Traces of recorders, which nothing is written as: a file, or the text of one.
READ_ONLY = {
    "dumpi": DATA / "mixed.meta",
    "dumpi-ascii": "".join(
        f"MPI_{name} entering at {_TIMES.format(at)}\nMPI_{name} returning at {_TIMES.format(at)}\n"
        for at, name in enumerate(("Init", "Finalize"))
    ),
}


def recorded(format: str) -> Any:
    """The programs of a file that the recorder wrote."""
    given = READ_ONLY[format]
    if isinstance(given, Path):
        return read_record(given, format=format).told()
    return _core.Programs.read(given.encode(), "run-0000.txt", None, {}, format)


def format_row(net: _core.Network, text: str) -> Any:
    """A network format writes the network, a mapping format a mapping on it, a format of traffic a pattern, one of
    programs an application, one of forwarding tables a routing."""
    ways = (
        lambda: net.write(text),
        lambda: net.routing("single-minimal").write(text),
        lambda: _core.emit(text, net, netloom.place(net, 8)),
        lambda: _core.Traffic.pattern("stencil(2,4)").write(text),
        lambda: _core.Programs.application("is(class=S)", 4).write(text),
    )
    if text in READ_ONLY:
        return recorded(text)
    for way in ways:
        try:
            return way()
        except netloom.NetloomError as error:
            if way is ways[-1] or all(fault.code != "NL-F017" for fault in error.faults):
                raise
    return None


def with_tables(net: _core.Network) -> _core.Network:
    """The network with the tables that the example of the routing `tables` names."""
    return net.with_tables(net.routing("single-minimal").write("forwarding-csv"), "tables.csv")


def routed(net: _core.Network, text: str) -> Any:
    """Paths between the switches of two endpoints."""
    held = net if net.family == "butterfly" else with_tables(net)
    return held.routing(text).paths(int(net.endpoint_switch[0]), int(net.endpoint_switch[3]))


def use_once(kind: str, text: str) -> Any:
    """Builds, places, routes, writes ... once; raises what it raises."""
    if kind == "topologies":
        return _core.Network.build(text)
    if kind == "nodes":
        return _core.Node(text)
    if kind == "collectives":
        return _core.Schedule.build(text, 8, 0, 1024)
    if kind == "applications":
        return _core.Programs.application(text, 8)
    if kind == "patterns":
        return on_some_ranks(lambda ranks: _core.Traffic.pattern(text, ranks))
    if kind == "optimisers":
        return on_some_host(lambda net: optimised(net, optimiser=text))
    if kind == "objectives":
        return on_some_host(lambda net: optimised(net, objective=text))
    return on_some_host(
        {
            "routings": lambda net: routed(net, text),
            "switches": lambda net: crossed(net, text),
            "parallel": lambda net: netloom.evaluate(
                netloom.Scenario(net, workload="transpose", ranks=16, routing="up-down"),
                "packet",
                parallel=text,
                threads=2,
            ),
            "sources": lambda net: crossed(net, "input-queued", source=text),
            "variants": lambda net: netloom.simulate(net, workload="transpose", ranks=16, variant=text),
            "placements": lambda net: netloom.place(net, 8, text),
            "orders": lambda net: netloom.place(net, 8, "random(seed=1)", text),
            "formats": lambda net: format_row(net, text),
        }[kind]
    )


def crossed(net: _core.Network, switch: str, **options: Any) -> Any:
    """A short run, so that long delays are legal."""
    if switch.startswith("output-queued"):
        return netloom.simulate(net, workload="transpose", ranks=16, routing="up-down", switch=switch)
    scenario = netloom.Scenario(net, workload="transpose", ranks=16, routing="single-minimal")
    short = {"loads": "0.1", "warm_up": 10, "cycles": 100, "drain": 10, "saturation": False}
    return netloom.evaluate(scenario, "throughput", switch=switch, **short, **options)


def optimised(net: _core.Network, optimiser: str = "two-opt(swaps=1000)", objective: str = "hops") -> Any:
    """With a budget of time: a number of swaps that nobody can wait for is a legal wish."""
    given = {"ranks": 8, "optimiser": optimiser, "objective": objective, "seconds": 0.1}
    try:
        return netloom.map_ranks(net, workload=LOADS[0], **given)
    except netloom.NetloomError as error:
        if any(fault.code != "NL-O006" for fault in error.faults):
            raise
        return netloom.map_ranks(net, workload=LOADS[1], **given)


def arguments(row: Row) -> dict[str, Any]:
    """The arguments of the row's example by name."""
    _, positional, keyword = _core.parse_call(row["example"])
    found = dict(keyword)
    places = [p for p in row["params"] if not p["keyword_only"]]
    values = list(positional)
    for param in places:
        if not values:
            break
        found[param["name"]] = values if param["variadic"] else values.pop(0)
        if param["variadic"]:
            break
    return found


def written(value: Any) -> str:
    """A value in the grammar of calls."""
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    return repr(value)


def call_text(name: str, given: dict[str, Any]) -> str:
    return f"{name}({','.join(f'{key}={written(value)}' for key, value in given.items())})"


def may_pass(param: Row, value: Any) -> bool:
    """True if the attribute table allows this value; whatever it does not allow must be refused."""
    kind, words = param["type"], str(param["kind"])
    if value is None:
        return False
    if kind == "bool":
        return isinstance(value, bool)
    if kind == "bools":
        return isinstance(value, (bool, list))
    if kind in ("text", "choice"):
        return isinstance(value, str) and (kind == "text" or value in re.split(r"[ ,]+", words))
    if kind == "quantity":
        return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 10**30
    if kind in ("ints", "counts") and isinstance(value, list):
        return (bool(value) or words.startswith("integers")) and all(in_range(words, item) for item in value)
    if kind in ("int", "ints", "counts"):
        return in_range(words, value)
    numeric = isinstance(value, (int, float)) and not isinstance(value, bool)
    return numeric and value == value and abs(value) < 10**18


def in_range(words: str, value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 2**63:
        return False
    least = re.search(r"(?:>= |in )(-?\d+)", words)
    return least is None or value >= int(least[1])
