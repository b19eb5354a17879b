"""The registries as pages: what each named thing takes, its example and its source."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from . import files
from .registries import catalogue

Row = dict[str, Any]

#: Page, its heading, what stands below it, and the registries on it with their own headings.
PAGES: dict[str, tuple[str, str, tuple[tuple[str, str], ...]]] = {
    "topologies.md": (
        "Topologies: the calls",
        "Formulas, limits and references: [a page per topology](../topologies/index.md). The same call stands in a\n"
        'study (`network = "torus(8,8,8)"`), on the command line and in Python (`netloom.torus(8, 8, 8)`).',
        (("topologies", ""),),
    ),
    "routings.md": (
        "Routings",
        'Which paths messages take. `netloom.network(...).routing("dimension-ordered")` gives the paths between two\n'
        "switches and the deadlock check; link loads take a routing by name.",
        (("routings", ""),),
    ),
    "mapping.md": (
        "Placements and orders",
        "A placement says which endpoints a job gets, an order which rank sits on which of them.",
        (("placements", "Placements"), ("orders", "Orders")),
    ),
    "applications.md": (
        "Applications",
        "Programs whose messages and computation follow from a problem size: [what is exact and what is\n"
        "modelled](../concepts/applications.md). `netloom simulate -a`, `netloom hops -a` and\n"
        "`netloom.application` take them.",
        (("applications", ""),),
    ),
    "optimisers.md": (
        "Optimisers and objectives",
        "An optimiser improves a mapping, an objective says what is made small. `netloom map --optimise`, the `order`\n"
        "axis of a study and `netloom.map_ranks` take them.",
        (("optimisers", "Optimisers"), ("objectives", "Objectives")),
    ),
}


def render(page: str) -> str:
    """One page of the reference."""
    title, about, registries = PAGES[page]
    note = (
        "Generated from the registry (`python -m netloom.catalogue_reference docs/reference`); a test keeps it current."
    )
    lines = [f"# {title}", "", about, "", note]
    for kind, heading in registries:
        rows = catalogue(kind)
        if heading:
            lines += ["", f"## {heading}"]
        lines += ["", "| name | what it is | example |", "|---|---|---|"]
        lines += [
            f"| [`{r['name']}`](#{_anchor(r['name'])}) | {_cell(r['summary'])} | `{r['example']}` |" for r in rows
        ]
        for row in rows:
            lines += _entry(row, "###" if heading else "##")
    return "\n".join(lines) + "\n"


def _entry(row: Row, level: str) -> list[str]:
    lines = ["", f"{level} {row['name']}", "", f"`{row['signature']}`"]
    if row["aliases"]:
        lines += ["", "Also " + ", ".join(f"`{alias}`" for alias in row["aliases"]) + "."]
    if row["params"]:
        lines += ["", "| parameter | is | default | meaning |", "|---|---|---|---|"]
        lines += [_param(param) for param in row["params"]]
    lines += ["", *[f"{word}: {row[key]}" + "\n" for word, key in _NOTES if row[key]]]
    return [line.rstrip("\n") if i == len(lines) - 1 else line for i, line in enumerate(lines)]


_NOTES = (("Restrictions", "restrictions"), ("Source", "source"))


def _param(param: Row) -> str:
    default = param["default"]
    shown = "required" if default is None else "-" if default == "" else f"`{default}`"
    return f"| `{param['name']}` | {_cell(param['kind'])} | {shown} | {_cell(param['help'])} |"


def _cell(text: str) -> str:
    return " ".join(str(text).replace("|", "\\|").split())


def _anchor(name: str) -> str:
    return "".join(c for c in name.lower().replace(" ", "-") if c.isalnum() or c in "-_")


if __name__ == "__main__":
    for page in PAGES:
        files.write(Path(sys.argv[1]) / page, render(page).encode())
