"""`python -m benchmarks.booksim --program PATH`: runs of BookSim2 and of netloom one after the other.

The program is BookSim2's own executable (github.com/booksim/booksim2), named by the option or by BOOKSIM. Loads,
latencies and CPU seconds stand in one row; netloom simulates the same number of cycles.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable

from benchmarks import table

from .cases import Found, Run, measured, ours, theirs

WARM_UP, CYCLES = 9000, 9000
COLUMNS = ("run", "accepted", "netloom", "latency", "netloom", "CPU s", "netloom")


def timed(ask: Callable[[], Found]) -> tuple[Found, float]:
    before = time.process_time() + sum(os.times()[2:4])
    found = ask()
    return found, time.process_time() + sum(os.times()[2:4]) - before


def row(run: Run, program: str, common: dict[str, object]) -> list[str]:
    windows = {"sample_period": CYCLES // 3, "warmup_periods": WARM_UP // (CYCLES // 3), "max_samples": 3}
    peer, peer_s = timed(lambda: theirs(run, program, common, **windows))
    mine, mine_s = timed(lambda: ours(run, WARM_UP, CYCLES, 100_000))
    name = (
        f"{run.network()} {run.routing_function}, {run.num_vcs} channels, {run.packet_size} flits, {run.injection_rate}"
    )
    return [
        name,
        *(f"{found.accepted:.4f}" for found in (peer, mine)),
        *(f"{found.latency:.2f}" for found in (peer, mine)),
        *(f"{seconds:.2f}" for seconds in (peer_s, mine_s)),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.booksim", description=__doc__)
    parser.add_argument("--program", default=os.environ.get("BOOKSIM"), help="BookSim2's executable")
    parser.add_argument("--only", default="", help="topologies that contain this text")
    asked = parser.parse_args()
    if asked.program is None:
        parser.error("give --program, or set BOOKSIM")
    common, runs = measured()
    chosen = [run for run, _ in runs if asked.only in run.topology]
    print(table.text(COLUMNS, [row(run, asked.program, common) for run in chosen]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
