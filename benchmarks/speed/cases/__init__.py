"""One module per case; each yields lines of the table as they are measured."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.speed.cases import commands, distances, hop_matrix, instructions, large, two_opt
from benchmarks.speed.line import Line
from benchmarks.speed.options import Options

CASES = {
    "distances": distances.lines,
    "hop-matrix": hop_matrix.lines,
    "two-opt": two_opt.lines,
    "commands": commands.lines,
    "large": large.lines,
    "instructions": instructions.lines,
}


def all_lines(names: list[str], options: Options) -> Iterator[Line]:
    for name in names:
        yield from CASES[name](options)
