"""The registries as pages: parameters, example and source of each name."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from .. import plugin
from ..base import files
from ..base.registries import catalogue
from . import machines
from .markdown import cell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..base.records import Param, Row
    from ..plugin.rung import Rung

#: Page, its heading, the text below it, and the registries on it with their own headings.
PAGES: dict[str, tuple[str, str, tuple[tuple[str, str], ...]]] = {
    "topologies.md": (
        "Topologies: the calls",
        "Formulas, limits and references: [a page per topology](../topologies/index.md). The same call stands in a\n"
        'study (`network = "torus(8,8,8)"`), on the command line and in Python (`netloom.torus(8, 8, 8)`).',
        (("topologies", ""),),
    ),
    "nodes.md": (
        "Nodes",
        "What is behind an endpoint: levels of sockets, cores or GPUs with a bandwidth and a latency, and NICs.\n"
        "The axis `node` of every evaluation takes one. [What the model does with it](../concepts/node.md).",
        (("nodes", ""),),
    ),
    "routings.md": (
        "Routings",
        'Which paths messages take. `netloom.network(...).routing("dimension-ordered")` gives the paths between two\n'
        "switches and the deadlock check; link loads take a routing by name.",
        (("routings", ""), ("variants", "Variants: how messages choose among the paths")),
    ),
    "switches.md": (
        "Switches",
        "Models of a switch: `netloom throughput --switch`, option `switch` of the evaluator `throughput`.\n"
        "[What they do](../concepts/packets.md).",
        (
            ("switches", ""),
            ("sources", "Sources: when packets are born"),
            ("parallel", "Parallel: how parts of one simulation keep in step"),
        ),
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


GENERATED = (*PAGES, "scenario.md", "steps.md", machines.PAGE)


def render(page: str) -> str:
    """One page of the reference."""
    if page == "scenario.md":
        return _scenario_page()
    if page == "steps.md":
        from ..workload.step_keys import reference

        return f"{STEPS}\n\n{reference()}"
    if page == machines.PAGE:
        return machines.page()
    title, about, registries = PAGES[page]
    note = (
        "Generated from the registry (`python -m netloom.reference.catalogue docs/reference`); a test keeps it current."
    )
    lines = [f"# {title}", "", about, "", note]
    for kind, heading in registries:
        rows = [*catalogue(kind), *(row for row in plugin.rows(kind) if row["source"] == "shipped")]
        if heading:
            lines += ["", f"## {heading}"]
        lines += ["", "| name | what it is | example |", "|---|---|---|"]
        lines += [f"| [`{r['name']}`](#{_anchor(r['name'])}) | {cell(r['summary'])} | `{r['example']}` |" for r in rows]
        for row in rows:
            lines += _entry(row, "###" if heading else "##", _about(kind, row["name"]))
    return "\n".join(lines) + "\n"


def _scenario_page() -> str:
    """The inputs of a scenario and their use by each evaluator."""
    from ..evaluate import ALL
    from ..evaluate.rungs import rungs
    from ..scenario import AXES

    lines = [SCENARIO, "", "## Inputs", "", "| input | option | default | meaning |", "|---|---|---|---|"]
    for axis in AXES:
        flag = f"`{axis.flags[-1]}`" if axis.flags else "-"
        default = "required" if axis.default is None else "-" if axis.default == "" else f"`{axis.default}`"
        lines.append(f"| `{axis.name}` | {flag} | {default} | {cell(axis.help)} |")
    lines += ["", "## Evaluators", "", "| name | what it answers | model |", "|---|---|---|"]
    lines += [f"| [`{row.name}`](#{_anchor(row.name)}) | {cell(row.summary)} | {cell(row.model)} |" for row in ALL]
    lines += ["", "## Rungs", "", RUNGS, "", *rung_table(rungs())]
    for row in ALL:
        used = ", ".join(f"`{axis.name}`" for axis in row.axes)
        lines += ["", f"### {row.name}", "", f"Inputs: {used}.", "", *[f"- {text}" for text in row.assumptions]]
        if row.options:
            lines += ["", "| option | default | meaning |", "|---|---|---|"]
            lines += [f"| `{o.name}` | `{str(o.default).lower()}` | {cell(o.help)} |" for o in row.options]
        lines += ["", "| column | unit | meaning |", "|---|---|---|"]
        lines += [f"| `{c.name}` | {c.unit} | {cell(c.help)} |" for c in row.columns]
        if row.tables:
            lines += ["", "Longer tables: " + ", ".join(f"`{name}`" for name in row.tables) + "."]
    return "\n".join(lines) + "\n"


def rung_table(listed: Sequence[Rung]) -> list[str]:
    """One row per rung, from coarse to fine."""
    from ..evaluate.rungs import model_of

    head = "| rung | what it is | model | `simulate --model` | `compare-models` | number that `map` compares |"
    lines = [head, "|---|---|---|---|---|---|"]
    for one in listed:
        model = f"`{one.model}`" if one.model else "-"
        number = f"{one.number[1]} (`{one.decides}`)" if one.decides else "-"
        cells = (f"`{one.name}`", one.summary, model_of(one), model, one.compared or "-", number)
        lines.append(f"| {' | '.join(map(cell, cells))} |")
    return lines


RUNGS = """Evaluators that answer the same question at different fidelity, from coarse to fine. A plug-in evaluator with
the attribute `rung` is one more in each of these commands."""

STEPS = """# Files of steps

What ranks do one after another and at the same time, on all of them or on groups: a workload in TOML, whose name ends
in `.toml`, or the same keys as plain data for `netloom.steps`. [How to use them](../how-to/groups.md).

A step has exactly one of `workload`, `compute`, `flops`, `barrier`, `steps` and `together`. Limits: 1 MiB of text, 1000
steps, nested 8 deep with loops 4 deep, 2^20 ranks, 2^24 actions of all ranks together. All that is wrong is said at
once, each with file, line and column (`NL-W001` to `NL-W003`).

Generated from the tables (`python -m netloom.reference.catalogue docs/reference`); a test keeps it current."""


SCENARIO = """# Scenarios and evaluators

A scenario holds the inputs of one question: a machine (network, what of it failed, node, routing, costs), and jobs with
their places and workloads. The same names are axes of a study, keyword arguments in Python and keys of a scenario file,
which `netloom evaluate` takes; the commands have them as options. What an evaluator does not know is refused by its
name (`NL-H003`), never left out silently. `node.nics`, `network.p`, `wire.duplex` set one parameter of an input that is
a call or a table of settings: as an axis, a keyword or a key, and with `--set` on the command line.

Generated from the tables (`python -m netloom.reference.catalogue docs/reference`); a test keeps it current."""


def _about(kind: str, name: str) -> list[str]:
    """What the docstring of a class in Python says below its first line."""
    cls = plugin.find(kind, name)
    _, _, rest = (inspect.getdoc(cls) or "").partition("\n\n") if cls is not None else ("", "", "")
    return ["", rest] if rest else []


def _entry(row: Row, level: str, about: list[str]) -> list[str]:
    lines = ["", f"{level} {row['name']}", "", f"`{row['signature']}`", *about]
    if row["aliases"]:
        lines += ["", "Also " + ", ".join(f"`{alias}`" for alias in row["aliases"]) + "."]
    if row["params"]:
        lines += ["", "| parameter | is | default | meaning |", "|---|---|---|---|"]
        lines += [_param(param) for param in row["params"]]
    notes = (("Restrictions", row["restrictions"]), ("Source", "" if about else row["source"]))
    lines += ["", *[f"{word}: {text}" + "\n" for word, text in notes if text]]
    return [line.rstrip("\n") if i == len(lines) - 1 else line for i, line in enumerate(lines)]


def _param(param: Param) -> str:
    default = param["default"]
    shown = "required" if default is None else "-" if default == "" else f"`{default}`"
    return f"| `{param['name']}` | {cell(param['kind'])} | {shown} | {cell(param['help'])} |"


def _anchor(name: str) -> str:
    return "".join(c for c in name.lower().replace(" ", "-") if c.isalnum() or c in "-_")


if __name__ == "__main__":
    for page in GENERATED:
        files.write(Path(sys.argv[1]) / page, render(page).encode())
