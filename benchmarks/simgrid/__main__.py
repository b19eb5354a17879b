"""`python -m benchmarks.simgrid`: the same case in SimGrid and in netloom, one after the other, as ratios.

Both sides are whole processes on one core; CPU time is user and system of the process and its children, memory its
peak. Of several runs the median stands, with least and greatest. Answers are compared: the
program stops if they differ. "Alone" leaves out starting, reading and building, where a side says what that took.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import table
from benchmarks.measure import machine, pin, python

COLUMNS = (
    "case",
    "SimGrid, CPU s",
    "netloom, CPU s",
    "ratio",
    "alone, CPU s",
    "ratio",
    "SimGrid, memory",
    "netloom, memory",
    "ratio",
    "answers apart",
    "runs",
)
FLOWS = (512, 2048, 8192, 20_000)
SETS = ("cluster", "torus", "random-graph", "fat-tree", "chain", "incast")


@dataclass
class Side:
    """What one side took, run by run."""

    cpu_s: list[float]
    memory_bytes: list[int]
    end_s: float = 0.0
    inner_s: float | None = None

    def cells(self) -> tuple[float, float]:
        return statistics.median(self.cpu_s), statistics.median(self.memory_bytes)

    def spread(self) -> str:
        low, high = min(self.cpu_s), max(self.cpu_s)
        return "" if len(self.cpu_s) == 1 else f" ({low:.3g} to {high:.3g})"


def ours(case: dict[str, Any], folder: Path, runs: int) -> Side:
    from tests.peers import simgrid

    file = folder / "ours.json"
    file.write_text(json.dumps(case))
    side, inner = Side([], []), []
    for _ in range(runs):
        done = simgrid.run(python("benchmarks.simgrid.ours", str(file)))
        said = json.loads(done.stdout)
        side.cpu_s.append(done.cpu_s)
        side.memory_bytes.append(said["peak_bytes"])
        side.end_s = said["end_s"]
        inner.append(said["seconds"])
    side.inner_s = statistics.median(inner)
    return side


def command(case: dict[str, Any], placement: str, runs: int) -> Side:
    """The whole process that people type: `netloom simulate`."""
    from tests.peers import simgrid

    side = Side([], [])
    options = {
        "--network": case["network"],
        "--collective": case["collective"],
        "--ranks": case["ranks"],
        "--placement": placement,
        "--size": case["size_bytes"],
        "--repetitions": case["repetitions"],
        "--calibration": case["calibration"],
        "--routing": "single-minimal",
    }
    words = [str(word) for option in options.items() for word in option]
    for _ in range(runs):
        done = simgrid.run(python("netloom", "simulate", *words, "--json"))
        side.cpu_s.append(done.cpu_s)
        side.memory_bytes.append(done.memory_bytes)
        side.end_s = json.loads(done.stdout)["time_s"]
    return side


def theirs(run: Callable[[], tuple[Any, Any]], runs: int, limit_s: float) -> Side:
    """No further run starts after `limit_s` CPU seconds."""
    side, inner = Side([], []), []
    while len(side.cpu_s) < runs and sum(side.cpu_s) < limit_s:
        finish, done = run()
        side.cpu_s.append(done.cpu_s)
        side.memory_bytes.append(done.memory_bytes)
        side.end_s = float(finish.max())
        inner += [float(seconds) for seconds in re.findall(r"^ran (\S+) CPU seconds$", done.stderr, re.MULTILINE)]
    side.inner_s = statistics.median(inner) if inner else None
    return side


def line(name: str, peer: Side, mine: Side, tolerance: float) -> tuple[Any, ...]:
    (peer_s, peer_bytes), (mine_s, mine_bytes) = peer.cells(), mine.cells()
    apart = abs(mine.end_s / peer.end_s - 1)
    if not apart <= tolerance:
        raise SystemExit(f"{name}: SimGrid ends at {peer.end_s!r} s, netloom at {mine.end_s!r} s")
    return (
        name,
        f"{peer_s:.3g}{peer.spread()}",
        f"{mine_s:.3g}{mine.spread()}",
        f"{peer_s / mine_s:.3g}",
        f"{mine.inner_s:.3g}" if peer.inner_s is None else f"{peer.inner_s:.3g}, {mine.inner_s:.3g}",
        f"{(peer_s if peer.inner_s is None else peer.inner_s) / mine.inner_s:.3g}",
        table.quantity(peer_bytes, "bytes"),
        table.quantity(mine_bytes, "bytes"),
        f"{peer_bytes / mine_bytes:.3g}",
        f"{apart:.1e}",
        f"{len(peer.cpu_s)}, {len(mine.cpu_s)}",
    )


def collectives(folder: Path, asked: argparse.Namespace) -> Iterator[tuple[Any, ...]]:
    """Bruck's alltoall of 4 KiB a pair and an allreduce of 1 MiB, ten times, as users run them; also without data."""
    from tests.peers import smpi

    import netloom

    ranks, size = (64, 128) if asked.quick else (512, 1024)
    shortcut = f"random_shortcut({size},degree={7 if asked.quick else 19},seed=1)"
    cases = [
        ("alltoall:bruck", 4096, None, "alltoall:bruck 4 KiB"),
        ("alltoall:bruck", 4096, "bruck", "its messages alone, no data in SimGrid"),
        ("allreduce:recursive-doubling", 1 << 20, None, "allreduce:recursive-doubling 1 MiB"),
    ]
    for network, placement in ((f"circulant({size},pow2)", "linear"), (shortcut, "random(seed=1)")):
        for calibration, tolerance in (("simgrid-pure", 0.01), ("simgrid-smpi", 0.05)):
            for collective, size_bytes, program, said in cases:
                family = network.partition("(")[0]
                name = f"{said}, {family}, {ranks} ranks, {calibration}"
                if asked.only not in name:
                    continue
                case = smpi.Run(
                    network, ranks, collective, size_bytes, calibration, asked.repetitions, "full", placement
                )

                def run(case: smpi.Run = case, program: str | None = program) -> tuple[Any, Any]:
                    return smpi.theirs(case, folder, program)

                peer = theirs(run, asked.runs, asked.limit_s)
                told = {
                    "kind": "collective",
                    "network": network,
                    "collective": collective,
                    "ranks": ranks,
                    "mapping": case.mapping(netloom.network(network)),
                    "size_bytes": size_bytes,
                    "repetitions": asked.repetitions,
                    "calibration": calibration,
                }
                # What the simulation takes of it: a process that says so. The whole is the command's.
                inner = ours(told, folder, asked.runs)
                mine = command(told, placement, asked.runs)
                mine.inner_s = inner.inner_s
                yield line(name, peer, mine, tolerance)


def flow_sets(folder: Path, asked: argparse.Namespace) -> Iterator[tuple[Any, ...]]:
    import numpy as np
    from tests.peers import cases

    for flows in FLOWS[:1] if asked.quick else asked.flows:
        for family in asked.sets:
            for sharing in ("equal", "rtt"):
                case = cases.make(family, flows)

                def run(case: cases.Case = case, sharing: str = sharing) -> tuple[Any, Any]:
                    return cases.theirs(case, sharing, folder)

                peer = theirs(run, asked.runs, asked.limit_s)
                arrays = folder / "arrays.npz"
                np.savez(
                    arrays,
                    bandwidth_bytes_per_s=case.bandwidth_bytes_per_s,
                    latency_s=case.latency_s,
                    offsets=case.offsets,
                    links=case.links,
                    size_bytes=case.size_bytes,
                    start_s=case.start_s,
                )
                mine = ours({"kind": "flows", "arrays": str(arrays), "sharing": sharing}, folder, asked.runs)
                yield line(f"{flows:,} flows, {family}, {sharing}", peer, mine, 1e-9)


KINDS = {"collectives": collectives, "flows": flow_sets}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simgrid", description=__doc__)
    parser.add_argument("kinds", nargs="*", choices=[[], *KINDS], metavar="KIND", help=f"only: {', '.join(KINDS)}")
    parser.add_argument("--quick", action="store_true", help="small sizes: to see that it works")
    parser.add_argument("--runs", type=int, default=3, help="runs of each side, median (3)")
    parser.add_argument("--limit-s", type=float, default=60.0, help="no run of SimGrid after so many CPU s (60)")
    parser.add_argument("--repetitions", type=int, default=10, help="of a collective (10)")
    parser.add_argument("--only", default="", metavar="TEXT", help="collectives whose name contains TEXT")
    parser.add_argument(
        "--flows", nargs="*", type=int, default=FLOWS, help=f"sizes of sets ({', '.join(map(str, FLOWS))})"
    )
    parser.add_argument("--sets", nargs="*", choices=SETS, default=SETS[:4], help="families of flow sets")
    parser.add_argument("--json", metavar="FILE", help="write the lines to FILE")
    asked = parser.parse_args()

    pin()
    os.environ["PYTHONHASHSEED"] = "0"
    from tests.peers import simgrid

    reason = simgrid.missing()
    if reason is not None:
        print(f"skipped: {reason}", file=sys.stderr)
        return 0
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in asked.kinds or KINDS:
            for cells in KINDS[kind](Path(folder), asked):
                lines.append(cells)
                print(*cells, sep="  ", file=sys.stderr, flush=True)
    print(table.text(COLUMNS, lines))
    here = machine()
    print(f"\n{here['processor']}, Python {here['python']}, SimGrid {simgrid.VERSION}; whole processes on one core")
    if asked.json:
        table.write_json(asked.json, {"machine": here, "columns": COLUMNS, "lines": lines})
    return 0


if __name__ == "__main__":
    sys.exit(main())
