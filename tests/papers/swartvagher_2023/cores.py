"""Section 4.3 and figure 9 of Swartvagher 2023: the conjugate gradient on some cores of a LUMI node.

Two of the printed times set two numbers: what a core computes in a second, and the memory that a NUMA domain has. The
others then follow, as far as memory is what limits the program; each rank's memory lies in its own NUMA domain.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import permutations

import netloom

from ..findings import SLACK, Found
from ..measured import finding

TITLE = "CG on some cores of a node that share memory"
LEVELS = "2,4,2,8"
#: Any number will do: only its quotient with the bandwidth of the memory counts.
BYTES_PER_FLOP = 6.0
#: 4 processes, one per L3, and 8 processes in one L3: printed, in seconds.
FOUR_SPREAD_S, EIGHT_PACKED_S = 17.3, 22.5
ORDERS = [",".join(map(str, order)) for order in permutations(range(4))]
COUNTS = (4, 8, 16, 32)
RUNS = len(COUNTS) * len(ORDERS)
#: Printed times may be off by this.
WITHIN = 0.1


@cache
def operations() -> float:
    """Floating-point operations of CG, class C."""
    return float(netloom.application("cg(C)", 4).counted_operations)


def node() -> str:
    """A node of LUMI whose NUMA domains have the memory that eight processes in one take."""
    memory = BYTES_PER_FLOP * operations() / EIGHT_PACKED_S
    return f'node(sockets=2,numa=4,caches=2,cores=8,numa_memory="{memory} Bps")'


@cache
def seconds(cores: int, order: str) -> float:
    """Of CG of class C on the first cores of an order: one of its 75 iterations, 75 times."""
    chosen = netloom.choose_cores(LEVELS, cores, order)
    asked = {"mapping": chosen["mapping"], "seats": chosen["seats"], "node": node(), "calibration": "pure"}
    speed = operations() / (4 * FOUR_SPREAD_S)
    found = netloom.simulate(
        "star(1)",
        workload="cg(C,iterations=1)",
        software={"bytes_per_flop": BYTES_PER_FLOP},
        flops_per_s=speed,
        **asked,
    )
    return 75 * float(found["time_s"])


def named(order: str) -> str:
    """As the paper writes it, [2,1,0,3]."""
    return f"[{order}]"


def best(cores: int) -> tuple[float, str]:
    """The least time of all orders, and the first order that has it."""
    return min((seconds(cores, order), order) for order in ORDERS)


def measure() -> Iterator[Found]:
    """Which cores are best, and how CG scales."""
    for cores, first in ((4, ["2,1,0,3"]), (8, ["1,2,0,3", "2,1,0,3"]), (16, ["1,2,3,0", "2,1,3,0"])):
        least, other = best(cores)
        over = {named(order): seconds(cores, order) / least for order in first}
        cases = [
            (name, f"{seconds(cores, name.strip('[]')):.4g} s, {ratio:.3f} times {named(other)}", ratio <= 1)
            for name, ratio in over.items()
        ]
        near = [name for name, ratio in over.items() if 1 < ratio <= 1 + SLACK]
        yield finding(f"4.3 best {cores}", f"the least of {len(ORDERS)} orders", cases, ties=near)
    eight = seconds(8, "1,2,0,3")
    yield finding("4.3 time 8", "8.1 s ± 10 %", [("", f"{eight:.3g} s", abs(eight / 8.1 - 1) <= WITHIN)])
    scaled = [(cores, best(cores)[0] * cores / (4 * FOUR_SPREAD_S)) for cores in (16, 32)]
    cases = [(f"{cores} processes", f"{ratio:.3f} times", ratio > 1 + SLACK) for cores, ratio in scaled]
    yield finding("4.3 scaling", "longer than with perfect scaling, by more than 2 %", cases)
    ranges = (("two cores of each cache", "2,1,0,3", 3.2, 4.6), ("16 cores of both sockets", "3,2,0,1", 12.1, 14.4))
    cases = [
        (label, f"{(took := seconds(32, order)):.3g} s", low * (1 - WITHIN) <= took <= high * (1 + WITHIN))
        for label, order, low, high in ranges
    ]
    yield finding("4.3 time 32", "3.2 to 4.6 s and 12.1 to 14.4 s, ± 10 %", cases)
    yield finding("4.3 cores", "orders on the same cores differ by less than sets of cores do", list(spreads()))


def spreads() -> Iterator[tuple[str, str, bool]]:
    """By number of processes: the most that orders on the same cores differ by, and that sets of cores do."""
    for cores in COUNTS:
        sets: dict[tuple[int, ...], list[float]] = {}
        for order in ORDERS:
            chosen = netloom.choose_cores(LEVELS, cores, order)
            sets.setdefault(tuple(sorted(chosen["seats"])), []).append(seconds(cores, order))
        same = max(max(times) / min(times) for times in sets.values())
        apart = max(min(times) for times in sets.values()) / min(min(times) for times in sets.values())
        yield f"{cores} processes", f"{same:.3f} and {apart:.3f} times", same < apart
