"""Starts the processes that measure, and watches their file grow."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO

from ...base import files, interrupt
from ...base.errors import Fault, NetloomError
from ..codes import NO_MPI
from ..installed import family_of_launcher
from . import codes
from .rows import Found, read

#: Ranks of the default launcher, at most.
MOST_RANKS = 16
#: Seconds between two looks at the file, and beyond the planned time until the processes are taken for hung.
LOOK_S, PATIENCE_S = 0.1, 300.0
#: Of the file, that are read for how much is done.
LAST_BYTES = 400
#: As in `__main__`.
FAULT = "netloom-fault: "


def default() -> str:
    """The launcher on the path, with a process for each core.

    Raises
    ------
    NetloomError
        NL-I001.
    """
    cores = len(os.sched_getaffinity(0))
    for name in ("mpirun", "mpiexec"):
        if shutil.which(name):
            return f"{name} -n {max(2, min(cores, MOST_RANKS))}"
    hint = "load the module of your MPI, or give --launch 'srun -n 8'"
    raise NetloomError([Fault(NO_MPI, "--launch", "no mpirun is on the path", "", hint)])


def measured(
    purpose: str, launcher: str, path: str, seconds: float, oversubscribe: bool, progress: Callable[[int, int], object]
) -> Found:
    """Runs the measurements; what the file holds then, whole or not.

    Parameters
    ----------
    purpose
        "calibrate" or "validate".
    launcher
        With its options, as a shell takes it.
    path
        Of the file.
    seconds
        About how long.

    Raises
    ------
    NetloomError
        NL-I073 if the processes cannot be started or fail, and what they say themselves.
    KeyboardInterrupt
        On Ctrl-C; the processes have ended then, and the file has what was measured.
    """
    words = _words(launcher)
    files.require_writable(path)
    target = str(Path(path).absolute())
    last = ["oversubscribe"] if oversubscribe else []
    command = [*words, sys.executable, "-m", "netloom.mpi.micro", target, purpose, f"{seconds:g}", *last]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        # On Ctrl-C the processes end first.
        with interrupt.held():
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=_environment(words[0], oversubscribe)
            )
            try:
                code = _watch(process, Path(target), seconds, progress)
            except BaseException:
                _end(process)
                raise
        if code != 0:
            raise _failed(words[0], code, _text(out), _text(err))
    return read(path)


def _words(launcher: str) -> list[str]:
    try:
        words = shlex.split(launcher)
    except ValueError:
        words = []
    if not words or shutil.which(words[0]) is None:
        hint = "for example --launch 'mpirun -n 8'"
        raise NetloomError([Fault(codes.NOT_LAUNCHED, "--launch", "a launcher that is there", launcher, hint)])
    return words


def _environment(launcher: str, oversubscribe: bool) -> Mapping[str, str]:
    """The launcher's library for mpi4py, this netloom, and ranks that leave their core to others if that is asked."""
    found = dict(os.environ)
    family = family_of_launcher(shutil.which(launcher) or launcher)
    if family:
        found.setdefault("MPI4PY_MPIABI", family)
    package = str(Path(__file__).parents[3])
    found["PYTHONPATH"] = os.pathsep.join(filter(None, (package, found.get("PYTHONPATH", ""))))
    # Each process works alone; threads of libraries would take the cores of the others.
    found.setdefault("OMP_NUM_THREADS", "1")
    if oversubscribe:
        found.setdefault("OMPI_MCA_mpi_yield_when_idle", "1")
        found.setdefault("OMPI_MCA_rmaps_base_oversubscribe", "1")
    return found


def _watch(process: subprocess.Popen[bytes], path: Path, seconds: float, progress: Callable[[int, int], object]) -> int:
    end = time.monotonic() + PATIENCE_S + 4 * seconds
    while True:
        with suppress(subprocess.TimeoutExpired):
            return process.wait(LOOK_S)
        interrupt.require_go_on()
        done = _done(path)
        if done:
            progress(*done)
        if time.monotonic() > end:
            hint = "try the launcher on a program of your own"
            sentence = f"the measuring processes do not end after {PATIENCE_S + 4 * seconds:.0f} s"
            raise NetloomError([Fault(codes.NOT_LAUNCHED, "--launch", sentence, "", hint)])


def _done(path: Path) -> tuple[int, int] | None:
    """The last line that tells how much is done."""
    with suppress(OSError, ValueError, KeyError, TypeError), path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - LAST_BYTES))
        # A file that is none, such as /dev/full, has no end.
        for text in reversed(file.read(LAST_BYTES).decode(errors="replace").splitlines()):
            if text.startswith('{"done"') and text.endswith("}"):
                found = json.loads(text)
                return int(found["done"]), int(found["of"])
    return None


def _end(process: subprocess.Popen[bytes]) -> None:
    """The launcher ends its processes."""
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(10)
    process.kill()
    process.wait()


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read(1 << 20).decode(errors="replace")


def _failed(launcher: str, code: int, out: str, err: str) -> NetloomError:
    """What the processes told, or else the launcher's own words."""
    for text in out.splitlines():
        at = text.find(FAULT)
        if at >= 0:
            with suppress(ValueError, TypeError):
                return NetloomError([Fault(*json.loads(text[at + len(FAULT) :]))])
    said = [text.strip(" -*") for text in (err + "\n" + out).splitlines()]
    said = [text for text in said if text and text[0] != "["]
    python = [text for text in said if "Error" in text.split(":")[0] and " " not in text.split(":")[0]]
    words = (python or said or ["without a word"])[0]
    sentence = f"{Path(launcher).name} ended with exit code {code}: {words[:160]}"
    hint = "try the launcher on a program of your own, such as hostname"
    return NetloomError([Fault(codes.NOT_LAUNCHED, "--launch", sentence, "", hint)])
