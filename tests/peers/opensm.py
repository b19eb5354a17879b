"""OpenSM as a peer, on fabrics that ibsim simulates: nothing but user programs, no hardware and no driver.

`make peers` installs Debian's opensm, ibsim-utils and infiniband-diags where it may.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: The tools reach ibsim instead of the kernel through this library.
LIBRARIES = "umad2sim/libumad2sim.so"
LIMIT_S = 60


def library() -> Path | None:
    """The library that leads the tools to ibsim."""
    return next((path for path in sorted(Path("/usr/lib").glob(f"*/{LIBRARIES}"))), None)


def missing() -> str | None:
    """Why OpenSM cannot be asked here, or None."""
    for program in ("ibsim", "opensm", "ibnetdiscover", "iblinkinfo", "dump_fts"):
        if shutil.which(program) is None:
            return f"no {program} on this machine; `make peers` as root installs opensm, ibsim-utils, infiniband-diags"
    return None if library() else f"no {LIBRARIES} of ibsim-utils below /usr/lib"


class Subnet:
    """A simulated fabric."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # A socket's path is short; ibsim dies of a long one.
        self.environment = dict(os.environ, IBSIM_SOCKNAME=str(folder / "s"))

    def tool(self, *command: str) -> str:
        """What a tool prints.

        Raises
        ------
        RuntimeError
            If it fails; `subprocess.TimeoutExpired` if it takes longer than a minute.
        """
        environment = dict(
            self.environment,
            LD_PRELOAD=str(library()),
            OSM_TMP_DIR=str(self.folder),
            OSM_CACHE_DIR=str(self.folder),
        )
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)} left with {done.returncode}: {done.stderr[-500:]}")
        return done.stdout

    def opensm(self, *options: str) -> str:
        """One sweep of OpenSM, which sets LIDs and tables; its own dump of the tables."""
        dump = self.folder / "opensm-lfts.dump"
        dump.unlink(missing_ok=True)
        self.tool("opensm", "-o", "-f", str(self.folder / "osm.log"), "-D", "0x43", *options)
        return dump.read_text()

    def log(self) -> str:
        """What OpenSM wrote of its work."""
        return (self.folder / "osm.log").read_text(errors="replace")


@contextmanager
def subnet(fabric: bytes) -> Iterator[Subnet]:
    """ibsim with a fabric in the form of ibnetdiscover."""
    with tempfile.TemporaryDirectory(prefix="ib") as name:
        folder = Path(name)
        (folder / "net").write_bytes(fabric)
        made = Subnet(folder)
        with (folder / "ibsim.log").open("w") as log:
            ibsim = subprocess.Popen(
                ["ibsim", "-s", "-n", "-N", "4096", "-P", "65536", str(folder / "net")],
                env=made.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        try:
            for _ in range(100):
                if ibsim.poll() is not None or "Network simulator ready" in (folder / "ibsim.log").read_text():
                    break
                time.sleep(0.02)
            if ibsim.poll() is not None:
                raise RuntimeError(f"ibsim does not take the fabric: {(folder / 'ibsim.log').read_text()[-500:]}")
            yield made
        finally:
            ibsim.kill()
            ibsim.wait()
