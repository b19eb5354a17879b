"""What the results of the studies and the tests of this folder say about each statement of the papers."""

from __future__ import annotations

import ast
import csv
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from netloom.results import Column, Table
from netloom.study.claims import Finding, margin, number
from netloom.study.schema import Claim, Query
from netloom.study.tables import relate

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Row:
    """One statement: what the paper has, what came out, and the verdict with its reason."""

    id: str
    says: str
    source: str
    printed: str
    ours: str
    verdict: str
    reason: str
    exact: bool


def read_table(path: Path) -> Table:
    """A result table; numbers as numbers, empty fields as unknown."""
    if not path.is_file():
        return Table(path.stem, [])
    with path.open(newline="", encoding="utf-8") as stream:
        reader = csv.DictReader(stream)
        rows = [{name: _cell(text) for name, text in row.items()} for row in reader]
    return Table(path.stem, [Column(name) for name in reader.fieldnames or []], rows)


def _cell(text: str) -> str | int | float | None:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text or None


def row_of(claim: Claim, finding: dict[str, Any], table: Table) -> Row:
    """One claim beside its finding; the range is over the values of the axis `seed`."""
    ours = shorten(finding["got"])
    spread = over_networks(claim, table)
    if spread is not None and spread[0] != spread[1]:
        ours += f" ({number(spread[0])} to {number(spread[1])})"
    printed = finding["expected"] if claim.expected is not None and not claim.to else relation(claim, finding)
    exact = claim.expected is not None and margin(claim) == 0
    return Row(
        claim.id,
        claim.says,
        claim.source,
        printed,
        ours,
        finding["verdict"],
        finding["known_refutation"] if finding["verdict"] == "refuted" else "",
        exact,
    )


def relation(claim: Claim, finding: dict[str, Any]) -> str:
    """The expected relation, shortened where the statement says it already."""
    return finding["expected"] if claim.expected is not None or claim.along else f"`{finding['expected']}`"


def shorten(text: str, limit: int = 220) -> str:
    """The first cases of a long list and the last one."""
    if len(text) <= limit:
        return text
    cases = text.split("; ")
    last = cases[-1:] if not cases[-1].startswith("...") else []
    kept = cases[:1]
    for case in cases[1:-1]:
        if case == "..." or len("; ".join([*kept, case, "...", *last])) > limit:
            break
        kept.append(case)
    return "; ".join([*kept, "...", *last])


def over_networks(claim: Claim, table: Table) -> tuple[float, float] | None:
    """Smallest and largest value of a single number over the seeds; None for orders, groups and single runs."""
    if claim.expected is None or claim.each or claim.of.aggregate != "median" or "seed" not in table.names():
        return None
    values: list[float] = []
    for _, rows in table.groups(["seed"]):
        value = rows.where(claim.of.where).aggregate(claim.of.column)
        if claim.as_ != "value" and isinstance(claim.to, Query):
            other = rows.where(claim.of.where | claim.to.where).aggregate(claim.to.column or claim.of.column)
            value = relate(claim.as_, value, other)
        if value is not None:
            values.append(value)
    return (min(values), max(values)) if len(values) > 1 else None


@dataclass(frozen=True)
class Check:
    """A test of this folder: its place, its name and what its docstring says."""

    page: str
    name: str
    says: str
    text: str


def checks() -> list[Check]:
    """All tests below this folder, in order of file and line."""
    found = []
    for path in sorted(HERE.glob("*/test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        lines = path.read_text(encoding="utf-8").splitlines()
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                says = (ast.get_docstring(node) or "").partition("\n\n")[0].replace("\n", " ")
                text = "\n".join(lines[node.lineno - 1 : node.end_lineno])
                found.append(Check(path.relative_to(HERE).as_posix(), node.name, says, text))
    return found


def errata(papers: str) -> list[tuple[str, str, str, str]]:
    """Rows of the table of errata in docs/papers.md: number, place, printed, used."""
    cells = [
        [c.strip() for c in line.strip("|").split(" | ")] for line in papers.splitlines() if line.startswith("| E")
    ]
    return [(c[0], c[1], c[2], c[3]) for c in cells if len(c) == 4 and re.fullmatch(r"E\d-\d\d", c[0])]


__all__ = ["Check", "Finding", "Row", "checks", "errata", "over_networks", "read_table", "row_of", "shorten"]
