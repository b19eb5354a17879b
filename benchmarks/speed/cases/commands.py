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
        tables_study = Path(folder) / "rank_order.toml"
        tables_study.write_text(only("rank-order", (ROOT / STUDY).read_text(encoding="utf-8")), encoding="utf-8")
        tables = "3 placements × 4 orders × 3 collectives × 20 networks, no peer"
        yield study("Tables 3.4 to 3.6 as a study", tables_study, folder, tables, STUDY_MARK_S)
        yield study(f"netloom run {STUDY}", ROOT / STUDY, folder, "all experiments of the chapter, no peer", None)


def only(experiment: str, text: str) -> str:
    """A study file without its other experiments."""
    head, *experiments = text.split("[[experiment]]\n")
    chosen = [part for part in experiments if part.startswith(f'name = "{experiment}"\n')]
    if len(chosen) != 1:
        raise SystemExit(f"{STUDY} has {len(chosen)} experiments named {experiment}")
    return f"{head}[[experiment]]\n{chosen[0]}"


def study(case: str, path: Path, folder: str, note: str, mark: float | None) -> Line:
    out = str(Path(folder) / path.stem)
    # 1 says that the study refutes a claim of the paper: the work is done all the same.
    done = command([*NETLOOM, "run", str(path), "-o", out], cores=2, codes=(0, 1))
    return Line(f"{case}, wall time on 2 cores", "s", done.wall_s, note=f"{done.cpu_s:.1f} s of CPU; {note}", mark=mark)
