"""Sizes at which the peers have no answer: a minute and some GiB each, only with `--large`."""

from __future__ import annotations

from collections.abc import Iterator

import netloom
from benchmarks.measure import cpu
from benchmarks.speed.cases.hop_matrix import peak_bytes
from benchmarks.speed.line import Line
from benchmarks.speed.options import Options

ASPL = "random_regular(262144,degree=19,seed=1)"
MATRIX = "random_regular(65536,degree=19,seed=1)"
MARK_BYTES = 8 * 2**30


def lines(options: Options) -> Iterator[Line]:
    if not options.large:
        return
    network = netloom.network(ASPL).without_structure()
    ours = cpu(lambda: network.metrics(use_symmetry=False), 1)
    found = f"diameter {ours.answer['diameter']}, ASPL {ours.answer['aspl']:.6f}; 1 run"
    yield Line("diameter and ASPL, random_regular(262144,degree=19)", "s", ours.seconds, note=found)
    bytes_used = peak_bytes("netloom", MATRIX)
    note = "the matrix itself is 4 GiB; float64 peers need 32 GiB"
    case = "memory of the hop matrix, random_regular(65536,degree=19)"
    yield Line(case, "bytes", bytes_used, note=note, mark=MARK_BYTES)
