"""The generated pages are current, and everything that has a name or a code is found in the documentation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import netloom
from netloom.base.registries import KINDS
from netloom.cli.app import COMMANDS
from netloom.evaluate import ALL
from netloom.reference.catalogue import GENERATED, render

from .pages import ROOT

REFERENCE = ROOT / "docs" / "reference"


@pytest.mark.parametrize("page", GENERATED)
def test_generated_pages_are_current(page: str) -> None:
    assert (REFERENCE / page).read_text() == render(page), "python -m netloom.reference.catalogue docs/reference"


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "errors"])
def test_everything_with_a_name_is_in_the_reference(kind: str) -> None:
    text = "\n".join(path.read_text() for path in REFERENCE.glob("*.md"))
    assert [row["name"] for row in netloom.catalogue(kind) if f"`{row['name']}" not in text] == []


def test_every_evaluator_is_named_in_the_page_of_study_files() -> None:
    page = (REFERENCE / "study.md").read_text()
    section = page.partition("### Evaluators and their axes")[2].partition("\n### ")[0]
    assert [row.name for row in ALL if f"`{row.name}`" not in section] == []


def test_every_command_has_its_section() -> None:
    headings = re.findall(r"(?m)^## (.*)$", (REFERENCE / "cli.md").read_text())
    assert sorted(COMMANDS) == sorted(name for heading in headings for name in heading.split(", ") if name in COMMANDS)


def test_every_topology_has_its_page() -> None:
    pages = {path.stem for path in (ROOT / "docs" / "topologies").glob("*.md")} - {"index"}
    assert pages == {row["name"] for row in netloom.catalogue("topologies")}


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_the_number_of_topologies_is_said_right(page: str) -> None:
    said = re.findall(r"\b(\d+) topologies", (ROOT / page).read_text())
    assert said == [str(len(netloom.catalogue("topologies")))]


def test_links_lead_somewhere() -> None:
    broken = []
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        if "_build" in page.parts:
            continue
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text()):
            if "://" not in target and not (page.parent / target).exists():
                broken.append(f"{page.relative_to(ROOT)}: {target}")
    assert broken == []


def test_every_page_is_in_a_table_of_contents() -> None:
    listed: set[Path] = set()
    for page in (ROOT / "docs").rglob("index.md"):
        text = page.read_text()
        for block in re.findall(r"```\{toctree\}\n(.*?)```", text, re.DOTALL):
            for line in block.splitlines():
                if line and not line.startswith(":"):
                    listed |= set(page.parent.glob(line + ".md"))
    pages = {p for p in (ROOT / "docs").rglob("*.md") if "_build" not in p.parts} - {ROOT / "docs" / "index.md"}
    assert {p.relative_to(ROOT) for p in pages - listed} == set()


def test_every_erratum_that_is_named_is_explained() -> None:
    explained = set(re.findall(r"\| (E\d-\d\d) \|", (ROOT / "docs" / "papers.md").read_text()))
    named = set()
    for folder, suffix in (("crates", "rs"), ("python", "py"), ("docs", "md"), ("examples", "toml")):
        for path in (ROOT / folder).rglob(f"*.{suffix}"):
            named |= set(re.findall(r"\bE\d-\d\d\b", path.read_text()))
    assert named <= explained
