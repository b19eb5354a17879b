"""What must not drift between versions or machines, as one dict of numbers and digests.

`python tests/golden/kept.py > tests/golden/kept.json` writes it anew. A change belongs into CHANGELOG.md under
**model**, with its reason.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np

import netloom
from netloom import _core
from netloom.jobs import formats as job_formats
from netloom.network import kubernetes
from netloom.workload.traces import reading as trace_formats

RANDOM = "random_shortcut(1024,degree=19,seed=1)"
NETWORKS = (
    *(RANDOM, "random_shortcut(256,degree=5,seed=2,base=[16,16])", "random_regular(512,degree=7,seed=3)"),
    *("xpander(degree=6,lift=9,seed=4)", 'dragonfly(a=16,p=1,h=4,g=64,arrangement="round-robin")', "slim_fly(q=9)"),
    *("dragonfly_plus(leaves=4,spines=4,h=2,g=9,p=4)", "thin_tree(down=8,up=4,levels=4)", "kautz(3,4)"),
)
PLACEMENTS = ("random(seed=1)", "tree(seed=1)", "ring(seed=1)")
OPTIMISERS = (
    *("two-opt(swaps=100000,seed=1)", "two-opt(swaps=20000,move=reversal,accept=ties,seed=1)"),
    *("anneal(swaps=50000,seed=1)", "guided(swaps=50000,seed=1)", "auto(swaps=50000,seed=1)"),
)
PATTERNS = ("uniform(messages=1000,seed=1)", "permutation(seed=1)", "random-pairs(seed=1)")
LOAD = "allreduce:recursive-doubling"


def digest(*arrays: Any) -> str:
    """Of integer arrays, whatever their width."""
    made = hashlib.sha256()
    for array in arrays:
        made.update(np.ascontiguousarray(array, dtype="<i8").tobytes() if not isinstance(array, bytes) else array)
    return made.hexdigest()[:16]


def numbers() -> dict[str, Any]:
    network = netloom.network(RANDOM)
    return {
        "networks": {text: _network(text) for text in NETWORKS},
        "placements": {text: digest(netloom.place(network, 512, text)) for text in PLACEMENTS},
        "orders": {
            text: digest(netloom.place(network, 512, "random(seed=1)", text)) for text in ("cco", "random(seed=1)")
        },
        "optimisers": {text: _optimiser(network, text) for text in OPTIMISERS},
        "collectives": {row["name"]: _schedule(row["example"]) for row in netloom.catalogue("collectives")},
        "patterns": {text: _table(netloom.workload(text, 64)) for text in PATTERNS},
        "formats": {row["name"]: _format(row["name"]) for row in netloom.catalogue("formats") if _is_of_core(row)},
    }


def _network(text: str) -> list[Any]:
    """Cables, diameter, hops of all pairs, edges."""
    made = netloom.network(text)
    facts = made.metrics()
    hops = sum(d * int(count) for d, count in enumerate(facts["hop_histogram"]))
    return [made.switch_links, facts["diameter"], hops, digest(made.heads, made.offsets, made.endpoint_switch)]


def _optimiser(network: _core.Network, text: str) -> list[Any]:
    asked = {"placement": "random(seed=1)", "optimiser": text, "objective": "hops"}
    found = netloom.map_ranks(network, workload=LOAD, ranks=512, **asked)
    return [found["start_value"], found["value"], found["bound"], digest(found["mapping"])]


def _schedule(text: str) -> list[Any]:
    """Messages and bytes of 16 ranks, root 3 where there is one, 1000 bytes."""
    root = 3 if text.partition(":")[0] in ("broadcast", "reduce", "gather", "scatter") else 0
    made = netloom.workload(text, 16, root=root, size_bytes=1000)
    assert isinstance(made, _core.Schedule)
    proof = made.verify()
    return [proof["messages"], proof["total_bytes"], _table(made)]


def _table(load: Any) -> str:
    table = load.table()
    return digest(*(table[name] for name in sorted(table)))


def _is_of_core(row: dict[str, Any]) -> bool:
    """Lists of jobs and traces of recorders are read and written in Python, or only read; their tests hold them."""
    of_python = {kind.name for kind in (*job_formats.FORMATS, *trace_formats.FORMATS)} | {kubernetes.NAME}
    return row["name"] not in of_python | {"dumpi", "dumpi-ascii"}


def _format(name: str) -> str:
    hosts = {"bgq": "torus(2,2,2,2,2)", "vcoordfile": "torus(2,2,2)"}
    network = netloom.network(hosts.get(name, "k_ary_n_tree(k=4,n=2)"))
    ways = (
        lambda: network.write(name),
        lambda: _core.emit(name, network, netloom.place(network, 8, "linear")),
        lambda: _core.Traffic.pattern("stencil(4,4)").write(name),
        lambda: network.routing(network.default_routing).write(name),
        lambda: b"".join(data for _, data in _core.Programs.application("is(class=S)", 4).write(name)),
    )
    for way in ways:
        try:
            return digest(way())
        except netloom.NetloomError as error:
            if way is ways[-1] or error.faults[0].code != "NL-F017":
                raise
    return ""


if __name__ == "__main__":
    kinds = (
        f" {json.dumps(kind)}: {{\n"
        + ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in rows.items())
        + "\n }"
        for kind, rows in numbers().items()
    )
    print("{\n" + ",\n".join(kinds) + "\n}")
