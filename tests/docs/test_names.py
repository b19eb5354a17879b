"""Names in the prose of the documentation: options and quantities are those that there are."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import click
import pytest

from netloom import _core
from netloom.cli.app import COMMANDS, cli
from netloom.scenario.axes import BY_NAME

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
CODE = re.compile(r"`([^`\n]+)`")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
#: A name that ends in a unit.
QUANTITY = re.compile(
    r"(?<![\w.])[a-z][a-z0-9]*(?:_[a-z0-9]+)*_"
    r"(?:s|us|ms|bytes|bytes_per_s|flops_per_s|per_s|gbps|m|usd|w|kw|hops|percent)(?![\w(])"
)
#: Options of other programs, and of scripts of this repository.
FOREIGN = {
    **dict.fromkeys(("--cpu-bind", "--distribution", "--nodelist", "--ntasks-per-node", "--signal"), "Slurm"),
    **dict.fromkeys(("--hostfile", "--map-by", "--node-rank", "--taskmap"), "launchers"),
    **dict.fromkeys(("--example", "--locked"), "cargo"),
    **dict.fromkeys(
        (
            "--anew",
            "--batches",
            "--complete",
            "--flows",
            "--lines",
            "--loggopsim",
            "--scotch",
            "--seeds",
            "--sets",
            "--turns",
        ),
        "benchmarks/",
    ),
    "--of": "lstopo",
    "--tag-output": "mpirun",
    "--strict": "mypy",
    "--switches-only": "ibnetdiscover",
}
#: Modules of what Python scripts see, with keys of answers and files as fields or texts.
PUBLIC = ("_core.pyi", "base/records.py", "calibration/*.py", "machine/*.py", "cost/*.py", "study/*.py",
          "tuning/*.py", "report/*.py", "compare/*.py", "jobs/*.py", "measured/*.py",
          "plot/*.py", "mapping/*.py", "mpi/recorder/*.py", "mpi/schedules/*.py", "results/*.py", "evaluate/**/*.py",
          "cli/calibrate.py", "cli/*_details.py", "cli/run_schedule.py", "mpi/gain.py", "training/*.py",
          "explanation/*.py", "cli/step*.py", "design/*.py",
)  # fmt: skip
#: Columns that a page makes up, to show how columns of one's own are named.
MADE_UP = {"gain_percent", "quartiles_bytes", "rate_bytes_per_s"}
#: What a test is called on the page of reproductions.
TESTS = re.compile(r"test_[a-z0-9_]+")


def _options() -> set[str]:
    context = click.Context(cli)
    commands = [cli, *(cli.get_command(context, name) for name in COMMANDS)]
    given = [name for command in commands for one in command.params for name in (*one.opts, *one.secondary_opts)]
    return {name for name in given if name.startswith("--")} | {"--help"}


def _fields(tree: ast.AST) -> set[str]:
    """Names of fields and parameters, and texts that are names."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
        elif isinstance(node, (ast.FunctionDef, ast.arg)):
            found.add(node.name if isinstance(node, ast.FunctionDef) else node.arg)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
            found.add(node.value)
    return found


def _columns() -> set[str]:
    evaluate = importlib.import_module("netloom.evaluate")
    found = set()
    for row in map(evaluate.evaluator, evaluate.NAMES):
        found |= {column.name for column in row.columns} | {option.name for option in row.options}
        found |= {column.name for table in row.tables.values() for column in table}
    for row in _core.evaluators():
        found |= {field[0] for field in row["fields"]}
        found |= {field[0] for _, fields in row["tables"].values() for field in fields}
    return found


def _quantities() -> set[str]:
    found = set(BY_NAME) | _columns() | {one["name"] for one in _core.machine_params()}
    for kind in _core.kinds():
        found |= {one["name"] for row in _core.catalogue(kind) for one in row.get("params", ())}
    for pattern in PUBLIC:
        for path in (ROOT / "python" / "netloom").glob(pattern):
            found |= _fields(ast.parse(path.read_text(encoding="utf-8")))
    return found


def _used(pattern: re.Pattern[str]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for page in PAGES:
        for code in CODE.findall(page.read_text(encoding="utf-8")):
            for name in pattern.findall(code):
                found.setdefault(name, set()).add(str(page.relative_to(ROOT)))
    return found


def test_options_exist():
    used, known = _used(OPTION), _options()
    assert len(used) > 50
    assert {name: pages for name, pages in used.items() if name not in known and name not in FOREIGN} == {}
    assert {name for name in FOREIGN if name not in used} == set(), "no page names them any more"


def test_quantities_exist():
    used, known = _used(QUANTITY), _quantities()
    assert len(used) > 50
    unknown = {name: pages for name, pages in used.items() if name not in known and not TESTS.fullmatch(name)}
    assert unknown.keys() - MADE_UP == set(), unknown


@pytest.mark.parametrize("name", ["switch_delay_s", "hop_latency_us", "bandwith_bytes_per_s"])
def test_a_name_that_nothing_has_is_found(name):
    assert QUANTITY.findall(f"with {name}, {name} = 3") == [name, name]
    assert name not in _quantities()


def test_an_option_that_nothing_has_is_found():
    assert OPTION.findall("netloom hops --colective x") == ["--colective"]
    assert "--colective" not in _options()
    assert "--collective" in _options()
