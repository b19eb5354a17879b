"""Words that users do not read: phrases that no English text has, in docs, help texts and messages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from .owed import settle
from .python_source import PACKAGE, modules, tree
from .rust_source import production
from .test_architecture import CRATES, ROOT

#: What is not said, with what is said in its place.
BANNED = {
    r"the way of an?\b": "the route",
    r"brought to objects": "parsed, read",
    r"is another one now": "changed",
    r"\bhangs? on (?:its|the|an?)\b": "depends on",
    r"\bso\s+many\b": "n",
    r"\bmail that (?:was|were) not true\b": "messages sent too early",
    r"\bbeside\b": "next to, in addition to, compared with",
}
_BANNED = {re.compile(pattern, re.IGNORECASE): instead for pattern, instead in BANNED.items()}


def texts() -> Iterator[tuple[Path, int, str]]:
    """What users see, with file and first line: docs, the README, examples, texts of Python and of the crates."""
    for path in sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.toml")]):
        if "_build" not in path.parts and "jupyter_execute" not in path.parts:
            yield path, 1, path.read_text(encoding="utf-8")
    for path in modules().values():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield path, node.lineno, node.value
    for path in sorted([*PACKAGE.rglob("assets/*.js"), *PACKAGE.rglob("assets/*.html"), *PACKAGE.rglob("*.toml")]):
        yield path, 1, path.read_text(encoding="utf-8")
    for crate in sorted(path.parent for path in CRATES.glob("*/Cargo.toml")):
        for path, code in production(crate, keep_text=True):
            for found in re.finditer(r'"(?:\\.|[^"\\])*"', code):
                yield path, code.count("\n", 0, found.start()) + 1, found[0]


def words() -> dict[str, str]:
    """Every banned phrase as `file: phrase #n`, the n-th of its kind there, with its line and what to say instead."""
    found: dict[str, str] = {}
    for path, first, text in texts():
        for pattern, instead in _BANNED.items():
            for hit in pattern.finditer(text):
                line = first + text.count("\n", 0, hit.start())
                phrase = f"{path.relative_to(ROOT).as_posix()}: {' '.join(hit[0].lower().split())}"
                count = next(n for n in range(1, len(found) + 2) if f"{phrase} #{n}" not in found)
                found[f"{phrase} #{count}"] = f"line {line}: say {instead}"
    return found


def test_users_read_plain_english() -> None:
    found = words()
    settle("words", found, found)
