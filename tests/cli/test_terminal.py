"""Answers on a terminal of 100 columns and 40 lines: each fits, none is cut."""

from __future__ import annotations

import os
import shlex
import struct
import subprocess
import sys
from pathlib import Path

import pytest

COLUMNS, LINES = 100, 40
NET = "-n 'dragonfly(a=4,p=2,h=2,g=9)'"
COMMANDS = [
    "describe 'dragonfly(a=16,p=1,h=4,g=64)' --no-bisection",
    "size dragonfly --endpoints 4096",
    "compare 'torus(8,8)' 'hypercube(6)' 'dragonfly(a=4,p=2,h=2,g=8)' -c alltoall:bruck -t 'shift(k=1)'",
    "compare-models -n 'fat_tree(radix=8,levels=2)' -t 'shift(k=5)'",
    "hops -n 'torus(8,8)' -c allreduce:rabenseifner",
    f"loads {NET} --cores 4 -t 'unstructured-mesh(bytes=\"512 KiB\")' -v AH",
    f"loads {NET} -t spread -p rdn -p rdg -v SD -v AD -v AI",
    "loads -n 'torus(8,8)' --job 'mesh=50%: stencil(8,4)' --job 'noise: uniform' -p 'random(seed=1)'",
    "simulate -n 'torus(8,8)' -c alltoall:bruck --size 4KiB --critical-path",
    "simulate -n 'torus(4,4)' -c allreduce:rabenseifner --size 64KiB --model packet --details",
    "simulate -n 'torus(8,8)' --job 'mesh=50%: stencil(8,4,bytes=\"64 KiB\")' --job 'noise: uniform(bytes=100)'",
    "throughput -n 'torus(4,4)' -t tornado -r dimension-ordered --no-saturation --warm-up 500 --cycles 500 --links 5",
    "collectives -n 'fat_tree(radix=8,levels=2)' --sizes 8:64MiB",
    "collectives -n 'torus(4,4)' -c allreduce,broadcast --sizes 1KiB:1MiB",
    "enumerate '16,2,2,8' --communicator 16",
    "map -n 'torus(4,4)' -c allreduce:recursive-doubling",
    "verify allreduce:ring --ranks 48",
    "list",
    "list topologies",
    "list two-opt",
    "explain ompi allreduce --ranks 128 --bytes 4",
]


def typed(command: str, folder: Path) -> list[str]:
    """The lines on the terminal."""
    termios, fcntl = pytest.importorskip("termios"), pytest.importorskip("fcntl")
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    words = [sys.executable, "-m", "netloom", *shlex.split(command)]
    # The terminal says its size.
    given = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    pipes = {"stdin": subprocess.DEVNULL, "stdout": theirs, "stderr": subprocess.PIPE}
    with subprocess.Popen(words, **pipes, cwd=folder, env=given) as running:
        os.close(theirs)
        written = b""
        # Linux ends a terminal whose program has ended with an error.
        try:
            while part := os.read(ours, 1 << 16):
                written += part
        except OSError:
            pass
        said = running.stderr.read().decode() if running.stderr else ""
    os.close(ours)
    assert running.returncode == 0, said
    return written.decode().replace("\r", "").splitlines()


@pytest.mark.parametrize("command", COMMANDS)
def test_an_answer_fits_the_terminal(command: str, tmp_path: Path) -> None:
    lines = typed(command, tmp_path)
    assert 0 < len(lines) <= LINES, len(lines)
    assert [line for line in lines if len(line) > COLUMNS] == []
    # Times have their unit and no exponent.
    assert not [line for line in lines if "e-0" in line], lines
