"""The selection file in the real MPICH: it is taken in place of its own tree, and each size reaches its own leaf."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from netloom.library.decide import schedule_of, table_of
from netloom.tuning import Timing, time_collective
from netloom.tuning.reorder import split
from netloom.tuning.write import emit

MPIEXEC, MPICC = shutil.which("mpiexec.hydra"), shutil.which("mpicc.mpich")
pytestmark = pytest.mark.skipif(not (MPIEXEC and MPICC), reason="MPICH is not installed")
RANKS = 4
#: One rank per node, as far as MPICH is told: its generic layer decides alone.
ENVIRONMENT = {**os.environ, "MPIR_CVAR_NOLOCAL": "1"}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("mpi") / "collectives"
    source = Path(__file__).with_name("mpi_collectives.c")
    subprocess.run([str(MPICC), "-O1", str(source), "-o", str(path)], check=True)
    return path


def run(program: Path, cases: list[tuple[str, int]], tree: str | None, folder: Path, ranks: int = RANKS) -> bool:
    """True if the program came to its end."""
    environment = dict(ENVIRONMENT)
    if tree is not None:
        path = folder / "selection.json"
        path.write_text(tree)
        environment["MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE"] = str(path)
    words = [str(word) for case in cases for word in case]
    done = subprocess.run(
        [str(MPIEXEC), "-n", str(ranks), str(program), *words],
        capture_output=True, text=True, timeout=120, env=environment, check=False,
    )  # fmt: skip
    return done.returncode == 0 and "finished" in done.stdout


def timing(collective: str, names: list[str]) -> Timing:
    """Algorithm i is the fastest at size 1024·2^i."""
    sizes = [1024 << i for i in range(len(names))]
    plain = [split(name)[0] for name in names]

    def clock(net: Any, call: str, mapping: Any, size: int, root: int) -> dict[str, Any]:
        return {"time_s": 1.0 + (plain.index(call) != sizes.index(size))}

    return time_collective(f"star({RANKS})", collective, ranks=RANKS, sizes=sizes, algorithms=names, clock=clock)


NAMES = {
    "allreduce": ["allreduce:recursive-doubling", "allreduce:rabenseifner@bit-reversed"],
    "broadcast": ["broadcast:binomial", "broadcast:scatter-allgather", "broadcast:scatter-ring"],
    "allgather": ["allgather:bruck", "allgather:recursive-doubling", "allgather:ring"],
    "alltoall": ["alltoall:bruck", "alltoall:scattered", "alltoall:pairwise"],
    "reduce-scatter": ["reduce-scatter:recursive-halving", "reduce-scatter:pairwise"],
    "reduce": ["reduce:binomial", "reduce:rabenseifner@bit-reversed"],
}
WORDS = {"broadcast": "bcast", "reduce-scatter": "reduce_scatter"}
CASES = [(collective, 1024 << i) for collective, names in NAMES.items() for i in range(len(names))]


def broken_at(tree: Any, ids: set[str]) -> Any:
    """The tree with the barrier in place of these algorithms: who comes there is told to do what cannot be done."""
    if not isinstance(tree, dict):
        return tree
    wrong = "algorithm=MPIR_Barrier_intra_dissemination"
    return {
        wrong if key.removeprefix("algorithm=") in ids else key: broken_at(below, ids) for key, below in tree.items()
    }


def test_the_tree_in_the_table_is_the_library_s_own() -> None:
    libraries = [
        Path(folder) / "libmpich.so.12" for folder in ("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu")
    ]
    found = next((path for path in libraries if path.is_file()), None)
    if found is None:
        pytest.skip("libmpich.so.12 is elsewhere")
    compiled = json.dumps(table_of("mpich")["selection"], separators=(",", ":")).encode()
    assert compiled in found.read_bytes()


def test_the_file_is_taken(program: Path, tmp_path: Path) -> None:
    text = emit([timing(collective, names) for collective, names in NAMES.items()], "mpich")
    assert run(program, [*CASES, ("barrier", 0), ("gather", 8), ("scatter", 8)], text, tmp_path)
    # Other communicators find MPICH's own choices there.
    assert run(program, CASES, text, tmp_path, ranks=3)
    assert not run(program, [("barrier", 0)], "{}", tmp_path)


@pytest.mark.parametrize("collective", NAMES)
def test_each_size_reaches_its_own_leaf(program: Path, tmp_path: Path, collective: str) -> None:
    names = NAMES[collective]
    word = WORDS.get(collective, collective)
    algorithms = table_of("mpich")["collectives"][word]["algorithms"]
    calls = {name: schedule_of(facts, RANKS) for name, facts in algorithms.items()}
    ids = {call.partition("(")[0]: algorithms[name]["id"] for name, call in calls.items() if call}
    tree = json.loads(emit([timing(collective, names)], "mpich"))
    branch = tree[f"collective={word}"]["comm_type=intra"]
    # All leaves but the last one's are spoilt: of the sizes only the last is left.
    gone = {ids[name] for name in names[:-1]}
    branch[f"comm_size<={RANKS}"] = broken_at(branch[f"comm_size<={RANKS}"], gone)
    text = json.dumps(tree)
    last = len(names) - 1
    assert run(program, [(collective, 1024 << last)], text, tmp_path)
    assert not run(program, [(collective, 1024 << (last - 1))], text, tmp_path)
