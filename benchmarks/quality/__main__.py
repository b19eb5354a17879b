"""`python -m benchmarks.quality`: what the optimisers reach, over ten networks."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from benchmarks import table
from benchmarks.measure import machine, pin

PARTS = ("tables", "contest", "stencil", "elapsed", "mappers", "budgets", "machines")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"only these: {', '.join(PARTS)}")
    parser.add_argument("--seeds", type=int, default=10, help="networks per cell (default 10)")
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU time of each annealing and default run")
    parser.add_argument("--quick", action="store_true", help="two networks, half a second: to see that it works")
    parser.add_argument("--scotch", action="store_true", help="run Scotch too (Debian package scotch)")
    parser.add_argument("--faq", action="store_true", help="run SciPy's FAQ too (10 s per network)")
    parser.add_argument("--lines", type=Path, default=Path("machines.jsonl"), metavar="FILE",
                        help="machines: a line of JSON per finished case, which is not run again")  # fmt: skip
    parser.add_argument("--json", metavar="FILE", help="write the tables to FILE")
    asked = parser.parse_args()
    unknown = sorted(set(asked.parts) - set(PARTS))
    if unknown:
        parser.error(f"no such part: {', '.join(unknown)}; there are {', '.join(PARTS)}")
    if asked.seeds < 1 or asked.seconds <= 0:
        parser.error("--seeds must be at least 1 and --seconds above 0")

    pin()
    # Only now: these import NumPy and netloom, which look at the number of cores when they start.
    from benchmarks.quality import scotch

    if asked.scotch and not scotch.available():
        parser.error("--scotch needs scotch_gmap and amk_grf on the path: apt-get install scotch")
    seeds, seconds = (min(asked.seeds, 2), 0.5) if asked.quick else (asked.seeds, asked.seconds)
    results = {}
    for part in asked.parts or PARTS:
        title, columns, rows = measure(part, seeds, seconds, asked)
        if rows:
            results[part] = {"title": title, "columns": columns, "rows": rows}
            print(f"{title}\n\n{table.text(columns, rows)}\n", flush=True)
    print(f"{machine()['processor']}, Python {machine()['python']}; {seeds} networks, one core")
    if asked.json:
        table.write_json(asked.json, {"machine": machine(), "seeds": seeds, "seconds": seconds, "parts": results})
    return 0


def measure(part: str, seeds: int, seconds: float, asked: Any) -> tuple[str, list[str], list[list[Any]]]:
    from benchmarks.quality import budgets, contest, elapsed, machines, mappers, stencil, tables

    if part == "tables":
        title = "Tables 3.4 to 3.6 of Cui 2024: total hops, two-opt that accepts only lower, 200,000 swaps"
        return title, tables.COLUMNS, tables.rows(seeds)
    if part == "contest":
        return f"Optimisers, {seconds:g} CPU seconds, start on the ring", contest.COLUMNS, contest.rows(seeds, seconds)
    if part == "stencil":
        title = "Periodic stencil 16×8×8×8 on a torus 8×8×8×16"
        return title, stencil.COLUMNS, list(stencil.rows(asked.scotch))
    if part == "elapsed":
        title = f"Simulated time of a broadcast of 64 KiB, {seconds:g} CPU seconds, start in order"
        return title, elapsed.COLUMNS, list(elapsed.rows(seeds, seconds))
    if part == "budgets":
        title = "Objectives at equal seconds: simulated time reached, us, median over the seeds"
        return title, budgets.COLUMNS, list(budgets.rows(seeds))
    if part == "machines":
        title = f"Machines of nodes with many ranks, {seconds:g} s per search"
        return title, machines.COLUMNS, list(machines.rows(asked.lines, seconds, asked.scotch))
    title = "Other mappers, allreduce:recursive-doubling, free choice of endpoints"
    return title, mappers.COLUMNS, list(mappers.rows(seeds, asked.scotch, asked.faq))


if __name__ == "__main__":
    sys.exit(main())
