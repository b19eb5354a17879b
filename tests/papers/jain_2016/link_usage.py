"""Columns of section 8.1.3 of Jain 2016 that are sums of two collectives, and the costs of table 8.2.

De Geijn's broadcast is a scatter and an allgather round the ring, Rabenseifner's reduce a reduce-scatter and a gather.
The costs are counted with one core on a node, since the model takes sharing within nodes as free.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt

import netloom
from netloom.evaluate.loads.result import Loads

from ..findings import Found
from ..measured import finding

TITLE = "Link usage of two collectives, one after the other"
RUNS = 14
MIB, GIB = 1 << 20, 1 << 30
GROUPS, NODES, CORES = 64, 16, 16
#: Loads are printed with two or three digits.
NEAR = 0.01
Bytes = npt.NDArray[np.float64]


def machine() -> netloom.Network:
    """64 groups of 16 nodes, one cable between any two groups."""
    return netloom.network(f'dragonfly(a={NODES},p=1,h=4,g={GROUPS},arrangement="round-robin")')


def on_links(net: netloom.Network, collective: str, size_bytes: int) -> Loads:
    """All cores of the machine, ranks in order."""
    places = np.repeat(np.arange(net.endpoints), CORES)
    return netloom.loads(net, netloom.Job(collective, name="all", mapping=places, size_bytes=size_bytes), hottest=0)


def measure() -> Iterator[Found]:
    """J47, J49, X32, X33, X35, and what the tables contradict."""
    net = machine()
    group = np.asarray(net.groups)
    local = group[np.asarray(net.tails)] == group[np.asarray(net.heads)]
    kinds = {"L1": local, "L2": ~local}

    def carried(collective: str, size: int = 65536) -> Bytes:
        return np.asarray(on_links(net, collective, size).link_bytes[: len(net.tails)], dtype=np.float64)

    scatter, ring = carried("scatter:binomial"), carried("allgather:ring")
    de_geijn = {kind: used(scatter + ring, links) for kind, links in kinds.items()}
    yield column("J49", de_geijn, {"L1": (1588, None, 1.1e9), "L2": (95, None, 1.09e9)})
    yield column("X32", de_geijn, {"L1": (1588, 2 * MIB, 1.1e9), "L2": (95, 32 * MIB, 1.09e9)})
    rabenseifner = carried("reduce-scatter:pairwise") + carried("gather:binomial")
    yield from reduce_column({kind: used(rabenseifner, links) for kind, links in kinds.items()})
    tiers = carried(f"broadcast:two-tier({GROUPS},{NODES},{CORES})", GIB)
    doubling = carried("allgather:recursive-doubling")
    worst, best = (scatter + ring).max(), tiers.max()
    yield finding(
        "X35",
        "broadcast 1.1 GB and 128 MiB within 2 %, ring below recursive doubling",
        [
            ("De Geijn", f"{worst / 1e9:.3f} GB", abs(worst / 1.1e9 - 1) <= 2 * NEAR),
            ("two-tier", f"{best / MIB:.0f} MiB", best == 128 * MIB),
            ("ring", f"{ring.max() / 1e9:.3f} GB, doubling {doubling.max() / 1e9:.3f} GB", ring.max() < doubling.max()),
        ],
    )
    yield from costs(net)
    yield combined()


def used(both: Bytes, links: npt.NDArray[np.bool_]) -> Bytes:
    """Bytes of the links of a kind that carry something."""
    return both[links & (both > 0)]


def column(name: str, found: dict[str, Bytes], printed: dict[str, tuple[int, int | None, float]]) -> Found:
    """Links used, the least and the most of De Geijn's column."""
    cases = []
    for kind, (count, least, most) in printed.items():
        loads = found[kind]
        cases.append((f"{kind} used", f"{len(loads)}", len(loads) == count))
        if least is not None:
            cases.append((f"{kind} least", f"{loads.min() / MIB:.0f} MiB", loads.min() == least))
        cases.append((f"{kind} most", f"{loads.max() / 1e9:.3f} GB", abs(loads.max() / most - 1) <= NEAR))
    words = [f"{kind} {count}" for kind, (count, _, _) in printed.items()]
    return finding(name, f"as printed: {', '.join(words)} links, loads within 1 %", cases)


def reduce_column(found: dict[str, Bytes]) -> Iterator[Found]:
    """Rabenseifner's column, in whole GB."""
    cases = []
    for kind, count, ends in (("L1", 15360, {"least": 2}), ("L2", 4032, {"least": 4, "most": 5})):
        loads = found[kind]
        cases.append((f"{kind} used", f"{len(loads)}", len(loads) == count))
        for name, printed in ends.items():
            load = loads.min() if name == "least" else loads.max()
            cases.append((f"{kind} {name}", f"{load / 1e9:.2f} GB", round(load / 1e9) == printed))
    yield finding("X33", "15,360 L1 links of 2 GB at least, 4,032 L2 links of 4 to 5 GB, rounded", cases)
    worst = found["L1"].max()
    yield finding("E4-36", "3 GB, rounded", [("L1 most", f"{worst / 1e9:.2f} GB", round(worst / 1e9) == 3)])


def costs(net: netloom.Network) -> Iterator[Found]:
    """Table 8.2: n beta times what the busiest L1 and the busiest L2 link carry of n."""
    share = {}
    for collective, size, own in (
        *(("allgather", 65536, ""), ("reduce-scatter", 65536, ""), ("broadcast", GIB, "")),
        *(("scatter", 65536, ""), ("gather", 65536, ""), ("reduce", GIB, ",own_group=true")),
    ):
        classes = on_links(net, f"{collective}:two-tier({GROUPS},{NODES},{CORES}{own})", size).classes
        share[collective] = [classes[name]["max_bytes"] / GIB for name in ("local", "global")]
    gathered = 1 / NODES + 1 / GROUPS + 1 / (GROUPS * NODES)
    # The printed maximum leaves out what the root sends its neighbour for itself.
    ends = {name: max(share[name]) - 1 / (GROUPS * NODES) for name in ("scatter", "gather")}
    expected = {"allgather": gathered, "reduce-scatter": gathered, "broadcast": 3 / NODES}
    cases = [(name, f"{sum(share[name]):.6g}", sum(share[name]) == cost) for name, cost in expected.items()]
    cases += [(name, f"{cost:.6g}", cost == max(1 / NODES, 1 / GROUPS)) for name, cost in ends.items()]
    text = f"{gathered:.6g} allgather and reduce-scatter, {3 / NODES:.6g} broadcast, {1 / NODES:.6g} scatter and gather"
    yield finding("J47", text, cases)
    printed = 1 / NODES + 2 / GROUPS
    left = share["reduce-scatter"][0] + share["reduce"][1]
    counted = {"collected at core 0": sum(share["reduce"]), "left in supernode 0": left}
    yield finding(
        "E4-33", f"{printed:.6g}", [(label, f"{cost:.6g}", cost == printed) for label, cost in counted.items()]
    )
    times = {name: 1 / cost for name, cost in ends.items()}
    cases = [(name, f"{gain:.4g} times", gain == min(NODES, GROUPS)) for name, gain in times.items()]
    yield finding("8.1.3 speed-up", f"{min(NODES, GROUPS)} times", cases)
    gain = 2 / sum(share["broadcast"])
    stated = NODES / 3
    yield finding("E4-26", f"{stated:.4g} times", [("", f"{gain:.4g} times", abs(gain - stated) < NEAR)])


def combined() -> Found:
    """Table 8.2: n gamma times the bytes that the busiest rank combines, on 16 groups of 4 nodes, links being free."""
    groups, nodes, size, per_byte = 16, 4, 4 * MIB, 1e-9
    net = f'dragonfly(a={nodes},p=1,h={groups // nodes},g={groups},arrangement="round-robin",latency="0 ns",'
    net += 'bandwidth="1e18 Bps",endpoint_bandwidth="1e18 Bps")'
    cases = []
    with TemporaryDirectory() as folder:
        costs_ = Path(folder) / "combining.toml"
        costs_.write_text(
            f'name = "combining"\ndescription = "alone"\ncombine_s_per_byte = {per_byte}\n', encoding="utf-8"
        )
        for operation, own in (("reduce", "true"), ("reduce-scatter", "true"), ("reduce", "false")):
            scenario = netloom.Scenario(
                net,
                workload=f"{operation}:two-tier({groups},{nodes},1,own_group={own})",
                size_bytes=size if operation == "reduce" else size // (groups * nodes),
                calibration=str(costs_),
            )
            took = float(netloom.evaluate(scenario, "time").record["time_s"]) / (per_byte * size)
            label = operation if own == "true" else f"{operation}, own part kept"
            cases.append((label, f"{took:.4g} n", abs(took - 2) <= NEAR))
    return finding("E4-32", "2 n", cases)
