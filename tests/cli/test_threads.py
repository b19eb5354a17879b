"""`--threads` bounds the threads of the core's loops, on every command whose work they share."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from netloom.base.threads import limit_threads, wanted
from netloom.cli.app import cli

Run = Callable[..., tuple[int, str, str]]

#: Commands whose time is that of work in one thread: flows are simulated in one, and what else they do is short.
SERIAL = {"collectives", "validate", "expect", "calibrate", "machine", "step", "learn"}
#: How many runs at the same time: its `--jobs`.
OF_RUNS = {"run"}

SCRIPT = """import os, sys
from netloom.cli.app import main
try:
    main(sys.argv[1:])
except SystemExit as ended:
    print(ended.code or 0, len(os.listdir("/proc/self/task")))
"""


def test_commands_with_parallel_work_have_it() -> None:
    ctx = click.Context(cli)
    commands = {name: cli.get_command(ctx, name) for name in cli.list_commands(ctx)}

    def have(option: str) -> set[str]:
        return {
            name
            for name, one in commands.items()
            if one is not None and any(option in param.opts for param in one.params)
        }

    assert have("--threads") == have("--stop-after") - SERIAL - OF_RUNS


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted in /proc")
@pytest.mark.parametrize(
    "line",
    [
        "hops -n torus(4,4) -c alltoall:pairwise",
        "loads -n torus(4,4) -c alltoall:pairwise",
        "verify allreduce:ring --ranks 8",
        "describe torus(4,4)",
    ],
)
def test_there_are_as_many_threads(line: str) -> None:
    found = []
    for most in ("1", "5"):
        words = [sys.executable, "-c", SCRIPT, *line.split(), "--threads", most]
        code, number = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()[-2:]
        assert code == "0"
        found.append(int(number))
    assert found[1] - found[0] == 4


def test_what_is_said_goes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAYON_NUM_THREADS", "7")
    assert wanted() == 7
    try:
        limit_threads(3)
        assert wanted() == 3
    finally:
        limit_threads(None)
    assert wanted() == 7


@pytest.mark.parametrize("number", ["0", "-2", "many", "1025"])
def test_a_number_of_threads_is_in_range(netloom: Run, number: str) -> None:
    code, out, err = netloom("hops", "-n", "ring(4)", "-c", "alltoall:bruck", "--threads", number)
    assert (code, out) == (2, "") and "--threads" in err
