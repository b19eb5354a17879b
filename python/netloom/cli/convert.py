"""`netloom convert`."""

from __future__ import annotations

import click

from .options import plugins
from .output import note, reader_notes

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
    from ..base import files
    from ..base.quantities import counted
    from ..network import network as network_of

    wanted = to or by_name(target)
    network = network_of(source, format_)
    reader_notes(network)
    data = network.write(wanted)
    if target == "-":
        click.echo(data, nl=False)
        return
    files.write(target, data)
    parts = {"switch": network.switches, "endpoint": network.endpoints, "cable": network.switch_links}
    note(f"{target}: {', '.join(counted(number, thing) for thing, number in parts.items())}")


def by_name(target: str) -> str:
    """The network format whose extension the file name has.

    Raises
    ------
    NetloomError
        `NL-X014` if none has it.
    """
    from .. import _core
    from ..base.errors import Fault, NetloomError

    found = _core.detect_format(target, b"", "network")
    if found is None:
        hint = "give --to with a network format of netloom list formats"
        raise NetloomError([Fault("NL-X014", target, "its extension names no network format", "", hint)])
    return found
