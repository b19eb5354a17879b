"""The cross-check runs under `make peers`, which sets NETLOOM_PEERS, and prints what it compared.

`NETLOOM_PEERS=1` takes small cases, `full` the sizes that `docs/how-to/compare-with-simgrid.md` reports.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks import table

from . import simgrid
from .mpi_libraries import BOTH, OPEN_MPI, Library, missing

ASKED = os.environ.get("NETLOOM_PEERS", "")
IS_FULL = ASKED == "full"

TABLES: dict[str, tuple[tuple[str, ...], list[tuple]]] = {
    "flows": (("flow set", "flows", "sharing", "SimGrid solves", "slowest flow / alone", "largest difference"), []),
    "collectives": (
        (
            "network",
            "ranks",
            "collective",
            "bytes",
            "calibration",
            "duplex",
            "SimGrid, µs",
            "netloom, µs",
            "difference",
            "largest of a rank",
            "against its full update",
        ),
        [],
    ),
    "replay": (("action", "ranks", "calibration", "SimGrid, µs", "netloom, µs", "largest of a rank"), []),
    "OpenSM": (
        (
            "network",
            "routing",
            "all to all: messages on a link",
            "worst shift: the same",
            "free of deadlock on one lane",
        ),
        [],
    ),
    "traces": (("trace", "calibration", "SimGrid, µs", "netloom, µs", "difference"), []),
}


@pytest.fixture(scope="session")
def peer() -> None:
    """SimGrid is here; otherwise the test is skipped with the reason, or fails where the check was asked for."""
    if not ASKED:
        pytest.skip("the cross-check with SimGrid is run by `make peers`")
    reason = simgrid.missing()
    if reason is not None:
        pytest.fail(reason)


def _here(library: Library) -> Library:
    if reason := missing(library):
        pytest.fail(reason)
    return library


@pytest.fixture(params=BOTH, ids=lambda one: one.name)
def library(request: pytest.FixtureRequest) -> Library:
    """Each of the two MPI libraries."""
    return _here(request.param)


@pytest.fixture
def open_mpi() -> Library:
    """The one for what needs no second library."""
    return _here(OPEN_MPI)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("peers")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A process of `pytest -n` gives what it compared to the one that prints; numbers of NumPy do not travel."""
    given = getattr(session.config, "workeroutput", None)
    if given is not None:
        plain = {name: [[as_plain(cell) for cell in row] for row in rows] for name, (_, rows) in TABLES.items()}
        given["peers"] = plain


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    for name, rows in getattr(node, "workeroutput", {}).get("peers", {}).items():
        TABLES[name][1].extend(rows)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for columns, rows in TABLES.values():
        if rows:
            together = sorted(rows, key=lambda row: str(row[0]))
            terminalreporter.write_line("")
            terminalreporter.write_line(table.text(columns, [[as_text(cell) for cell in row] for row in together]))


def as_plain(value: object) -> object:
    return value.item() if isinstance(value, np.generic) else value


def as_text(value: object) -> object:
    """Differences are far below the three digits that a table shows."""
    return f"{value:.1e}" if isinstance(value, float) and 0 < abs(value) < 1e-3 else value
