"""Two-opt: evaluated swaps per second of CPU time, 512 ranks of recursive doubling, total hops."""

from __future__ import annotations

from collections.abc import Iterator

import netloom
from benchmarks.measure import cpu
from benchmarks.speed.line import Line
from benchmarks.speed.options import Options
from benchmarks.speed.peers.two_opt_python import partners, recursive_doubling, two_opt

NETWORK = "random_shortcut(1024,degree=19,seed=1)"
COLLECTIVE = "allreduce:recursive-doubling"
RANKS = 512
# Evaluated swaps per second that netloom promises.
MARK = 10e6


def lines(options: Options) -> Iterator[Line]:
    network = netloom.network(NETWORK)
    distance = network.hop_matrix()
    start = netloom.place(network, RANKS, "ring(start=0)")
    schedule = netloom.workload(COLLECTIVE, RANKS)
    swaps = 1_000_000 if options.quick else 10_000_000

    def ours() -> dict:
        optimiser = f"two-opt(swaps={swaps})"
        return netloom.map_ranks(network, workload=schedule, mapping=start, optimiser=optimiser, objective="hops")

    mine = cpu(ours, options.runs)
    rate = mine.answer["evaluations"] / mine.seconds
    tries = 20_000 if options.quick else 200_000
    theirs = cpu(lambda: peer(distance.tolist(), start.tolist(), tries), 3)
    check(network, start, schedule, theirs.answer)
    # Converting the inputs is no part of a swap.
    setup = cpu(lambda: (distance.tolist(), partners(RANKS, recursive_doubling(RANKS))), 3)
    case = f"two-opt, {COLLECTIVE}, {RANKS} ranks"
    their_rate = tries / (theirs.seconds - setup.seconds)
    yield Line(case, "swaps/s", rate, "pure Python", their_rate, f"{swaps:,} and {tries:,} swaps", MARK)


def peer(distance: list[list[int]], place: list[int], swaps: int) -> tuple[list[int], int]:
    gained = two_opt(distance, place, partners(RANKS, recursive_doubling(RANKS)), swaps, seed=1)
    return place, gained


def check(network: netloom.Network, start: object, schedule: object, answer: tuple[list[int], int]) -> None:
    """The peer's own count of what it gained must be what netloom counts."""
    place, gained = answer
    before = netloom.hops(network, mapping=start, workload=schedule)["total_hops"]
    after = netloom.hops(network, mapping=place, workload=schedule)["total_hops"]
    if before - after != gained:
        raise SystemExit(f"two-opt: the peer says it gained {gained}, netloom counts {before - after}")
