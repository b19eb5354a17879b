"""Starting a program with the library in front of its MPI: arguments, output and exit code stay the program's own."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from ...base.errors import Fault, NetloomError
from .. import codes
from ..installed import family_of_launcher


def environment(library: Path, **settings: str) -> dict[str, str]:
    """What each process of the program finds in its environment."""
    before = os.environ.get("LD_PRELOAD", "")
    gate = str(library / "gate.so")
    return {"LD_PRELOAD": f"{gate}:{before}" if before else gate, "NETLOOM_HOOKS": str(library), **settings}


def program(command: Sequence[str]) -> list[str]:
    """The command without netloom's own in front of it: `netloom reorder ... -- mpirun ...` runs mpirun."""
    words = list(command)
    while "--" in words and any(Path(word).name == "netloom" for word in words[:3]):
        words = words[words.index("--") + 1 :]
    return words


def run(command: Sequence[str], added: Mapping[str, str], aside: bool = False) -> int:
    """The exit code of a command whose processes get these settings; as a shell tells it after a signal.

    Parameters
    ----------
    aside
        What it prints goes to stderr.

    Raises
    ------
    NetloomError
        NL-I009 if it cannot be started.
    """
    launcher = shutil.which(command[0])
    words, env = list(command), dict(os.environ)
    if launcher is not None and family_of_launcher(launcher) == "openmpi":
        # Its environment does not reach other nodes, and itself it needs none of this.
        outer = {name: value for name, value in env.items() if name.startswith("NETLOOM_")}
        words[1:1] = [word for name, value in (outer | dict(added)).items() for word in ("-x", f"{name}={value}")]
    else:
        env |= added
    try:
        process = subprocess.Popen(words, env=env, stdout=2 if aside else None)
    except OSError as error:
        why = f"cannot be started: {error.strerror}"
        raise NetloomError([Fault(codes.NOT_STARTED, command[0], why, "", "check the name after --")]) from None
    return _waited(process)


def _waited(process: subprocess.Popen[bytes]) -> int:
    """Signals go to the program; who it leaves to die is told by its exit code."""

    def pass_on(number: int, _: object) -> None:
        with suppress(ProcessLookupError):
            process.send_signal(number)

    before = {number: signal.signal(number, pass_on) for number in (signal.SIGTERM, signal.SIGHUP)}
    # Ctrl-C reaches the program by the terminal.
    before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        code = process.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return code if code >= 0 else 128 - code
