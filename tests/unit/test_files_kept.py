"""What a file was before it is written again stays: its mode, its protection, and itself if it was an input."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from netloom import NetloomError
from netloom import write as write_file
from netloom.base import files
from netloom.cli.app import main
from netloom.study.run import run_study

GRAPH = "0 1\n1 2\n2 3\n3 0\n"


@pytest.fixture
def mask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("kept", [0o600, 0o640, 0o664, 0o755])
def test_a_file_keeps_its_mode(kept: int, tmp_path: Path, mask: None) -> None:
    target = tmp_path / "a"
    files.write(target, b"one")
    assert mode(target) == 0o644
    target.chmod(kept)
    files.write(target, b"two")
    assert mode(target) == kept and target.read_bytes() == b"two"


def test_the_file_behind_a_link_keeps_its_mode(tmp_path: Path, mask: None) -> None:
    target = tmp_path / "a"
    target.write_bytes(b"one")
    target.chmod(0o600)
    (tmp_path / "link").symlink_to(target)
    files.write(tmp_path / "link", b"two")
    assert mode(target) == 0o600 and target.read_bytes() == b"two"


def test_an_unreadable_file_is_never_readable_on_the_way(tmp_path: Path, mask: None) -> None:
    target = tmp_path / "a"
    target.write_bytes(b"")
    target.chmod(0o600)

    def parts() -> Iterator[bytes]:
        yield b"secret"
        assert [mode(path) for path in tmp_path.iterdir()] == [0o600, 0o600]

    files.write(target, parts())


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_a_file_keeps_its_owner(tmp_path: Path) -> None:
    target = tmp_path / "a"
    target.write_bytes(b"one")
    os.chown(target, 1234, 2345)
    files.write(target, b"two")
    assert (target.stat().st_uid, target.stat().st_gid) == (1234, 2345)


@pytest.mark.parametrize("check", [files.require_writable, lambda path: files.write(path, b"two")])
def test_a_read_only_file_stays(check: Callable[[Path], None], tmp_path: Path) -> None:
    target = tmp_path / "a"
    target.write_bytes(b"one")
    target.chmod(0o444)
    (tmp_path / "link").symlink_to(target)
    for path in (target, tmp_path / "link"):
        with pytest.raises(NetloomError, match=r"NL-X003 .*read-only\n  hint: .*chmod u\+w"):
            check(path)
    assert target.read_bytes() == b"one" and sorted(path.name for path in tmp_path.iterdir()) == ["a", "link"]


def test_the_journal_of_a_study_keeps_its_mode(tmp_path: Path, mask: None) -> None:
    study = tmp_path / "study.toml"
    study.write_text('title="t"\n[[experiment]]\nname="a"\nevaluate="hops"\n[experiment.axes]\nnetwork="ring(4)"\n'
                     'ranks=[2,3,4]\nworkload="alltoall:pairwise"\n')  # fmt: skip
    run_study(study, tmp_path / "out", figures=False)
    journal = tmp_path / "out" / "runs.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([lines[0], b"damaged\n", *lines[2:]]))
    journal.chmod(0o600)
    with pytest.warns(UserWarning, match="NL-S023"):
        run_study(study, tmp_path / "out", figures=False)
    assert mode(journal) == 0o600


def spelled(folder: Path, how: str) -> str:
    """The file `a.edges` by another name."""
    other = folder / "other.edges"
    if how == "link":
        other.symlink_to(folder / "a.edges")
    elif how == "hard link":
        os.link(folder / "a.edges", other)
    elif how == "folder link":
        (folder / "here").symlink_to(folder)
        return "here/a.edges"
    else:
        return {"same": "a.edges", "dots": f"../{folder.name}/./a.edges", "whole": str(folder / "a.edges")}[how]
    return other.name


@pytest.mark.parametrize("how", ["same", "dots", "whole", "link", "hard link", "folder link"])
def test_convert_does_not_write_over_its_input(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.edges").write_text(GRAPH)
    name = spelled(tmp_path, how)
    with pytest.raises(SystemExit) as left:
        main(["convert", "a.edges", name, "--to", "graphml"])
    said = capfd.readouterr().err
    assert left.value.code == 2
    assert said.startswith(f"error: NL-X003 {name}: cannot be written: it is an input of this command\n")
    assert (tmp_path / "a.edges").read_text() == GRAPH


@pytest.mark.parametrize(
    "words",
    [
        ["map", "-n", "torus(2,2)", "-t", "in.csv", "--optimise", "none", "--emit", "csv", "-o", "."],
        ["loads", "-n", "in.edges", "-t", "allreduce:ring", "--ranks", "4", "--csv", "in.edges"],
        ["describe", "in.edges", "--report", "page.html"],
        ["simulate", "-n", "in.edges", "-t", "allreduce:ring", "--ranks", "4", "--report", "page.html"],
        ["calibrate", "in.txt", "--latency", "1us", "--bandwidth", "10GB/s", "-o", "c.toml"],
    ],
    ids=lambda words: words[0],
)  # fmt: skip
def test_no_command_writes_over_an_input(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    texts = {
        "in.csv": "source,destination,bytes\n0,1,8\n1,2,8\n2,3,8\n3,0,8\n",
        "in.edges": GRAPH,
        "in.txt": "# OSU MPI Latency Test\n" + "".join(f"{1 << k} {1 + (1 << k) / 1000}\n" for k in range(23)),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    for link, name in (("page.html", "in.edges"), ("ranks.csv", "in.csv"), ("c.toml", "in.txt")):
        (tmp_path / link).symlink_to(name)
    with pytest.raises(SystemExit) as left:
        main(words)
    said = capfd.readouterr().err
    assert left.value.code == 2 and "NL-X003" in said and "it is an input of this command" in said, said
    assert all((tmp_path / name).read_text() == text for name, text in texts.items())


def test_a_script_may_write_what_it_has_read(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(files.read(__file__))
    files.read(tmp_path / "a.csv")
    write_file([1, 0], tmp_path / "a.csv", network="ring(4)")
    assert files.read(tmp_path / "a.csv") != files.read(__file__)


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_a_pipe_without_a_reader_is_left_on_a_signal(stop: signal.Signals, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    command = [sys.executable, "-m", "netloom", "convert", "ring(4)", "pipe", "--to", "edges"]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE)
    try:
        # Asleep in the opening of the pipe: it has no reader.
        end = time.monotonic() + 60
        while time.monotonic() < end and not _waits(process.pid):
            time.sleep(0.02)
        process.send_signal(stop)
        assert process.wait(30) == 130
    finally:
        process.kill()
        process.wait()
        assert process.stderr is not None
        process.stderr.close()


def _waits(pid: int) -> bool:
    """True where it sleeps in the opening of a file, which has number 257 on x86 and 56 on ARM."""
    return Path(f"/proc/{pid}/syscall").read_text().split()[0] in ("257", "56")
