"""The invariants of ARCHITECTURE.md that a program can check."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

from .rust_source import production

ROOT = Path(__file__).resolve().parents[2]
CRATES = ROOT / "crates"
BINDING = "netloom-py"
# Files, environment, other machines and processes, what prints, and random numbers that no seed decides.
WORLD = (
    r"\bstd\s*::\s*(\{[^;]*\b)?(fs|env|net|process|io)\b|\bRandomState\b|\bOsRng\b|\bgetrandom\b|\bthread_rng\b|\brand::rng\b"
    r"|\be?print(ln)?!|\boption_env!|\bavailable_parallelism\b|\bthread::current\b"
)
CLOCK = r"\bInstant\b|\bSystemTime\b|\bUNIX_EPOCH\b"
# How a file starts that a program wrote: nobody reads it from top to bottom.
GENERATED = '"""Generated from '
# Every middle crate, and the other ones of the middle that it may use.
MIDDLE: dict[str, set[str]] = {
    "netloom-net": set(),
    "netloom-workload": set(),
    "netloom-mapping": set(),
    "netloom-formats": set(),
    "netloom-optimize": set(),
    "netloom-ranks": set(),
    "netloom-loads": set(),
    "netloom-flow": {"netloom-ranks", "netloom-loads"},
    "netloom-packet": {"netloom-ranks", "netloom-loads"},
}
# Crates whose tests need nothing of other rooms.
ALONE = {"netloom-net", "netloom-workload"}


@pytest.fixture(scope="module")
def packages() -> dict[str, dict[str, object]]:
    command = ["cargo", "metadata", "--format-version", "1", "--no-deps", "--offline"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return {p["name"]: p for p in json.loads(done.stdout)["packages"]}


def _own(package: dict[str, object], kind: str | None) -> set[str]:
    return {d["name"] for d in package["dependencies"] if d["kind"] == kind and d["name"].startswith("netloom")}


def test_dependencies_point_one_way(packages: dict[str, dict[str, object]]) -> None:
    assert set(packages) == set(MIDDLE) | {"netloom-model", "netloom", "netloom-py"}
    assert _own(packages["netloom-model"], None) == set()
    for name, others in MIDDLE.items():
        assert _own(packages[name], None) == {"netloom-model"} | others, name
    assert _own(packages["netloom"], None) == set(MIDDLE) | {"netloom-model"}
    assert _own(packages["netloom-py"], None) == set(MIDDLE) - {"netloom-ranks", "netloom-loads"} | {
        "netloom-model",
        "netloom",
    }


def test_networks_and_workloads_need_no_other_room_as_fixture(packages: dict[str, dict[str, object]]) -> None:
    for name in ALONE:
        assert _own(packages[name], "dev") == set(), name


def test_no_crate_loosens_the_lints_against_panics(packages: dict[str, dict[str, object]]) -> None:
    workspace = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["lints"]["clippy"]
    assert {"unwrap_used", "panic", "todo", "unimplemented", "dbg_macro"} <= {
        k for k, v in workspace.items() if v == "deny"
    }
    for name in packages:
        assert tomllib.loads((CRATES / name / "Cargo.toml").read_text())["lints"] == {"workspace": True}, name
    allowed = r"allow\s*\(\s*clippy::(unwrap_used|panic|todo|unimplemented|dbg_macro)"
    assert _found(allowed, packages) == []


def test_the_core_knows_neither_python_nor_the_world(packages: dict[str, dict[str, object]]) -> None:
    assert _found(rf"{WORLD}|{CLOCK}|\b(pyo3|numpy)\b", set(packages) - {BINDING}) == []
    assert _found(WORLD, {BINDING}) == []


def test_the_search_for_the_world_sees_it() -> None:
    for line in (
        "let now = std::time::Instant::now();",
        "use std::{collections::HashMap, fs};",
        "use std::fs::File;",
        'let home = std::env::var("HOME");',
        'println!("{x}");',
        "let mut rng = rand::rng();",
        "use std::hash::RandomState;",
    ):
        assert re.search(f"{WORLD}|{CLOCK}", line), line
    for line in ("use std::sync::{Arc, Mutex};", "let offset = at;", "let environment = 3;", "fn instant() {}"):
        assert not re.search(f"{WORLD}|{CLOCK}", line), line


def test_the_binding_is_made_of_bindings(packages: dict[str, dict[str, object]]) -> None:
    """No library that computes: an algorithm in the binding would need threads, random numbers or a graph."""
    others = {d["name"] for d in packages[BINDING]["dependencies"]} - set(packages)
    assert others == {"pyo3", "numpy", "toml"}


def test_no_file_is_longer_than_400_lines() -> None:
    folders = ("crates/", "python/", "tests/")
    # The stub of the core has an entry for each of its names, and no joint at which it could be cut.
    sources = [p for p in _tracked() if p.suffix in {".rs", ".py"} and p.is_file()]
    lengths = {p.relative_to(ROOT).as_posix(): p.read_text(encoding="utf-8") for p in sources}
    assert {
        name: text.count("\n")
        for name, text in lengths.items()
        if name.startswith(folders) and text.count("\n") > 400 and not text.startswith(GENERATED)
    } == {}


def _found(pattern: str, crates: Iterable[str]) -> list[str]:
    """Every place outside tests where the code of the crates matches, as `path:line: text`."""
    return [
        f"{path.relative_to(ROOT)}:{code.count(chr(10), 0, found.start()) + 1}: {' '.join(found[0].split())}"
        for crate in sorted(crates)
        for path, code in production(CRATES / crate)
        for found in re.finditer(pattern, code)
    ]


def _tracked() -> list[Path]:
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    return [ROOT / name for name in done.stdout.decode().split("\0") if name]


#: Endings of what is no text, or not ours.
BINARY = {".png", ".js", ".svg", ".gz", ".sqlite", ".order"}


def test_committed_text_names_no_registry_address_or_machine_path() -> None:
    crates_io = r"https://github\.com/rust-lang/crates\.io-index"
    address = re.compile(rf"registry\+(?!{crates_io})|index-url|find-links", re.IGNORECASE)
    # Spelt in two halves so that this file passes its own test.
    paths = re.compile("/" + r"(?:work|root)/[a-z]|/" + r"tmp/[a-z]")
    for path in _tracked():
        exempt = path.suffix in BINARY or path.name == "Makefile" or path == Path(__file__)
        if exempt or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        assert not address.search(text), path
        assert not paths.search(text), path
