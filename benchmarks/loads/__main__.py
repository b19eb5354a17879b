"""`python -m benchmarks.loads`: `netloom loads` on the machine of Jain 2016 §3.2.1, over numbers of threads.

Whole processes. CPU time is user and system, memory the peak. Message-hops are messages times the mean hops of a byte;
a core makes them at the rate of message-hops / CPU time. The answers of all numbers of threads are compared; the
program stops if they differ.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from typing import Any

from benchmarks import table

FULL = "dragonfly(group=[6,16],p=4,h=10,g=960)"
SMALL = "dragonfly(group=[6,16],p=4,h=1,g=96)"
PATTERNS = {
    "umesh": 'unstructured-mesh(bytes="512 KiB")',
    "stencil": 'stencil({groups},48,48,{rest},bytes="2 MiB")',
    "m2m": 'many-to-many({third},128,384,axis=1,bytes="100 KiB")',
    "spread": 'spread(bytes="512 KiB")',
}
COLUMNS = ("case", "threads", "wall, s", "CPU, s", "memory, MiB", "messages", "message-hops", "per second and core")


def run(network: str, pattern: str, placement: str, variant: str, threads: int) -> tuple[dict[str, Any], list[float]]:
    """One process: its answer, and wall seconds, CPU seconds and peak bytes."""
    words = ["loads", "-n", network, "--cores", "24", "-t", pattern, "-p", placement, "-v", variant]
    words += ["--hottest", "0", "--json", "-q"]
    start = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "netloom", *words],
        stdout=subprocess.PIPE,
        env=os.environ | {"RAYON_NUM_THREADS": str(threads)},
    )
    assert process.stdout is not None
    text = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"netloom loads ended with status {os.waitstatus_to_exitcode(status)}")
    wall = time.monotonic() - start
    return json.loads(text), [wall, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.loads", description=__doc__)
    parser.add_argument("patterns", nargs="*", default=["umesh", "stencil"], choices=[*PATTERNS, []])
    parser.add_argument("--placement", default="rdn")
    parser.add_argument("--variants", nargs="+", default=["SD", "AD"])
    parser.add_argument("--threads", nargs="+", type=int, default=[1, os.cpu_count() or 1])
    parser.add_argument("--small", action="store_true", help="96 groups instead of 960")
    asked = parser.parse_args()
    network, ranks = (SMALL, 96 * 9216) if asked.small else (FULL, 960 * 9216)
    sizes = {"groups": ranks // 110592, "rest": 48, "third": ranks // 49152}
    rows = []
    for name in asked.patterns:
        for variant in asked.variants:
            answers = []
            for threads in asked.threads:
                answer, (wall, cpu, peak) = run(
                    network, PATTERNS[name].format(**sizes), asked.placement, variant, threads
                )
                answers.append(answer)
                crossed = answer["messages"] * answer["mean_hops"]
                rows.append(
                    (
                        f"{name}, {asked.placement}, {variant}", str(threads), f"{wall:.3g}", f"{cpu:.3g}",
                        f"{peak / 2**20:,.0f}", f"{answer['messages']:,}", f"{crossed:.3g}", f"{crossed / cpu:.3g}",
                    )
                )  # fmt: skip
                print("  ".join(rows[-1]), file=sys.stderr, flush=True)
            if any(answer != answers[0] for answer in answers):
                raise SystemExit(f"{name}, {variant}: the answer depends on the number of threads")
    print(table.text(COLUMNS, rows))


if __name__ == "__main__":
    main()
