"""A real Slurm of one node on this machine: controller, node daemon and munge below a folder of their own.

`make peers` installs Debian's slurmctld, slurmd, slurm-client and munge where it may. Nothing of the system is touched:
keys, sockets, states and logs are files of the folder.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LIMIT_S = 60
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "sinfo")
CONFIGURATION = """ClusterName=netloom
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmctldPort={controller}
SlurmdPort={daemon}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
SchedulerParameters=sched_interval=1
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} RealMemory=2000 State=UNKNOWN
PartitionName=test Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def missing() -> str | None:
    """Why Slurm cannot run here, or None."""
    for program in PROGRAMS:
        if shutil.which(program) is None:
            return f"no {program} on this machine; `make peers` as root installs slurmctld, slurmd, slurm-client, munge"
    return None if os.geteuid() == 0 else "slurmd starts jobs as root only"


@contextmanager
def cluster(folder: Path) -> Iterator[dict[str, str]]:
    """A running Slurm; yields the environment in which its commands find it.

    Another process of the tests waits with its own: both would have a node of the machine's name.

    Raises
    ------
    RuntimeError
        If the node is not idle within a minute, with the end of the logs.
    """
    with (Path(tempfile.gettempdir()) / "netloom-slurm.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield from _running(folder)


def _running(folder: Path) -> Iterator[dict[str, str]]:
    for name in ("state", "spool"):
        (folder / name).mkdir()
    key = folder / "munge.key"
    key.touch(mode=0o600)
    key.write_bytes(secrets.token_bytes(1024))
    host = socket.gethostname().partition(".")[0]
    configuration = folder / "slurm.conf"
    cores = len(os.sched_getaffinity(0))
    configuration.write_text(
        CONFIGURATION.format(host=host, folder=folder, controller=_free_port(), daemon=_free_port(), cores=cores)
    )
    environment = dict(os.environ, SLURM_CONF=str(configuration))
    munge = [
        "munged", "--foreground", "--force", f"--key-file={key}", f"--socket={folder}/munge.socket",
        f"--pid-file={folder}/munged.pid", f"--log-file={folder}/munged.log", f"--seed-file={folder}/munged.seed",
    ]  # fmt: skip
    running: list[subprocess.Popen[bytes]] = []
    try:
        for command in (munge, ["slurmctld", "-D"], ["slurmd", "-D", "-N", host]):
            running.append(subprocess.Popen(command, env=environment, stdout=-3, stderr=-3))
            time.sleep(0.5)
        _wait_for_node(environment, folder)
        yield environment
    finally:
        for process in reversed(running):
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()


def submit(script: Path, environment: dict[str, str]) -> None:
    """Submit a batch script and wait until no job is left.

    Raises
    ------
    RuntimeError
        If Slurm refuses it, or jobs are left after two minutes.
    """
    done = subprocess.run(["sbatch", str(script)], env=environment, capture_output=True, text=True, cwd=script.parent)
    if done.returncode:
        raise RuntimeError(done.stderr)
    for _ in range(2 * LIMIT_S):
        left = subprocess.run(["squeue", "--noheader"], env=environment, capture_output=True, text=True, check=True)
        if not left.stdout.strip():
            return
        time.sleep(1.0)
    raise RuntimeError(f"jobs are left: {left.stdout}")


def _wait_for_node(environment: dict[str, str], folder: Path) -> None:
    for _ in range(2 * LIMIT_S):
        found = subprocess.run(
            ["sinfo", "--noheader", "--format=%t"], env=environment, capture_output=True, text=True, timeout=LIMIT_S
        )
        if found.stdout.split() == ["idle"]:
            return
        time.sleep(0.5)
    ends = [path.read_text(errors="replace")[-1000:] for path in sorted(folder.glob("*.log"))]
    raise RuntimeError(f"no idle node: {found.stdout}{found.stderr}\n" + "\n".join(ends))


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
