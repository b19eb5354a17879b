"""The harness feeds what is read, and a part of its inputs is fed with every test run; `make fuzz` feeds more."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from .targets import TARGETS, Target
from .worker import fed, made, verdict

ROOT = Path(__file__).parents[2]
#: `make test` feeds 100,000 in processes of its own; this many show that the harness works.
INPUTS = 1000


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_every_seed_is_read(target: Target, tmp_path: Path) -> None:
    for ending, data in target.seeds():
        for number in range(len(target.commands) * 4 or 1):
            code, said = fed(target, ending, data, tmp_path, random.Random(number))
            assert code in (0, 1), (target.name, data[:60], said)


def test_an_input_is_made_of_its_number() -> None:
    target = TARGETS[0]
    one, two = (made(target, target.seeds(), random.Random("1:13")) for _ in range(2))
    assert one == two and one[1] not in [data for _, data in target.seeds()]


def test_what_counts_as_failed() -> None:
    assert verdict(0, "fine") == "done" and verdict(2, "error: NL-F003 x") == "refused"
    for code, said in ((2, "error: NL-X013 x"), (2, "no code"), (134, ""), (2, "NL-F003\nTraceback"), (None, "")):
        assert verdict(code, said) == "failed"


@pytest.mark.timeout(600)
def test_no_input_fails(tmp_path: Path) -> None:
    state = tmp_path / "fuzz.json"
    command = [sys.executable, "-m", "tests.fuzz", "--inputs", str(INPUTS), "--state", str(state), "--seed", "7"]
    done = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True)
    counts = json.loads(state.read_text())
    assert done.returncode == 0, counts["kept"]
    assert sum(value for key, value in counts["counts"].items() if key.split()[1] in ("done", "refused")) == INPUTS
