"""What `--json` prints says which netloom made it; a command that gets `--json` needs a line here."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path

import click
import pytest

import netloom as package
from netloom.cli.app import cli

from .design_cases import DESIGN
from .design_cases import FILES as DESIGN_FILES
from .extrapolate_cases import shifted
from .learn_cases import FILES, MODEL
from .whatif_cases import FILES as WHAT_IF_FILES

Run = Callable[..., tuple[int, str, str]]

STUDY = """title = "t"
[[experiment]]
name = "m"
evaluate = "metrics"
[experiment.axes]
network = ["ring(8)"]
"""
PINGPONG = "# OSU MPI Latency Test\n1 1.0\n1024 2.0\n65536 10.0\n1048576 120.0\n"
SHIFT = "-n 'torus(4,4)' -t 'shift(k=5)'"
#: Words after a command; "" is the command alone.
LINES: dict[str, list[str]] = {
    "describe": ["'torus(4,4)'"],
    "size": ["torus --endpoints 60"],
    "node": ["2,8"],
    "machine": ["new made.toml --fabric 'torus(4,4)' --hwloc 2,8"],
    "compare": ["'torus(4,4)' 'hypercube(4)'"],
    "compare-models": [SHIFT],
    "hops": [SHIFT],
    "loads": [SHIFT, f"{SHIFT} -v static-direct -v adaptive-direct"],
    "simulate": [
        SHIFT,
        "-n 'torus(4,4)' -c allreduce:ring --model packet --details",
        "-n 'torus(4,4)' -t 'shift(k=5,bytes=1048576)' --model packet --fast",
    ],
    "explain-trace": [SHIFT],
    "throughput": [f"{SHIFT} --loads 0.1 --no-saturation --warm-up 100 --cycles 100"],
    "evaluate": ["scenario.toml -e hops"],
    "collectives": ["-n 'torus(4,4)' -c allreduce --sizes 1KiB"],
    "enumerate": ["2,2,4"],
    "map": [
        "-n 'torus(4,4)' -c allreduce:ring --ranks 8",
        "-n 'torus(4,4)' -c allreduce:ring --ranks 8 --objective hops --swaps 10",
        "-n 'ring(8)' --jobs squeue.txt --nodes 2 -t 'shift(k=1)'",
    ],
    "run": ["study.toml --check", "study.toml --no-figures -q"],
    "merge": ["out/study --no-figures -q"],
    "extrapolate": ["9.trace 16.trace --ranks 25 -o big.goal"],
    "verify": ["allreduce:ring --ranks 4"],
    "step": ["llama3-8b --machine dgx-h100 --gpus 16 --tp 8 -q"],
    "whatif": ["ask.toml --vary 'link_bandwidth=50..200 Gbps' --vary 'message_size=1..9 KiB' --samples 16 -q"],
    "design": [DESIGN],
    "learn": ["samples.csv --target time_s --learner linear", "predict made.model samples.csv"],
    "validate": ["times.csv --machine generic-hdr -q"],
    "expect": ["times.csv --machine generic-hdr -q", "pairs.csv"],
    "calibrate": ["pingpong.txt --latency '100 ns' --bandwidth '100 Gbps'"],
    "list": ["", "torus", "topologies"],
    "explain": ["NL-A002", "ompi allreduce --ranks 128 --bytes 4"],
}


#: Started by mpirun or starting it, in `tests/peers`; `gained` in `test_gained.py`.
UNDER_MPIRUN = ("run-schedule", "bench-orders", "gained", "record", "verify-mapping")


def test_every_command_that_prints_json_is_here() -> None:
    where = click.Context(cli)
    commands = {name: cli.get_command(where, name) for name in cli.list_commands(where)}
    having = {name for name, one in commands.items() if one and any("--json" in param.opts for param in one.params)}
    assert having == {*LINES, *UNDER_MPIRUN}


@pytest.mark.parametrize("command", LINES)
def test_json_says_the_version(netloom: Run, command: str, tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY)
    for ranks in (9, 16):
        (tmp_path / f"{ranks}.trace").write_text(shifted(ranks))
    (tmp_path / "pingpong.txt").write_text(PINGPONG)
    (tmp_path / "times.csv").write_text(
        "collective,algorithm,nodes,ranks_per_node,bytes,time_s\n"
        "allreduce,ring,4,1,1024,2e-5\nbroadcast,binomial,4,1,1024,9e-6\n"
    )
    (tmp_path / "pairs.csv").write_text("node_a,node_b,busbw_GB_per_s\na,b,44\na,c,43\nb,c,44\n")
    (tmp_path / "squeue.txt").write_text("JOBID|NAME|STATE|NODES|CPUS|NODELIST\n7|wrf|RUNNING|2|2|node[0-1]\n")
    (tmp_path / "scenario.toml").write_text('network = "torus(4,4)"\nworkload = "allreduce:ring"\n')
    for name, text in (FILES | WHAT_IF_FILES | DESIGN_FILES).items():
        (tmp_path / name).write_text(text)
    if command == "learn":
        assert netloom(command, *MODEL)[0] == 0
    if command == "merge":
        netloom("run", "study.toml", "--shards", "1", "--emit", "slurm-array", "-q")
        netloom("run", "study.toml", "--shard", "1/1", "-q")
    for line in LINES[command]:
        code, out, err = netloom(command, *shlex.split(line), "--json")
        assert code == 0, (line, err)
        found = json.loads(out)
        rows = found if isinstance(found, list) else [found]
        assert rows
        for row in rows:
            version = row.get("netloom_version", row["version"])
            assert version.partition("+")[0] == package.__version__, line
