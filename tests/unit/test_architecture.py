"""The invariants of ARCHITECTURE.md that a program can check."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MIDDLE = {"netloom-net", "netloom-workload", "netloom-mapping", "netloom-eval", "netloom-optimize", "netloom-formats"}


@pytest.fixture(scope="module")
def packages() -> dict[str, dict[str, object]]:
    command = ["cargo", "metadata", "--format-version", "1", "--no-deps", "--offline"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return {p["name"]: p for p in json.loads(done.stdout)["packages"]}


def _own(package: dict[str, object], kind: str | None) -> set[str]:
    return {d["name"] for d in package["dependencies"] if d["kind"] == kind and d["name"].startswith("netloom-")}


def test_dependencies_point_one_way(packages: dict[str, dict[str, object]]) -> None:
    assert set(packages) == MIDDLE | {"netloom-model", "netloom-py"}
    assert _own(packages["netloom-model"], None) == set()
    for name in MIDDLE:
        assert _own(packages[name], None) == {"netloom-model"}, name
    assert _own(packages["netloom-py"], None) == MIDDLE | {"netloom-model"}


def test_only_eval_optimise_and_formats_use_other_rooms_as_fixtures(packages: dict[str, dict[str, object]]) -> None:
    for name in MIDDLE - {"netloom-eval", "netloom-optimize", "netloom-formats", "netloom-mapping"}:
        assert _own(packages[name], "dev") == set(), name


def test_the_core_never_knows_python_nor_the_world() -> None:
    for source in ROOT.glob("crates/*/src/**/*.rs"):
        if "netloom-py" in source.parts:
            continue
        text = source.read_text()
        code = text.split("#[cfg(test)]")[0] if source.name != "tests.rs" and "tests" not in source.parts else ""
        for word in ("pyo3", "std::fs::", "std::env::", "Instant::now", "SystemTime", "thread_rng", "std::net"):
            assert word not in code, f"{source.relative_to(ROOT)} uses {word}"


def _tracked() -> list[Path]:
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    return [ROOT / name for name in done.stdout.decode().split("\0") if name]


def test_committed_text_names_no_registry_address_or_machine_path() -> None:
    crates_io = r"https://github\.com/rust-lang/crates\.io-index"
    address = re.compile(rf"registry\+(?!{crates_io})|index-url|find-links", re.IGNORECASE)
    # Spelt in two halves so that this file passes its own test.
    paths = re.compile("/" + r"(?:work|root)/[a-z]|/" + r"tmp/[a-z]")
    for path in _tracked():
        exempt = path.suffix in {".png", ".js", ".svg"} or path.name == "Makefile" or path == Path(__file__)
        if exempt or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8")
        assert not address.search(text), path
        assert not paths.search(text), path
