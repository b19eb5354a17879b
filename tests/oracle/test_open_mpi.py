"""The rule file in the real Open MPI: at every size it runs the algorithm that the file names, message for message."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import netloom
from netloom.library.conditions import Case, holds
from netloom.library.decide import differs_on, table_of
from netloom.tuning import Timing, decide, time_collective
from netloom.tuning.reorder import places, split
from netloom.tuning.write import emit
from netloom.tuning.write.names import of_table

MPIRUN, MPICC = shutil.which("mpirun.openmpi"), shutil.which("mpicc.openmpi")
pytestmark = pytest.mark.skipif(not (MPIRUN and MPICC), reason="Open MPI is not installed")

#: Messages and bytes between every pair of ranks.
Sent = Counter[tuple[int, int, str]]
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
WORDS = {
    "allgather": "allgather",
    "allreduce": "allreduce",
    "alltoall": "alltoall",
    "barrier": "barrier",
    "broadcast": "bcast",
    "gather": "gather",
    "reduce": "reduce",
    "reduce-scatter": "reduce_scatter",
    "scatter": "scatter",
}
SMALLEST = 1024


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("mpi") / "collectives"
    source = Path(__file__).with_name("mpi_collectives.c")
    subprocess.run([str(MPICC), "-O1", str(source), "-o", str(path)], check=True)
    return path


def run(program: Path, ranks: int, cases: list[tuple[str, int]], rules: Path | None, folder: Path) -> tuple[int, Sent]:
    """Exit code, and what the point-to-point layer of every rank counted."""
    folder.mkdir()
    settings = {"btl": "self,vader", "pml_monitoring_enable": "2", "pml_monitoring_enable_output": "3"}
    settings["pml_monitoring_filename"] = str(folder / "sent")
    if rules is not None:
        settings |= {"coll_tuned_use_dynamic_rules": "1", "coll_tuned_dynamic_rules_filename": str(rules)}
    command = [str(MPIRUN), "--oversubscribe", "-np", str(ranks)]
    command += [word for key, value in settings.items() for word in ("--mca", key, value)]
    words = [str(word) for case in cases for word in case]
    done = subprocess.run(
        [*command, str(program), *words], capture_output=True, text=True, timeout=120, env=ENVIRONMENT, check=False
    )
    sent: Sent = Counter()
    for path in folder.glob("sent*.prof"):
        for line in path.read_text().splitlines():
            if line[0] in "IE":
                _, src, dst, bytes_, messages = line.split("\t")[:5]
                sent[int(src), int(dst), "bytes"] += int(bytes_.split()[0])
                sent[int(src), int(dst), "messages"] += int(messages.split()[0])
    return done.returncode, sent


def expected(calls: list[tuple[str, int]], ranks: int) -> Sent:
    """The same of our schedules."""
    sent: Sent = Counter()
    for call, size in calls:
        schedule, real = places(np.arange(ranks), call, 0)
        table = netloom.workload(schedule, ranks, size_bytes=size).table()
        for src, dst, size_bytes in zip(table["src"], table["dst"], table["bytes"], strict=True):
            pair = int(real[src]), int(real[dst])
            sent[*pair, "messages"] += 1
            sent[*pair, "bytes"] += int(size_bytes)
    return sent


def each_wins_once(collective: str, ranks: int, names: list[str]) -> Timing:
    """A timing in which algorithm i is the fastest at size 1024·2^i."""
    sizes = [SMALLEST << i for i in range(len(names))]
    plain = [split(name)[0] for name in names]

    def clock(net: Any, call: str, mapping: Any, size: int, root: int) -> dict[str, Any]:
        return {"time_s": 1.0 + (plain.index(call) != sizes.index(size) if size else 0)}

    return time_collective(f"star({ranks})", collective, ranks=ranks, sizes=sizes, algorithms=names, clock=clock)


def open_mpi_s(collective: str, ranks: int) -> list[str]:
    """Our schedules that Open MPI has, partner for partner, and runs on this number of ranks without a fallback."""
    word = WORDS[collective]
    row = table_of("ompi")["collectives"][word]
    case = Case(ranks, SMALLEST)
    left_out = {"two_proc", *(name for name, facts in row["algorithms"].items() if differs_on(facts, ranks))}
    left_out |= {fall["algorithm"] for fall in row["fallbacks"] if all(holds(c, case) for c in fall["when"])}
    names = [call for call, name in of_table("ompi", word, ranks).items() if name not in left_out]
    # Without bytes there is one case.
    return names[:1] if collective == "barrier" else names


def test_at_every_size_the_library_runs_the_winner_of_the_file(program: Path, tmp_path: Path) -> None:
    ranks = 8
    names = {collective: open_mpi_s(collective, ranks) for collective in WORDS}
    assert sum(map(len, names.values())) >= 25
    rules = tmp_path / "rules.conf"
    rules.write_text(emit([each_wins_once(collective, ranks, found) for collective, found in names.items()], "ompi"))
    # Run i has the algorithm i of all collectives: what each sends adds up.
    for i in range(max(map(len, names.values()))):
        chosen = {collective: found[i] for collective, found in names.items() if i < len(found)}
        cases = [(collective, 0 if collective == "barrier" else SMALLEST << i) for collective in chosen]
        code, sent = run(program, ranks, cases, rules, tmp_path / str(i))
        wanted = expected([(call, size) for call, (_, size) in zip(chosen.values(), cases, strict=True)], ranks)
        assert code == 0 and sent == wanted, (i, chosen)


FIXED = [("allreduce", 4096), ("allgather", 64), ("broadcast", 1024), ("gather", 512), ("reduce", 65536)]
FIXED += [("reduce-scatter", 1024), ("scatter", 32768), ("alltoall", 65536), ("barrier", 0)]


def fixed(ranks: int) -> Sent:
    """What the decision table says that Open MPI sends by itself."""
    calls = []
    for collective, size in FIXED:
        made = decide("ompi", WORDS[collective], ranks, size)
        assert made.netloom is not None
        calls += [(call, size * factor) for call, factor in made.netloom]
    return expected(calls, ranks)


def test_the_fixed_decision_is_what_the_table_says(program: Path, tmp_path: Path) -> None:
    code, sent = run(program, 8, FIXED, None, tmp_path / "default")
    assert code == 0 and sent == fixed(8)


def test_other_communicators_and_broken_files_leave_the_fixed_decision(program: Path, tmp_path: Path) -> None:
    names = [call for call in open_mpi_s("allreduce", 6) if call != "allreduce:recursive-doubling"]
    rules = tmp_path / "rules.conf"
    rules.write_text(emit([each_wins_once("allreduce", 6, names)], "ompi"))
    code, sent = run(program, 8, FIXED, rules, tmp_path / "other")
    assert code == 0 and sent == fixed(8)
    rules.write_text("1\n2\n1\n8\n")
    code, sent = run(program, 8, FIXED, rules, tmp_path / "broken")
    assert code == 0 and sent == fixed(8)
    # An algorithm that does not exist is refused by the call itself: the file was read.
    rules.write_text("1\n2\n1\n0\n1\n0 99 0 0\n")
    code, _ = run(program, 8, FIXED, rules, tmp_path / "wrong")
    assert code != 0
