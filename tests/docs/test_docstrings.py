"""Examples in docstrings print what they show: every function that people script with has one."""

from __future__ import annotations

import doctest
import inspect
from importlib import import_module
from pathlib import Path

import pytest

import netloom

from .pages import ROOT

PACKAGE = ROOT / "python" / "netloom"
#: Modules with an example.
MODULES = sorted(
    ".".join(("netloom", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
    for path in PACKAGE.rglob("*.py")
    if ">>> " in path.read_text()
)
#: Public names without an example of their own: what they are is shown where they are made or used.
SHOWN_ELSEWHERE = {
    *("Answer", "Calibration", "Fault", "Job", "NetloomError", "Network", "PlacedJob", "Programs", "Routing"),
    *("Schedule", "Sends", "Traffic", "limit_memory", "register", "simulate_flows", "steps", "programs"),
}


@pytest.mark.parametrize("module", MODULES)
def test_examples_print_what_they_show(module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = doctest.testmod(import_module(module), optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert found.failed == 0 and found.attempted > 0


def test_the_public_api_has_examples() -> None:
    without = {name for name in netloom.__all__ if ">>> " not in (inspect.getdoc(getattr(netloom, name)) or "")}
    assert without == SHOWN_ELSEWHERE
