"""The error catalogue as a page: every code of the core and of the package, with cause and action."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from ..base import files
from ..base.registries import catalogue

#: Python modules that raise codes of their own, each with a `CODES` list of (code, title, cause, action).
HOMES = (
    "netloom.base.codes",
    "netloom.base.files",
    "netloom.cost.codes",
    "netloom.design.codes",
    "netloom.explore.codes",
    "netloom.jobs.codes",
    "netloom.library.codes",
    "netloom.machine.codes",
    "netloom.measured.codes",
    "netloom.mpi.codes",
    "netloom.mpi.micro.codes",
    "netloom.mpi.schedules.codes",
    "netloom.plot.codes",
    "netloom.plugin",
    "netloom.report.codes",
    "netloom.scenario.codes",
    "netloom.study.codes",
    "netloom.training.codes",
    "netloom.learning.codes",
    "netloom.tuning.codes",
    "netloom.validation.codes",
    "netloom.whatif.codes",
    "netloom.workload.codes",
    "netloom.workload.traces.netloom_record.codes",
)

ROOMS = {
    "A": "Arguments and call text",
    "N": "Networks and metrics",
    "T": "Topologies",
    "R": "Routing",
    "C": "Collectives and schedules",
    "P": "Traffic patterns",
    "M": "Mappings, placements and orders",
    "E": "Evaluation",
    "O": "Optimisers and objectives",
    "F": "File formats",
    "S": "Studies",
    "K": "Cost",
    "L": "Machines and calibrations",
    "V": "Validation",
    "B": "Measurements of benchmarks",
    "D": "Decisions of libraries and tuning tables",
    "J": "Jobs and allocations",
    "G": "Plug-ins",
    "H": "Scenarios",
    "W": "Files of steps",
    "I": "MPI programs and processes",
    "Y": "Training steps",
    "U": "What-if questions",
    "Z": "Design of networks",
    "Q": "Learning",
    "X": "Files and environment",
}

Row = tuple[str, str, str, str]


def all_rows() -> list[Row]:
    """All codes, by room and number."""
    rows: list[Row] = [(r["code"], r["title"], r["cause"], r["action"]) for r in catalogue("errors")]
    for home in HOMES:
        try:
            module = import_module(home)
        except ModuleNotFoundError:
            continue
        rows += [tuple(row) for row in getattr(module, "CODES", [])]
    order = list(ROOMS)
    return sorted(rows, key=lambda row: (order.index(row[0][3]), row[0]))


def render() -> str:
    """The page."""
    lines = [
        "# Error codes",
        "",
        "Bad input gets one line that names the place, the value and what was expected, a hint, and exit code 2.",
        "All faults of one input are reported together. This page is generated from the code:",
        "`python -m netloom.reference.errors docs/reference/errors.md`.",
    ]
    room = ""
    for code, title, cause, action in all_rows():
        if code[3] != room:
            room = code[3]
            lines += ["", f"## {ROOMS[room]}", "", "| code | what | why | what to do |", "|---|---|---|---|"]
        cells = (text.replace("|", "\\|") for text in (title, cause, action))
        lines.append(f"| `{code}` | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    files.write(Path(sys.argv[1]), render().encode())
