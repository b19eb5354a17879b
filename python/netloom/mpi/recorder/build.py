"""The library in front of MPI, built with the user's compiler and kept for each MPI library."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import stat
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from ... import __version__
from ...base.errors import Fault, NetloomError
from .. import codes
from ..installed import PATIENCE_S, Installed
from .generate import declared, sources

_HERE = Path(__file__).parent
#: Folders of C: what records, and what reorders.
FOLDERS = (_HERE / "c", _HERE.parent / "reorder" / "c")
FLAGS = ("-std=gnu11", "-O2", "-fPIC", "-Wall", "-Wextra", "-fvisibility=default")
_GATE = ("gate.c", "stubs.c")


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


def built(mpi: Installed, anew: bool = False) -> Path:
    """The folder with `gate.so` and the hooks for a library; made if it is not there.

    Raises
    ------
    NetloomError
        NL-I003 if the compiler fails, NL-I004 for a cache that is not safe, NL-X003 if it cannot be written.
    """
    made = sources(declared(mpi.header))
    given = {path.name: path.read_text() for folder in FOLDERS for path in sorted(folder.glob("*.[ch]"))}
    content = "\0".join([__version__, str(mpi), mpi.compiler, *map(str, sorted((made | given).items()))])
    digest = hashlib.sha256(content.encode()).hexdigest()[:16]
    name = re.sub(r"[^a-z0-9.]+", "-", str(mpi).lower())
    folder = cache() / f"{name}-{digest}"
    if folder.exists():
        _require_own(folder, folder.lstat())
        if not anew:
            return folder
    try:
        temporary = Path(tempfile.mkdtemp(".part", f".{name}.", folder.parent))
    except OSError as error:
        raise NetloomError([Fault("NL-X003", str(folder.parent), f"cannot be written: {error.strerror}")]) from None
    try:
        _compile(mpi, temporary, made)
        if anew and folder.exists():
            shutil.rmtree(folder)
        # Somebody else may have been faster: theirs is as good.
        with suppress(OSError):
            temporary.rename(folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return folder


def _compile(mpi: Installed, folder: Path, made: dict[str, str]) -> None:
    try:
        for name, text in made.items():
            (folder / name).write_text(text)
    except OSError as error:
        raise NetloomError([Fault("NL-X003", str(folder), f"cannot be written: {error.strerror}")]) from None
    where = [f"-I{path}" for path in (FOLDERS[0], folder)]
    files = [*FOLDERS[0].glob("*.c"), *FOLDERS[1].glob("*.c"), *folder.glob("*.c")]
    hooks = [str(path) for path in sorted(files) if path.name not in _GATE]
    gate = [str(FOLDERS[0] / "gate.c"), str(folder / "stubs.c")]
    # The gate is linked against no MPI library: it is loaded into every process that the launcher starts.
    _run([_plain(mpi), *FLAGS, *where, "-shared", "-o", str(folder / "gate.so"), *gate, "-ldl", "-lpthread"])
    # Objects of Open MPI have addresses, which come from the library; MPICH's are numbers, and any like it will do.
    link = ["-shared", "-o", str(folder / f"hooks-{mpi.family}.so"), *hooks, "-lpthread"]
    if mpi.family == "openmpi":
        _run([mpi.compiler, *FLAGS, *where, *link])
        return
    # In the folder itself, where objects are named after their sources.
    _run([mpi.compiler, *FLAGS, *where, "-c", *hooks], folder)
    objects = [str(folder / f"{Path(source).stem}.o") for source in hooks]
    _run([_plain(mpi), "-shared", "-o", link[2], *objects, "-lpthread"])
    for path in objects:
        Path(path).unlink()


def _plain(mpi: Installed) -> str:
    """The compiler that the MPI library's one calls."""
    done = _done([mpi.compiler, "-show"])
    words = shlex.split(done.stdout) if done is not None and done.returncode == 0 else []
    return words[0] if words and shutil.which(words[0]) else "cc"


def _done(words: list[str], folder: Path | None = None) -> subprocess.CompletedProcess[str] | None:
    try:
        return subprocess.run(
            words, capture_output=True, text=True, timeout=5 * PATIENCE_S, errors="replace", cwd=folder
        )
    except (OSError, subprocess.TimeoutExpired):
        return None


def _run(words: list[str], folder: Path | None = None) -> None:
    done = _done(words, folder)
    if done is not None and done.returncode == 0:
        return
    said = "does not answer" if done is None else _first_complaint(done.stderr)
    hint = "try the compiler on a program of your own"
    raise NetloomError([Fault(codes.NOT_BUILT, words[0], f"cannot build the recorder: {said}", "", hint)])


def _first_complaint(text: str) -> str:
    lines = [line for line in text.splitlines() if "error" in line.lower()] or text.splitlines() or ["no message"]
    return lines[0][:300]
