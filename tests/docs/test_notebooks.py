"""The notebooks of the docs run as they are, and print what they show."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from .pages import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
#: In a process of its own: what a kernel warns of is no business of this one.
EXECUTE = """
import sys, nbformat
from nbclient import NotebookClient
book = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(book, timeout=200, kernel_name="python3", resources={"metadata": {"path": sys.argv[2]}}).execute()
nbformat.write(book, sys.argv[3])
"""


def printed(path: Path) -> list[list[str]]:
    """Per cell what it printed and returned; of a picture that there is one."""
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    return [
        [
            "picture" if "image/png" in output.get("data", {}) else output.get("text") or output["data"]["text/plain"]
            for output in cell.outputs
        ]
        for cell in cells
    ]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_prints_what_it_shows(notebook: Path, tmp_path: Path) -> None:
    made = tmp_path / "made.ipynb"
    command = [sys.executable, "-c", EXECUTE, str(notebook), str(tmp_path), str(made)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert printed(made) == printed(notebook)
    assert "picture" in [one for cell in printed(notebook) for one in cell]


def test_there_are_three_of_them_and_the_docs_list_them() -> None:
    listed = (ROOT / "docs" / "index.md").read_text()
    assert len(NOTEBOOKS) == 3 and all(f"notebooks/{path.stem}" in listed for path in NOTEBOOKS)
    assert sum(path.stat().st_size for path in NOTEBOOKS) < 400_000
