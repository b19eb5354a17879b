"""`python -m benchmarks.validation`: predictions next to public measurements; writes docs/validation.md."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks import table
from benchmarks.validation import residual_page
from benchmarks.validation.sets import SETS, Set
from netloom.base import files
from netloom.base.quantities import size_text
from netloom.validation import Compared, Predictor, score

ROOT = Path(__file__).parents[2]
MEASURED = ROOT.parent / "shared" / "reference" / "measured"
#: Larger vectors are limited by bandwidth.
LARGE = 1 << 25
HEAD = """# How near to measurements

Public measurements of collectives next to what netloom says of them, made by `make validate`. A row is one algorithm,
number of nodes, ranks on a node and size. Costs of a machine were fitted to some node counts; the table has the rows
on *other* node counts, to which nothing was fitted, unless it says so. The error is that of the predicted time, as a
share of the measured one; *regret* is the measured time of the algorithm that netloom would choose over that of the
best one.

A machine that nobody measured: with the mean costs of the two others, each of LUMI-G, MareNostrum 5 and Leonardo is
predicted to 34 % (median of 981 rows; 9 of 10 within 69 %). So are the costs `mpi-rdma` made, which a network without
a machine takes. With the costs of NCCL on the other one, MareNostrum 5 and the ten H100 nodes are predicted to 7 %
(194 rows; 9 of 10 within 33 %): the costs `gpu-rdma`.

Fugaku is not part of `make validate`: each of its jobs ran on a torus of a shape of its own. With costs fitted to 8
nodes, 290 rows on 64 and 512 nodes are predicted to 30.6 % (median; 9 of 10 within 98 %), with a regret of 5.3.

Measurements: PICO (github.com/HLC-Lab/pico, MIT licence, 2025); nccl-tests-cluster (github.com/xxrjun/nccl-tests-
cluster, Apache 2.0, 2025 and 2026).
"""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.validation", description=__doc__)
    parser.add_argument("page", nargs="?", type=Path, default=ROOT / "docs" / "validation.md", metavar="PAGE")
    parser.add_argument("--measured", type=Path, default=MEASURED, metavar="FOLDER", help="the public measurements")
    asked = parser.parse_args()
    if not asked.measured.is_dir():
        parser.error(f"there is no folder {asked.measured}: give the one with pico/ and nccl-h100-pairs/")
    parts, lines = [], []
    for one in SETS:
        print(one.title, file=sys.stderr, flush=True)
        found, dropped = compared(one, asked.measured)
        held = [row for row in found if row.row.nodes not in one.fitted] or found
        lines.append(summary(one, held, is_held=held is not found or not one.fitted))
        parts.append(part(one, found, held, dropped))
    parts.append(residual_page.section())
    columns = ["measurements", "machine", "nodes", "rows", "median", "9 of 10 within", "from 32 MiB", "below", "regret"]
    files.write(str(asked.page), "\n".join([HEAD, table.text(columns, lines), "", *parts]).encode())
    return 0


def compared(one: Set, folder: Path) -> tuple[list[Compared], int]:
    """Every row with its prediction, and how many could not be predicted."""
    predictor, found = Predictor(one.machine), []
    for row in one.read(folder):
        # One after the other: a schedule of thousands of ranks takes much memory.
        predictor.prepare([row])
        found += [
            Compared(made.row, time, made.call)
            for made, time in zip(predictor.prepared, predictor.times_s(), strict=True)
        ]
        predictor.prepared.clear()
    return found, len(predictor.dropped)


def share(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f} %"


def median_of(found: Sequence[Compared]) -> str:
    return share(score(found).median) if found else ""


def whole(one: Compared) -> int:
    """Bytes of the whole vector."""
    row = one.row
    return row.bytes * (row.ranks if row.collective in ("allgather", "reduce-scatter", "alltoall") else 1)


def summary(one: Set, held: Sequence[Compared], *, is_held: bool) -> list[str]:
    made = score(held)
    nodes = ", ".join(map(str, sorted({row.row.nodes for row in held}))) + ("" if is_held else " (fitted)")
    regret = "" if made.regret is None else f"{made.regret:.3f}"
    large, small = ([row for row in held if (whole(row) >= LARGE) == is_large] for is_large in (True, False))
    return [
        one.title, f"`{one.machine}`", nodes, f"{made.rows:,}", share(made.median), share(made.p90),
        median_of(large), median_of(small), regret,
    ]  # fmt: skip


def part(one: Set, found: Sequence[Compared], held: Sequence[Compared], dropped: int) -> str:
    fitted = ", ".join(map(str, one.fitted)) or "none"
    kinds = sorted({(row.row.collective, row.row.algorithm) for row in held})
    rows = []
    for collective, algorithm in kinds:
        own = [row for row in held if (row.row.collective, row.row.algorithm) == (collective, algorithm)]
        made = score(own)
        rows.append([f"{collective}:{algorithm}", len(own), share(made.median), share(made.p90), f"{made.bias:.2f}"])
    sizes = [[size_text(at), count, share(error), f"{bias:.2f}"] for at, error, bias, count in score(held).by_size]
    left = f", {dropped:,} rows could not be predicted" if dropped else ""
    return "\n".join(
        [
            f"## {one.title}",
            "",
            f"Machine `{one.machine}`; fitted to nodes: {fitted}; {len(found):,} rows in all{left}. {one.missing}",
            "",
            table.text(["algorithm", "rows", "median", "9 of 10 within", "predicted / measured"], rows),
            "",
            table.text(["from", "rows", "median", "predicted / measured"], sizes),
            "",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
