"""Texts of megabytes where work that grows with the square would take hours: a processor limit ends such a run.

The limit is no timing: the linear work below takes a second, the square one is a thousand times beyond it.
"""

from __future__ import annotations

import resource
import subprocess
import sys

import pytest

CPU_S = 60
WORK = {
    "line ends before a job list": "from netloom.jobs.formats import recognise; recognise('\\n' * 4_000_000, 'x')",
    "spaces before a job list": "from netloom.jobs.formats import recognise; recognise(' ' * 4_000_000, 'x')",
    "a word of scontrol": "from netloom.jobs.slurm import _KEY; assert not _KEY.findall('x' * 4_000_000)",
    "a value with a placeholder": "from netloom.study.values import short; short('x' * 2_000_000 + '({n})')",
    "brackets in a value": "from netloom.study.values import short; short('{n}' + '( ' * 1_000_000)",
    "values of an axis": "from netloom.study.values import read_axis; read_axis(list(range(300_000)))",
    "the nearest of many names": (
        "from netloom.base.nearest import did_you_mean; did_you_mean('x' * 90, (f'{i:090}' for i in range(10**6)))"
    ),
    "the nearest to a long name": (
        "from netloom.base.nearest import did_you_mean; did_you_mean('xy' * 10**6, ['yx' * 10**6, 'z' * 10**6])"
    ),
    "strings without an end": "from netloom.base.toml import _scan; _scan('\\\\\\\"' * 1_000_000, 'x', 'NL-S001')",
    "three quotes without an end": "from netloom.base.toml import _scan; _scan('\"\"\"' * 999_999, 'x', 'NL-S001')",
    "a long quoted value in a fault": (
        "from netloom.base.errors import Fault; n = 3_000_000; str(Fault('NL-S001', 'x', '\"' * n, '', '\"' + 'x' * n))"
    ),
}


@pytest.mark.parametrize("name", WORK)
def test_it_is_linear(name: str) -> None:
    limit = (CPU_S, CPU_S)
    done = subprocess.run(
        [sys.executable, "-c", WORK[name]],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, limit),
    )
    assert done.returncode == 0, done.stderr or f"more than {CPU_S} s of processor time"
