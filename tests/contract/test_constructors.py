"""Topology constructors are typed: the generated stub is current, and a type checker uses it."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import netloom
from netloom.reference.constructors import HOME, render

SNIPPET = """\
import netloom

reveal_type(netloom.torus(8, 8, wrap=[True, False]))
netloom.dragonfly(a=16, h=4, g=None, arrangement="round-robin", bandwidth="100 Gbps", latency=1e-7)
netloom.circulant(1024, "pow2").switches
netloom.full_mesh(n=4)
netloom.torus("8")
netloom.ring()
netloom.fat_tree(8, top="half")
netloom.star(8, size=3)
netloom.ring(8).no_such_attribute
"""
WRONG = {7: "arg-type", 8: "call-arg", 9: "arg-type", 10: "call-arg", 11: "attr-defined"}


def test_the_generated_stub_is_current() -> None:
    assert HOME.read_text() == render(), "python -m netloom.reference.constructors"


@pytest.mark.parametrize("name", sorted(set(re.findall(r"^def (\w+)", render(), re.MULTILINE))))
def test_defaults_shown_are_what_absent_arguments_mean(name: str) -> None:
    """A call that writes out every default builds what a call without them builds."""
    (row,) = (row for row in netloom.catalogue("topologies") if row["name"].replace("-", "_") == name)
    _, args, kwargs = netloom._core.parse_call(row["example"])
    function = getattr(netloom, name)
    shown = inspect.signature(function).parameters.values()
    taken = [p.name for p in shown if p.kind is p.POSITIONAL_OR_KEYWORD][: len(args)]
    defaults = {p.name: p.default for p in shown if p.default is not p.empty and p.name not in taken}
    assert defaults
    written, short = function(*args, **(defaults | kwargs)), function(*args, **kwargs)
    assert np.array_equal(written.heads, short.heads) and np.array_equal(written.offsets, short.offsets)
    assert np.array_equal(written.endpoint_switch, short.endpoint_switch) and written.classes == short.classes


def test_a_type_checker_accepts_good_calls_and_refuses_bad_ones(tmp_path: Path) -> None:
    snippet = tmp_path / "snippet.py"
    snippet.write_text(SNIPPET)
    python = Path(netloom.__file__).parents[1]
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={tmp_path}", str(snippet)]
    environment = os.environ | {"MYPYPATH": str(python), "NO_COLOR": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=tmp_path)
    assert 'snippet.py:3: note: Revealed type is "netloom._core.Network"' in done.stdout, done.stdout + done.stderr
    found = re.findall(r"snippet\.py:(\d+): error: .*\[([a-z-]+)\]", done.stdout)
    assert {int(line): code for line, code in found} == WRONG, done.stdout
