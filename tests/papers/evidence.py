"""The tests of this folder, the errata of docs/papers.md, and long lists made short."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from .findings import HERE


def shorten(text: str, limit: int = 220) -> str:
    """The first cases of a long list and the last one."""
    if len(text) <= limit:
        return text
    cases = text.split("; ")
    if len(cases) == 1:
        return text
    last = cases[-1:] if not cases[-1].startswith("...") else []
    kept = cases[:1]
    for case in cases[1:-1]:
        if case == "..." or len("; ".join([*kept, case, "...", *last])) > limit:
            break
        kept.append(case)
    return "; ".join([*kept, "...", *last])


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
    """Rows of the table of errata in docs/papers.md: number, place, printed, used. Later tables may name them again."""
    cells = [
        [c.strip() for c in line.strip("|").split(" | ")] for line in papers.splitlines() if line.startswith("| E")
    ]
    found = [(c[0], c[1], c[2], c[3]) for c in cells if len(c) == 4 and re.fullmatch(r"E\d-\d\d", c[0])]
    return list({row[0]: row for row in reversed(found)}.values())[::-1]


def mentioned(text: str) -> set[str]:
    """Errata that a text names; `E0-08 to E0-12` names all five."""
    found = set(re.findall(r"\bE\d-\d\d\b", text))
    for paper, first, last in re.findall(r"\bE(\d)-(\d\d) to E\1-(\d\d)\b", text):
        found |= {f"E{paper}-{i:02}" for i in range(int(first), int(last) + 1)}
    return found
