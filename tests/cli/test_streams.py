"""Streams that end early, are closed or reach a terminal: an exit code that says what happened, and no traceback."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .test_every_option import ALL, give_inputs

LOADS = "loads -n 'ring(4)' -t uniform"


STUDY = """title = "t"
[[experiment]]
name = "m"
evaluate = "metrics"
[experiment.axes]
network = ["ring(8)", "ring(16)"]
"""


def shell(command: str, folder: Path) -> tuple[str, str]:
    """stdout and stderr; `netloom` in the text is the program."""
    text = command.replace("netloom", f"{sys.executable} -m netloom")
    done = subprocess.run(["bash", "-c", text], capture_output=True, text=True, cwd=folder, timeout=120)
    return done.stdout, done.stderr


@pytest.mark.parametrize("command", ["list topologies", "--help", "describe --help", "run s.toml -q -o o"])
def test_a_reader_that_leaves_early_is_no_error(command: str, tmp_path: Path) -> None:
    # The first write after `true` has ended meets a closed pipe.
    (tmp_path / "s.toml").write_text(STUDY)
    out, err = shell(f"(sleep 0.2; netloom {command}; echo $? >code) | true; cat code", tmp_path)
    assert (out, err) == ("0\n", "")


def test_a_study_outlives_who_watched_it(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(STUDY)
    out, _ = shell(
        "(sleep 0.2; netloom run s.toml --no-figures -o o 2>&1 >/dev/null; echo $? >code) | true; cat code", tmp_path
    )
    assert out.strip() == "0" and (tmp_path / "o" / "report.html").exists()


def test_closed_streams(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(STUDY)
    assert shell(f"netloom {LOADS} >&-; echo $? >code; cat code", tmp_path) == ("0\n", "")
    assert shell("netloom run s.toml -q --no-figures -o o >&-; echo $?", tmp_path) == ("0\n", "")
    assert (tmp_path / "o" / "report.html").exists()
    assert shell("netloom describe 'ring(0)' 2>&-; echo $?", tmp_path) == ("2\n", "")
    assert shell("netloom describe 'ring(0)' >&- 2>&-; echo $?", tmp_path) == ("2\n", "")


def test_an_interruption_while_loading_is_quiet() -> None:
    # The parts of the program are found by a finder that is interrupted.
    code = """
import sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "click":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Finder())
from netloom.cli import main
main(["list"])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


def test_names_in_tables_do_not_reach_the_terminal_raw(netloom: Callable[..., tuple[int, str, str]]) -> None:
    Path("j.txt").write_text("a\x1b[31mb n[0-1]\n\u202ec n[2-3]\n")
    code, out, _ = netloom("loads", "-n", "ring(4)", "--jobs", "j.txt", "-t", "uniform")
    table = out.partition("job  ")[2].partition("\n\n")[0]
    assert code == 0 and "a\\x1b[31mb" in table and "\\u202ec" in table and table.replace("\n", "").isprintable()


INTERRUPTED = """
import os, signal, sys
sys.argv[0] = "/usr/bin/netloom"
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {at!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
signal.signal(signal.SIGINT, signal.default_int_handler)
from netloom.cli import main
main({args!r})
"""


@pytest.mark.parametrize("at", ["netloom.cli", "click", "netloom._core", "numpy", "numpy.linalg"])
def test_an_interrupt_at_any_import_is_one_line_and_130(at: str) -> None:
    # NumPy is imported by the core, which cannot go on without it.
    code = INTERRUPTED.format(at=at, args=["describe", "ring(8)"])
    if at.startswith("numpy"):
        code = code.replace("main(", "import netloom\nnetloom.network('ring(8)').hop_matrix()\nmain(")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


def test_what_must_be_whole_is_finished_before_the_interrupt(tmp_path: Path) -> None:
    code = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # Whoever runs the tests may ignore it.
from netloom.base import interrupt
with interrupt.handled():
    with interrupt.held():
        os.kill(os.getpid(), signal.SIGINT)
        with interrupt.held():
            pass
        print("whole", flush=True)
    print("more", flush=True)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "whole\n", "interrupted\n")


#: Each option of a command that writes files; `merge` and `index` need a study that has run.
WRITTEN = {
    f"{command} {name}": shlex.join(shlex.split(f"{command} {case.base} {case.added}"))
    for command, name, case in ALL
    if case and case.effect == "files" and case.base and command not in ("merge", "index")
}


@pytest.mark.parametrize("option", WRITTEN)
def test_files_are_written_although_nobody_reads_the_answer(option: str, tmp_path: Path) -> None:
    give_inputs(tmp_path)
    before = {*tmp_path.rglob("*")}
    shell(f"(sleep 0.2; netloom {WRITTEN[option]} 2>err; echo $? >code) | true", tmp_path)
    new = {*tmp_path.rglob("*")} - before - {tmp_path / "err", tmp_path / "code"}
    assert (tmp_path / "code").read_text() == "0\n" and new, (tmp_path / "err").read_text()
