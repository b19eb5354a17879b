"""`netloom node`."""

from __future__ import annotations

import click

from .inputs import spelled
from .options import as_json
from .output import emit_json, note

EPILOG = """\b
Examples:
  netloom node host
  netloom node lstopo.xml --keep sockets,cores
  netloom node 16,2,16 --insert caches=4
  scontrol show node > nodes.txt; netloom node nodes.txt --nodes 'cn[081-240]'
  netloom node 'package:2 numa:4 l3:2 core:8 pu:1'
  netloom loads -n 'torus(4,4)' -t 'stencil(8,16)' --node "$(netloom node 1,2,4)"
"""


@click.command(epilog=EPILOG)
@click.argument("source", metavar="FILE|LEVELS|host")
@click.option(
    "--keep", metavar="LEVELS", multiple=True, help="Levels to keep, such as sockets,cores; the others are merged."
)
@click.option(
    "--insert",
    metavar="LEVEL=N",
    multiple=True,
    help="Add a level, such as caches=4: each unit around it is split into 4.",
)
@click.option("--nodes", metavar="LIST", help="With scontrol show node: which nodes, where they differ.")
@as_json
def command(source: str, keep: tuple[str, ...], insert: tuple[str, ...], nodes: str | None, json_: bool) -> None:
    """Describe a node as `--node` takes it: from what lstopo, scontrol show node or NCCL writes, or the running host.

    A synthetic string and counts are taken too.
    """
    from ..network.hierarchy import node_of

    with spelled({"node.keep": "--keep", "node.insert": "--insert"}):
        found = node_of(source, ",".join(keep) or None, ",".join(insert) or None, nodes)
    if json_:
        emit_json(found)
        return
    for text in found["notes"]:
        note(f"note: {text}")
    click.echo(found["node"])
