"""Which MPI is behind a compiler or a launcher: vendor, version, and the family whose binaries it shares."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..base.errors import Fault, NetloomError
from . import codes

#: Seconds that a compiler or a launcher has to say who it is.
PATIENCE_S = 60
LAUNCHERS = ("mpirun", "mpiexec", "orterun", "prterun", "prun")
#: What a launcher of each family says of itself.
_SAYS = {"openmpi": r"open ?mpi|openrte|prrte|prterun|open-mpi", "mpich": r"hydra|mpich|intel\(r\) mpi|mvapich"}
_OPEN_MPI = ("OMPI_MAJOR_VERSION", "OMPI_MINOR_VERSION", "OMPI_RELEASE_VERSION")
#: Macros of libraries that share MPICH's binaries, the most special first.
_LIKE_MPICH = (
    ("Intel MPI", "I_MPI_VERSION"),
    ("Cray MPICH", "CRAY_MPICH_VERSION"),
    ("MVAPICH", "MVAPICH_VERSION"),
    ("MVAPICH", "MVAPICH2_VERSION"),
    ("MPICH", "MPICH_VERSION"),
)


@dataclass(frozen=True)
class Installed:
    """An MPI library by its compiler.

    Attributes
    ----------
    compiler
        Path of its `mpicc`.
    vendor, version
        As the library calls itself.
    family
        "openmpi" or "mpich": programs of one family run on all libraries of it.
    header
        Its `mpi.h` with all that it includes, preprocessed.
    """

    compiler: str
    vendor: str
    version: str
    family: str
    header: str

    def __str__(self) -> str:
        return f"{self.vendor} {self.version}"


def of_compiler(path: str) -> Installed:
    """The library of an `mpicc`.

    Raises
    ------
    NetloomError
        NL-I001 if it is not there or is no compiler of an MPI library.
    """
    found = shutil.which(path)
    if found is None:
        raise _none(path, "is not there, or may not be run")
    said = _output([found, "-E", "-dD", "-x", "c", "-"], "#include <mpi.h>\n")
    if said is None:
        raise _none(path, "does not find mpi.h")
    macros = dict(re.findall(r"(?m)^#define (\w+) +(\S.*)$", said))
    if all(name in macros for name in _OPEN_MPI):
        return Installed(found, "Open MPI", ".".join(macros[name].strip() for name in _OPEN_MPI), "openmpi", said)
    for vendor, macro in _LIKE_MPICH:
        if macro in macros:
            return Installed(found, vendor, macros[macro].strip('" '), "mpich", said)
    raise _none(path, "is of an MPI library that is neither Open MPI nor of MPICH's family")


def family_of_launcher(path: str) -> str:
    """ "openmpi", "mpich", or "" for another program, such as `srun`."""
    if not Path(path).name.startswith(LAUNCHERS):
        return ""
    said = _output([path, "--version"], "") or ""
    return next((family for family, words in _SAYS.items() if re.search(words, said.lower())), "")


def behind(command: list[str] | tuple[str, ...], compiler: str | None = None) -> Installed:
    """The library of a command line: by the compiler named, by the one next to the launcher, or by that on the path.

    Raises
    ------
    NetloomError
        NL-I001 without any, NL-I002 if launcher and compiler are of different libraries.
    """
    launcher = shutil.which(command[0]) if command else None
    family = family_of_launcher(launcher) if launcher else ""
    if compiler is not None:
        chosen = of_compiler(compiler)
        _require_same(family, chosen, launcher)
        return chosen
    beside = _beside(launcher) if family and launcher else []
    return _fitting(family, [*beside, "mpicc"], launcher)


def of_process(version: str, compiler: str | None = None) -> Installed:
    """The library of this process, by the compiler named or by one on the path.

    Parameters
    ----------
    version
        What the library says of itself.

    Raises
    ------
    NetloomError
        NL-I001 without a compiler, NL-I002 if none is of this library.
    """
    family = "openmpi" if version.startswith("Open MPI") else "mpich"
    if compiler is None:
        return _fitting(family, ["mpicc", f"mpicc.{family}"], "mpi4py")
    chosen = of_compiler(compiler)
    _require_same(family, chosen, "mpi4py")
    return chosen


def _fitting(family: str, compilers: Sequence[str], user: str | None) -> Installed:
    """The first of these that is there and of the family."""
    others = []
    for path in compilers:
        if (found := shutil.which(path)) is not None:
            chosen = of_compiler(found)
            if family in ("", chosen.family):
                return chosen
            others.append(chosen)
    if others:
        _require_same(family, others[-1], user)
    sentence = "no compiler of an MPI library is on the path"
    hint = "load the module of your MPI, or name its compiler with --mpicc"
    raise NetloomError([Fault(codes.NO_MPI, "mpicc", sentence, "", hint)])


def _beside(launcher: str) -> list[str]:
    """Compilers next to a launcher: `mpicc.mpich` for `mpirun.mpich`, also behind links."""
    found = []
    for path in dict.fromkeys((Path(launcher), Path(os.path.realpath(launcher)))):
        name = next(name for name in (*LAUNCHERS, path.name) if path.name.startswith(name))
        for ending in dict.fromkeys((path.name.removeprefix(name), "")):
            at = path.with_name(f"mpicc{ending}")
            if at.is_file() and os.access(at, os.X_OK):
                found.append(str(at))
    return found


def _require_same(family: str, chosen: Installed, user: str | None) -> None:
    if family not in ("", chosen.family):
        words = {"openmpi": "Open MPI", "mpich": "MPICH or a library like it"}
        expected = f"the compiler of {words[family]}, to which {user} belongs"
        hint = "name the compiler of that library with --mpicc"
        raise NetloomError([Fault(codes.TWO_MPIS, "mpicc", expected, f"that of {chosen}, {chosen.compiler}", hint)])


def _none(path: str, why: str) -> NetloomError:
    hint = "load the module of your MPI, or name its compiler with --mpicc"
    return NetloomError([Fault(codes.NO_MPI, path, why, "", hint)])


def _output(words: list[str], text: str) -> str | None:
    """What a program prints; None if it fails or takes too long."""
    try:
        done = subprocess.run(words, input=text, capture_output=True, text=True, timeout=PATIENCE_S, errors="replace")
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout + done.stderr if done.returncode == 0 else None
