"""What a person waits for at the terminal."""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import ROOT, command
from benchmarks.speed.line import Line
from benchmarks.speed.options import Options

HELP_MARK_S, STUDY_MARK_S = 0.3, 120.0
STUDY = "examples/chapter3.toml"
NETLOOM = [sys.executable, "-c", "from netloom.cli import main; main()"]


def lines(options: Options) -> Iterator[Line]:
    runs = 3 if options.quick else 10
    ours = statistics.median(command([*NETLOOM, "--help"]).wall_s for _ in range(runs))
    bare = statistics.median(command([sys.executable, "-c", "pass"]).wall_s for _ in range(runs))
    yield Line("netloom --help, wall time", "s", ours, "python -c pass", bare, f"median of {runs}", HELP_MARK_S)
    if options.quick:
        return
    if not (ROOT / STUDY).is_file():
        yield Line(f"netloom run {STUDY}", "s", None, note="no such study")
        return
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder) / "out")
        # 1 says that the study refutes a claim of the paper: the work is done all the same.
        done = command([*NETLOOM, "run", STUDY, "-o", out], cores=2, codes=(0, 1))
        note = f"{done.cpu_s:.1f} s of CPU; no peer runs this study"
        yield Line(f"netloom run {STUDY}, wall time on 2 cores", "s", done.wall_s, note=note, mark=STUDY_MARK_S)
