"""What starts quickly stays so: neither `import netloom` nor the commands that print numbers import NumPy or heavier.

A process of `netloom simulate` takes about a fifth of a second of processor time; NumPy alone would take twice that.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = ("numpy", "scipy", "matplotlib", "pandas", "pyarrow", "networkx", "rich")
COMMANDS = {
    "help": ["--help"],
    "version": ["--version"],
    "help of a command": ["simulate", "--help"],
    "simulate": ["simulate", "-n", "torus(4,4)", "-c", "alltoall:bruck", "--size", "4KiB"],
    "simulate as JSON": ["simulate", "-n", "ring(8)", "-a", "is(class=S)", "--order", "ascending", "--json"],
    "collectives": ["collectives", "-n", "star(8)", "--sizes", "1KiB", "--calibration", "simgrid-smpi"],
    "collectives as JSON": ["collectives", "-n", "star(8)", "-c", "broadcast", "--sizes", "1KiB", "--json"],
    "hops": ["hops", "-n", "torus(4,4)", "-c", "allreduce:ring"],
    "loads": ["loads", "-n", "dragonfly(a=4,p=2,h=1,g=5)", "-t", "spread", "--cores", "2", "-v", "AD"],
    "loads as JSON": ["loads", "-n", "torus(4,4)", "-c", "alltoall:bruck", "--json"],
    "verify": ["verify", "allreduce:ring", "--ranks", "8"],
    "list": ["list", "collectives"],
}  # fmt: skip
# The last line of stdout names what of HEAVY was imported.
AFTER = f"import json, sys; print(); print(json.dumps([name for name in {HEAVY!r} if name in sys.modules]))"


def imported(code: str) -> list[str]:
    """What of `HEAVY` a process imports that runs the code."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: list[str] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_import_alone() -> None:
    assert imported(f"import netloom; import netloom.evaluate, netloom.study, netloom.tuning; {AFTER}") == []


def test_modules_that_people_write_out_come_when_they_are_named() -> None:
    """`netloom.contract.check(Prism)`, as the pages write it, after `import netloom` alone."""
    assert imported(f"import netloom; {AFTER}") == []
    assert imported(f"import netloom; netloom.plugin.register; netloom.plugin.Topology; {AFTER}") == []
    assert imported(f"import netloom; print(netloom.contract.check('ring(4)')); {AFTER}") == ["numpy"]


@pytest.mark.parametrize("args", COMMANDS.values(), ids=COMMANDS)
def test_command(args: list[str]) -> None:
    code = f"from netloom.cli import main\ntry: main({args!r})\nexcept SystemExit as end: assert end.code == 0\n{AFTER}"
    assert imported(code) == []


def test_the_check_sees_numpy() -> None:
    assert imported(f"import netloom; netloom.place('ring(4)', 4); {AFTER}") == ["numpy"]
