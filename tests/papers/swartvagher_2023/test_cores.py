"""Section 4.3 and figure 9: the conjugate gradient on some cores of a LUMI node.

Two of the printed times set two numbers: what a core computes in a second, and the memory that a NUMA domain has. The
other printed times then follow, as far as memory is what limits the program.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations

import pytest

import netloom

LEVELS = "2,4,2,8"
#: Any number will do: only its quotient with the bandwidth of the memory counts.
BYTES_PER_FLOP = 6.0
#: 4 processes, one per L3, and 8 processes in one L3: printed, in seconds.
FOUR_SPREAD_S, EIGHT_PACKED_S = 17.3, 22.5
ORDERS = [",".join(map(str, order)) for order in permutations(range(4))]


@cache
def operations() -> float:
    return float(netloom.application("cg(C)", 4).counted_operations)


def node() -> str:
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


@pytest.mark.parametrize(
    ("cores", "order", "printed", "off"),
    [
        # The two that the numbers were taken from.
        (4, "2,1,0,3", (17.3, 17.3), 0.02),
        (8, "3,0,1,2", (22.5, 22.5), 0.05),
        # One core of every L3 of the first socket.
        (8, "1,2,0,3", (8.1, 8.1), 0.10),
        # Two cores of every L3; the first 16 cores of both sockets.
        (32, "2,1,0,3", (3.2, 4.6), 0.10),
        (32, "3,2,0,1", (12.1, 14.4), 0.10),
    ],
)
def test_printed_times_follow_from_two_of_them(
    cores: int, order: str, printed: tuple[float, float], off: float
) -> None:
    low, high = printed
    assert low * (1 - off) <= seconds(cores, order) <= high * (1 + off)
