"""What keeps strangers out of Dask: certificates of one study, a folder of one user, no pages over HTTP.

Whoever reaches a scheduler of Dask runs any code as its user. So schedulers and workers that netloom starts talk TLS
and know only certificates that were made for this study; whoever lacks them is refused before a byte is read as a task.
"""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...base.errors import Fault, NetloomError
from .. import codes

if TYPE_CHECKING:
    from types import ModuleType

#: The pages of schedulers and workers: none is served, and their port is this machine's alone.
NO_PAGES: dict[str, object] = {"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []}
LOOPBACK = "127.0.0.1:0"
#: What a job of Slurm does before its worker starts: files of its own user only, and no pages.
PROLOGUE = ["umask 077", "export DASK_DISTRIBUTED__WORKER__HTTP__ROUTES='[]'"]


def module(name: str) -> ModuleType:
    """A package of the extra `cluster`.

    Raises
    ------
    NetloomError
        `NL-S019` if it is not installed.
    """
    try:
        return import_module(name)
    except ImportError:
        hint = "pip install 'netloom[cluster]'"
        fault = Fault(codes.NO_CLUSTER, "--on", f"needs the package {name.replace('_', '-')}", "", hint)
        raise NetloomError([fault]) from None


def certificates() -> Any:
    """New certificates in memory, a `distributed.Security` that refuses what is not encrypted.

    Raises
    ------
    NetloomError
        `NL-S019` without the package cryptography: there is no way without.
    """
    module("cryptography")
    return module("distributed").Security.temporary()


@contextmanager
def no_pages() -> Iterator[None]:
    """Schedulers and workers that start within it serve nothing over HTTP."""
    with import_module("dask").config.set(NO_PAGES):
        yield


class Keys:
    """Certificates in files of a folder that only its owner may enter: workers of other machines read them there.

    Parameters
    ----------
    parent
        An existing or new folder that all machines see.

    Raises
    ------
    NetloomError
        `NL-X003` if it cannot be written; `NL-S018` if its name would need quotes in a job script; `NL-S019`.
    """

    def __init__(self, parent: Path) -> None:
        made = certificates()
        try:
            parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.folder = Path(tempfile.mkdtemp(prefix="dask-", dir=parent.resolve()))
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise NetloomError(
                [Fault("NL-X003", str(parent), f"cannot be written: {reason}", "", _ELSEWHERE)]
            ) from None
        if shlex.quote(str(self.folder)) != str(self.folder):
            self.remove()
            expected = "letters, digits and ./_-+@%=:, in the name of the folder of the keys"
            raise NetloomError([Fault(codes.NO_SCHEDULER, "--on slurm", expected, str(parent), _ELSEWHERE)])
        pem = {"ca": made.tls_ca_file, "key": made.tls_worker_key, "cert": made.tls_worker_cert}
        paths = {name: self._written(f"{name}.pem", text) for name, text in pem.items()}
        roles = [(role, part) for role in ("client", "scheduler", "worker") for part in ("key", "cert")]
        of_role = {f"tls_{role}_{part}": paths[part] for role, part in roles}
        self.security = type(made)(require_encryption=True, tls_ca_file=paths["ca"], **of_role)

    def _written(self, name: str, text: str) -> str:
        path = self.folder / name
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(text)
        return str(path)

    def remove(self) -> None:
        """Nobody needs them any more."""
        shutil.rmtree(self.folder, ignore_errors=True)


_ELSEWHERE = "name a folder that all nodes see as jobqueue.slurm.shared-temp-directory in Dask's configuration"


def keys_parent() -> Path:
    """Where the keys of Slurm's jobs are kept: the folder of Dask's own setting, else the user's cache."""
    told = import_module("dask").config.get("jobqueue.slurm.shared-temp-directory", None)
    if told:
        return Path(os.path.expandvars(str(told))).expanduser()
    cache = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(cache) if cache.startswith("/") else Path.home() / ".cache") / "netloom"


def private_folder() -> Path:
    """What workers of this machine spill to disk; one that others may enter could be filled by them."""
    return Path(tempfile.mkdtemp(prefix="netloom-dask-"))
