"""Words that reach others: terminals, spreadsheets, files; none of them does more than be read."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from netloom.base import files
from netloom.base.errors import NetloomError
from netloom.results import Column, Table
from netloom.results.write import csv_bytes


def netloom(*args: str | bytes, folder: Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "netloom", *args], capture_output=True, cwd=folder, timeout=120)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-x", "@SUM(A1)", "\tx", "\nx", "=cmd|' /C calc'!A0"])
def test_no_cell_is_a_formula(text: str) -> None:
    table = Table("t", [Column("=name"), Column("value")], [{"=name": text, "value": -1.5}])
    (header, row) = csv.reader(io.StringIO(csv_bytes(table).decode(), newline=""))
    assert header == ["'=name", "value"] and row == [f"'{text}", "-1.5"]


def test_no_text_ends_a_row() -> None:
    table = Table("t", [Column("name")], [{"name": "a\rb\x1b[31m"}])
    assert csv_bytes(table) == b"name\na\\rb\\x1b[31m\n"


def test_an_unknown_option_has_a_code_and_no_control_characters(tmp_path: Path) -> None:
    for args in (["describe", "--x\x1b[31m"], ["\x1b]0;title\x07"], ["describe", "--json", "--json=\x1b"]):
        done = netloom(*args, folder=tmp_path)
        assert done.returncode == 2 and done.stderr.startswith(b"error: NL-A011 ") and b"\x1b" not in done.stderr
    long = netloom("describe", "--" + "x" * 100_000, folder=tmp_path)
    assert len(long.stderr) < 1000


@pytest.mark.parametrize("args", [(b"describe", b"ring(8\xff)"), (b"describe", b"\xff.json"), (b"\xff",)])
def test_an_argument_that_is_no_text(args: tuple[bytes, ...], tmp_path: Path) -> None:
    done = netloom(*args, folder=tmp_path)
    assert done.returncode == 2 and done.stderr.startswith(b"error: NL-A012 "), done.stderr


def test_half_a_character_in_json(tmp_path: Path) -> None:
    job = '{"job_id": 1, "name": "\\ud800", "job_state": ["RUNNING"], "nodes": "n[0-1]"}'
    (tmp_path / "j.json").write_text(f'{{"jobs": [{job}]}}')
    (tmp_path / "s.json").write_text('{"network": "ring(8)\\ud800"}')
    for args in (("loads", "-n", "ring(4)", "--jobs", "j.json", "-t", "uniform"), ("evaluate", "metrics", "s.json")):
        done = netloom(*args, folder=tmp_path)
        assert b"NL-X013" not in done.stderr and b"Traceback" not in done.stderr, done.stderr


@pytest.mark.parametrize("number", ["5000000000", "9" * 30, "9" * 5000, "-1"])
def test_numbers_of_any_size(number: str, tmp_path: Path) -> None:
    for args in (
        ("simulate", "-n", "ring(8)", "-a", "is(A)", "--ranks", number),
        ("simulate", "-n", "ring(8)", "-a", f"is(A,iterations={number})", "--ranks", "8"),
        ("describe", f"ring({number})"),
    ):
        done = netloom(*args, folder=tmp_path)
        assert done.returncode == 2 and done.stderr.startswith(b"error: NL-") and b"NL-X013" not in done.stderr


def test_links_in_a_circle_are_no_output(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(NetloomError, match="NL-X003"):
        files.write(tmp_path / "a", b"x")


STUDY = 'title = "t"\n[[experiment]]\nname = "m"\nevaluate = "metrics"\n[experiment.axes]\nnetwork = "ring(8)"\n'


@pytest.mark.parametrize("link", ["report.html", "summary.json", "tables", "tables/m.csv", "ranks"])
def test_a_study_does_not_write_through_links(link: str, tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(STUDY)
    mine = tmp_path / "mine"
    mine.mkdir() if "." not in link else mine.write_text("precious")
    place = tmp_path / "out" / link
    place.parent.mkdir(parents=True)
    (tmp_path / "out" / "runs.jsonl").touch()
    place.symlink_to(mine)
    done = netloom("run", "s.toml", "-q", "--no-figures", "-o", "out", folder=tmp_path)
    assert done.returncode == 2 and b"NL-X003" in done.stderr and b"is a link" in done.stderr, done.stderr
    assert (list(mine.iterdir()) == []) if mine.is_dir() else (mine.read_text() == "precious")


def test_what_a_killed_run_left_is_removed_by_the_next(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(STUDY)
    code = "import os, sys; from netloom.base import files; os.fsync = lambda _: os.kill(os.getpid(), 9); "
    code += "files.write(sys.argv[1], b'half')"
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "out" / "tables" / "m.csv")])
    assert [name for _, _, names in os.walk(tmp_path / "out") for name in names if name.startswith(".")]
    assert netloom("run", "s.toml", "-q", "--no-figures", "-o", "out", folder=tmp_path).returncode == 0
    assert not [name for _, _, names in os.walk(tmp_path / "out") for name in names if name.startswith(".")]


def test_a_proof_that_takes_days_is_asked_for_twice(netloom: Callable[..., tuple[int, str, str]]) -> None:
    code, out, err = netloom("verify", "allreduce:ring", "--ranks", "2097152")
    assert (code, out) == (2, "") and "NL-X016 --ranks: 8,796,088,827,904 messages take about 3 days" in err
    assert "--long" in err


def test_long_work_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from netloom.base import progress as watching
    from netloom.cli import output

    clock = iter([0.0, 9.0, 10.0, 19.0, 3600.0, 4000.0])
    monkeypatch.setattr(watching.time, "monotonic", lambda: next(clock))
    with output.progress("loads") as report:
        report(5, 100)
        report(10, 100)
        report(30, 100)
        report(0, 0)
        report(90, 100)
    said = capsys.readouterr().err.splitlines()
    assert said == ["loads: 10 s so far, 10 %, about 90 s left", "loads: 3600 s so far"]


def test_durations_are_said_as_people_say_them() -> None:
    from netloom.cli.output import duration

    assert [duration(s) for s in (5.2, 119.0, 7000.0, 86400.0, 9e6)] == ["5 s", "119 s", "117 min", "24 h", "104 days"]
