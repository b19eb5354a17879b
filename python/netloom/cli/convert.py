"""`netloom convert`."""

from __future__ import annotations

from typing import Literal

import click

from .options import plugins
from .output import note, reader_notes

EPILOG = """\b
Examples:
  netloom convert platform.xml machine.graphml
  netloom convert 'torus(4,4)' torus.xml --to simgrid
  netloom convert topology.conf - --from slurm --to graph-golf
  netloom convert 'fat_tree(radix=8,levels=2)' tables.csv --routing d-mod-k
"""


@click.command(epilog=EPILOG)
@click.argument("source", metavar="CALL|FILE")
@click.argument("target", metavar="FILE|-")
@click.option("--from", "format_", metavar="FORMAT", help="Format of the source; told from it by default.")
@click.option("--to", metavar="FORMAT", help="Format of the target; told from its name by default.")
@click.option("-r", "--routing", metavar="CALL", help="Write the forwarding tables of this routing instead.")
@plugins
def command(source: str, target: str, format_: str | None, to: str | None, routing: str | None) -> None:
    """Read a network file (or build a network) and write it in another format, or a routing's forwarding tables."""
    from pathlib import Path

    from ..base import files
    from ..base.quantities import counted
    from ..network import network as network_of
    from ..network.tables import with_tables

    wanted = to or by_name(target, "network" if routing is None else "forwarding")
    network = network_of(source, format_)
    reader_notes(network)
    if routing is None:
        data = network.write(wanted)
    else:
        network = with_tables(network, [routing], Path())
        data = network.routing(network.default_routing if routing == "auto" else routing).write(wanted)
    if target == "-":
        click.echo(data, nl=False)
        return
    files.write(target, data)
    parts = {"switch": network.switches, "endpoint": network.endpoints, "cable": network.switch_links}
    note(f"{target}: {', '.join(counted(number, thing) for thing, number in parts.items())}")


def by_name(target: str, holds: Literal["network", "forwarding"] = "network") -> str:
    """The format, among those for what a file `holds`, that has the file name's extension.

    Raises
    ------
    NetloomError
        `NL-X014` if none has it.
    """
    from .. import _core
    from ..base.errors import Fault, NetloomError

    found = _core.detect_format(target, b"", holds)
    if found is None:
        hint = f"give --to with a {holds} format of netloom list formats"
        raise NetloomError([Fault("NL-X014", target, f"its extension names no {holds} format", "", hint)])
    return found
