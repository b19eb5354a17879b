"""`python -m benchmarks.speed`: one table of netloom beside its peers."""

from __future__ import annotations

import argparse
import sys

from benchmarks import history, table
from benchmarks.measure import machine, pin


def main() -> int:
    names = ["distances", "hop-matrix", "two-opt", "commands", "large", "instructions"]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"only these: {', '.join(names)}")
    parser.add_argument("--quick", action="store_true", help="small sizes and few runs: seconds")
    parser.add_argument(
        "--complete", action="store_true", help="slow peers on all sources where they can: half an hour"
    )
    parser.add_argument("--large", action="store_true", help="262,144 switches, and a 65,536-switch matrix")
    parser.add_argument("--instructions", action="store_true", help="also count instructions under Valgrind")
    parser.add_argument("--json", metavar="FILE", help="write the lines with their marks to FILE")
    parser.add_argument("--history", action="store_true", help="keep them in benchmarks/history/DATE-COMMIT.json")
    asked = parser.parse_args()
    unknown = sorted(set(asked.cases) - set(names))
    if unknown:
        parser.error(f"no such case: {', '.join(unknown)}; there are {', '.join(names)}")

    pin()
    # Only now: these import NumPy, netloom and the peers, which look at the number of cores when they start.
    from benchmarks.speed.cases import all_lines
    from benchmarks.speed.line import COLUMNS
    from benchmarks.speed.options import Options

    options = Options(asked.quick, asked.complete, asked.large, asked.instructions)
    lines = []
    for line in all_lines(asked.cases or names, options):
        lines.append(line)
        print(*(str(cell) for cell in map(table.show, line.cells())), sep="  ", file=sys.stderr, flush=True)
    print(table.text(COLUMNS, [line.cells() for line in lines]))
    here = machine()
    print(f"\n{here['processor']}, Python {here['python']}; median CPU time on one core unless a line says otherwise")
    kept = {"machine": here, "lines": [line.record() for line in lines]}
    if asked.json:
        table.write_json(asked.json, kept)
    if asked.history:
        print(f"kept in {history.keep(kept)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
