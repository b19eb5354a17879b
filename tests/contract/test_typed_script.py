"""A user's script: a type checker sees no `Any` in it, it runs, and an editor completes what it writes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import jedi
import pytest

import netloom

SCRIPT = Path(__file__).parent / "user_script.py"
PACKAGE = Path(netloom.__file__).parents[1]


def checked(script: Path, tmp_path: Path) -> str:
    flags = ["--strict", "--disallow-any-expr", "--config-file=", "--follow-imports=silent", f"--cache-dir={tmp_path}"]
    environment = os.environ | {"MYPYPATH": str(PACKAGE), "NO_COLOR": "1"}
    command = [sys.executable, "-m", "mypy", *flags, str(script)]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env=environment, cwd=tmp_path, timeout=280
    ).stdout


def test_mypy_strict_sees_no_any(tmp_path: Path) -> None:
    assert checked(SCRIPT, tmp_path).startswith("Success"), checked(SCRIPT, tmp_path)
    wrong = tmp_path / "wrong.py"
    wrong.write_text('import netloom\n\nhops = netloom.hops("ring(8)")\nprint(hops["total_hops"] + "", hops.max_hop)\n')
    found = checked(wrong, tmp_path)
    assert "[operator]" in found and "[attr-defined]" in found, found


def test_the_script_runs_and_uses_the_whole_api(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(PACKAGE)}
    done = subprocess.run(
        [sys.executable, SCRIPT], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=280
    )
    assert done.returncode == 0, done.stderr
    used = set(re.findall(r"netloom\.(\w+)", SCRIPT.read_text()))
    # Types that a script names rather than makes, and what concerns a whole process.
    named = {"Answer", "Calibration", "Fault", "Job", "Mapping", "Network", "PlacedJob", "Programs", "Routing"}
    named |= {"Schedule", "Sends", "Traffic", "limit_memory", "register", "simulate_flows", "steps", "network"}
    assert set(netloom.__all__) - used <= named, set(netloom.__all__) - used - named


SESSION = """\
import netloom
net = netloom.torus(4, 4)
answer = netloom.simulate(net, workload="allreduce:ring")
hops = netloom.hops(net, workload="allreduce:ring")
loads = netloom.loads(net, workload="allreduce:ring")
found = netloom.map_ranks(net, workload="stencil(4,4)")
facts = netloom.describe(net)
"""


@pytest.fixture(scope="module")
def editor() -> jedi.Project:
    path = [str(PACKAGE), *sys.path]
    return jedi.Project(str(PACKAGE), sys_path=path, smart_sys_path=False)


@pytest.mark.parametrize(
    ("typed", "proposed"),
    [
        ("netloom.dragon", {"dragonfly", "dragonfly_plus"}),
        ("netloom.torus(4, 4, wr", {"wrap="}),
        ("netloom.simul", {"simulate", "simulate_flows"}),
        ("net.dr", {"draw"}),
        ("answer.time", {"time_s"}),
        ("answer.crit", {"critical_path"}),
        ("hops.total_h", {"total_hops"}),
        ("loads.hot", {"hottest"}),
        ("found.start", {"start_value"}),
        ("found.wr", {"write"}),
        ('facts["endpoint_b', {'"endpoint_bisection"'}),
    ],
)
def test_jedi_completes(editor: jedi.Project, typed: str, proposed: set[str]) -> None:
    made = {one.name for one in jedi.Script(SESSION + typed, project=editor).complete()}
    assert proposed == made


def test_jedi_shows_the_parameters_of_constructors(editor: jedi.Project) -> None:
    (shown,) = jedi.Script("import netloom\nnetloom.dragonfly(", project=editor).get_signatures()
    assert [param.name for param in shown.params][:4] == ["a", "p", "g", "h"]
