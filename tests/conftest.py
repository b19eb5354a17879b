"""What tests of several folders use."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from netloom.plugin.registry import _registered

#: Where nothing is ever written by a test that runs as root.
SYSTEM = ("/bin", "/boot", "/dev", "/etc", "/lib", "/proc", "/root", "/sbin", "/sys", "/usr", "/var/lib")
_OWN = tuple(str(Path(path).resolve()) for path in (tempfile.gettempdir(), Path(__file__).parent.parent, sys.prefix))
_HOME = tuple(str(Path.home() / name) for name in (".cache", ".config"))
_HARMLESS = ("/dev/null", "/dev/zero", "/dev/tty", "/dev/shm/", *_HOME)


def refuse_system_paths(event: str, given: tuple[object, ...]) -> None:
    """Root may write anywhere: a test that would is stopped before it does."""
    if event != "open" or os.geteuid() != 0 or not isinstance(given[2], int):
        return
    if given[2] & (os.O_WRONLY | os.O_RDWR) and isinstance(given[0], str | bytes):
        path = os.path.realpath(os.fsdecode(given[0]))
        if path.startswith(SYSTEM) and not path.startswith((*_OWN, *_HARMLESS)):
            raise PermissionError(f"a test as root writes {path}")


sys.addaudithook(refuse_system_paths)


@pytest.fixture
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A device without room: the machine's own may be replaced by root, so root makes one."""
    if os.geteuid() != 0:
        if not Path("/dev/full").is_char_device():
            pytest.skip("needs /dev/full")
        return Path("/dev/full")
    made = tmp_path_factory.mktemp("device") / "full"
    try:
        os.mknod(made, stat.S_IFCHR | 0o666, os.makedev(1, 7))
        made.open("wb").close()
    except OSError as error:
        pytest.skip(f"no device can be made here: {error}")
    return made


@pytest.fixture
def forget() -> Iterator[None]:
    """No plug-in stays registered."""
    before = {kind: dict(classes) for kind, classes in _registered.items()}
    yield
    for kind, classes in before.items():
        _registered[kind] = classes


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    """An empty folder with the examples beside it, `netloom` and `python` on the path."""
    programs = tmp_path / ".programs"
    programs.mkdir()
    for name, arguments in (("netloom", "-m netloom "), ("python", ""), ("python3", "")):
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments}"$@"\n')
        program.chmod(0o755)
    (tmp_path / "examples").symlink_to(Path(__file__).parents[1] / "examples")
    return tmp_path
