"""SimGrid as a peer: is it there, compile our programs against it, run them.

`make peers` installs it with apt-get where it may. The programs go to `out/peers/`, named by their source's hash.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
BUILT = ROOT / "out" / "peers"
VERSION = "3.32"

#: SimGrid without correction factors: its sharing alone.
PURE = (
    "network/model:CM02",
    "network/crosstraffic:0",
    "network/TCP-gamma:1e30",
    "surf/precision:1e-14",
    "maxmin/precision:1e-8",
)
#: SMPI's own corrections, with the precision of its clock and of its solver raised: by default events less than a
#: nanosecond apart are merged, a tenth of the time of a short message on a fast link.
DEFAULT = ("surf/precision:1e-14", "maxmin/precision:1e-8")
#: What an application run would add that belongs to the machine it runs on.
QUIET = ("smpi/simulate-computation:0", "smpi/wtime:0", "smpi/privatization:0")


def missing() -> str | None:
    """Why the cross-check cannot run here, or None."""
    for program in ("smpicc", "smpirun", "g++"):
        if shutil.which(program) is None:
            return f"no {program} on this machine; `make peers` as root installs Debian's libsimgrid-dev and g++"
    header = subprocess.run(["smpirun", "-version"], capture_output=True, text=True).stdout
    if VERSION not in header:
        return f"SimGrid {VERSION} is needed, found {header.strip() or 'an unknown version'}"
    return None


def built(source: str, *command: str) -> Path:
    """The compiled program of a file of this folder."""
    text = (HERE / source).read_bytes()
    name = f"{Path(source).stem}-{hashlib.sha256(text + repr(command).encode()).hexdigest()[:12]}"
    program = BUILT / name
    if not program.exists():
        BUILT.mkdir(parents=True, exist_ok=True)
        # Another worker may build the same: each writes its own file, the last rename wins.
        part = BUILT / f"{name}.{os.getpid()}"
        done = subprocess.run([*command, str(HERE / source), "-o", str(part)], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{source} does not compile:\n{done.stderr}")
        part.rename(program)
    return program


def flows_program() -> Path:
    # `-x c++` must come before the file, the library after it.
    return built("flows.cpp", "g++", "-O2", "-std=c++17", "-Wall", "-Wl,--no-as-needed", "-lsimgrid")


def collectives_program() -> Path:
    return built("collectives.c", "smpicc", "-O2", "-Wall")


@dataclass(frozen=True)
class Finished:
    """A run of a program: CPU seconds (user and system), peak memory, output."""

    cpu_s: float
    memory_bytes: int
    stdout: str
    stderr: str


def run(arguments: list[str], timeout_s: float = 3600.0) -> Finished:
    """Run a program to its end; its children's resources are part of its own.

    Raises
    ------
    RuntimeError
        If it fails or takes longer than `timeout_s`, with the end of what it wrote.
    """
    launcher = built("measured.c", "gcc", "-O2", "-Wall")
    with tempfile.TemporaryDirectory() as folder:
        used = Path(folder) / "used"
        process = subprocess.Popen(
            [str(launcher), str(used), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            stdout, stderr = process.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired:
            # The whole group: smpirun is a script, the simulation its child.
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise RuntimeError(f"{arguments[0]} did not end within {timeout_s} s") from None
        said = used.read_text().split() if used.exists() else ["3", "0", "0"]
    if said[0] != "0":
        raise RuntimeError(f"{' '.join(arguments[:3])} ... ended with {said[0]}:\n{(stdout + stderr)[-1500:]}")
    return Finished(float(said[1]), int(said[2]), stdout, stderr)


if __name__ == "__main__":
    # For make: the reason on standard output and exit code 1 if the cross-check cannot run.
    found = missing()
    print(found or f"SimGrid {VERSION}")
    raise SystemExit(found is not None)
