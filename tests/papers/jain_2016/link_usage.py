"""Columns of section 8.1.3 of Jain 2016 that are sums of two collectives, and the costs of table 8.2.

De Geijn's broadcast is a scatter and an allgather round the ring, Rabenseifner's reduce a reduce-scatter and a gather.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

import netloom
from netloom.evaluate.loads.result import Loads

from ..findings import Found
from ..measured import finding

TITLE = "Link usage of two collectives, one after the other"
RUNS = 11
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
    """J47, J49, X32, X33 and X35."""
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
    yield reduce_column({kind: used(rabenseifner, links) for kind, links in kinds.items()})
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
    yield costs(net)


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


def reduce_column(found: dict[str, Bytes]) -> Found:
    """Rabenseifner's column, in whole GB."""
    cases = []
    for kind, count, ends in (("L1", 15360, (2, 3)), ("L2", 4032, (4, 5))):
        loads = found[kind]
        cases.append((f"{kind} used", f"{len(loads)}", len(loads) == count))
        for name, load, printed in zip(("least", "most"), (loads.min(), loads.max()), ends, strict=True):
            cases.append((f"{kind} {name}", f"{load / 1e9:.2f} GB", round(load / 1e9) == printed))
    why = "All is as printed but the busiest L1 link, {L1 most} for 3: the gather adds little to it."
    return finding("X33", "15,360 L1 links of 2 to 3 GB, 4,032 L2 links of 4 to 5 GB, rounded", cases, refuted=why)


def costs(net: netloom.Network) -> Found:
    """Table 8.2: n beta times what the busiest L1 and the busiest L2 link carry of n."""
    share = {}
    for collective, size in (("allgather", 65536), ("reduce-scatter", 65536), ("broadcast", GIB), ("scatter", 65536)):
        classes = on_links(net, f"{collective}:two-tier({GROUPS},{NODES},{CORES})", size).classes
        share[collective] = [classes[name]["max_bytes"] / GIB for name in ("local", "global")]
    gathered = 1 / NODES + 1 / GROUPS + 1 / (GROUPS * NODES)
    # The printed maximum leaves out what the root sends its neighbour for itself.
    root = max(share["scatter"]) - 1 / (GROUPS * NODES)
    expected = {"allgather": gathered, "reduce-scatter": gathered, "broadcast": 3 / NODES}
    cases = [(name, f"{sum(share[name]):.6g}", sum(share[name]) == cost) for name, cost in expected.items()]
    cases.append(("scatter", f"{root:.6g}", root == max(1 / NODES, 1 / GROUPS)))
    text = f"{gathered:.6g} allgather and reduce-scatter, {3 / NODES:.6g} broadcast, {1 / NODES:.6g} scatter"
    return finding("J47", text, cases)
