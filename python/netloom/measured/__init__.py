"""Measurements of collectives as data: what benchmarks print, read into rows with netloom's names and sizes.

>>> from netloom import measured
>>> log = b"# OSU MPI Latency Test v7.5\\n# Size       Avg Latency(us)\\n8          2.50\\n"
>>> row = measured.read_bytes("osu.txt", log).rows[0]
>>> row.collective, row.bytes, row.time_s, row.place
('pingpong', 8, 2.5e-06, 'osu.txt:3')
"""

from __future__ import annotations

from .own import to_csv, write_csv
from .reading import read, read_bytes
from .rows import POINT_TO_POINT, Dropped, Measurement, Measurements, PairMatrix

__all__ = [
    "POINT_TO_POINT",
    "Dropped",
    "Measurement",
    "Measurements",
    "PairMatrix",
    "read",
    "read_bytes",
    "to_csv",
    "write_csv",
]
