"""`netloom list`."""

from __future__ import annotations

from collections import Counter
from textwrap import shorten
from typing import TYPE_CHECKING

import click

from .options import as_json, machines, plugins
from .output import columns_wide, emit_json, emit_table, lines_high, say

if TYPE_CHECKING:
    from ..base.records import Row

EPILOG = """\b
Examples:
  netloom list
  netloom list topologies
  netloom list allreduce
  netloom list two-opt
"""


@click.command(epilog=EPILOG)
@click.argument("what", required=False, metavar="[KIND|COLLECTIVE|NAME]")
@machines
@plugins
@as_json
def command(what: str | None, json_: bool) -> None:
    """List kinds, the entries of a kind, the algorithms of a collective, or the details of one entry."""
    from .. import plugin
    from ..base.registries import KINDS, catalogue

    rows: dict[str, list[Row]] = {kind: [*catalogue(kind), *plugin.rows(kind)] for kind in KINDS if kind != "errors"}
    if what is None:
        if json_:
            emit_json(rows)
        else:
            emit_table(["kind", "names"], [[kind, _names(kind, found)] for kind, found in rows.items()])
        return
    listed = rows.get(what) or _of_collective(what, rows["collectives"])
    if not listed:
        _one(what, rows, json_)
    elif json_:
        emit_json(listed)
    elif lines_high():
        # One line each; `netloom list NAME` has the rest.
        wide = max(len(row["name"]) for row in listed)
        for row in listed:
            summary = shorten(row["summary"], max(columns_wide() - wide - 2, 20), placeholder=" ...")
            click.echo(f"{row['name']:<{wide}}  {summary}")
    else:
        emit_table(["name", "example", "summary"], [[r["name"], r["example"], r["summary"]] for r in listed])


def _names(kind: str, rows: list[Row]) -> str:
    """All of them; of collectives how many algorithms each has, which `netloom list broadcast` lists."""
    if kind != "collectives":
        return ", ".join(row["name"] for row in rows)
    counts = Counter(row["name"].partition(":")[0] for row in rows)
    return ", ".join(f"{name} ({count})" for name, count in counts.items())


def _of_collective(name: str, rows: list[Row]) -> list[Row]:
    """The algorithms of a collective given without an algorithm."""
    wanted = {"bcast": "broadcast"}.get(name, name).replace("_", "-")
    return [row for row in rows if row["name"].partition(":")[0] == wanted]


def _one(name: str, rows: dict[str, list[Row]], json_: bool) -> None:
    from ..base.errors import Fault, NetloomError
    from ..base.nearest import did_you_mean

    wanted = name.partition("(")[0].replace("_", "-")
    found = [
        (kind, row)
        for kind, group in rows.items()
        for row in group
        if any(wanted == other.replace("_", "-") for other in (row["name"], *row["aliases"]))
    ]
    if not found:
        names = [*rows, *(row["name"] for group in rows.values() for row in group)]
        fault = Fault("NL-A002", "list", f'nothing is called "{name}"', "", did_you_mean(name, names, "kinds"))
        raise NetloomError([fault])
    if json_:
        emit_json([{"kind": kind, **row} for kind, row in found])
        return
    for _, row in found:
        say(row.get("signature", row["name"]), 4)
        say(f"  {row['summary']}", 2)
        for param in row.get("params", []):
            default = "" if param["default"] in (None, "") else f", default {param['default']}"
            say(f"  {param['name']}: {param['kind']}{default}", 6)
            say(f"      {param['help']}", 6)
        for key, text in row.items():
            if key in ("restrictions", "source", "example") and text:
                say(f"  {key}: {text}", 6)
