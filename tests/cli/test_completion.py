"""Completion and the manual page: made from the commands, so that neither forgets one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from netloom.cli.app import COMMANDS

Run = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_one_of_the_shell(shell: str, netloom: Run, tmp_path: Path) -> None:
    code, out, _ = netloom("completion", shell)
    assert code == 0 and "_NETLOOM_COMPLETE" in out
    program = shutil.which(shell)
    if program is not None:
        (tmp_path / "script").write_text(out)
        assert subprocess.run([program, "-n", tmp_path / "script"]).returncode == 0


def offered(words: str) -> list[str]:
    asked = {"_NETLOOM_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    done = subprocess.run(
        [sys.executable, "-m", "netloom"], env={**os.environ, **asked}, capture_output=True, text=True, check=True
    )
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


def test_commands_options_and_names_are_offered() -> None:
    assert offered("netloom expl") == ["explain-trace", "explore", "explain"]
    assert "--report" in offered("netloom loads --r")
    assert offered("netloom loads -n toru") == ["torus"]
    assert "linear" in offered("netloom simulate --placement l")
    assert "tornado" in offered("netloom loads -t to")


def test_the_manual_has_every_command_and_no_fault(netloom: Run) -> None:
    code, out, _ = netloom("man")
    assert code == 0
    for name in COMMANDS:
        assert f".SS netloom {name.replace('-', chr(92) + '-')}" in out
    assert "\\-\\-report FILE.html" in out and "\\-\\-placement CALL" in out
    groff = shutil.which("groff")
    if groff is not None:
        done = subprocess.run([groff, "-man", "-Tutf8", "-ww"], input=out, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
