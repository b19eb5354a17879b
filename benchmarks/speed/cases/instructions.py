"""Instruction counts under Valgrind, for machines too noisy for times: only with `--instructions`.

A child runs the same call once and twice; the difference is the call alone. Valgrind offers no AVX-512, so the
bit-parallel search runs its AVX2 form here.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator

from benchmarks.measure import ROOT
from benchmarks.speed.line import Line
from benchmarks.speed.options import Options

REACH = """
import sys, netloom
network = netloom.network("random_regular(1024,degree=19,seed=1)").without_structure()
for _ in range(int(sys.argv[1])):
    network.metrics(use_symmetry=False)
"""
SWAPS = """
import sys, netloom
network = netloom.network("random_shortcut(1024,degree=19,seed=1)")
start = netloom.place(network, 512, "ring(start=0)")
schedule = netloom.workload("allreduce:recursive-doubling", 512)
text = f"two-opt(swaps={100_000 * int(sys.argv[1])})"
netloom.map_ranks(network, workload=schedule, mapping=start, optimiser=text, objective="hops")
"""


def lines(options: Options) -> Iterator[Line]:
    if not options.instructions:
        return
    if shutil.which("valgrind") is None:
        yield Line("instruction counts", "instructions", None, note="valgrind is not installed")
        return
    reach = count(REACH, 3) - count(REACH, 2)
    yield Line("diameter and ASPL, random_regular(1024,degree=19)", "instructions", reach)
    swap = (count(SWAPS, 3) - count(SWAPS, 2)) / 100_000
    yield Line("one evaluated swap of two-opt, 512 ranks", "instructions", swap)


def count(program: str, repeats: int) -> int:
    """Instructions of `program` run with `repeats` as its argument."""
    tool = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    arguments = [*tool, sys.executable, "-c", program, str(repeats)]
    done = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=True)
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if found is None:
        raise RuntimeError(f"no instruction count in what valgrind wrote: {done.stderr[-300:]}")
    return int(found[1].replace(",", ""))
