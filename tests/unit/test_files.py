"""Files are written whole or not at all, and nothing else of the system changes."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from netloom import NetloomError
from netloom.base import files


def test_whole_or_absent(tmp_path: Path) -> None:
    target = tmp_path / "new" / "a.txt"
    files.write(target, b"one")
    files.write(target, b"two")
    assert target.read_bytes() == b"two" and [p.name for p in target.parent.iterdir()] == ["a.txt"]


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for bad in (tmp_path / "folder", tmp_path / "folder" / "x\0y", Path()):
        with pytest.raises(NetloomError, match="NL-X003"):
            files.write(bad, b"one")
    assert [p.name for p in tmp_path.iterdir()] == ["folder"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "true")
    files.write(tmp_path / "link", b"one")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "true").read_bytes() == b"one"


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    files.write(pipe, b"one")
    assert os.read(reader, 10) == b"one" and stat.S_ISFIFO(pipe.stat().st_mode)
    os.close(reader)


def test_a_full_device_is_a_fault(full: Path) -> None:
    with pytest.raises(NetloomError, match="NL-X003"):
        files.write(full, b"one")
    assert full.is_char_device()


@pytest.mark.skipif(os.geteuid() != 0, reason="others may not anyway")
@pytest.mark.parametrize("path", ["/etc/netloom", "/usr/netloom", "/proc/netloom"])
def test_root_writes_no_system_path_in_tests(path: str) -> None:
    with pytest.raises(PermissionError, match="a test as root"):
        Path(path).write_bytes(b"")
    assert not Path(path).exists()


def test_reading(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"one")
    assert files.read(tmp_path / "a") == b"one"
    for bad in (tmp_path, tmp_path / "missing", tmp_path / "x\0y", ""):
        with pytest.raises(NetloomError, match="NL-X001"):
            files.read(bad)
