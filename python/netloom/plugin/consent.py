"""Whose code may run: a study names files of Python, and reading a study must not run them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from ..base.errors import Fault, NetloomError
from ..base.shell import path_word

#: Folders whose studies may load their plug-ins, as PATH writes them.
VARIABLE = "NETLOOM_TRUSTED"
NOT_ALLOWED = "NL-G007"

_folders: set[Path] = set()
_files: set[Path] = set()


def trust(folder: str | Path) -> None:
    """Let studies in `folder`, and below it, load the plug-ins that they name, for this process."""
    _folders.add(Path(folder).resolve())


def allow() -> None:
    """Let every study load the plug-ins that it names, as long as they lie in its folder, until `disallow`."""
    _folders.add(Path("/"))


def disallow() -> None:
    """The end of `allow`."""
    _folders.discard(Path("/"))


def given(path: str | Path) -> None:
    """The user named this file: a study may name it too."""
    _files.add(Path(path).resolve())


def require(names: Iterable[tuple[str, str]], folder: Path) -> list[Path]:
    """The files of a study's plug-ins, if they may be loaded.

    Parameters
    ----------
    names
        Where the study names a file, for messages, and the name.
    folder
        Of the study.

    Raises
    ------
    NetloomError
        `NL-G007` for each file outside the folder, and for each that neither the user named nor a trusted folder holds.
    """
    home = folder.resolve()
    configured = os.environ.get(VARIABLE, "").split(os.pathsep)
    trusted = _folders | {Path(name).resolve() for name in configured if name}
    faults: list[Fault] = []
    files: list[Path] = []
    for place, name in names:
        try:
            path = (home / name).resolve()
        except (OSError, ValueError, RuntimeError):
            path = Path(os.devnull)
        if Path(name).is_absolute() or not path.is_relative_to(home):
            faults.append(Fault(NOT_ALLOWED, place, "a file inside the study's folder", name, "copy it there"))
        elif path not in _files and not any(path.is_relative_to(other) for other in trusted):
            sentence = f'names code to run, "{name}", which runs only if you allow it'
            hint = f"read it, then give --allow-plugins, or --plugin {path_word(name)}"
            faults.append(Fault(NOT_ALLOWED, place, sentence, "", hint))
        files.append(path)
    if faults:
        raise NetloomError(faults)
    return files
