"""`netloom map` beside its rivals on cases that no method was built with: other sizes, shapes, seeds and orders."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

from benchmarks.quality import matrices, rivals
from benchmarks.quality.rivals import COLLECTIVES, IRREGULAR, TREE, Case

OURS = "netloom"
NUMBERS = {"inter": "MB between nodes", "hops": "MB x hops", "link": "worst link", "time": "time", "cpu": "CPU s"}
COLUMNS = ["cases", "number", "next to", *NUMBERS.values()]
#: Ratios this near to one are a tie.
TIE = 0.001
#: Rows of a matrix are the square; the mesh needs multiples of 32. Blocks fit 512, the side of the first table.
SIDES = (352, 416, 480, 608, 704)


def cases() -> Iterator[Case]:
    """Each named by its family, which is what comes before the last colon."""
    for name, side, shuffled in ((n, s, r) for n in matrices.MATRICES for s in SIDES for r in (False, True)):
        order = "shuffled" if shuffled else "in order"
        yield Case(f"{name}: {side}, {order}", workload="", matrix=name, side=side, seed=2, shuffled=shuffled, **TREE)  # type: ignore[arg-type]
    for shape in ("16,64", "64,16", "8,128", "128,8"):
        yield Case(f"stencil on a fat tree: {shape}", workload=f'stencil({shape},bytes="64 KiB")', **TREE)  # type: ignore[arg-type]
    tree = TREE | {"network": "fat_tree(radix=12,levels=2)", "ranks": 864, "cores": 24, "sizes": (6, 6, 24)}
    for shape in ("27,32", "32,27", "12,72", "8,9,12"):
        yield Case(f"stencil on a fat tree: {shape}", workload=f'stencil({shape},bytes="64 KiB")', **tree)  # type: ignore[arg-type]
    for name, seed in ((n, s) for n in COLLECTIVES for s in (2, 3)):
        irregular = IRREGULAR | {"network": f"random_shortcut(1024,degree=19,seed={seed})"}
        yield Case(f"{name}, irregular: seed {seed}", workload=name, size_bytes=65536, **irregular)  # type: ignore[arg-type]
    torus = Case("", "torus(5,6,7,8)", 1680, "", dims=(5, 6, 7, 8), built=("grid", "hop-bytes"))
    for shape in ("8,7,6,5", "10,12,14", "40,42"):
        yield replace(torus, name=f"stencil on a torus: {shape}", workload=f'stencil({shape},bytes="64 KiB")')


def rows(lines: Path) -> Iterator[list[Any]]:
    """Of each family and rival: mean ratio of ours to the rival's, and in how many cases it is less, equal, more."""
    of = {}
    for line in rivals.compared(list(cases()), lines, 1):
        of[line["case"], line["mapping"]] = line
    names = [case.name for case in cases()]
    for family, members in groupby(names, key=lambda name: name.rpartition(": ")[0]):
        together = list(members)
        for rival in ("Scotch", "TreeMatch"):
            pairs = [(of[name, OURS], of[name, rival]) for name in together if (name, rival) in of]
            if pairs:
                yield [family, len(pairs), rival, *(_beside([(a[key], b[key]) for a, b in pairs]) for key in NUMBERS)]


def _beside(pairs: list[tuple[float, float]]) -> str:
    ratios = [ours / theirs if theirs else 1.0 for ours, theirs in pairs]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    less = sum(ratio < 1 - TIE for ratio in ratios)
    more = sum(ratio > 1 + TIE for ratio in ratios)
    return f"{mean:.2f} ({less}, {len(ratios) - less - more}, {more})"


def main() -> None:
    """`python -m benchmarks.quality.others LINES`."""
    import sys

    from benchmarks import table

    print(table.text(COLUMNS, list(rows(Path(sys.argv[1])))))


if __name__ == "__main__":
    main()
