"""An 8-byte ping-pong and a call that sends to nobody, recorded and not: `python -m benchmarks.recorder`."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from netloom.mpi.installed import of_compiler
from netloom.mpi.recorder.build import built
from netloom.mpi.recorder.launch import environment

from .. import table

SOURCE = Path(__file__).with_name("pingpong.c")
LIBRARIES = ("openmpi", "mpich")


def least(mpirun: Sequence[str], program: Path, batches: int, added: dict[str, str]) -> tuple[float, float]:
    """Nanoseconds of half a round trip, and of a call to nobody."""
    allowed = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = subprocess.run(
        [*mpirun, str(program), str(batches)],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | allowed | added,
    )
    trip, call = map(float, done.stdout.split()[-2:])
    return trip, call


def measured(name: str, batches: int, turns: int, folder: Path) -> list[list[object]]:
    """Rows of one library: in turn without, with sums, with every call; of each the least of all turns."""
    program = folder / name
    subprocess.run([f"mpicc.{name}", "-O2", str(SOURCE), "-o", str(program)], check=True)
    library = built(of_compiler(f"mpicc.{name}"))
    kinds: dict[str, tuple[float, float]] = {}
    for turn in range(turns):
        for kind in ("without", "sums", "order"):
            sent = folder / f"{name}-{kind}-{turn}"
            sent.mkdir()
            settings = {"NETLOOM_RECORD": str(sent), "NETLOOM_DEPTH": kind, "NETLOOM_LIMIT": str(1 << 30)}
            added = {} if kind == "without" else environment(library, **settings)
            found = least([f"mpirun.{name}", "-n", "2"], program, batches, added)
            before = kinds.get(kind, found)
            kinds[kind] = min(before[0], found[0]), min(before[1], found[1])
            shutil.rmtree(sent)
    trip, call = kinds["without"]
    return [
        [
            name,
            kind,
            f"{one[0]:.0f}",
            f"{one[0] - trip:+.0f} ({100 * (one[0] / trip - 1):+.1f} %)",
            f"{one[1] - call:+.0f}",
        ]
        for kind, one in kinds.items()
    ]


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batches", type=int, default=500, help="batches of 200 round trips")
    parser.add_argument("--turns", type=int, default=5)
    given = parser.parse_args()
    rows: list[list[object]] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in LIBRARIES:
            if shutil.which(f"mpicc.{name}") is None:
                print(f"{name} is not installed")
                continue
            rows += measured(name, given.batches, given.turns, Path(folder))
    columns = ("library", "recorded", "8 bytes one way, ns", "more than without", "a call alone, ns more")
    print(table.text(columns, rows))


if __name__ == "__main__":
    main()
