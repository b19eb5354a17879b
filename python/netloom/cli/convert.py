"""`netloom convert`."""

from __future__ import annotations

from pathlib import Path

import click

from .options import plugins
from .output import note

EPILOG = """\b
Examples:
  netloom convert platform.xml machine.graphml
  netloom convert 'torus(4,4)' torus.xml --to simgrid
  netloom convert topology.conf - --from slurm --to graph-golf
"""


@click.command(epilog=EPILOG)
@click.argument("source", metavar="CALL|FILE")
@click.argument("target", metavar="FILE|-")
@click.option("--from", "format_", metavar="FORMAT", help="Format of the source; told from it by default.")
@click.option("--to", metavar="FORMAT", help="Format of the target; told from its name by default.")
@plugins
def command(source: str, target: str, format_: str | None, to: str | None) -> None:
    """Read a network file (or build a network) and write it in another format."""
    from .. import api, files

    wanted = to or by_name(target)
    network = api.network(source, format_)
    data = network.write(wanted)
    if target == "-":
        click.echo(data, nl=False)
        return
    files.write(target, data)
    note(f"{target}: {network.switches} switches, {network.endpoints} endpoints, {network.switch_links} cables")


def by_name(target: str) -> str:
    """The format whose extension the file name has.

    Raises
    ------
    NetloomError
        `NL-X014` if none or several have it.
    """
    from ..errors import Fault, NetloomError
    from ..registries import catalogue

    rows = catalogue("formats")
    suffix = Path(target).suffix.lstrip(".").lower()
    fitting = [row["name"] for row in rows if suffix and suffix in [e.lstrip(".") for e in row.get("extensions", [])]]
    if len(fitting) == 1:
        return str(fitting[0])
    names = ", ".join(str(name) for name in fitting or [row["name"] for row in rows])
    sentence = "several formats have this extension" if fitting else "its extension names no format"
    raise NetloomError([Fault("NL-X014", target, sentence, "", f"give --to with one of: {names}")])
