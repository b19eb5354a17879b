"""The container recipe asks for what the package needs; no container engine runs here."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
RECIPE = (ROOT / "packaging" / "Containerfile").read_text()
#: Python of a Debian release.
DEBIAN = {"bookworm": (3, 11), "trixie": (3, 13)}


def numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(".")))


def test_compiler_and_python_are_new_enough() -> None:
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    rust, release = re.findall(r"^FROM \S+/rust:([\d.]+)-slim-(\w+) AS build$", RECIPE, re.MULTILINE)[0]
    assert numbers(rust) >= numbers(cargo["rust-version"])
    assert DEBIAN[release] >= numbers(project["requires-python"].removeprefix(">="))
    # The virtual environment is copied: it runs on the Python that made it.
    assert re.findall(r"^FROM \S+/debian:(\w+)-slim$", RECIPE, re.MULTILINE) == [release]


def test_it_installs_and_starts_what_there_is() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (extra,) = re.findall(r"/source\[(\w+)\]", RECIPE)
    assert extra in project["optional-dependencies"]
    assert re.findall(r'^ENTRYPOINT \["(\w+)"\]$', RECIPE, re.MULTILINE)[0] in project["scripts"]
    assert RECIPE.index("USER netloom") < RECIPE.index("ENTRYPOINT")


def test_what_is_built_here_stays_here() -> None:
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {"target", ".venv", "out"} <= {name.strip("/") for name in ignored}
