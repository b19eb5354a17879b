"""Names that a stranger chose do nothing in a command line that is pasted, nor in a script that is run."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import netloom as package
from netloom import NetloomError
from netloom.base.shell import path_word, require_plain
from netloom.cli.app import main
from netloom.mapping.commands import COMMANDS, commands
from netloom.study.backends import check
from netloom.study.shards import write_array

EVIL = ["a b; touch pwned #", "$(touch pwned)", "`touch pwned`", "a'b; touch pwned; '", 'a"$(touch pwned)"', "-x", "*"]
STUDY = 'title="t"\n[[experiment]]\nname="a"\nevaluate="hops"\n[experiment.axes]\nnetwork="ring(4)"\nranks=[2,3]\n' \
        'workload="alltoall:pairwise"\n'  # fmt: skip
#: Launchers that only say what they were started with.
FAKES = ("mpirun", "srun", "mpiexec.hydra", "runjob", "likwid-mpirun", "flux", "mpiexec", "ssh", "sbatch", "netloom")


@pytest.fixture
def shell(tmp_path: Path) -> Callable[[str], list[str]]:
    """Runs a line: the words that its program got. Nothing else may happen."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in FAKES:
        (folder / name).write_text('#!/bin/sh\nprintf "%s\\n" "$@"\nenv | grep -E "FILE=|^NCCL|^OMPI|^MPIR"\n')
        (folder / name).chmod(0o755)

    def run(line: str) -> list[str]:
        environment = {"PATH": f"{folder}:/usr/bin:/bin"}
        done = subprocess.run(["bash", "-c", line], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert not (tmp_path / "pwned").exists(), line
        assert "not found" not in done.stderr, done.stderr
        return done.stdout.splitlines()

    return run


@pytest.mark.parametrize("name", EVIL)
@pytest.mark.parametrize("format", [name for name, line in COMMANDS.items() if "{file}" in line])
def test_run_lines_quote_the_file(format: str, name: str, tmp_path: Path, shell: Callable[[str], list[str]]) -> None:
    file = f"{name}/ranks.txt"
    (tmp_path / name).mkdir()
    text = b"node0001 --node-rank=0 CUDA_VISIBLE_DEVICES=0\n"
    (tmp_path / name / "ranks.txt").write_bytes(text)
    (line,) = commands([(format, file, text)], 4)
    got = shell(line)
    if format != "torchrun":
        assert any(word.endswith(file) for word in got), (line, got)


@pytest.mark.parametrize("name", EVIL)
def test_a_long_list_of_cores_is_read_from_its_file(
    name: str, tmp_path: Path, shell: Callable[[str], list[str]]
) -> None:
    (tmp_path / name).mkdir()
    text = ("--cpu-bind=map_cpu:" + ",".join(["0"] * 3000)).encode()
    (tmp_path / name / "cores").write_bytes(text)
    (line,) = commands([("map-cpu", f"{name}/cores", text)], 4)
    assert text.decode() in shell(line)


@pytest.mark.parametrize("name", EVIL)
def test_map_prints_lines_that_can_be_pasted(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str],
    shell: Callable[[str], list[str]],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    words = ["map", "-n", "ring(4)", "-t", "allreduce:ring", "--optimise", "none", "--emit", "rankfile", "-o", name]
    with pytest.raises(SystemExit) as left:
        main(words)
    assert not left.value.code
    (line,) = re.findall(r"^run: (.*)$", capfd.readouterr().err, re.MULTILINE)
    assert any(word.startswith("rankfile:file=") and word.endswith(f"{name}/rankfile.txt") for word in shell(line))


@pytest.mark.parametrize("name", EVIL)
def test_settings_of_libraries_can_be_pasted(name: str, tmp_path: Path, shell: Callable[[str], list[str]]) -> None:
    from netloom.tuning.tables import time_collective
    from netloom.tuning.write.files import write_files

    timings = [time_collective("star(8)", "allreduce", sizes=[1024, 65536])]
    for path, use in write_files(timings, ["ompi", "mpich", "nccl"], tmp_path / name):
        assert f"{path}" in "\n".join(shell(f"{use} srun"))


@pytest.mark.parametrize("name", EVIL)
def test_the_submit_line_can_be_pasted(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str],
    shell: Callable[[str], list[str]],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.toml").write_text(STUDY)
    with pytest.raises(SystemExit) as left:
        main(["run", "s.toml", "-o", name, "--shards", "2", "--emit", "slurm-array"])
    said = capfd.readouterr().err
    if re.search("['\"`]", name):
        assert left.value.code == 2 and said.startswith("error: NL-A007 -o must be without control characters, quotes")
        return
    assert not left.value.code
    submit, merge = re.findall(r"submit: (.*); afterwards: (.*)$", said, re.MULTILINE)[0]
    assert shell(submit)[0].endswith(f"{name}/shards/array.sbatch")
    assert shell(merge)[1].endswith(name)


@pytest.mark.parametrize("name", ["x\ntouch pwned #", "x\r", 'a"b', "a'b", "a\\b", "a\x1b[2J", "a\u2028b", "`a`"])
def test_names_that_could_end_a_line_of_a_script_are_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(STUDY)
    with pytest.raises(NetloomError, match="NL-A007 -o must be without control characters, quotes and backslashes"):
        write_array(tmp_path / "s.toml", tmp_path / name, 2)
    folder = tmp_path / name
    folder.mkdir()
    (folder / "s.toml").write_text(STUDY)
    with pytest.raises(NetloomError, match="NL-A007 STUDY must be without control characters"):
        write_array(folder / "s.toml", tmp_path / "out", 2)
    assert not (tmp_path / "out").exists() and list(folder.iterdir()) == [folder / "s.toml"]


@pytest.mark.parametrize("name", ["a b; touch pwned #", "$(touch pwned)", "*", "100%u", "#SBATCH --wrap=x"])
def test_a_batch_script_runs_its_study_and_nothing_else(
    name: str, tmp_path: Path, shell: Callable[[str], list[str]]
) -> None:
    (tmp_path / "s.toml").write_text(STUDY)
    on = 'slurm(partition=test,memory="4GB")'
    script, _ = write_array(tmp_path / "s.toml", tmp_path / name, 2, ["--on", on])
    got = shell(f"SLURM_ARRAY_TASK_ID=1 bash {shlex.quote(str(script))}")
    assert got[:6] == ["run", str(tmp_path / "s.toml"), "-o", str(tmp_path / name), "-q", "--on"] and got[6] == on
    for line in script.read_text().splitlines():
        if line.startswith("#") and not line.startswith("#SBATCH --output="):
            assert name not in line
    output = next(line for line in script.read_text().splitlines() if "--output" in line)
    assert output == f'#SBATCH --output="{tmp_path / name.replace("%", "%%")}/shards/%a.log"'


def test_an_address_is_an_address() -> None:
    for wrong in ("tls://$(touch pwned):1", "tls://a;b:1", "tls://a b:1", "tls://`a`:1"):
        with pytest.raises(NetloomError):
            check(wrong)
    for right in ("tls://node-1.example:8786", "tls://[::1]:8786", "tls://10.0.0.1:80"):
        assert check(right)[0] == "address"


def test_a_plug_in_that_is_proposed_is_quoted(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(f'plugins = ["a.py; touch pwned"]\n{STUDY}')
    with pytest.raises(NetloomError, match=re.escape("--plugin 'a.py; touch pwned'")):
        package.study.prepare(tmp_path / "s.toml")


@pytest.mark.parametrize("text", EVIL)
def test_a_word_stays_one_word(text: str) -> None:
    (word,) = shlex.split(path_word(text))
    assert word in (text, f"./{text}") and not word.startswith("-")


def test_options_may_have_quotes() -> None:
    require_plain("--on", 'slurm(memory="4GB")', quotes=True)
    with pytest.raises(NetloomError):
        require_plain("--on", "a\nb", quotes=True)
