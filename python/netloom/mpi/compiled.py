"""Small C libraries, compiled by the compiler of the user's MPI and kept for each MPI library."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from .. import __version__
from ..base import interrupt
from ..base.errors import Fault, NetloomError
from . import codes
from .installed import PATIENCE_S, Installed

FLAGS = ("-std=gnu11", "-O2", "-fPIC", "-Wall", "-Wextra", "-fvisibility=default")


def cache() -> Path:
    """Where built libraries are kept.

    Raises
    ------
    NetloomError
        NL-I004 if others than the user may write there.
    """
    home = os.environ.get("XDG_CACHE_HOME", "")
    folder = (Path(home) if home.startswith("/") else Path.home() / ".cache") / "netloom" / "mpi"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        about = folder.lstat()
    except (OSError, RuntimeError) as error:
        raise _unsafe(folder, f"cannot be made: {getattr(error, 'strerror', None) or error}") from None
    _require_own(folder, about)
    return folder


def _require_own(folder: Path, about: os.stat_result) -> None:
    """What is loaded into programs must be the user's own."""
    if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.getuid() or about.st_mode & 0o022:
        raise _unsafe(folder, "belongs to somebody else, or others may write to it")


def _unsafe(folder: Path, why: str) -> NetloomError:
    hint = f"remove it, or set XDG_CACHE_HOME to a folder of your own: rm -r {shlex.quote(str(folder))}"
    return NetloomError([Fault(codes.UNSAFE, str(folder), why, "", hint)])


def kept(
    name: str, mpi: Installed, sources: Mapping[str, str], make: Callable[[Path], None], anew: bool = False
) -> Path:
    """The folder of what was made from these sources for an MPI library; made if it is not there.

    Parameters
    ----------
    name
        What is made.
    make
        Compiles into an empty folder. What is in the folder when it returns is kept, or nothing if it fails.

    Raises
    ------
    NetloomError
        NL-I004 for a cache that is not safe, NL-X003 if it cannot be written, and what `make` raises.
    """
    content = "\0".join([__version__, str(mpi), mpi.compiler, *map(str, sorted(sources.items()))])
    digest = hashlib.sha256(content.encode()).hexdigest()[:16]
    label = re.sub(r"[^a-z0-9.]+", "-", f"{name}-{mpi}".lower())
    folder = cache() / f"{label}-{digest}"
    if folder.exists():
        _require_own(folder, folder.lstat())
        if not anew:
            return folder
    # On Ctrl-C what is half made is taken away first.
    with interrupt.held():
        try:
            temporary = Path(tempfile.mkdtemp(".part", f".{label}.", folder.parent))
        except OSError as error:
            raise _unwritten(folder.parent, error) from None
        try:
            make(temporary)
            if anew and folder.exists():
                shutil.rmtree(folder)
            # Somebody else may have been faster: theirs is as good.
            with suppress(OSError):
                temporary.rename(folder)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    return folder


def put(folder: Path, texts: Mapping[str, str]) -> None:
    """Writes sources where they are compiled.

    Raises
    ------
    NetloomError
        NL-X003.
    """
    try:
        for name, text in texts.items():
            (folder / name).write_text(text)
    except OSError as error:
        raise _unwritten(folder, error) from None


def _unwritten(folder: Path, error: OSError) -> NetloomError:
    return NetloomError([Fault("NL-X003", str(folder), f"cannot be written: {error.strerror}")])


def without_mpi(mpi: Installed, library: Path, sources: list[Path], folders: list[Path]) -> None:
    """A library of sources that is linked to no MPI library: it takes the one that its process has loaded.

    Raises
    ------
    NetloomError
        NL-I003.
    """
    # In the folder itself, where objects are named after their sources.
    where = [f"-I{path}" for path in folders]
    compiled([mpi.compiler, *FLAGS, *where, "-c", *map(str, sources)], library.parent)
    objects = [library.parent / f"{source.stem}.o" for source in sources]
    compiled([plain(mpi), "-shared", "-o", str(library), *map(str, objects), "-lpthread"])
    for path in objects:
        path.unlink()


def plain(mpi: Installed) -> str:
    """The compiler that the MPI library's one calls."""
    done = _done([mpi.compiler, "-show"])
    words = shlex.split(done.stdout) if done is not None and done.returncode == 0 else []
    return words[0] if words and shutil.which(words[0]) else "cc"


def _done(words: list[str], folder: Path | None = None) -> subprocess.CompletedProcess[str] | None:
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, timeout=5 * PATIENCE_S, errors="replace", cwd=folder
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    # Ctrl-C reaches the compiler as well.
    interrupt.require_go_on()
    return done


def compiled(words: list[str], folder: Path | None = None) -> None:
    """Runs a compiler.

    Raises
    ------
    NetloomError
        NL-I003 with its first complaint.
    """
    done = _done(words, folder)
    if done is not None and done.returncode == 0:
        return
    said = "does not answer" if done is None else _first_complaint(done.stderr)
    hint = "try the compiler on a program of your own"
    raise NetloomError([Fault(codes.NOT_BUILT, words[0], f"cannot compile netloom's C sources: {said}", "", hint)])


def _first_complaint(text: str) -> str:
    lines = [line for line in text.splitlines() if "error" in line.lower()] or text.splitlines() or ["no message"]
    return lines[0][:300]
