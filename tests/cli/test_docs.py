"""Every command and every study that the reference and the how-tos show works as shown."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted([DOCS / "reference" / "cli.md", DOCS / "reference" / "study.md", *(DOCS / "how-to").glob("*.md")])


def blocks(page: Path, language: str) -> list[str]:
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```$", page.read_text(), re.DOTALL | re.MULTILINE)
    return [re.sub(rf"(?m)^{indent}", "", text) for indent, text in found]


def studies(page: Path) -> list[str]:
    return [text for text in blocks(page, "toml") if "[[experiment]]" in text]


def test_pages_are_found() -> None:
    assert sum(len(blocks(page, "console")) for page in PAGES) >= 10
    assert sum(len(studies(page)) for page in PAGES) >= 3


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_and_studies(page: Path, tmp_path: Path) -> None:
    for text in blocks(page, "python"):
        if text.startswith("# mine.py"):
            (tmp_path / "mine.py").write_text(text)
        else:
            done = subprocess.run([sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
    for i, text in enumerate(studies(page)):
        (tmp_path / f"study{i}.toml").write_text(text)
        run(["netloom", "run", f"study{i}.toml", "-o", f"out{i}", "--no-figures", "-q"], tmp_path)
    first = next(iter(studies(page) or studies(DOCS / "reference" / "study.md")))
    (tmp_path / "study.toml").write_text(first)
    for block in blocks(page, "console"):
        for line in block.splitlines():
            assert line.startswith("$ netloom "), line
            run(shlex.split(line.removeprefix("$ ")), tmp_path)


def run(words: list[str], folder: Path) -> None:
    command = [sys.executable, "-m", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, (words, done.stderr)
