"""`python -m benchmarks.design`: seconds of `netloom.design` with its own catalogue, at 2,000 and 16,384 endpoints.

A mix of an alltoall, which single steps time, and an allreduce, which flows time at 2,000 endpoints.
Processor seconds are those of all processes.
"""

from __future__ import annotations

import argparse
import os
import time

from benchmarks import table
from benchmarks.measure import machine

MIX = ("alltoall:pairwise", "allreduce:recursive-doubling=2")
SIZES = (2000, 16384)
COLUMNS = (
    "endpoints",
    "candidates",
    "front",
    "hops",
    "loads",
    "steps",
    "flows",
    "seconds",
    "CPU s",
    "decision",
    "lead",
)


def main() -> None:
    asking = argparse.ArgumentParser(prog="python -m benchmarks.design", description=(__doc__ or "").partition("\n")[0])
    asking.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    asking.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    given = asking.parse_args()
    from netloom.design import Settings, design

    rows = []
    for endpoints in given.sizes:
        begun, before = time.monotonic(), sum(os.times()[:4])
        found = design(endpoints, MIX, how=Settings(workers=given.jobs))
        # Children count once they have ended.
        took, after = time.monotonic() - begun, sum(os.times()[:4])
        counts = [found.counts.get(rung, 0) for rung in ("hops", "loads", "steps", "time")]
        lead = "" if found.sure is None or found.sure.lead is None else f"{100 * found.sure.lead:.0f} %"
        rows.append([
            f"{endpoints:,}", len(found.candidates), len(found.front), *counts, f"{took:.0f}", f"{after - before:.0f}",
            "" if found.decision is None else found.decision.name, lead,
        ])  # fmt: skip
    print(machine())
    print(table.text(COLUMNS, rows))


if __name__ == "__main__":
    main()
