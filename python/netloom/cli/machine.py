"""`netloom machine`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..scenario.axes import BY_NAME
from .inputs import spelled
from .options import as_json, integer, machines, no_progress, refused, require_toml, stop_after, together
from .output import emit_json, note, reader_notes

if TYPE_CHECKING:
    from .._core import Network
    from ..machine import Machine, Measured

PART = BY_NAME["part"]
#: Machines whose software stands in until a machine is measured: MPI on processors, NCCL on GPUs.
LIKE, LIKE_GPUS = "generic-hdr", "dgx-h100"

EPILOG = """\b
Examples:
  netloom machine new ours.toml --fabric ibnetdiscover.txt --hwloc lstopo.xml --title 'Our cluster'
  netloom machine new ours.toml --fabric topology.conf --hwloc host --measured osu_allreduce.csv
  netloom machine new gpus.toml --fabric 'rail_cluster(nodes=16)' --like dgx-h100
"""


@dataclass(frozen=True)
class Fabric:
    """The network, as typed."""

    fabric: str
    format_: str | None
    part: str | None

    def network(self) -> Network:
        """What it stands for."""
        from ..network import network

        with spelled({"part": PART.flags[0]}, [self.fabric]):
            made = network(self.fabric, self.format_, self.part)
        reader_notes(made)
        return made

    def inputs(self) -> dict[str, Measured]:
        """The machine's inputs that say it, a file as one that the site has."""
        given = {"network": self.fabric, "format": self.format_, "part": self.part}
        return {name: _known(value, self.fabric, "data sheet") for name, value in given.items() if value is not None}


@dataclass(frozen=True)
class Inside:
    """The node, as typed."""

    hwloc: str | None
    nics: str | None

    def inputs(self) -> dict[str, Measured]:
        """The machine's input that says it; none if nothing is known of it."""
        from ..network.hierarchy import node_of
        from ..scenario.parameters import with_parameters

        if self.hwloc is None:
            if self.nics is not None:
                raise refused("--nics", "is about a node", "give --hwloc too")
            return {}
        found = node_of(self.hwloc)
        for text in found["notes"]:
            note(f"note: {text}")
        nics = {} if self.nics is None else {"nics": integer("--nics", self.nics, 1)}
        return {"node": _known(str(with_parameters("node", found["node"], nics)), self.hwloc, "measured")}


fabric = together(
    "fabric",
    Fabric,
    click.option("--fabric", required=True, metavar="FILE|CALL", help="The network: a file, or a call."),
    click.option("--from", "format_", metavar="FORMAT", help="Its format; by default recognised from the file."),
    click.option(*PART.flags, metavar=PART.metavar, help=f"{PART.help[:1].upper()}{PART.help[1:]}."),
)
inside = together(
    "inside",
    Inside,
    click.option("--hwloc", metavar="FILE|LEVELS|host", help="The inside of a node, as netloom node takes it."),
    click.option("--nics", metavar="N", help="Endpoints of a node, where the files do not say it."),
)


@click.command(epilog=EPILOG)
@click.argument("what", type=click.Choice(["new"]), metavar="new")
@click.argument("output", metavar="OUT.toml")
@fabric
@inside
@click.option("--title", default="", metavar="TEXT", help="Its name for people.")
@click.option(
    "--like", metavar="NAME|FILE",
    help="Machine whose library, wire and software are assumed.  "
    f"[default: {LIKE}, and {LIKE_GPUS} where nodes have GPUs]",
)  # fmt: skip
@click.option(
    "--measured", multiple=True, metavar="MEASURED",
    help="Collectives measured on it, to which the costs of software are fitted; may be repeated.",
)  # fmt: skip
@machines
@stop_after
@no_progress
@as_json
def command(output: str, fabric: Fabric, inside: Inside, measured: tuple[str, ...], **how: str | bool | None) -> None:
    """Write the file of a machine: its network, its nodes, and what its software costs.

    Costs are those of a machine like it, marked assumed, until they are fitted to measurements. Each value says from
    which file it comes.
    """
    from ..base import files
    from ..machine.writing import dumps

    require_toml("OUT.toml", output, "machine")
    made = _made(Path(output).stem, fabric, inside, str(how["title"]), how["like"])
    quiet, json_ = bool(how["quiet"]), bool(how["json_"])
    fitted = None
    if measured:
        from .calibrate_machine import fitted as fit

        fitted = fit(measured, made, quiet or json_)
        made = fitted.machine
    files.write(output, dumps(made, Path(output).parent).encode())
    if json_:
        emit_json({"output": output, **made.facts(), "fit": fitted and fitted.plain(output)})
        return
    from .describe import show_machine

    show_machine(made)
    if fitted is not None:
        click.echo()
        fitted.show(made.name)
    note(f"wrote {output}")


def _made(name: str, fabric: Fabric, inside: Inside, title: str, like: object) -> Machine:
    """The machine without what was measured; a job is placed on it once, so that what does not fit is said now."""
    from datetime import date

    from ..base.quantities import counted
    from ..evaluate import evaluate
    from ..machine import Machine, load
    from ..machine.new import from_parts
    from ..scenario import Scenario

    network, node = fabric.network(), inside.inputs()
    text = str(node["node"].value) if node else ""
    other = load(str(like) if like else LIKE_GPUS if "gpus=" in text else LIKE)
    given = [one for one in (fabric.fabric, inside.hwloc) if one is not None]
    parts = {"endpoint": network.endpoints, "switch": network.switches}
    size = ", ".join(counted(number, thing) for thing, number in parts.items())
    about = Machine(
        name,
        title=title or name,
        summary=f"{size}; {text}" if node else size,
        source=f"netloom machine new, from {', '.join(Path(one).name for one in given)}",
        date=date.today().isoformat(),
    )
    made = from_parts(about, {**fabric.inputs(), **node}, other)
    job = Scenario(machine=made, nodes=1, ranks_per_node=1, workload="broadcast:binomial", size_bytes=8)
    with spelled({"network": "--fabric", "node.nics": "--nics", "part": "--part"}):
        evaluate(job, "loads")
    return made


def _known(value: str, given: str, kind: str) -> Measured:
    """A value from what the user gave: a file with its date, or his word."""
    from datetime import date

    from ..base import files
    from ..machine import Measured
    from ..network.hierarchy import HERE

    if given == HERE:
        return Measured(value, "measured", "lstopo of the computer that wrote this", date.today().isoformat())
    if not files.is_file(given):
        return Measured(value, "assumed", f"given as {given}")
    return Measured(value, kind, Path(given).name, date.fromtimestamp(Path(given).stat().st_mtime).isoformat())
