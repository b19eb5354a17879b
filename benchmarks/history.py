"""Speeds over time: one file a commit in `benchmarks/history/`, committed with what it measures."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from benchmarks import table
from benchmarks.measure import ROOT

FOLDER = ROOT / "benchmarks" / "history"


def keep(measured: dict[str, Any], folder: Path = FOLDER) -> Path:
    """Write the measures of the commit that is checked out, as `DATE-COMMIT.json`; a second run replaces the first.

    `changed` in the file is true where the tree has changes that are not committed: the numbers are then of no commit.
    """
    date, commit = _git("log", "-1", "--format=%cs %h").split()
    changed = bool(_git("status", "--porcelain", "--untracked-files=no"))
    folder.mkdir(exist_ok=True)
    path = folder / f"{date}-{commit}.json"
    table.write_json(str(path), {"commit": commit, "date": date, "changed": changed, **measured})
    return path


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
