"""`python -m benchmarks.messages`: messages per second and core of netloom's flows, SimGrid's S4U and LogGOPSim.

The same steps on one core, sides in turns, medians. CPU seconds, user and system, of the simulation alone. S4U plays
netloom's routes, an actor a rank. LogGOPSim knows no links: it takes every pair to be as far apart as two endpoints of
one switch. Answers are compared, and the program stops if they differ: with LogGOPSim and S4U where no messages meet,
with S4U after the first eight steps where they do. Later, rounding grows into other ends of single flows.

LogGOPSim (github.com/spcl/LogGOPSim) needs re2c, gengetopt and Graphviz's cgraph (Debian: libgraphviz-dev). In its
folder `src/LogGOPSim`, whose makefile would compile without optimising:

  re2c -o txt2bin.cpp txt2bin.re
  gengetopt -F txt2bin_cmdline -i txt2bin_cmdline.ggo
  gengetopt -F loggopsim_cmdline -i loggopsim_cmdline.ggo
  g++ -O3 -std=c++11 txt2bin.cpp txt2bin_cmdline.c -o txt2bin
  g++ -O3 -std=c++11 LogGOPSim.cpp loggopsim_cmdline.c -o LogGOPSim -lcgraph
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from tests.peers import simgrid

from benchmarks import table
from benchmarks.measure import machine, pin
from benchmarks.messages.programs import Program
from benchmarks.messages.sides import S4U, LogGOPSim, Run, ours

PURE, DEFAULT = "netloom, pure", "netloom, default (mpi-rdma)"
COLUMNS = (
    "program", "messages", "others met", PURE, DEFAULT, "S4U", "LogGOPSim", "pure : S4U", "pure : LogGOPSim",
    "answers apart", "last end apart",
)  # fmt: skip
PROGRAMS = (
    Program("ring", "star(n=1,p=1024)", 256),
    Program("ring", "star(n=1,p=1024)", 1024),
    Program("pairwise", "star(n=1,p=512)", 512),
    Program("ring", "torus(8,8,4)", 256),
    Program("ring", "dragonfly(a=8,p=4,h=4,g=33)", 1024, 256),
    Program("pairwise", "torus(8,8,8)", 512),
    Program("ring", "fat_tree(radix=32,levels=3)", 4096, 16, "d-mod-k(by=switch)"),
)
FULL = Program("ring", "fat_tree(radix=32,levels=3)", 4096, None, "d-mod-k(by=switch)", peers=False)
QUICK = (
    Program("ring", "star(n=1,p=1024)", 64),
    Program("ring", "torus(4,4,4)", 64, 16),
    Program("pairwise", "torus(4,4,4)", 64),
)
#: After so many steps rounding has not yet grown.
CHECKED = 8
TOLERANCE = 1e-9


def taken(sides: dict[str, Callable[[], Run]], runs: int, limit_s: float) -> dict[str, list[Run]]:
    """Runs of the sides in turns; a side stops after `limit_s` CPU seconds."""
    found: dict[str, list[Run]] = {name: [] for name in sides}
    for _ in range(runs):
        for name, run in sides.items():
            if sum(one.seconds for one in found[name]) < limit_s:
                found[name].append(run())
    return found


def apart(name: str, theirs: Run, mine: Run) -> float:
    """Greatest relative difference of the ends of ranks, or of the last one; the end of the program if it is large."""
    ends = mine.end_s if theirs.end_s.size == mine.end_s.size else mine.end_s.max()
    found = float(np.max(np.abs(theirs.end_s / ends - 1)))
    if not found <= TOLERANCE:
        raise SystemExit(f"{name}: ends of ranks differ by a share of {found:.1e}, more than {TOLERANCE:.0e}")
    return found


def checked(program: Program, found: dict[str, list[Run]], folder: Path) -> float | None:
    """How far the answers are apart: of the whole program where no messages meet, else of its first steps."""
    peers = {side: runs[0] for side, runs in found.items() if side in ("S4U", "LogGOPSim")}
    if program.one_switch:
        return max((apart(f"{side}, {program.name}", run, found[PURE][0]) for side, run in peers.items()), default=None)
    if "S4U" not in peers:
        return None
    part = program.first(CHECKED)
    return apart(f"S4U, {part.name}", S4U(part, folder).run(), ours(part, folder, "pure"))


def rate(messages: int, seconds: list[float]) -> str:
    """Million messages a second: the median run, with the slowest and the quickest."""
    middle, low, high = (messages / 1e6 / one for one in (statistics.median(seconds), max(seconds), min(seconds)))
    return f"{middle:.3g}" + (f" ({low:.3g} to {high:.3g})" if len(seconds) > 1 else "")


def measured(
    program: Program, folder: Path, asked: argparse.Namespace
) -> tuple[tuple[Any, ...], dict[str, list[float]]]:
    """The line of a program, and the seconds of all its runs."""
    sides: dict[str, Callable[[], Run]] = {
        PURE: lambda: ours(program, folder, "pure"),
        DEFAULT: lambda: ours(program, folder, None),
    }
    if program.peers:
        sides["S4U"] = S4U(program, folder).run
        if asked.loggopsim:
            sides["LogGOPSim"] = LogGOPSim(program, folder, asked.loggopsim).run
    found = taken(sides, asked.runs, asked.limit_s)
    seconds = {side: [run.seconds for run in runs] for side, runs in found.items()}

    def ratio(side: str) -> str:
        return f"{statistics.median(seconds[side]) / statistics.median(seconds[PURE]):.3g}" if side in seconds else ""

    absent = "" if not program.peers else "not given"
    last = {side: runs[0].end_s.max() for side, runs in found.items()}
    cells = (
        program.name,
        program.messages,
        f"{program.met():.1f}",
        *(rate(program.messages, seconds[side]) if side in seconds else absent for side in COLUMNS[3:7]),
        ratio("S4U"),
        ratio("LogGOPSim"),
        "" if (difference := checked(program, found, folder)) is None else f"{difference:.0e}",
        f"{abs(last['S4U'] / last[PURE] - 1):.0e}" if "S4U" in last else "",
    )
    return cells, seconds


def chosen(asked: argparse.Namespace) -> list[Program]:
    programs = QUICK if asked.quick else (*PROGRAMS, *([FULL] if asked.full else []))
    return [program for program in programs if asked.only in program.name]


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.messages", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--loggopsim", type=Path, metavar="PATH", help="LogGOPSim's program, txt2bin beside it")
    parser.add_argument("--quick", action="store_true", help="small sizes: to see that it works")
    parser.add_argument("--full", action="store_true", help="also 4,096 ranks with all steps, netloom alone: minutes")
    parser.add_argument("--runs", type=int, default=5, help="runs of each side, median (5)")
    parser.add_argument("--limit-s", type=float, default=60.0, help="no run of a side after so many CPU s (60)")
    parser.add_argument("--only", default="", metavar="TEXT", help="programs whose name contains TEXT")
    parser.add_argument("--json", metavar="FILE", help="write the lines, and the seconds of all runs, to FILE")
    asked = parser.parse_args()
    for name in ("", "txt2bin"):
        path = asked.loggopsim and (asked.loggopsim.with_name(name) if name else asked.loggopsim)
        if path and not path.is_file():
            parser.error(f"--loggopsim: there is no program {path}; --help says how to build it")

    pin()
    os.environ["PYTHONHASHSEED"] = "0"
    reason = simgrid.missing()
    if reason is not None:
        print(f"skipped: {reason}", file=sys.stderr)
        return 0
    lines, seconds = [], {}
    for program in chosen(asked):
        with tempfile.TemporaryDirectory() as folder:
            cells, runs = measured(program, Path(folder), asked)
        lines.append(cells)
        seconds[program.name] = runs
        print(*cells, sep="  ", file=sys.stderr, flush=True)
    print(table.text(COLUMNS, lines))
    here = machine()
    print(f"\n{here['processor']}, Python {here['python']}, SimGrid {simgrid.VERSION}; million messages per CPU second")
    if asked.json:
        table.write_json(asked.json, {"machine": here, "columns": COLUMNS, "lines": lines, "seconds": seconds})
    return 0


if __name__ == "__main__":
    sys.exit(main())
