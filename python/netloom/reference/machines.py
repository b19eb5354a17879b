"""The shipped machines as a page: each value with how it is known, and how well predictions were found to hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..machine import load
from ..machine.presets import shipped
from .markdown import cell

if TYPE_CHECKING:
    from ..machine import Machine

PAGE = "shipped-machines.md"
HEAD = """# Shipped machines

What `--machine NAME` stands for: every value, how it is known, and its source. *Measured* means on this machine, *data
sheet* is of the vendor or the site, or arithmetic on their figures; *assumed* is everything else, and the source says
what it stands on. [What a machine's file may say](machines.md), [how to describe your own](../how-to/add-a-machine.md).

Generated from the files (`python -m netloom.reference.catalogue docs/reference`); a test keeps it current."""


def page() -> str:
    """All machines in one table, then the values of each."""
    machines = [load(name) for name in shipped()]
    lines = [
        HEAD,
        "",
        "| name | what it is | measured | data sheet | assumed | predictions |",
        "|---|---|---|---|---|---|",
    ]
    lines += [_row(one) for one in machines]
    for one in machines:
        lines += ["", f"## {one.name}", "", f"{one.title}. {one.summary}", "", f"Source: {one.source}, {one.date}."]
        lines += ["", "| value | is | kind | source |", "|---|---|---|---|"]
        lines += [
            f"| `{name}` | `{cell(known.value)}` | {known.kind} | {cell(known.source)} |"
            for name, known in one.values.items()
        ]
    return "\n".join(lines) + "\n"


def _row(one: Machine) -> str:
    kinds = [known.kind for known in one.values.values()]
    counts = " | ".join(str(kinds.count(kind)) for kind in ("measured", "data sheet", "assumed"))
    return f"| [`{one.name}`](#{one.name}) | {cell(one.summary)} | {counts} | {_found(one)} |"


def _found(one: Machine) -> str:
    found = one.validated
    if found is None:
        return "never held against measurements"
    median, p90 = (f"{100 * share:.0f} %" for share in (found.median, found.p90))
    return f"{median} median error, 90 % below {p90}, {found.measurements} measurements"
