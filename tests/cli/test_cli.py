"""The command line as a user runs it: exit codes, what goes to stdout, what goes to stderr, and no traceback ever."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from netloom.cli.app import COMMANDS


def netloom(*args: str, **kwargs: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "netloom", *args]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, **kwargs)  # type: ignore[call-overload]
    assert "Traceback" not in done.stderr, done.stderr
    return done


@pytest.fixture
def here(request: pytest.FixtureRequest) -> Callable[..., tuple[int, str, str]]:
    """The fixture of the folder, whose name is that of a process here."""
    run: Callable[..., tuple[int, str, str]] = request.getfixturevalue("netloom")
    return run


def test_help_is_quick_because_it_imports_nothing_heavy() -> None:
    code = (
        "import sys, netloom.cli as m\n"
        "try: m.main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'pydantic', 'rich', 'matplotlib', 'pyarrow', 'netloom._core'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    done = netloom(command, "--help")
    assert done.returncode == 0 and "Example" in done.stdout and "Usage: netloom" in done.stdout


def test_describe_json_has_the_fixed_keys() -> None:
    done = netloom("describe", "torus(4,4)", "--json")
    facts = json.loads(done.stdout)
    wanted = {
        "switches": 16,
        "endpoints": 16,
        "switch_links": 32,
        "endpoint_links": 16,
        "degree_min": 4,
        "degree_max": 4,
    }
    assert done.returncode == 0 and wanted.items() <= facts.items()
    assert facts["diameter"] == 4 and facts["aspl"] == pytest.approx(32 / 15)


def test_hops_json_has_the_fixed_keys() -> None:
    done = netloom(
        *("hops", "--network", "circulant(1024,pow2)", "--ranks", "512", "--placement", "ring(start=0)"),
        *("--order", "ascending", "--collective", "allreduce:recursive-doubling", "--json"),
    )
    found = json.loads(done.stdout)
    assert found["messages"] == found["total_hops"] == 9 * 512
    assert found["mean_hops"] == 1 and found["max_hops"] == 1
    assert [step["messages"] for step in found["steps"]] == [512] * 9
    assert all({"messages", "hops"} <= set(step) for step in found["steps"])


def test_traffic_and_mixes() -> None:
    done = netloom("hops", "-n", "ring(8)", "-t", "uniform(messages=100,seed=1)", "--json")
    assert json.loads(done.stdout)["messages"] == 100
    done = netloom("hops", "-n", "ring(8)", "-t", "mix(alltoall:bruck,share=1.0,messages=240,seed=1)", "--json")
    assert json.loads(done.stdout)["messages"] == 240


def test_verify_says_yes() -> None:
    done = netloom("verify", "allreduce:ring", "--ranks", "7")
    assert done.returncode == 0 and "proved" in done.stdout
    done = netloom("verify", "broadcast:binomial", "--ranks", "6", "--root", "all", "--json")
    assert json.loads(done.stdout)["proved"] is True and len(json.loads(done.stdout)["roots"]) == 6


def test_map_writes_what_a_launcher_takes(tmp_path: Path) -> None:
    job = ("-n", "random_shortcut(64,degree=5,seed=1)", "--ranks", "32", "-c", "broadcast:binomial")
    done = netloom("map", *job, "--optimise", "two-opt", "--swaps", "2000", "--seed", "1", "--emit", "rankfile")
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and sum(line.startswith("rank ") for line in lines) == 32
    again = netloom("map", *job, "--optimise", "two-opt(swaps=2000,seed=1)", "--emit", "rankfile")
    assert again.stdout == done.stdout
    done = netloom(
        "map",
        *job,
        "--optimise",
        "auto",
        "--seed",
        "1",
        "--emit",
        "rankfile,slurm,cray",
        "-o",
        str(tmp_path),
        "--json",
    )
    found = json.loads(done.stdout)
    assert found["value"] <= found["start_value"] and len(found["mapping"]) == 32
    assert [Path(path).exists() for path in found["files"]] == [True] * 3


def test_a_mapping_file_replaces_placement_and_order(tmp_path: Path) -> None:
    job = ("-n", "torus(4,4)", "-c", "allreduce:recursive-doubling")
    written = netloom("map", *job, "--placement", "random(seed=3)", "--optimise", "none", "--emit", "csv")
    (tmp_path / "m.csv").write_text(written.stdout)
    there = netloom("hops", *job, "--mapping", "m.csv", "--json", cwd=tmp_path)
    here = netloom("hops", *job, "--placement", "random(seed=3)", "--json")
    assert json.loads(there.stdout)["total_hops"] == json.loads(here.stdout)["total_hops"]


def test_convert_and_read_again(tmp_path: Path) -> None:
    target = tmp_path / "torus.graphml"
    assert netloom("convert", "torus(4,4)", str(target)).returncode == 0
    facts = json.loads(netloom("describe", str(target), "--json").stdout)
    assert facts["switches"] == 16 and facts["switch_links"] == 32 and facts["diameter"] == 4


def test_list_and_explain() -> None:
    assert "torus" in netloom("list", "topologies").stdout
    assert any(row["name"] == "two-opt" for row in json.loads(netloom("list", "optimisers", "--json").stdout))
    assert "swaps" in netloom("list", "two-opt").stdout
    assert "Unknown name" in netloom("explain", "NL-A002").stdout


BAD = [
    ("describe",),
    ("describe", ""),
    ("describe", "torus(0)"),
    ("describe", "torus(8,"),
    ("describe", "trus(8)"),
    ("describe", "torus(99999,99999,99999)"),
    ("describe", "no/such/file"),
    ("describe", "."),
    ("describe", "ring(8)", "--from", "nothing"),
    ("describe", "ring(8)", "--plugin", "missing.py"),
    ("hops", "-n", "ring(8)"),
    ("hops", "-n", "ring(8)", "-c", "allreduce:ring", "-t", "uniform"),
    ("hops", "-n", "ring(8)", "-c", "allreduce:rng"),
    ("hops", "-n", "ring(8)", "-c", "allreduce:ring", "--ranks", "9"),
    ("hops", "-n", "ring(8)", "-c", "allreduce:ring", "--ranks", "-1"),
    ("hops", "-n", "ring(8)", "-c", "allreduce:ring", "--ranks", "1e3"),
    ("hops", "-n", "ring(8)", "-c", "broadcast:binomial", "--root", "8"),
    ("hops", "-n", "ring(8)", "-c", "broadcast:binomial", "--size", "3 parsecs"),
    ("hops", "-n", "ring(8)", "-c", "broadcast:binomial", "--placement", "rnig"),
    ("hops", "-n", "ring(8)", "-c", "broadcast:binomial", "--mapping", "missing.csv"),
    ("map", "-n", "ring(8)", "-c", "broadcast:binomial", "--optimise", "magic"),
    ("map", "-n", "ring(8)", "-c", "broadcast:binomial", "--seconds", "-3"),
    ("map", "-n", "ring(8)", "-c", "broadcast:binomial", "--emit", "papyrus"),
    ("map", "-n", "ring(8)", "-c", "broadcast:binomial", "--emit", "rankfile,csv"),
    ("run", "missing.toml"),
    ("run", "."),
    ("verify", "allreduce:ring"),
    ("verify", "allreduce:ring", "--ranks", "0"),
    ("verify", "uniform", "--ranks", "4"),
    ("convert", "ring(8)", "x.unknown"),
    ("convert", "ring(8)", "s.toml/x.graphml"),
    ("list", "tpologies"),
    ("explain", "NL-Z999"),
    ("frobnicate",),
    ("--frobnicate",),
    ("hops", "--netwrk", "ring(8)"),
]


@pytest.mark.parametrize("args", BAD, ids=lambda args: " ".join(args) or "-")
def test_bad_input_is_refused_in_words(
    args: tuple[str, ...], tmp_path: Path, here: Callable[..., tuple[int, str, str]]
) -> None:
    """In the process of the test, which sees an exception where a user would see a traceback."""
    (tmp_path / "s.toml").write_text("a file, no folder")
    code, out, err = here(*args)
    assert (code, out) == (2, ""), err
    assert err.startswith("error: ") and "internal error" not in err and "Traceback" not in err


def test_a_process_refuses_as_well(tmp_path: Path) -> None:
    done = netloom("hops", "-n", "ring(8)", "-c", "allreduce:rng", cwd=tmp_path)
    assert done.returncode == 2 and done.stdout == "" and done.stderr.startswith("error: ")


def test_no_command_is_help_and_two() -> None:
    done = netloom()
    assert done.returncode == 2 and done.stdout == "" and "Commands:" in done.stderr


def test_a_reader_that_leaves_is_no_error() -> None:
    script = f"{sys.executable} -m netloom list topologies --json | head -c 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert done.stdout[1:].strip() == "0" and done.stderr == ""


def test_a_full_stdout_is_an_error(full: Path) -> None:
    with full.open("w") as stdout:
        done = subprocess.run(
            [sys.executable, "-m", "netloom", "list", "topologies"], stdout=stdout, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 2 and "NL-X003" in done.stderr and "Traceback" not in done.stderr


STUDY = """
title = "t"
[[experiment]]
name = "m"
evaluate = "metrics"
[experiment.axes]
network = ["ring(8)", "ring(16)"]
[[experiment.claim]]
says = "a ring of eight has diameter four"
of = { column = "diameter", where = { network = "ring(8)" } }
expected = 4
"""


def test_run_and_its_exit_codes(tmp_path: Path) -> None:
    study = tmp_path / "s.toml"
    study.write_text(STUDY)
    done = netloom("run", "s.toml", "--check", cwd=tmp_path)
    assert done.returncode == 0 and not (tmp_path / "out").exists()
    done = netloom("run", "s.toml", "--json", "--no-figures", "--allow-plugins", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["claims"][0]["verdict"] == "confirmed" and found["experiments"][0]["runs"] == 2
    assert (tmp_path / "out" / "s" / "report.html").exists()
    study.write_text(STUDY.replace("expected = 4", "expected = 5"))
    done = netloom("run", "s.toml", "-o", "other", "--no-figures", cwd=tmp_path)
    assert done.returncode == 1 and "refuted" in done.stderr
    done = netloom("run", "s.toml", cwd=tmp_path)
    assert done.returncode == 2 and "NL-S011" in done.stderr
    (tmp_path / "file").write_text("")
    done = netloom("run", "s.toml", "-o", "file/below", cwd=tmp_path)
    assert done.returncode == 2 and "NL-X003" in done.stderr


PLUGIN = """
from netloom import plugin

class Prism(plugin.Topology):
    "Two rings, spoke by spoke."
    name = "prism"
    example = "prism(5)"
    def build(self, n):
        rings = [(r * n + i, r * n + (i + 1) % n) for r in (0, 1) for i in range(n)]
        return plugin.NetworkSpec(switches=2 * n, edges=rings + [(i, n + i) for i in range(n)])
"""


WITH_PLUGIN = """
title = "t"
plugins = ["mine.py"]
[[experiment]]
name = "m"
evaluate = "metrics"
[experiment.axes]
n = [5, 6]
network = "prism({n})"
"""


def test_a_plugin_is_a_name_like_any_other(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(PLUGIN)
    done = netloom("describe", "prism(5)", "--plugin", "mine.py", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["switches"] == 10 and json.loads(done.stdout)["diameter"] == 3
    done = netloom("describe", "prism()", "--plugin", "mine.py", cwd=tmp_path)
    assert done.returncode == 2 and "NL-G003" in done.stderr and "prism(n)" in done.stderr
    done = netloom("describe", "prism(0)", "--plugin", "mine.py", cwd=tmp_path)
    assert done.returncode == 2
    (tmp_path / "s.toml").write_text(WITH_PLUGIN)
    done = netloom("run", "s.toml", "--json", "--no-figures", "--allow-plugins", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
