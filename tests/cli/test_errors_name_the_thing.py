"""Errors name what is wrong: the file of another program, the folder, the name; never stdout, never a text in it."""

from __future__ import annotations

import shlex

import pytest

from netloom.cli import app
from netloom.cli.app import main

FOREIGN = {
    "kineto.json": ('{"schemaVersion": 1, "deviceProperties": [], "traceEvents": []}', "a profile of PyTorch (Kineto)"),
    "ipm.xml": ('<?xml version="1.0"?>\n<ipm_job_profile>\n<task mpi_rank="0"/></ipm_job_profile>', "a profile of IPM"),
    "anchor.otf2": ("\x01\x02OTF2\x02\x03", "an anchor file of OTF2"),
    "nccl.log": ("n1:7:7 [0] NCCL INFO Bootstrap\nn1:7:7 [0] NCCL INFO Ring\n", "a log of NCCL"),
}
#: Those that are read as traces, and what is wrong with these.
READ = {"ipm.xml": "NL-F009", "anchor.otf2": "NL-F003", "kineto.json": "NL-F010", "nccl.log": "NL-F004"}
TAKE_TRACES = ("describe {}", "simulate -n 'star(4)' -t {}", "simulate -n 'star(4)' --trace {}")
TREE = "SwitchName=s0 Nodes=n[0-3]\nSwitchName=s1 Nodes=n[4-7]\nSwitchName=t Switches=s[0-1]\n"
LONG = "a" * 300


@pytest.fixture
def said(tmp_path, monkeypatch, capsys):
    """The first line of the error of a command."""
    monkeypatch.chdir(tmp_path)

    def of(command):
        with pytest.raises(SystemExit) as ended:
            main(shlex.split(command))
        assert ended.value.code == 2
        shown = capsys.readouterr().err
        return next(line for line in shown.splitlines() if line.startswith("error: "))

    return of


@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.parametrize(
    "command",
    [
        "describe {}",
        "describe {} --from slurm",
        "describe {} --from graphml",
        "simulate -n 'star(4)' -t {}",
        "simulate -n 'star(4)' --trace {}",
        "simulate -n 'star(4)' --jobs {}",
        "hops -n 'star(4)' -c alltoall:bruck --mapping {}",
        "hops -n 'star(4)' -c alltoall:bruck --mapping {} --mapping-format rankfile",
    ],
)
def test_files_of_other_programs_are_named_in_one_line(said, tmp_path, name, command):
    text, what = FOREIGN[name]
    (tmp_path / name).write_text(text)
    line = said(command.format(name))
    # What is read as a trace has faults of its own there.
    is_read = name in READ and command in TAKE_TRACES
    assert line.startswith(f"error: {READ[name]} {name}" if is_read else f"error: NL-F016 {name}: it is {what}"), line


def test_a_file_of_the_format_that_is_asked_for_keeps_its_own_faults(said, tmp_path):
    (tmp_path / "topology.conf").write_text("SwitchName=s0 Nodes=n[0-3] Speed=1\n")
    assert said("describe topology.conf --from slurm").startswith("error: NL-F003 topology.conf:1:28 key")


@pytest.mark.parametrize(
    "command",
    [
        "describe made",
        "compare made",
        "convert made x.graphml",
        "simulate -n 'star(4)' -t made",
        "simulate -n 'star(4)' --trace made",
        "hops -n 'star(4)' -c alltoall:bruck --plugin made",
        "hops -n 'star(4)' -c alltoall:bruck --mapping made",
        "simulate -n 'star(4)' --jobs made",
        "run made",
    ],
)
def test_a_folder_is_no_unknown_name(said, tmp_path, command):
    (tmp_path / "made").mkdir()
    line = said(command)
    assert line.startswith("error: NL-X001 made: cannot be read: ")
    assert "folder" in line or "directory" in line.lower()


def test_a_folder_does_not_hide_what_has_its_name(tmp_path, monkeypatch, capsys):
    (tmp_path / "ring").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["describe", "ring(4)"])
    assert ended.value.code == 0
    with pytest.raises(SystemExit):
        main(["describe", "ring"])
    assert "NL-A004 ring.n" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [
        f"simulate -n 'star(4)' --trace {LONG}",
        f"hops -n 'star(4)' -c alltoall:bruck --plugin {LONG}.py",
        f"describe 'ring(4)' --report {LONG}.html",
        f"explore 'ring(4)' --folder {LONG}",
        f"describe {LONG}",
        f"describe {LONG}.graphml",
        f"hops -n 'star(4)' -t {LONG}",
        f"loads -n 'star(4)' -c alltoall:bruck --csv {LONG}",
    ],
)
def test_a_name_that_no_file_can_have_is_named_itself(said, command):
    line = said(command)
    assert "stdout" not in line
    assert "aaaa" in line


def test_an_error_of_a_file_that_nobody_expected_names_the_file(said, monkeypatch):
    def broken(*args, **more):
        raise PermissionError(13, "Permission denied", "/some/where")

    monkeypatch.setattr(app.cli, "main", broken)
    assert said("describe 'ring(4)'") == "error: NL-X001 /some/where: cannot be used: Permission denied"


def test_hosts_of_a_rank_file_get_a_pattern_that_can_help(said, tmp_path, capsys):
    (tmp_path / "topology.conf").write_text(TREE)
    (tmp_path / "hosts.txt").write_text("cn007\ncn003\n")
    command = "hops -n topology.conf -c alltoall:bruck --mapping hosts.txt --mapping-format hostfile"
    with pytest.raises(SystemExit):
        main(shlex.split(command))
    assert 'host_pattern="cn{000}"' in capsys.readouterr().err
    (tmp_path / "hosts.txt").write_text("alpha\nbeta\n")
    with pytest.raises(SystemExit):
        main(shlex.split(command))
    shown = capsys.readouterr().err
    assert "host_pattern" not in shown
    assert "the network's hosts are n0, n1, n2, n3, n4, n5, n6, n7" in shown


@pytest.mark.parametrize(
    ("text", "words"),
    [("# nothing\n", "SwitchName=s0 Nodes="), ("SwitchName=s0 Nodes=n0 Colour=red\n", "SwitchName=s0 Nodes="),
     ("BlockName=b0\n", "BlockName=b1 Nodes=")],
)  # fmt: skip
def test_hints_on_topology_conf_are_in_its_own_words(tmp_path, monkeypatch, capsys, text, words):
    (tmp_path / "topology.conf").write_text(text)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main(["describe", "topology.conf"])
    shown = capsys.readouterr().err
    assert words in shown
    assert "- switch:" not in shown


def test_ranks_and_endpoints_are_told_apart(said, capsys):
    line = said("hops -n 'torus(4,4)' -c alltoall:bruck --ranks 40 --cores 2")
    assert line == "error: NL-J004 --ranks must be at most 32 ranks: 16 endpoints of 2 cores, got 40"
    line = said("simulate -n 'torus(4,4)' --job 'a=20: alltoall:bruck'")
    assert "20 endpoints are wanted, 16 are free" in line


def test_hops_take_networks_with_failed_switches(tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        main(shlex.split("hops -n 'ring(6)' -t 'shift(k=1)' --ranks 5 --fail switch:0"))
    # On a line of five: four neighbours, and the way back from its end.
    assert ended.value.code == 0, capsys.readouterr().err
    assert "hops, total             8" in capsys.readouterr().out
