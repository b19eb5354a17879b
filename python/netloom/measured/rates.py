"""Units of rates, and matrices from the rates of pairs."""

from __future__ import annotations

import re

from .rows import PairMatrix
from .taken import Taken

_UNIT = re.compile(r"(?:^|[\s_(\[])([KkMGT]?)(i?)([Bb])(?:_per_s|/s|ps|it/s|_s)(?![A-Za-z])")
_PREFIXES = {"": 0, "k": 1, "K": 1, "M": 2, "G": 3, "T": 4}
#: Bytes/s of one rank to another node: a NIC of 800 Gb/s each (NVIDIA ConnectX-8 data sheet, 2024).
_NIC = 100e9
#: Ranks of a node where the file does not tell them.
_USUAL_RANKS = 8


def unit(text: str) -> float | None:
    """Bytes/s of the unit that a text names: `GB/s`, `Gb/s`, `Gbit/s`, `busbw_GB_per_s`; None if it names none.

    A small b is a bit.
    """
    found = _UNIT.search(text)
    if found is None:
        return None
    base = 1024.0 if found[2] else 1000.0
    return base ** _PREFIXES[found[1]] / (8.0 if found[3] == "b" else 1.0)


def take(taken: Taken, matrix: PairMatrix) -> None:
    """Adds a matrix, and says if its rates are above any NIC."""
    rates = [rate for row in matrix.bytes_per_s for rate in row if rate is not None]
    most = _NIC * (matrix.ranks_per_node or _USUAL_RANKS)
    if rates and max(rates) > most:
        said = f"{max(rates) / 1e9:.4g} GB/s of a pair is above {most / 1e9:.0f} GB/s, NICs of 800 Gb/s"
        taken.note(f"{matrix.place}: {said}: is a Gb meant where GB is written?")
    taken.pairs.append(matrix)
