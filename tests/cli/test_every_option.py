"""Every option of every command: on a case made for it it changes what comes out, and where it cannot it says so.

A new option without a row in `CASES` fails, so that none is taken and not used.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest

import netloom
from netloom.cli.app import COMMANDS, cli, main

from ..models import model_file
from .learn_cases import MODEL
from .option_cases import (
    CASES,
    COMMON,
    FILES,
    IDLE,
    JOBS,
    LINES,
    MENDS,
    OF,
    OF_THROUGHPUT,
    RANKFILE,
    RUNS_ONLY,
    SCENARIO,
    SIMULATE,
    TORUS,
    Case,
)
from .option_exceptions import BY_HAND, SMALL


def _cases() -> Iterator[tuple[str, str, Case | None]]:
    """Each option of each command with its case; None without one."""
    ctx = click.Context(cli)
    for command in COMMANDS:
        found = cli.get_command(ctx, command)
        assert found is not None
        if command in BY_HAND:
            continue
        for option in found.params:
            if isinstance(option, click.Option):
                name = option.opts[-1]
                yield command, name, _case(command, name)


def _case(command: str, option: str) -> Case | None:
    if (command, option) in CASES:
        return CASES[command, option]
    if option in COMMON and command in LINES:
        added, effect = COMMON[option]
        if option == "--memory" and command in SMALL:
            effect = "runs"
        line = LINES[command].replace(" -q", "") if option == "--quiet" else LINES[command]
        return Case(line, "--memory 1GiB" if effect == "runs" and option == "--memory" else added, effect)
    if option in SCENARIO and command in OF:
        base, added, workload = SCENARIO[option]
        if command == "hops" and option == "--node":
            return Case(f"-n star(4) --ranks 16 {workload}", added, "mends")
        if command == "throughput" and option in OF_THROUGHPUT:
            return OF_THROUGHPUT[option]
        if command == "collectives":
            workload = "-c broadcast" if option == "--root" else "-c allreduce"
        effect = "mends" if option in MENDS else RUNS_ONLY.get(option, "changes")
        return Case(f"{base} {workload} {OF[command]}", added, effect)
    return Case("bash" if command == "completion" else "", "--memory 1GiB", "runs") if option == "--memory" else None


ALL = list(_cases())


class Result(NamedTuple):
    """What a command left."""

    code: int
    out: str
    err: str
    files: dict[str, bytes]


Ran = Callable[[str, str], Result]
DATA = Path(__file__).parent.parent / "data"


def give_inputs(folder: Path) -> None:
    """All files that the cases read."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    shutil.copy(DATA / "hwloc" / "two_sockets.xml", folder / "node.xml")
    shutil.copy(DATA / "fabric" / "two_leaves.ibnetdiscover", folder / "fabric.net")
    shutil.copy(DATA / "fabric" / "two_leaves.dump", folder / "fabric.dump")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Ran:
    """A command line in a folder of its own with all inputs; what it printed, and every file that is new."""
    folders = iter(range(100))

    def made(command: str, line: str) -> Result:
        folder = tmp_path / str(next(folders))
        folder.mkdir()
        give_inputs(folder)
        monkeypatch.chdir(folder)
        if command in ("merge", "index"):
            # The runs of a plug-in are those of all shards.
            words = shlex.split(line)
            plugins = words[words.index("--plugin") :][:2] if "--plugin" in words else []
            _ran(["run", "study.toml", "-q", "-o", "parts", "--shards", "2", "--emit", "slurm-array", *plugins])
            for shard in range(2):
                _ran(["run", "study.toml", "-q", "-o", "parts", "--shard", f"{shard + 1}/2", *plugins])
            _ran(["run", "study.toml", "-q", "-o", "kept"])
        if "made.model" in line:
            _ran(["learn", *MODEL])
        if "links.model" in line:
            shutil.copy(model_file(), folder / "links.model")
        if "-o listed" in line:
            _ran(["run", "study.toml", "-q", "-o", "listed", "--shards", "2", "--emit", "slurm-array"])
        before = {path for path in folder.rglob("*") if path.is_file()}
        capfd.readouterr()
        code = _ran([command, *shlex.split(line)])
        printed = capfd.readouterr()
        new = [path for path in folder.rglob("*") if path.is_file() and path not in before]
        return Result(code, printed.out, printed.err, {str(p.relative_to(folder)): p.read_bytes() for p in new})

    return made


def _ran(args: list[str]) -> int:
    with pytest.raises(SystemExit) as left:
        main(args)
    return int(left.value.code or 0)


@pytest.mark.parametrize(("command", "option", "case"), ALL, ids=[f"{c} {o}" for c, o, _ in ALL])
def test_an_option_is_used(command: str, option: str, case: Case | None, run: Ran) -> None:
    assert case is not None, f"no case for {command} {option}: add one to CASES"
    plain, given = run(command, case.base), run(command, f"{case.base} {case.added}")
    if case.effect == "refuses":
        assert given.code == 2 and option in given.err
        return
    assert given.code in (0, 1), given.err
    if case.effect == "mends":
        assert plain.code == 2, "the line works without the option"
        return
    assert plain.code in (0, 1), plain.err
    assert bool(re.search(rf"note: {option} has no effect", given.err)) == (case.effect == "idle")
    if case.effect == "changes":
        assert given.out != plain.out
    elif case.effect == "files":
        assert given.files != plain.files
    elif case.effect == "speed":
        assert given.out == plain.out and given.files == plain.files


@pytest.mark.parametrize(("command", "base", "added"), IDLE, ids=[f"{c} {a}" for c, _, a in IDLE])
def test_an_option_without_effect_is_named(command: str, base: str, added: str, run: Ran) -> None:
    plain, given = run(command, base), run(command, f"{base} {added}")
    option = shlex.split(added)[0]
    long = {"-v": "--variant"}.get(option, option)
    assert plain.code == 0, plain.err
    said = rf"{long}\b.*(has no effect|nothing is searched|applies to)"
    # Who says that no algorithm is left says why.
    assert re.search(said, given.err) or "has no root" in given.err, f"{given.code}, {given.err}"
    assert given.code == 2 or given.out == plain.out


def test_json_names_what_has_no_effect(run: Ran) -> None:
    given = run("simulate", f"{SIMULATE} --seed 7 --json")
    assert json.loads(given.out)["without_effect"] == {"seed": "no variant draws detours: static-direct"}
    assert "without_effect" not in json.loads(run("simulate", f"{SIMULATE} --json").out)


def test_python_names_what_has_no_effect() -> None:
    found = netloom.evaluate({"network": "torus(4,4)", "workload": "uniform(seed=1)", "root": 3}, "hops")
    assert found.without_effect == {"root": "no workload is a collective with a root"}
    assert netloom.evaluate({"network": "torus(4,4)", "workload": "uniform(seed=1)"}, "hops").without_effect == {}


def test_a_study_names_what_has_no_effect(run: Ran) -> None:
    """Also when it goes on from its journal."""
    for _ in range(2):
        given = run("run", "idle.toml -q -o made")
        assert "note: e: root has no effect in 1 of 2 runs: no workload is a collective with a root" in given.err
        assert given.files["made/report.html"].count(b"root has no effect in 1 of 2 runs") == 1


def test_inputs_of_one_job_do_not_go_with_a_list(run: Ran) -> None:
    for added in ("--order random(seed=3)", "--root 3", "--ranks 4", f"--mapping {RANKFILE}"):
        given = run("loads", f"{TORUS} --jobs {JOBS} -q {added}")
        assert given.code == 2 and f"NL-H003 {added.split()[0]}: has no effect: it applies to a single job" in given.err
    with pytest.raises(netloom.NetloomError, match="NL-H003"):
        netloom.simulate("torus(4,4)", jobs=[{"nodes": 4, "workload": "uniform(seed=1)"}], repetitions=3)
