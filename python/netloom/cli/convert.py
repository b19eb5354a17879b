"""`netloom convert`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..scenario.axes import BY_NAME
from .convert_trace import convert_trace
from .describe_trace import format_of
from .inputs import spelled
from .options import plugins, refused
from .output import note, reader_notes

if TYPE_CHECKING:
    from .._core import Network, Routing

PART = BY_NAME["part"]

EPILOG = """\b
Examples:
  netloom convert platform.xml machine.graphml
  netloom convert 'torus(4,4)' torus.xml --to simgrid
  netloom convert topology.conf - --from slurm --to graph-golf
  netloom convert 'fat_tree(radix=8,levels=2)' tables.csv --routing d-mod-k
  netloom convert planes.txt plane0.txt --to ibnetdiscover --part 0
  netloom convert schedule.goal out.trace --to smpi
"""


@click.command(epilog=EPILOG)
@click.argument("source", metavar="CALL|FILE")
@click.argument("target", metavar="FILE|-")
@click.option("--from", "format_", metavar="FORMAT", help="Format of the source; by default recognised from the file.")
@click.option(*PART.flags, metavar=PART.metavar, help=f"{PART.help[:1].upper()}{PART.help[1:]}.")
@click.option("--to", metavar="FORMAT", help="Format of the target; by default that of its name.")
@click.option("-r", "--routing", metavar="CALL", help="Write the forwarding tables of this routing instead.")
@plugins
def command(
    source: str, target: str, format_: str | None, part: str | None, to: str | None, routing: str | None
) -> None:
    """Read a network file (or build a network) and write it in another format, or a routing's forwarding tables.

    A trace is written as another trace: goal, goal-binary, chakra, smpi-trace.
    """
    if (trace := format_of(source, format_ or "")) is not None:
        convert_trace(source, target, trace, to, {"--part": part is not None, "--routing": routing is not None})
        return
    _convert(source, target, format_, part, to, routing)


def _convert(
    source: str, target: str, format_: str | None, part: str | None, to: str | None, routing: str | None
) -> None:
    from pathlib import Path

    from ..base import files
    from ..base.quantities import counted
    from ..formats.ending import by_ending
    from ..network.lost import lost_notes
    from ..network.tables import with_tables
    from ..plugin import in_core

    wanted = to or by_ending(target, "network" if routing is None else "forwarding")
    network = _read(source, format_, part)
    reader_notes(network)
    made: Network | Routing = network
    notes: list[str] = []
    if routing is not None:
        network = with_tables(network, [routing], Path())
        from ..network.written import written_notes

        made = route = network.routing(network.default_routing if routing == "auto" else in_core(routing))
        notes = written_notes(network, route, wanted)
    data = made.write(wanted)
    if target == "-":
        click.echo(data, nl=False)
    else:
        files.write(target, data)
    again = None if routing is not None else _again(data, target, wanted)
    if again is not None:
        notes = lost_notes(network, again)
    for text in notes:
        note(f"note: {text}")
    if target == "-":
        return
    if again is not None and wanted.startswith("slurm"):
        # Slurm's files hold levels of nodes: several switches may be one there.
        network = again
    parts = {"switch": network.switches, "endpoint": network.endpoints, "cable": network.switch_links}
    note(f"{target}: {', '.join(counted(number, thing) for thing, number in parts.items())}")


def _read(source: str, format_: str | None, part: str | None) -> Network:
    """The network, or the part of it that is asked for."""
    from ..network import network

    if part is not None and not part.strip():
        raise refused("--part", "is empty", "give a value, or leave the option out")
    with spelled({"part": PART.flags[0]}, [source]):
        return network(source, format_, part)


def _again(data: bytes, target: str, wanted: str) -> Network | None:
    """The network that the file holds; None for a format that is only written."""
    from .. import _core
    from ..base.errors import NetloomError

    try:
        return _core.Network.read(data, target, wanted.partition("(")[0])
    except NetloomError as error:
        if any(fault.code == "NL-F017" for fault in error.faults):
            return None
        raise
